// The tools that check a file, up to a position or as a whole.

#include "leanbridge/lean/sorries.hpp"
#include "leanbridge/text/lean_declarations.hpp"

#include "tools/common/compiler_fallback.hpp"
#include "tools/common/goal_status.hpp"
#include "tools/common/symbols.hpp"

#include <algorithm>
#include <set>

namespace leanbridge::tools {

// --- lean_check: whether a file is correct up to a position, and the goals left there.

namespace {

struct CheckParams {
  FilePosition at;
  FormatParam format;

  static wire::Fields fields() {
    return {wire::flatten<&CheckParams::at>(), wire::flatten<&CheckParams::format>()};
  }
};

struct CheckResult {
  std::string line_context;
  GoalList goals;
  PlaceStatus place;
  std::optional<std::string> hint;  ///< where the proof begins, if there is none at the position
  DiagnosticList messages;          ///< all before the position
  FileStatus file;

  static wire::Fields fields() {
    return {
        wire::flatten<&CheckResult::place>(),      wire::field<&CheckResult::line_context>("line_context"),
        wire::field<&CheckResult::goals>("goals"), wire::field<&CheckResult::hint>("hint"),
        wire::flatten<&CheckResult::messages>(),   wire::flatten<&CheckResult::file>()};
  }
};

std::vector<const lean::Diagnostic*> items_before(const std::vector<lean::Diagnostic>& diagnostics,
                                                  const text::Text& text, std::size_t offset) {
  std::vector<const lean::Diagnostic*> items;
  for (const lean::Diagnostic& diagnostic : diagnostics)
    if (is_shown(diagnostic) && text.offset_at(diagnostic.range.start) <= offset)
      items.push_back(&diagnostic);
  return items;
}

asio::awaitable<Result<CheckResult>> check(Environment& environment, std::shared_ptr<mcp::Call> call,
                                           CheckParams params) {
  const auto at = co_await open_place(environment, call, params.at, ColumnDefault::LineEnd);
  if (!at) co_return tl::unexpected(at.error());
  const OpenFile& file = at->file;
  const document::DocumentState& state = file.document().state;
  // Edits may come while this waits, so look the position up each time.
  const auto offset_now = [&] { return file.resolve(at->anchor); };

  const auto ask = params.at.column ? goals_at : goals_at_line_end;
  std::optional<Goals> goals;  // nothing if Lean is late
  JudgedPlace judged;
  bool reported_all = false;
  const auto pass = [&]() -> asio::awaitable<Result<AnsweredVersion>> {
    auto answer = co_await ask(file.handle(), at->anchor, params.format.format, call->scope);
    if (!answer && answer.error().kind != ErrorKind::Timeout) co_return tl::unexpected(answer.error());
    goals = answer ? std::optional(std::move(*answer)) : std::nullopt;
    const auto reported = co_await file.wait_until_reported(offset_now(), call->scope);
    if (!reported) co_return tl::unexpected(reported.error());
    reported_all = *reported == document::WaitOutcome::Complete;
    if (!goals) co_return std::nullopt;
    const std::size_t here = goals->offset;
    CO_TRY(judged, co_await judge_place(environment, file, here, here, *goals, call->scope));
    co_return goals->version;
  };
  CO_CHECK(co_await repeat_while_edited(file.handle(), pass));

  CheckResult result;
  result.line_context = line_context(file, offset_now());
  if (goals) {
    result.goals = goals->list();
    result.place = std::move(judged.status);
    if (result.place.status == GoalStatus::NoGoalAtPosition)
      result.hint = where_proof_begins(file.text(), offset_now());
  }
  file.document().set_cursor(offset_now());
  result.messages = list_of(file.text(), items_before(state.diagnostics(), file.text(), offset_now()),
                            LinterNoise::Counted);
  result.file = status_of(file, !goals || !reported_all ? Completeness::TimedOut : judged.completeness);
  co_return result;
}

// The compiler reports no goals, so their status is unknown.
asio::awaitable<Result<CheckResult>> check_compiled(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                    CheckParams params, Error why) {
  const FilePosition& at = params.at;
  const auto compiled = co_await diagnose_with_compiler(environment, call, at.file_path, why);
  if (!compiled) co_return tl::unexpected(compiled.error());
  const text::Text& text = compiled->text;
  if (auto valid = text.require_line(at.line, compiled->name); !valid)
    co_return tl::unexpected(valid.error());
  const auto offset = text.offset_of({at.line, at.column.value_or(text.end_column(at.line))}, compiled->name);
  if (!offset) co_return tl::unexpected(offset.error());
  CheckResult result;
  result.line_context = text.line(text.line_at(*offset));
  result.place.status = GoalStatus::Unknown;
  result.messages = list_of(text, items_before(compiled->diagnostics, text, *offset), LinterNoise::Counted);
  result.file = status_of(*compiled);
  co_return result;
}

}  // namespace

mcp::Tool lean_check(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_check",
       .title = "Check up to a place",
       .group = "proof",
       .description = "lean_goal plus all messages from the top of the file to a position, while what "
                      "follows is still broken."},
      check, check_compiled);
}

