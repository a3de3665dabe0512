// lean_multi_attempt: several tactics tried at a place, each by itself.

#include "attempts.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

constexpr auto kPerAttempt = std::chrono::seconds(15);
constexpr std::size_t kMaxSnippets = 64;

Answer answer(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments arguments) {
  const auto file = co_await open_file(environment, call, arguments);
  if (!file) co_return tl::unexpected(file.error());
  auto snippets = arguments.strings("snippets");
  if (snippets.empty() || snippets.size() > kMaxSnippets)
    co_return fail(ErrorKind::InvalidArgument,
                   "snippets has " + std::to_string(snippets.size()) + " entries.",
                   "Pass 1 to " + std::to_string(kMaxSnippets) + " tactics.");
  const std::size_t parallel = arguments.boolean("parallel", true) ? snippets.size() : 1;
  const auto attempts =
      co_await run_attempts(*file, arguments.integer("line"), arguments.optional_integer("column"),
                            std::move(snippets), parallel, kPerAttempt, call->scope);
  if (!attempts) co_return tl::unexpected(attempts.error());

  json items = json::array();
  bool timed_out = false;
  for (const Attempt& attempt : *attempts) {
    timed_out = timed_out || attempt.timed_out;
    items.push_back({{"snippet", attempt.snippet},
                     {"goals", attempt.after.in_proof ? attempt.after.goals : json::array()},
                     {"diagnostics", attempt.diagnostics},
                     {"timed_out", attempt.timed_out},
                     {"proof_status", status_name(attempt.status)}});
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
      "of each. Use "
      "it to compare ideas before you edit; a snippet may have several lines.";
  tool.arguments = {file_argument(), line_argument(), column_argument(),
                    Argument::required_("snippets", ArgumentType::StringList, "Tactics to try"),
                    Argument::optional_("parallel", ArgumentType::Boolean, "Side by side: true")};
  answers(tool, {{"items", schema::list({})}}, {"items"});
  tool.handler = handled_by(environment, answer);
  return tool;
}

}  // namespace leanbridge::tools
