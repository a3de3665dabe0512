// lean_validate_step: one tactic before it is written.

#include "tactic_trials.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

json of_severity(const json& diagnostics, const char* severity) {
  json found = json::array();
  for (const json& diagnostic : diagnostics)
    if (diagnostic["severity"] == severity) found.push_back(diagnostic);
  return found;
}

Answer answer_validate_step(Environment& environment, std::shared_ptr<mcp::Call> call,
                            mcp::Arguments arguments) {
  const auto file = co_await open_file(environment, call, arguments);
  if (!file) co_return tl::unexpected(file.error());
  std::vector<std::string> tactics = {arguments.string("tactic")};
  auto attempts =
      co_await run_attempts(environment, call, *file, arguments.integer("line"),
                            arguments.optional_integer("column"), std::move(tactics), 1, kNoLimit);
  if (!attempts) co_return tl::unexpected(attempts.error());
  Attempt& attempt = attempts->front();
  if (!attempt.timed_out && !attempt.before.in_proof)
    co_return fail(
        ErrorKind::InvalidArgument, "There is no proof at this place, so no tactic can be tried there.",
        "Pass the line of a tactic, or of the place in a `by` block where the next one shall stand.");
  bool truncated = cap(attempt.before.goals, kMaxGoals);
  truncated = cap(attempt.after.goals, kMaxGoals) || truncated;
  truncated = cap(attempt.diagnostics, kMaxMessages) || truncated;
  const bool error = attempt.status == ProofStatus::Error || attempt.timed_out;
  json result = {{"valid", !error},
                 {"progress", !error && attempt.status != ProofStatus::NoProgress},
                 {"complete", !error && attempt.status == ProofStatus::Complete},
                 {"goals_before", goals_json(attempt.before)},
                 {"goals_after", goals_json(attempt.after)},
                 {"errors", of_severity(attempt.diagnostics, "error")},
                 {"warnings", of_severity(attempt.diagnostics, "warning")},
                 {"infos", of_severity(attempt.diagnostics, "info")}};
  if (!attempt.reason.empty()) result["reason"] = std::move(attempt.reason);
  if (truncated) result["truncated"] = true;
  co_return finish(std::move(result), *file, attempt.timed_out, attempt.timed_out);
}

}  // namespace

mcp::Tool lean_validate_step(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_validate_step";
  tool.title = "Validate a tactic";
  tool.group = "proof";
  tool.description =
      "Tries one tactic at a place without touching your file: is it accepted, does it change the goals, is "
      "the "
      "proof then complete?";
  tool.arguments = {file_argument(), line_argument(), column_argument(),
                    mcp::Argument::required_("tactic", mcp::ArgumentType::String, "May have several lines")};
  answers(tool,
          {{"valid", schema::boolean()},
           {"progress", schema::boolean()},
           {"complete", schema::boolean()},
           {"goals_before", goals_schema()},
           {"goals_after", goals_schema()},
           {"errors", schema::list({})},
           {"warnings", schema::list({})},
           {"infos", schema::list({})}},
          {"valid", "progress", "complete", "errors"});
  tool.caller_code = true;
  tool.handler = bind_handler(environment, answer_validate_step);
  return tool;
}

}  // namespace leanbridge::tools
