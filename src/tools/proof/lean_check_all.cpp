// lean_check_all: the whole file, and what in it is not proved.

#include "leanbridge/text/lean_declarations.hpp"

#include "tools/common/compiler_fallback.hpp"
#include "tools/common/symbols.hpp"

#include <algorithm>
#include <set>

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

struct Counts {
  int errors = 0;
  int warnings = 0;
  int sorries = 0;
};

// One entry per declaration and reason, in the order of the file.
class Unfinished {
 public:
  explicit Unfinished(const std::vector<Declaration>& declarations) : declarations_(declarations) {}

  /// False where that is known already.
  bool add(int line, const char* reason, const std::string& name = {}) {
    const Declaration* declaration = declaration_at(declarations_, line);
    const int key = declaration ? declaration->start_line : line;
    if (!seen_.emplace(key, reason).second) return false;
    const std::string& known = declaration && !declaration->name.empty() ? declaration->name : name;
    items_.push_back(
        {{"line", key}, {"declaration", known.empty() ? json(nullptr) : json(known)}, {"reason", reason}});
    return true;
  }
  bool has(int line, const char* reason) const {
    const Declaration* declaration = declaration_at(declarations_, line);
    return seen_.contains({declaration ? declaration->start_line : line, reason});
  }
  json take() {
    std::stable_sort(items_.begin(), items_.end(),
                     [](const json& a, const json& b) { return a["line"] < b["line"]; });
    return std::move(items_);
  }

 private:
  const std::vector<Declaration>& declarations_;
  std::set<std::pair<int, std::string>> seen_;
  json items_ = json::array();
};

/// What is known of a file, whoever has said so.
struct KnownFile {
  const text::Text& text;
  const std::vector<lean::Diagnostic>& diagnostics;
  const std::vector<Declaration>& declarations;
  bool complete;
  bool header_failed;
  std::vector<document::LineRange> still_elaborating;
  HiddenSorries hidden;
  std::vector<Declaration> unannounced;
};

// What Lean has not looked at, though it has reported nothing wrong. False: there is some.
bool add_unchecked(const KnownFile& known, Unfinished& unfinished, json& result) {
  for (const Declaration& declaration : known.unannounced)
    unfinished.add(declaration.start_line, "unknown", declaration.name);
  if (!known.unannounced.empty()) result["reason"] = kUnannounced;
  const auto exit = text::find_exit(known.text.str());
  if (!exit) return known.unannounced.empty();
  unfinished.add(*exit + 1, "not_checked");
  result["reason"] = not_checked_below(*exit);
  return false;
}

// Sorries that no message tells of. False: whether there are any is not known.
bool add_hidden(const KnownFile& known, Unfinished& unfinished, Counts& counts) {
  if (known.hidden.messages_suffice) return true;
  if (!known.hidden.unknown.empty()) return false;
  for (const index::CompiledConstant& constant : known.hidden.constants)
    if (constant.uses_sorry &&
        unfinished.add(std::max(1, static_cast<int>(constant.line)), "sorry", constant.name))
      ++counts.sorries;
  bool all_known = true;
  for (const text::DeclarationSite& site : text::declarations(known.text.str())) {
    if (site.keyword != "example") continue;
    const int line = known.text.position_at(site.start).line;
    if (unfinished.has(line, "sorry") || unfinished.has(line, "error")) continue;
    unfinished.add(line, "unknown");
    all_known = false;
  }
  return all_known;
}

json report(const KnownFile& known, const std::string& severity) {
  Counts counts;
  Unfinished unfinished(known.declarations);
  std::vector<const lean::Diagnostic*> items;
  for (const lean::Diagnostic& diagnostic : known.diagnostics) {
    if (!is_shown(diagnostic)) continue;
    const int line = known.text.position_at(diagnostic.range.start).line;
    if (diagnostic.severity == lean::Severity::Error) {
      ++counts.errors;
      unfinished.add(line, "error");
    }
    if (diagnostic.severity == lean::Severity::Warning) ++counts.warnings;
    if (is_sorry(diagnostic)) {
      ++counts.sorries;
      unfinished.add(line, "sorry");
    }
    if (is_wanted(diagnostic, severity)) items.push_back(&diagnostic);
  }
  for (const document::LineRange& range : known.still_elaborating) {
    unfinished.add(range.start, "still_elaborating");
    for (const Declaration& declaration : known.declarations)
      if (range.start < declaration.start_line && declaration.start_line <= range.end)
        unfinished.add(declaration.start_line, "still_elaborating");
  }
  json result = json::object();
  const bool all_checked = add_unchecked(known, unfinished, result);
  const bool all_known = add_hidden(known, unfinished, counts);
  if (!all_known) result["reason"] = known.hidden.why_unknown();
  result["success"] =
      known.complete && counts.errors == 0 && !known.header_failed && all_known && all_checked;
  result["error_count"] = counts.errors;
  result["warning_count"] = counts.warnings;
  result["sorry_count"] = counts.sorries;
  result["unfinished"] = unfinished.take();
  add_items(result, known.text, std::move(items));
  return result;
}