// --- lean_check_all: the messages of a whole file, and what it leaves unproved.

namespace {

struct CheckAllParams {
  FileParams file;
  std::optional<lean::Severity> severity;

  static wire::Fields fields() {
    return {wire::flatten<&CheckAllParams::file>(), wire::field<&CheckAllParams::severity>("severity")};
  }
};

/// Why a declaration counts as unfinished.
enum class UnfinishedReason { StillElaborating, Error, Sorry, Unknown, NotChecked };

wire::Names<UnfinishedReason> names_of(UnfinishedReason) {
  return {{UnfinishedReason::StillElaborating, "still_elaborating"},
          {UnfinishedReason::Error, "error"},
          {UnfinishedReason::Sorry, "sorry"},
          {UnfinishedReason::Unknown, "unknown"},
          {UnfinishedReason::NotChecked, "not_checked"}};
}

struct UnfinishedItem {
  int line = 1;  ///< of the sorry; otherwise where the declaration begins
  wire::Nullable<std::string> declaration;
  UnfinishedReason reason = UnfinishedReason::Unknown;

  static wire::Fields fields() {
    return {wire::field<&UnfinishedItem::line>("line"),
            wire::field<&UnfinishedItem::declaration>("declaration"),
            wire::field<&UnfinishedItem::reason>("reason")};
  }
};

struct CheckAllResult {
  bool success = false;                    ///< everything is proved
  ProofState state = ProofState::Unknown;  ///< of the whole file: what it lacks first of all
  int error_count = 0;
  int warning_count = 0;
  int sorry_count = 0;
  DiagnosticList messages;
  std::vector<UnfinishedItem> unfinished;
  std::optional<std::string> reason;  ///< why success is false without an error
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&CheckAllResult::success>("success"),
            wire::field<&CheckAllResult::state>("state"),
            wire::field<&CheckAllResult::error_count>("error_count").omit_empty(),
            wire::field<&CheckAllResult::warning_count>("warning_count").omit_empty(),
            wire::field<&CheckAllResult::sorry_count>("sorry_count").omit_empty(),
            wire::flatten<&CheckAllResult::messages>(),
            wire::field<&CheckAllResult::unfinished>("unfinished").omit_empty(),
            wire::field<&CheckAllResult::reason>("reason"),
            wire::flatten<&CheckAllResult::file>()};
  }
};

// The unfinished declarations: one entry per declaration and reason, and one per sorry.
class Unfinished {
 public:
  explicit Unfinished(const std::vector<Declaration>& declarations) : declarations_(declarations) {}

