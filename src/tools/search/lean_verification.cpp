#include "lean_verification.hpp"

#include "leanbridge/io/one_shot.hpp"

#include "search_common.hpp"
#include "tools/query/name_lookup.hpp"
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>
#include <optional>
#include <set>

namespace leanbridge::tools {

using nlohmann::json;

namespace {

constexpr std::size_t kMostNames = 50;
constexpr std::size_t kTypesOfFirst = 10;
constexpr std::size_t kMostImports = 24;
constexpr auto kMoment = std::chrono::milliseconds(400);  // a search waits no longer for types
constexpr auto kInBackground = std::chrono::seconds(60);  // what comes later is for the next search

// The prelude imports it, and so does every file.
bool is_always_imported(const std::string& module) {
  return module == "Init" || module.starts_with("Init.");
}

bool lacks_type(const search::Theorem& theorem) {
  return theorem.hit.type.empty();
}

// Where Lean is asked, and about which of them.
struct WordPlace {
  std::shared_ptr<document::DocumentStore> table;
  Context context;
  std::string key;  ///< of the environment, for the cache; "": nothing is kept
  std::vector<std::size_t> asked;
};

bool wants(const LeanCheck& check, const std::vector<search::Theorem>& theorems, std::size_t i) {
  return check.verify ? i < kMostNames : i < kTypesOfFirst && lacks_type(theorems[i]);
}

// The file's own imports.
asio::awaitable<Result<WordPlace>> place_in_file(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                 const std::vector<search::Theorem>& theorems,
                                                 LeanCheck check) {
  CO_TRY(const auto file, co_await open_file(environment, call, check.file_path));
  WordPlace place;
  CO_TRY(place.context, command_context(file, ContextPosition()));
  place.table = file.store();
  place.key = file.document().path.string() + "@" + std::to_string(file.document().state.version());
  for (std::size_t i = 0; i < theorems.size(); ++i)
    if (wants(check, theorems, i)) place.asked.push_back(i);
  co_return place;
}

// The modules that the index knows, which are those that exist here: of other names nothing can be said.
asio::awaitable<Result<WordPlace>> place_in_project(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                    const std::vector<search::Theorem>& theorems,
                                                    LeanCheck check) {
  CO_TRY(const auto project, environment.workspace.project(check.project.string()));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < theorems.size(); ++i)
    if (wants(check, theorems, i)) names.push_back(theorems[i].hit.name);
  CO_TRY(const auto known, co_await environment.index.describe(check.project, names, call->scope));
  WordPlace place;
  place.table = project;
  std::set<std::string> imports;
  for (std::size_t i = 0; i < theorems.size(); ++i) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const index::Declaration& declaration) {
      return declaration.name == theorems[i].hit.name;
    });
    if (!wants(check, theorems, i) || found == known.end() || found->module.empty()) continue;
    if (!is_always_imported(found->module)) {
      if (imports.size() == kMostImports && !imports.contains(found->module)) continue;
      imports.insert(found->module);
    }
    place.asked.push_back(i);
  }
  for (const std::string& module : imports) place.context.text += "import " + module + "\n";
  // What the modules hold may have changed since: then their index has, too.
  const std::string generation = co_await environment.index.generation(check.project, call->scope);
  if (!generation.empty()) place.key = check.project.string() + "@" + generation + "\n" + place.context.text;
  co_return place;
}

json to_json(const std::vector<NameInfo>& named) {
  json list = json::array();
  for (const NameInfo& one : named)
    list.push_back({one.name, one.known, one.type, one.module, one.docstring});
  return list;
}

std::vector<NameInfo> named_from_json(const json& list) {
  std::vector<NameInfo> named;
  for (const json& one : list) {
    NameInfo read;
    read.name = one[0];
    read.known = one[1];
    read.type = one[2];
    read.module = one[3];
    read.docstring = one[4];
    named.push_back(std::move(read));
  }
  return named;
}

// Asks, keeps the answer for a while, and lets the index remember it.
asio::awaitable<Result<std::vector<NameInfo>>> look_up_once(Environment& environment, WordPlace place,
                                                         std::vector<std::string> names,
                                                         std::filesystem::path project,
                                                         io::CancelScope scope) {
  search::Cache& cache = environment.search.cache();
  std::string key;
  if (!place.key.empty())
    key = place.key + "\n" + json(names).dump(-1, ' ', false, json::error_handler_t::replace);
  if (!key.empty())
    if (const auto kept = co_await cache.find(search::CacheGroup::State, key, scope))
      co_return named_from_json(*kept);
  const auto named = co_await look_up(place.table, std::move(place.context), std::move(names), scope);
  if (!named) co_return named;
  if (!key.empty()) cache.put(search::CacheGroup::State, key, to_json(*named));
  std::vector<index::ElaboratedFact> learned;
  for (const NameInfo& one : *named)
    if (one.known && !one.type.empty()) learned.push_back({one.name, ": " + one.type, one.docstring});
  environment.index.remember(project, std::move(learned));
  co_return named;
}