Answer answer_check_all(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments arguments) {
  const auto file = co_await open_file(environment, call, arguments);
  if (!file) co_return tl::unexpected(file.error());
  const document::DocumentState& state = file->document().state;
  document::Version version = 0;
  Outline outline;
  HiddenSorries hidden;
  do {
    version = state.version();
    auto told = co_await outline_of(*file, call->scope);
    if (!told) co_return tl::unexpected(told.error());
    outline = std::move(*told);
    auto looked = co_await hidden_sorries(environment, *file, call->scope);
    if (!looked) co_return tl::unexpected(looked.error());
    hidden = std::move(*looked);
  } while (state.version() != version);

  // From here on nothing suspends: one version of the table.
  const bool complete = state.done();
  std::vector<Declaration> declarations, unannounced;
  for (const Symbol& symbol : symbols_of(file->text(), outline.symbols)) {
    if (symbol.keyword == "namespace") continue;
    declarations.push_back({symbol.name, file->text().position_at(symbol.start).line,
                            file->text().position_at(symbol.end).line});
    if (is_unannounced(state, symbol)) unannounced.push_back(declarations.back());
  }
  KnownFile said{file->text(), state.diagnostics(), declarations,          complete, state.header_failed(),
                 {},           std::move(hidden),   std::move(unannounced)};
  if (!complete) said.still_elaborating = state.still_elaborating();
  json result = report(said, arguments.string("severity", ""));
  const bool timed_out = (outline.timed_out && !complete) || said.hidden.timed_out;
  co_return finish(std::move(result), *file, !complete || said.hidden.timed_out, timed_out);
}

Answer compiled_answer_check_all(Environment& environment, std::shared_ptr<mcp::Call> call,
                                 mcp::Arguments arguments, Error why) {
  auto compiled = co_await diagnose_with_compiler(environment, call, arguments.string("file_path"), why);
  if (!compiled) co_return tl::unexpected(compiled.error());
  const auto location = environment.workspace.locate(arguments.string("file_path"));
  if (!location) co_return tl::unexpected(location.error());
  auto hidden = co_await hidden_sorries(
      environment, {location->project, location->path, compiled->text.str()}, call->scope);
  if (!hidden) co_return tl::unexpected(hidden.error());
  if (hidden->timed_out) {
    compiled->timed_out = true;
    compiled->complete = false;
  }
  const auto declarations = declarations_in(compiled->text);
  const KnownFile said{compiled->text,
                       compiled->diagnostics,
                       declarations,
                       compiled->complete,
                       compiled->header_failed,
                       {},
                       std::move(*hidden),
                       {}};
  co_return finish_compiled(report(said, arguments.string("severity", "")), *compiled);
}

}  // namespace

mcp::Tool lean_check_all(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_check_all";
  tool.title = "Check the whole file";
  tool.group = "proof";
  tool.description =
      "Final check of a whole file: errors, warnings, sorries, even hidden ones, unfinished declarations. "
      "success: no error; look at sorry_count, too.";
  tool.arguments = {file_argument(), severity_argument()};
  answers(tool,
          {{"success", schema::boolean()},
           {"error_count", schema::integer()},
           {"warning_count", schema::integer()},
           {"sorry_count", schema::integer()},
           {"items", schema::list({})},
           {"unfinished", schema::list({})}},
          {"success", "error_count", "warning_count", "sorry_count", "items", "unfinished"});
  tool.handler = bind_handler(environment, answer_check_all, compiled_answer_check_all);
  return tool;
}

}  // namespace leanbridge::tools