  /// False if it was already listed.
  bool add(int line, UnfinishedReason reason, const std::string& name = {}) {
    const Declaration* declaration = declaration_at(declarations_, line);
    const int key = declaration ? declaration->start_line : line;
    if (!seen_.emplace(key, reason).second) return false;
    push(key, reason, declaration && !declaration->name.empty() ? declaration->name : name);
    return true;
  }
  void add_sorry(int line) {
    const Declaration* declaration = declaration_at(declarations_, line);
    seen_.emplace(declaration ? declaration->start_line : line, UnfinishedReason::Sorry);
    push(line, UnfinishedReason::Sorry, declaration ? declaration->name : std::string());
  }
  bool has(int line, UnfinishedReason reason) const {
    const Declaration* declaration = declaration_at(declarations_, line);
    return seen_.contains({declaration ? declaration->start_line : line, reason});
  }
  std::vector<UnfinishedItem> take() {
    std::stable_sort(items_.begin(), items_.end(),
                     [](const UnfinishedItem& a, const UnfinishedItem& b) { return a.line < b.line; });
    return std::move(items_);
  }

 private:
  void push(int line, UnfinishedReason reason, const std::string& name) {
    items_.push_back({line, null_if_empty(name), reason});
  }

  const std::vector<Declaration>& declarations_;
  std::set<std::pair<int, UnfinishedReason>> seen_;
  std::vector<UnfinishedItem> items_;
};

/// What is known about a file, from the language server or the compiler.
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

// Adds what Lean did not check although it reported no error. False if there is any.
bool add_unchecked(const KnownFile& known, Unfinished& unfinished, CheckAllResult& result) {
  for (const Declaration& declaration : known.unannounced)
    unfinished.add(declaration.start_line, UnfinishedReason::Unknown, declaration.name);
  if (!known.unannounced.empty()) result.reason = kUnannounced;
  const auto exit = text::find_exit(known.text.str());
  if (!exit) return known.unannounced.empty();
  unfinished.add(*exit + 1, UnfinishedReason::NotChecked);
  result.reason = not_checked_below(*exit);
  return false;
}

// Adds sorries that no message reports. False if it is not known whether there are any.
bool add_hidden(const KnownFile& known, Unfinished& unfinished, CheckAllResult& result) {
  if (known.hidden.messages_suffice) return true;
  if (!known.hidden.unknown.empty()) return false;
  for (const index::CompiledConstant& constant : known.hidden.constants)
    if (constant.uses_sorry &&
        unfinished.add(std::max(1, static_cast<int>(constant.line)), UnfinishedReason::Sorry, constant.name))
      ++result.sorry_count;
  bool all_known = true;
  for (const text::DeclarationSite& site : text::declarations(known.text.str())) {
    if (site.keyword != "example") continue;
    const int line = known.text.position_at(site.start).line;
    if (unfinished.has(line, UnfinishedReason::Sorry) || unfinished.has(line, UnfinishedReason::Error))
      continue;
    unfinished.add(line, UnfinishedReason::Unknown);
    all_known = false;
  }
  return all_known;
}

ProofState state_of(const KnownFile& known, const CheckAllResult& found, bool all_known) {
  if (found.error_count > 0 || known.header_failed) return ProofState::Error;
  if (!known.complete) return ProofState::Elaborating;
  if (found.sorry_count > 0) return ProofState::Sorry;
  return all_known ? ProofState::Proved : ProofState::Unknown;
}

CheckAllResult report(const KnownFile& known, std::optional<lean::Severity> severity) {
  CheckAllResult result;
  Unfinished unfinished(known.declarations);
  std::vector<const lean::Diagnostic*> items;
  for (const lean::Diagnostic& diagnostic : known.diagnostics) {
    if (!is_shown(diagnostic)) continue;
    if (diagnostic.severity == lean::Severity::Error) {
      ++result.error_count;
      const std::size_t offset = lean::blamed_offset(known.text, diagnostic);
      unfinished.add(known.text.position_at(offset).line, UnfinishedReason::Error);
    }
    if (diagnostic.severity == lean::Severity::Warning) ++result.warning_count;
    if (is_wanted(diagnostic, severity)) items.push_back(&diagnostic);
  }
  for (const lean::SorryPlace& place : lean::find_sorries(known.text, known.diagnostics)) {
    ++result.sorry_count;
    unfinished.add_sorry(known.text.position_at(place.offset).line);
  }
  for (const document::LineRange& range : known.still_elaborating) {
    unfinished.add(range.start, UnfinishedReason::StillElaborating);
    for (const Declaration& declaration : known.declarations)
      if (range.start < declaration.start_line && declaration.start_line <= range.end)
        unfinished.add(declaration.start_line, UnfinishedReason::StillElaborating);
  }
  const bool all_checked = add_unchecked(known, unfinished, result);
  const bool all_known = add_hidden(known, unfinished, result);
  result.state = state_of(known, result, all_checked && all_known);
  if (!all_known && result.state == ProofState::Unknown) result.reason = known.hidden.why_unknown();
  result.success = result.state == ProofState::Proved;
  result.unfinished = unfinished.take();
  result.messages = list_of(known.text, std::move(items), noise_for(severity));
  result.messages.listed = !result.messages.items.empty();
  return result;
}

