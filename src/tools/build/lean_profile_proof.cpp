// lean_profile_proof: where the time of a declaration goes.

#include "leanbridge/lean/profile.hpp"
#include "leanbridge/text/lean_declarations.hpp"

#include "tools/common/scratch_elaboration.hpp"

#include <algorithm>
#include <cmath>

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

constexpr double kDefaultProfileSeconds = 60;
constexpr double kMaxProfileSeconds = 24 * 3600;
constexpr int kDefaultTop = 5;

// On the declaration's own line, so that line numbers stay. 1 ms: below it the trace costs more than it
// tells.
constexpr const char* kOptions =
    "set_option profiler true in set_option profiler.threshold 0 in "
    "set_option trace.profiler true in set_option trace.profiler.threshold 1 in ";

double rounded(double ms) {
  return std::round(ms * 100) / 100;
}

struct Profile {
  double ms = 0;
  std::vector<lean::ProfileNode> nodes;
  std::map<std::string, double> categories;
};

Profile read_profile(const Trial& trial, int first_line) {
  Profile profile;
  for (const lean::Diagnostic& diagnostic : trial.diagnostics) {
    if (diagnostic.severity != lean::Severity::Information) continue;
    if (trial.text.position_at(diagnostic.range.start).line < first_line) continue;
    lean::add_categories(diagnostic.message, profile.categories);
    for (lean::ProfileNode& node : lean::read_trace(diagnostic.message)) {
      if (node.depth == 0) profile.ms += node.ms;
      profile.nodes.push_back(std::move(node));
    }
  }
  return profile;
}

Answer answer_profile_proof(Environment& environment, std::shared_ptr<mcp::Call> call,
                            mcp::Arguments arguments) {
  const auto at = co_await open_place(environment, call, arguments, ColumnDefault::FirstNonBlank);
  if (!at) co_return tl::unexpected(at.error());
  const OpenFile& file = at->file;
  const std::string source = file.text().str();
  const auto site = text::enclosing_declaration(source, at->offset);
  if (!site)
    co_return fail(ErrorKind::InvalidArgument, "There is no declaration at this line.",
                   "Pass a line of the theorem or definition to measure.");
  const int first_line = file.text().position_at(site->start).line;
  std::string text =
      source.substr(0, site->start) + kOptions + source.substr(site->start, site->end - site->start);
  const std::chrono::duration<double> limit(
      std::min(arguments.optional_number("timeout").value_or(kDefaultProfileSeconds), kMaxProfileSeconds));
  const io::CancelScope scope =
      call->scope.with_timeout(std::chrono::duration_cast<io::Clock::duration>(limit));
  const auto trial = co_await elaborate_text(call, file, std::move(text), scope);
  if (!trial) co_return tl::unexpected(trial.error());

  const Profile profile = read_profile(*trial, first_line);
  std::vector<std::string_view> source_lines;
  const text::Text old(source);
  for (int line = first_line; line <= old.position_at(site->end).line; ++line)
    source_lines.push_back(old.line(static_cast<std::size_t>(line - 1)));
  json lines = json::array();
  for (const lean::LineTime& time : lean::time_lines(profile.nodes, source_lines)) {
    if (static_cast<int>(lines.size()) == arguments.integer("top_n", kDefaultTop)) break;
    lines.push_back({{"line", first_line + time.line - 1}, {"ms", rounded(time.ms)}, {"text", time.text}});
  }
  json categories = json::object();
  for (const auto& [category, ms] : profile.categories) categories[category] = rounded(ms);
  const bool measured = trial->complete && !(profile.nodes.empty() && profile.categories.empty());
  json result = {{"declaration", site->name},
                 {"ms", measured ? json(rounded(profile.ms)) : json()},
                 {"lines", std::move(lines)},
                 {"categories", std::move(categories)}};
  if (!trial->complete)
    result["reason"] = "The declaration, or the file before it, was not elaborated in time.";
  else if (!measured)
    result["reason"] = "Lean reported no times for this declaration.";
  co_return finish_trial(std::move(result), *trial);
}

}  // namespace

mcp::Tool lean_profile_proof(Environment& environment) {
  using mcp::Argument;
  using mcp::ArgumentType;
  mcp::Tool tool;
  tool.name = "lean_profile_proof";
  tool.title = "Profile a proof";
  tool.group = "build";
  tool.description =
      "Where the time of the declaration at a line goes: in all, by its slowest lines, by category. For slow "
      "proofs.";
  tool.arguments = {
      file_argument(), line_argument(),
      Argument::optional_("top_n", ArgumentType::Integer, "Slowest lines, default 5").at_least(0),
      Argument::optional_("timeout", ArgumentType::Number, "Seconds, default 60").at_least(0)};
  answers_from_trial(tool,
                     {{"ms", schema::nullable(schema::number())},
                      {"lines", schema::list({})},
                      {"categories", schema::object({})}},
                     {"ms", "lines", "categories"});
  tool.handler = bind_handler(environment, answer_profile_proof);
  return tool;
}

}  // namespace leanbridge::tools