// The same, going on after `scope` has ended: Timeout then.
using Background = io::OneShot<Result<std::vector<NameInfo>>>;

asio::awaitable<void> look_up_to(std::shared_ptr<Background> result, Environment& environment, WordPlace place,
                                 std::vector<std::string> names, std::filesystem::path project) {
  result->set(co_await look_up_once(environment, std::move(place), std::move(names), std::move(project),
                                    io::CancelScope(kInBackground)));
}

asio::awaitable<Result<std::vector<NameInfo>>> look_up_for_a_moment(Environment& environment, WordPlace place,
                                                                 std::vector<std::string> names,
                                                                 std::filesystem::path project,
                                                                 io::CancelScope scope) {
  // A worker that has yet to start takes seconds: then it is not waited for at all.
  const bool is_warm = place.table->scratch()->warm_slots() > 0;
  auto result = std::make_shared<Background>();
  asio::co_spawn(co_await asio::this_coro::executor,
                 look_up_to(result, environment, std::move(place), std::move(names), std::move(project)),
                 asio::detached);
  const io::CancelScope moment =
      scope.with_timeout(is_warm ? io::Clock::duration(kMoment) : io::Clock::duration::zero());
  if (co_await result->wait(moment) == io::WaitStatus::Ready) co_return result->take();
  co_return fail(ErrorKind::Timeout, "Lean is still at it: the next search will have the types.");
}

}  // namespace

wire::Names<VerificationStatus> names_of(VerificationStatus) {
  return {{VerificationStatus::Ok, "ok"},
          {VerificationStatus::NotRunning, "not_running"},
          {VerificationStatus::UnknownModules, "unknown_modules"},
          {VerificationStatus::Timeout, "timeout"},
          {VerificationStatus::Failed, "failed"}};
}

wire::Fields Verification::fields() {
  return {wire::field<&Verification::status>("status"), wire::field<&Verification::asked>("asked"),
          wire::field<&Verification::problem>("problem")};
}

asio::awaitable<std::optional<Verification>> verify_with_lean(Environment& environment,
                                                              std::shared_ptr<mcp::Call> call,
                                                              std::vector<search::Theorem>& theorems,
                                                              LeanCheck check) {
  using Status = VerificationStatus;
  bool any = false;
  for (std::size_t i = 0; i < theorems.size(); ++i) any = any || wants(check, theorems, i);
  if (!any) co_return std::nullopt;
  const auto not_asked = [](Status status, const std::string& problem = {}) {
    return Verification{status, 0, text_or_absent(problem)};
  };
  if (!check.verify) {
    const auto project = environment.workspace.project(check.project.string());
    if (!project || (*project)->server().state() != lean::Server::State::Ready)
      co_return not_asked(Status::NotRunning);
  }
  auto place = check.file_path.empty() ? co_await place_in_project(environment, call, theorems, check)
                                       : co_await place_in_file(environment, call, theorems, check);
  if (!place) co_return not_asked(Status::Failed, place.error().message);
  if (place->asked.empty()) co_return not_asked(Status::UnknownModules);
  std::vector<std::string> names;
  for (const std::size_t i : place->asked) names.push_back(theorems[i].hit.name);
  const std::vector<std::size_t> asked = place->asked;
  auto named = check.verify ? co_await look_up_once(environment, std::move(*place), std::move(names),
                                                    check.project, call->scope)
                            : co_await look_up_for_a_moment(environment, std::move(*place), std::move(names),
                                                            check.project, call->scope);
  if (!named)
    co_return not_asked(named.error().kind == ErrorKind::Timeout ? Status::Timeout : Status::Failed,
                        named.error().message);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const NameInfo& one = (*named)[i];
    search::Theorem& theorem = theorems[asked[i]];
    if (check.verify) theorem.in_environment = one.known;
    if (one.known) search::apply_lean_facts(theorem, one.type, one.module, one.docstring);
  }
  co_return Verification{Status::Ok, asked.size(), std::nullopt};
}

}  // namespace leanbridge::tools