asio::awaitable<Result<CheckAllResult>> check_all(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                  CheckAllParams params) {
  CO_TRY(const auto file, co_await open_file(environment, call, params.file.file_path));
  const document::DocumentState& state = file.document().state;
  Outline outline;
  HiddenSorries hidden;
  const auto pass = [&]() -> asio::awaitable<Result<AnsweredVersion>> {
    const document::Version version = state.version();
    CO_TRY(outline, co_await outline_of(file, call->scope));
    CO_TRY(hidden, co_await hidden_sorries(environment, file, call->scope));
    co_return version;
  };
  CO_CHECK(co_await repeat_while_edited(file.handle(), pass));

  // Nothing below suspends, so all of it is about one version of the document.
  const bool complete = state.done();
  std::vector<Declaration> declarations, unannounced;
  for (const Symbol& symbol : symbols_of(file.text(), outline.symbols)) {
    if (symbol.keyword == "namespace") continue;
    declarations.push_back(
        {symbol.name, file.text().position_at(symbol.start).line, file.text().position_at(symbol.end).line});
    if (is_unannounced(state, symbol)) unannounced.push_back(declarations.back());
  }
  KnownFile known{file.text(), state.diagnostics(), declarations,          complete, state.header_failed(),
                  {},          std::move(hidden),   std::move(unannounced)};
  if (!complete) known.still_elaborating = state.still_elaborating();
  CheckAllResult result = report(known, params.severity);
  const bool timed_out = (outline.timed_out && !complete) || known.hidden.timed_out;
  result.file = status_of(file, timed_out  ? Completeness::TimedOut
                                : complete ? Completeness::Complete
                                           : Completeness::Partial);
  co_return result;
}

asio::awaitable<Result<CheckAllResult>> check_all_compiled(Environment& environment,
                                                           std::shared_ptr<mcp::Call> call,
                                                           CheckAllParams params, Error why) {
  const std::string& path = params.file.file_path;
  CO_TRY(auto compiled, co_await diagnose_with_compiler(environment, call, path, why));
  CO_TRY(const auto location, environment.workspace.locate(path));
  TextOfFile whole{location.project, location.path, compiled.text.str()};
  CO_TRY(auto hidden, co_await hidden_sorries(environment, std::move(whole), call->scope));
  if (hidden.timed_out) compiled.completeness = Completeness::TimedOut;
  const auto declarations = declarations_in(compiled.text);
  const bool complete = compiled.completeness == Completeness::Complete;
  const KnownFile known{compiled.text,          compiled.diagnostics,
                        declarations,           complete,
                        compiled.header_failed, {},
                        std::move(hidden),      {}};
  CheckAllResult result = report(known, params.severity);
  result.file = status_of(compiled);
  co_return result;
}

}  // namespace

mcp::Tool lean_check_all(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_check_all",
       .title = "Check the whole file",
       .group = "proof",
       .description = "Is the whole file done? success: everything in it is proved, without error and "
                      "sorry (even hidden); unfinished says what is not, and where.",
       .shows_timeout = true},
      check_all, check_all_compiled);
}

}  // namespace leanbridge::tools
