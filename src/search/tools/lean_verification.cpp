#include "lean_verification.hpp"

#include "core/ide/name_lookup.hpp"
#include "core/io/one_shot.hpp"
#include "search_common.hpp"
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>
#include <optional>
#include <set>

namespace leanbridge::tools {

using nlohmann::json;

namespace {

constexpr std::size_t kMaxNames = 50;
constexpr std::size_t kMaxMissingTypes = 10;  // without `verify`, among the first results
constexpr std::size_t kMaxImports = 24;
constexpr auto kMissingTypesWait = std::chrono::milliseconds(400);  // how long a search waits for types
constexpr auto kBackgroundLimit = std::chrono::seconds(60);         // for answers that serve the next search

// Every file imports Init, directly or through the prelude.
bool is_always_imported(const std::string& module) {
  return module == "Init" || module.starts_with("Init.");
}

bool lacks_type(const search::Theorem& theorem) {
  return theorem.signature.empty();
}

// Where to ask Lean, and about which theorems.
struct VerifyContext {
  std::shared_ptr<document::DocumentStore> store;
  Context context;
  std::string key;                 ///< identifies the environment in the cache; "": do not cache
  std::vector<std::size_t> asked;  ///< indices of the theorems
};

bool wants(const LeanCheck& check, const std::vector<search::Theorem>& theorems, std::size_t i) {
  return check.verify ? i < kMaxNames : i < kMaxMissingTypes && lacks_type(theorems[i]);
}

// The environment of the file's own imports, and of the file itself if one of the theorems is in it.
asio::awaitable<Result<VerifyContext>> context_in_file(SearchEnvironment& environment,
                                                       std::shared_ptr<mcp::Call> call,
                                                       const std::vector<search::Theorem>& theorems,
                                                       LeanCheck check) {
  CO_TRY(const auto file, co_await open_file(environment, call, check.file_path));
  VerifyContext verify;
  const auto is_asked = [&](const std::string& own) {
    return std::ranges::any_of(theorems, [&](const search::Theorem& theorem) { return theorem.name == own; });
  };
  CO_TRY(verify.context, context_for_names(file, ContextPosition(), is_asked));
  verify.store = file.store();
  verify.key = file.document().path.string() + "@" + std::to_string(file.document().state.version());
  for (std::size_t i = 0; i < theorems.size(); ++i)
    if (wants(check, theorems, i)) verify.asked.push_back(i);
  co_return verify;
}

// An environment that imports the modules of the theorems. Only the index knows which module of this project
// has a name, so it does not ask about names that the index does not know.
asio::awaitable<Result<VerifyContext>> context_in_project(SearchEnvironment& environment,
                                                          std::shared_ptr<mcp::Call> call,
                                                          const std::vector<search::Theorem>& theorems,
                                                          LeanCheck check) {
  CO_TRY(const auto project, environment.workspace.project(check.project.string()));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < theorems.size(); ++i)
    if (wants(check, theorems, i)) names.push_back(theorems[i].name);
  CO_TRY(const auto known, co_await environment.index.describe(check.project, names, call->scope));
  VerifyContext verify;
  verify.store = project;
  std::set<std::string> imports;
  for (std::size_t i = 0; i < theorems.size(); ++i) {
    const auto found = std::ranges::find_if(
        known, [&](const index::Declaration& declaration) { return declaration.name == theorems[i].name; });
    if (!wants(check, theorems, i) || found == known.end() || found->module.empty()) continue;
    if (!is_always_imported(found->module)) {
      if (imports.size() == kMaxImports && !imports.contains(found->module)) continue;
      imports.insert(found->module);
    }
    verify.asked.push_back(i);
  }
  for (const std::string& module : imports) verify.context.text += "import " + module + "\n";
  // The generation of the index changes whenever the content of the modules does.
  const std::string generation = co_await environment.index.generation(check.project, call->scope);
  if (!generation.empty())
    verify.key = check.project.string() + "@" + generation + "\n" + verify.context.text;
  co_return verify;
}

// Asks Lean, caches the answer, and lets the index remember it.
asio::awaitable<Result<std::vector<NameInfo>>> look_up_cached(SearchEnvironment& environment,
                                                              VerifyContext verify,
                                                              std::vector<std::string> names,
                                                              std::filesystem::path project,
                                                              io::CancelScope scope) {
  search::Cache& cache = environment.search.cache();
  std::string key;
  if (!verify.key.empty())
    key = verify.key + "\n" + json(names).dump(-1, ' ', false, json::error_handler_t::replace);
  if (!key.empty())
    if (const auto* const kept = cache.find<std::vector<NameInfo>>(search::CacheGroup::State, key))
      co_return *kept;
  const auto named = co_await look_up(verify.store, std::move(verify.context), std::move(names), scope);
  if (!named) co_return named;
  if (!key.empty()) cache.put(search::CacheGroup::State, key, *named);
  std::vector<index::ElaboratedFact> learned;
  for (const NameInfo& one : *named)
    if (one.known && !one.type.empty()) learned.push_back({one.name, ": " + one.type, one.docstring});
  environment.index.remember(project, std::move(learned));
  co_return named;
}

// A look-up that continues after the search has stopped waiting for it.
using BackgroundLookup = io::OneShot<Result<std::vector<NameInfo>>>;

asio::awaitable<void> run_in_background(std::shared_ptr<BackgroundLookup> lookup,
                                        SearchEnvironment& environment, VerifyContext verify,
                                        std::vector<std::string> names, std::filesystem::path project) {
  lookup->set(co_await look_up_cached(environment, std::move(verify), std::move(names), std::move(project),
                                      io::CancelScope(kBackgroundLimit)));
}

asio::awaitable<Result<std::vector<NameInfo>>> look_up_briefly(SearchEnvironment& environment,
                                                               VerifyContext verify,
                                                               std::vector<std::string> names,
                                                               std::filesystem::path project,
                                                               io::CancelScope scope) {
  // Starting a worker takes seconds, so wait only if one is warm.
  const bool is_warm = verify.store->scratch()->warm_slots() > 0;
  auto lookup = std::make_shared<BackgroundLookup>();
  io::spawn(co_await asio::this_coro::executor,
            run_in_background(lookup, environment, std::move(verify), std::move(names), std::move(project)));
  const io::CancelScope patience =
      scope.with_timeout(is_warm ? io::Clock::duration(kMissingTypesWait) : io::Clock::duration::zero());
  if (co_await lookup->wait(patience) == io::WaitStatus::Ready) co_return lookup->take();
  co_return fail(ErrorKind::Timeout, "Lean has not answered yet. The next search will have the types.");
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
  return wire::fields<&Verification::status, &Verification::asked, &Verification::problem>();
}

asio::awaitable<std::optional<Verification>> verify_with_lean(SearchEnvironment& environment,
                                                              std::shared_ptr<mcp::Call> call,
                                                              std::vector<search::Theorem>& theorems,
                                                              LeanCheck check) {
  using Status = VerificationStatus;
  bool any = false;
  for (std::size_t i = 0; i < theorems.size(); ++i) any = any || wants(check, theorems, i);
  if (!any) co_return std::nullopt;
  const auto not_asked = [](Status status, const std::string& problem = {}) {
    return Verification{status, 0, absent_if_empty(problem)};
  };
  if (!check.verify) {
    const auto project = environment.workspace.project(check.project.string());
    if (!project || (*project)->server().state() != lean::Server::State::Ready)
      co_return not_asked(Status::NotRunning);
  }
  auto verify = check.file_path.empty() ? co_await context_in_project(environment, call, theorems, check)
                                        : co_await context_in_file(environment, call, theorems, check);
  if (!verify) co_return not_asked(Status::Failed, verify.error().message);
  if (verify->asked.empty()) co_return not_asked(Status::UnknownModules);
  std::vector<std::string> names;
  for (const std::size_t i : verify->asked) names.push_back(theorems[i].name);
  const std::vector<std::size_t> asked = verify->asked;
  auto named = check.verify ? co_await look_up_cached(environment, std::move(*verify), std::move(names),
                                                      check.project, call->scope)
                            : co_await look_up_briefly(environment, std::move(*verify), std::move(names),
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
