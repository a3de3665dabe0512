// lean_minimal_hypotheses: which hypotheses of a theorem its proof can do without.

#include "leanbridge/text/signature.hpp"
#include "leanbridge/text/trust_scan.hpp"

#include "trial.hpp"

#include <algorithm>

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

constexpr double kDefaultSeconds = 30;
constexpr double kMaxSeconds = 24 * 3600;

// The first thing that is wrong with the declaration that begins in `first_line`; empty when it is proved.
std::string trouble(const Trial& trial, int first_line) {
  if (!trial.complete) return "Lean did not get through it in time.";
  if (trial.header_failed) return "Lean cannot load the file's imports.";
  for (const lean::Diagnostic& diagnostic : trial.diagnostics) {
    if (trial.text.position_at(diagnostic.range.start).line < first_line) continue;
    if (is_sorry(diagnostic)) return "The proof uses sorry.";
    if (diagnostic.severity == lean::Severity::Error)
      return diagnostic.message.substr(0, diagnostic.message.find('\n'));
  }
  return {};
}

json verdict(const text::Binder& binder, const text::BoundName& name, const char* word, std::string reason) {
  return {{"hypothesis", name.name}, {"type", binder.type}, {"verdict", word}, {"reason", std::move(reason)}};
}

Answer answer(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments arguments) {
  std::string name = arguments.string("theorem_name");
  if (name.starts_with("_root_.")) name.erase(0, std::string_view("_root_.").size());
  const auto file = co_await open_file(environment, call, arguments);
  if (!file) co_return tl::unexpected(file.error());
  const auto site = text::find_declaration(file->text().str(), name);
  if (!text::is_lean_name(name) || !site)
    co_return fail(ErrorKind::InvalidArgument,
                   file->document().name + " has no theorem " + arguments.string("theorem_name") + ".",
                   "Pass the full name, with its namespaces, of a theorem of this file.");
  // What stands below does not matter, and need not be elaborated.
  const std::string source = file->text().str().substr(0, site->end);
  const int first_line = file->text().position_at(site->start).line;
  const std::chrono::duration<double> limit(
      std::min(arguments.optional_number("inactivity_timeout").value_or(kDefaultSeconds), kMaxSeconds));
  const auto each = std::chrono::duration_cast<io::Clock::duration>(limit);

  const auto as_it_is = co_await try_text(environment, call, file->table, source, call->scope);
  if (!as_it_is) co_return tl::unexpected(as_it_is.error());
  const std::string already = trouble(*as_it_is, first_line);
  const text::Signature signature = text::signature_of(source, *site);
  json verdicts = json::array();
  json skipped = json::array();
  bool complete = as_it_is->complete;
  for (const text::Binder& binder : signature.binders) {
    if (binder.kind != text::BinderKind::Explicit) {
      skipped.push_back(source.substr(binder.begin, binder.end - binder.begin));
      continue;
    }
    for (std::size_t i = 0; i < binder.names.size(); ++i) {
      const text::BoundName& bound = binder.names[i];
      if (!already.empty()) {
        verdicts.push_back(verdict(binder, bound, "unknown", "The theorem itself is not proved: " + already));
        continue;
      }
      // Without it Lean might bind the name by itself: autoImplicit.
      if (text::mentions(source, binder.end, signature.end, bound.name)) {
        verdicts.push_back(verdict(binder, bound, "needed", "The rest of the statement mentions it."));
        continue;
      }
      const io::Scope scope = call->scope.at_most(each);
      std::string shorter = text::without_name(source, binder, i);
      const auto trial = co_await try_text(environment, call, file->table, std::move(shorter), scope);
      if (!trial && trial.error().kind != ErrorKind::WorkerCrashed &&
          trial.error().kind != ErrorKind::Timeout)
        co_return tl::unexpected(trial.error());
      complete = complete && trial && trial->complete;
      const std::string why = trial ? trouble(*trial, first_line) : trial.error().message;
      const char* word = why.empty() ? "removable" : trial && trial->complete ? "needed" : "unknown";
      verdicts.push_back(verdict(binder, bound, word,
                                 why.empty() ? "The proof goes through without it." : "Without it: " + why));
    }
  }
  json result = {{"theorem_name", name},
                 {"file", file->document().name},
                 {"verdicts", std::move(verdicts)},
                 {"skipped_implicit", std::move(skipped)}};
  co_return finish(std::move(result), *file, !complete, !complete);
}

}  // namespace

mcp::Tool lean_minimal_hypotheses(Environment& environment) {
  using mcp::Argument;
  using mcp::ArgumentType;
  mcp::Tool tool;
  tool.name = "lean_minimal_hypotheses";
  tool.title = "Find unneeded hypotheses";
  tool.group = "build";
  tool.description =
      "Tries the proof of a theorem without each of its explicit hypotheses: needed, removable or unknown. "
      "Two "
      "removable ones may not be removable together.";
  tool.arguments = {
      file_argument(), Argument::required_("theorem_name", ArgumentType::String, "With its namespaces"),
      Argument::optional_("inactivity_timeout", ArgumentType::Number, "Seconds for each, default 30")
          .at_least(0)};
  answers_from_trial(tool, {{"verdicts", schema::list({})}, {"skipped_implicit", schema::list({})}},
                     {"verdicts", "skipped_implicit"});
  tool.handler = handled_by(environment, answer);
  return tool;
}

}  // namespace leanbridge::tools
