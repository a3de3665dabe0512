#include "proof_search.hpp"

#include "core/ide/scratch_query.hpp"
#include "core/ide/trials.hpp"
#include "core/lean/try_this.hpp"
#include "core/text/lean_quoting.hpp"
#include "core/tools/common/typed_tool.hpp"
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

namespace leanbridge::tools {

namespace {

// How long a search waits for Lean: the first `exact?` in a worker reads all theorems in scope, which takes
// seconds.
constexpr auto kProofSearchLimit = std::chrono::seconds(8);
// How many hits for a goal are tried there, and for how long.
constexpr std::size_t kTried = 8;
constexpr const char* kUses = "first | apply {0} | rw [{0}] | rw [← {0}] | simp only [{0}] at *";
constexpr auto kUseLimit = std::chrono::seconds(4);

search::Problem problem_of(const Error& error) {
  search::Problem problem;
  problem.failure = error.kind == ErrorKind::Timeout     ? search::Failure::Timeout
                    : error.kind == ErrorKind::Cancelled ? search::Failure::Cancelled
                                                         : search::Failure::Unavailable;
  problem.message = error.message;
  problem.hint = error.hint;
  return problem;
}

// Whether the name only joins theorems in a proof term.
bool is_glue(std::string_view name) {
  static constexpr std::string_view kGlue[] = {
      "Eq.symm",  "Eq.trans", "Eq.mp",     "Eq.mpr", "Iff.symm", "Iff.mp",     "Iff.mpr", "id",
      "congrArg", "congr",    "And.intro", "symm",   "Ne.symm",  "of_eq_true", "propext", "funext"};
  return std::ranges::find(kGlue, name) != std::end(kGlue);
}

// The suggestions of one of the tactics at the place.
asio::awaitable<Result<lean::Suggestions>> suggested_by(const OpenFile& file, Context context,
                                                        std::string tactic, io::CancelScope scope) {
  CO_TRY(const auto asked, co_await ask_in_scratch(file.store(), std::move(context), {tactic}, scope));
  lean::Suggestions all;
  for (const lean::Diagnostic* diagnostic : asked->messages(0).shown(lean::Severity::Information).list()) {
    lean::Suggestions one = lean::read_suggestions(diagnostic->message);
    all.tactics.insert(all.tactics.end(), one.tactics.begin(), one.tactics.end());
    all.words.insert(all.words.end(), one.words.begin(), one.words.end());
  }
  co_return all;
}

// The constants among the words, which the index knows.
asio::awaitable<std::vector<search::Theorem>> hits_among(SearchEnvironment& environment,
                                                         std::filesystem::path project,
                                                         std::vector<std::string> words,
                                                         io::CancelScope scope) {
  std::vector<std::string> names;
  for (const std::string& word : words)
    for (std::string& name : lean::possible_constants(word)) names.push_back(std::move(name));
  std::vector<search::Theorem> hits;
  const auto known = co_await environment.index.describe(std::move(project), names, scope);
  if (!known || known->empty()) {
    // Without an index, words without a namespace count as hypotheses.
    for (const std::string& word : words)
      if (word.find('.') != std::string::npos &&
          std::isupper(static_cast<unsigned char>(word.front())) != 0) {
        hits.emplace_back();
        hits.back().name = word;
      }
    co_return hits;
  }
  std::map<std::string, const index::Declaration*> by_name;
  for (const index::Declaration& declaration : *known) by_name.emplace(declaration.name, &declaration);
  for (const std::string& word : words)
    for (const std::string& name : lean::possible_constants(word)) {
      const auto found = by_name.find(name);
      if (found == by_name.end()) continue;
      search::Theorem hit;
      hit.name = name;
      hit.kind = found->second->kind;
      hit.module = found->second->module;
      const bool again = std::ranges::any_of(hits, [&](const auto& each) { return each.name == name; });
      if (!again) hits.push_back(std::move(hit));
      break;
    }
  // `exact Eq.symm (Nat.foo n)` is mainly about Nat.foo.
  std::stable_partition(hits.begin(), hits.end(),
                        [](const search::Theorem& hit) { return !is_glue(hit.name); });
  co_return hits;
}

asio::awaitable<Result<search::Found>> search_proof(SearchEnvironment& environment,
                                                    std::shared_ptr<mcp::Call> call, FilePosition at,
                                                    std::filesystem::path project, io::CancelScope scope) {
  CO_TRY(const auto place, co_await open_place(environment, call, at, ColumnDefault::FirstNonBlank));
  CO_TRY(auto context, co_await proof_context(place.file, place.anchor.offset, scope));
  if (!context)
    co_return fail(ErrorKind::InvalidArgument, "There is no goal for a tactic at this position.",
                   "Pass a position inside a tactic proof.");
  search::Found found;
  for (const char* tactic : {"exact?", "rw?"}) {
    CO_TRY(auto suggested, co_await suggested_by(place.file, *context, tactic, scope));
    if (suggested.tactics.empty()) continue;
    found.note = suggested.tactics.front();
    found.hits = co_await hits_among(environment, project, std::move(suggested.words), scope);
    found.closes_goal = std::string_view(tactic) == "exact?";
    break;
  }
  co_return found;
}

}  // namespace

search::LiveSource proof_search(SearchEnvironment& environment, std::shared_ptr<mcp::Call> call,
                                FilePosition at, std::filesystem::path project) {
  search::LiveSource source;
  source.name = search::kProofSearch;
  auto ask = [](SearchEnvironment* where, std::shared_ptr<mcp::Call> for_call, FilePosition position,
                std::filesystem::path root,
                io::CancelScope scope) -> asio::awaitable<search::Outcome<search::Found>> {
    auto found = co_await search_proof(*where, std::move(for_call), std::move(position), std::move(root),
                                       scope.with_timeout(kProofSearchLimit));
    if (!found) co_return tl::unexpected(problem_of(found.error()));
    co_return std::move(*found);
  };
  source.ask = [where = &environment, call = std::move(call), at = std::move(at),
                project = std::move(project),
                ask](io::CancelScope scope) { return ask(where, call, at, project, std::move(scope)); };
  return source;
}

asio::awaitable<std::size_t> leave_out_unusable(SearchEnvironment& environment,
                                                std::shared_ptr<mcp::Call> call, FilePosition at,
                                                std::vector<search::Theorem>& theorems) {
  const auto file = co_await open_file(environment, call, at.file_path);
  if (!file) co_return 0;
  const auto operation =
      std::make_shared<io::Operation>(io::Operation{call->scope.with_timeout(kUseLimit), {}});
  Trials trials(environment, operation, *file, at, {});
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(theorems.size(), kTried); ++i)
    if (const auto name = text::quote_name(theorems[i].name)) names.push_back(*name);
  // The names that no tactic can use; of these, the ones that Lean knows.
  for (const bool is_use : {true, false}) {
    std::vector<std::string> snippets, kept;
    for (const std::string& name : names)
      snippets.push_back(fmt::format(fmt::runtime(is_use ? kUses : "have := @{0}"), name));
    const auto tried = co_await trials.run(std::move(snippets));
    for (std::size_t i = 0; tried && i < names.size(); ++i)
      if (!(*tried)[i].timed_out && (*tried)[i].has_failed() == is_use) kept.push_back(names[i]);
    names = std::move(kept);
    if (names.empty()) co_return 0;
  }
  co_return std::erase_if(theorems, [&](const search::Theorem& theorem) {
    return std::ranges::find(names, text::quote_name(theorem.name).value_or("")) != names.end();
  });
}

}  // namespace leanbridge::tools
