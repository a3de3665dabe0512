#include "proof_profile.hpp"

#include "core/text/lean_declarations.hpp"
#include "core/text/mutual_blocks.hpp"

#include <algorithm>
#include <cmath>

namespace leanbridge::ide {

namespace {

constexpr double kMaxProfileSeconds = 24 * 3600;

// Added on the line of the declaration, or of its `mutual` block, so that line numbers stay. Below 1 ms,
// tracing costs more than it shows.
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
  const Messages timed = trial.messages().from_line(first_line).shown(lean::Severity::Information);
  for (const lean::Diagnostic* each : timed.list()) {
    lean::add_categories(each->message, profile.categories);
    for (lean::ProfileNode& node : lean::read_trace(each->message)) {
      if (node.depth == 0) profile.ms += node.ms;
      profile.nodes.push_back(std::move(node));
    }
  }
  return profile;
}

}  // namespace

asio::awaitable<Result<ProofProfile>> profile_proof(Lean& lean, std::shared_ptr<io::Operation> operation,
                                                    ProfileQuestion question) {
  FilePosition position{question.file.file_path, question.line, {}};
  CO_TRY(const OpenPlace at,
         co_await open_place(lean, operation, std::move(position), ColumnDefault::FirstNonBlank));
  const OpenFile& file = at.file;
  const std::string source = file.text().str();
  const auto site = text::enclosing_declaration(source, at.anchor.offset);
  if (!site)
    co_return fail(ErrorKind::InvalidArgument, "There is no declaration at this line.",
                   "Pass a line of the theorem or definition to measure.");
  const int first_line = file.text().position_at(site->start).line;
  const auto block = text::mutual_block_around(source, site->start);
  const std::size_t command = block ? block->begin : site->start;
  std::string text = source.substr(0, command) + kOptions + source.substr(command, site->end - command) +
                     text::rest_of_block(source, site->start);
  const std::chrono::duration<double> limit(std::min(question.timeout, kMaxProfileSeconds));
  const io::CancelScope scope =
      operation->scope.with_timeout(std::chrono::duration_cast<io::Clock::duration>(limit));
  CO_TRY(const Trial trial, co_await elaborate_text(operation, file, std::move(text), scope));

  // Lean times such a block as a whole.
  const int first_timed = block ? file.text().position_at(block->begin).line : first_line;
  const Profile profile = read_profile(trial, first_timed);
  std::vector<std::string_view> source_lines;
  const text::Text old(source);
  for (int line = first_line; line <= old.position_at(site->end).line; ++line)
    source_lines.push_back(old.line(static_cast<std::size_t>(line - 1)));
  const bool measured = trial.complete && !(profile.nodes.empty() && profile.categories.empty());

  ProofProfile result;
  for (const text::NamedDeclaration& each : text::named_declarations(source))
    if (each.site.start == site->start) result.declaration = each.full_name;
  if (measured) result.ms = rounded(profile.ms);
  for (const lean::LineTime& time : lean::time_lines(profile.nodes, source_lines)) {
    if (static_cast<int>(result.lines.size()) == question.top_n) break;
    result.lines.push_back({first_line + time.line - 1, rounded(time.ms), time.text});
  }
  for (const auto& [category, ms] : profile.categories) result.categories[category] = rounded(ms);
  if (!trial.complete)
    result.reason = "The declaration, or the file before it, was not elaborated in time.";
  else if (!measured)
    result.reason = "Lean reported no times for this declaration.";
  result.status = status_of(trial);
  co_return result;
}

}  // namespace leanbridge::ide
