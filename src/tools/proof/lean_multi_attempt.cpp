// lean_multi_attempt: several tactics tried at a place, each by itself.

#include "tactic_trials.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

// One that takes longer is mostly one that does not end; the answer to the others must not wait for it until
// the server's own time-out. A caller who passes timeout_s has said how long to wait.
constexpr auto kPerAttempt = std::chrono::seconds(15);
constexpr std::size_t kMaxSnippets = 64;

Answer answer_multi_attempt(Environment& environment, std::shared_ptr<mcp::Call> call,
                            mcp::Arguments arguments) {
  const auto file = co_await open_file(environment, call, arguments);
  if (!file) co_return tl::unexpected(file.error());
  auto snippets = arguments.strings("snippets");
  if (snippets.empty() || snippets.size() > kMaxSnippets)
    co_return fail(ErrorKind::InvalidArgument,
                   "snippets has " + std::to_string(snippets.size()) + " entries.",
                   "Pass 1 to " + std::to_string(kMaxSnippets) + " tactics.");
  const std::size_t parallel = arguments.boolean("parallel", true) ? snippets.size() : 1;
  const io::Clock::duration limit = arguments.optional_number("timeout_s") ? kNoLimit : kPerAttempt;
  auto attempts =
      co_await run_attempts(environment, call, *file, arguments.integer("line"),
                            arguments.optional_integer("column"), std::move(snippets), parallel, limit);
  if (!attempts) co_return tl::unexpected(attempts.error());

  json items = json::array();
  bool timed_out = false;
  for (Attempt& attempt : *attempts) {
    timed_out = timed_out || attempt.timed_out;
    const bool fewer_goals = cap(attempt.after.goals, kMaxGoals);
    const bool fewer_messages = cap(attempt.diagnostics, kMaxMessages);
    json item = {{"snippet", std::move(attempt.snippet)},
                 {"goals", attempt.after.in_proof ? std::move(attempt.after.goals) : json::array()},
                 {"diagnostics", std::move(attempt.diagnostics)},
                 {"timed_out", attempt.timed_out},
                 {"proof_status", status_name(attempt.status)}};
    if (!attempt.reason.empty()) item["reason"] = std::move(attempt.reason);
    if (fewer_goals || fewer_messages) item["truncated"] = true;
    items.push_back(std::move(item));
  }
  co_return finish({{"items", std::move(items)}}, *file, timed_out, timed_out);
}

}  // namespace

mcp::Tool lean_multi_attempt(Environment& environment) {
  using mcp::Argument;
  using mcp::ArgumentType;
  mcp::Tool tool;
  tool.name = "lean_multi_attempt";
  tool.title = "Try tactics";
  tool.group = "proof";
  tool.description =
      "Tries several tactics at a place, each by itself, without touching your file: the goals and messages "
      "of each. A snippet may have several lines.";
  tool.arguments = {file_argument(), line_argument(), column_argument(),
                    Argument::required_("snippets", ArgumentType::StringList, "Tactics to try"),
                    Argument::optional_("parallel", ArgumentType::Boolean, "Side by side: true")};
  answers(tool, {{"items", schema::list({})}}, {"items"});
  tool.caller_code = true;
  tool.handler = bind_handler(environment, answer_multi_attempt);
  return tool;
}

}  // namespace leanbridge::tools
