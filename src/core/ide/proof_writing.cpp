#include "proof_writing.hpp"

#include "core/base/sha256.hpp"
#include "core/document/file.hpp"
#include "core/lean/sorries.hpp"
#include "core/text/lines.hpp"
#include "core/text/missing_proofs.hpp"
#include "core/text/trust_scan.hpp"
#include "goals.hpp"
#include "hidden_sorries.hpp"
#include "project_edit.hpp"
#include "statement_changes.hpp"

#include <algorithm>
#include <set>

namespace leanbridge::ide {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxSorriesShown = 8;

// A sorry in the text itself: an option may suppress Lean's warning.
std::optional<std::string> sorry_word(std::string_view text) {
  for (const text::TrustFinding& finding : text::scan_for_trust(text))
    if (text::is_missing_proof(finding.pattern)) return finding.pattern;
  return std::nullopt;
}

/// Lines that are replaced, and the new ones.
struct ReplacedLines {
  int old_first, old_count;
  int first, new_count;  ///< in the new text

  int last() const { return first + new_count - 1; }
  int shift() const { return new_count - old_count; }
};

/// All lines that are replaced, in order. Maps line numbers of the old text to those of the new one.
struct ChangedLines {
  std::vector<ReplacedLines> all;

  bool are_new(int line) const {
    return std::ranges::any_of(all, [=](auto& each) { return each.first <= line && line <= each.last(); });
  }
  bool were_replaced(int line) const {
    return std::ranges::any_of(all, [=](const ReplacedLines& each) {
      return each.old_first <= line && line < each.old_first + each.old_count;
    });
  }
  int new_line(int line) const {
    int moved = line;
    for (const ReplacedLines& each : all)
      if (line >= each.old_first) moved += each.shift();
    return moved;
  }
  /// Whether lines of the new text have new ones among them, or some were removed there.
  bool touch(int first_line, int last_line) const {
    return std::ranges::any_of(all, [=](const ReplacedLines& each) {
      return first_line <= std::max(each.last(), each.first) && last_line >= each.first;
    });
  }
  int last_new() const { return all.back().last(); }
  std::vector<std::array<int, 2>> places() const {
    std::vector<std::array<int, 2>> places;
    for (const ReplacedLines& each : all) places.push_back({each.first, each.last()});
    return places;
  }
};

using LocatedMessage = std::tuple<int, int, std::string>;

Messages blocking(const Messages& all, bool allow_sorry) {
  return allow_sorry ? all.errors() : all.objections();
}

// Errors and sorries that the old text has outside the lines, at their positions in the new text.
std::multiset<LocatedMessage> known_before(const document::DocumentState& old, const ChangedLines& lines,
                                           bool allow_sorry) {
  std::multiset<LocatedMessage> known;
  const Messages blockers = blocking(Messages(old), allow_sorry);
  for (const lean::Diagnostic* each : blockers.list()) {
    const text::Position place = old.text().position_at(each->range.start);
    if (!lines.were_replaced(place.line))
      known.emplace(lines.new_line(place.line), place.column, each->message);
  }
  return known;
}

// Errors and sorries that are not in the old text at the same position; in the new lines, all of them.
Messages new_ones(const Trial& trial, std::multiset<LocatedMessage> known, const ChangedLines& lines,
                  bool allow_sorry) {
  return blocking(trial.messages(), allow_sorry).where([&](const lean::Diagnostic& each) {
    const text::Position place = trial.text.position_at(each.range.start);
    const auto before = known.find({place.line, place.column, each.message});
    if (lines.are_new(place.line) || before == known.end()) return true;
    known.erase(before);
    return false;
  });
}

Messages in_new_lines(const Trial& trial, const ChangedLines& lines) {
  return trial.messages().where([&](const lean::Diagnostic& each) {
    return lines.are_new(trial.text.position_at(each.range.start).line);
  });
}

// By the linter, whose words differ between versions: each message names the variable first.
std::vector<std::string> unused_variables(const Trial& trial, const ChangedLines& lines) {
  std::vector<std::string> names;
  const Messages added = in_new_lines(trial, lines);
  for (const lean::Diagnostic* each : added.list()) {
    const std::string& message = each->message;
    const std::size_t open = message.find('`'), close = message.find('`', open + 1);
    if (close != message.npos && message.find("linter.unusedVariables") != message.npos)
      names.push_back(message.substr(open + 1, close - open - 1));
  }
  return names;
}

std::string what_is_new(const Messages& found) {
  return found.errors().any() ? "The file would have a new error."
                              : "A declaration would use sorry; pass allow_sorry if that is intended.";
}

// A sorry that no message reports, anywhere in the file: whether the old file had it is not known.
std::optional<std::string> hidden_sorry_at(const HiddenSorries& hidden) {
  for (const olean::CompiledConstant& constant : hidden.constants)
    if (constant.uses_sorry)
      return constant.name +
             (constant.line > 0 ? " in line " + std::to_string(constant.line) : std::string()) +
             " would use sorry, which Lean may not report (" + hidden.because +
             "); pass allow_sorry if that is intended.";
  return std::nullopt;
}

// Whether a place is in one of the text's declarations that the new lines belong to.
bool is_in_what_changed(const text::Text& text, const std::vector<text::DeclarationSite>& declarations,
                        const ChangedLines& lines, std::size_t offset) {
  const auto touches = [&](const text::DeclarationSite& site) {
    return lines.touch(text.position_at(site.start).line,
                       text.position_at(site.end > site.start ? site.end - 1 : site.end).line);
  };
  for (const text::DeclarationSite& site : declarations)
    if (site.start <= offset && offset < site.end) return touches(site);
  return true;
}

// With their goals; if not `all_goals`, only in declarations with new lines: of the others the caller has
// read the goals before.
asio::awaitable<std::vector<RemainingSorry>> remaining_sorries(const HeldTrial& trial, ChangedLines lines,
                                                               std::vector<lean::SorryPlace> places,
                                                               bool all_goals, io::CancelScope scope) {
  std::vector<RemainingSorry> found;
  std::vector<text::DeclarationSite> declarations;
  if (!all_goals) declarations = text::declarations(trial.text.str());
  for (const lean::SorryPlace& place : places) {
    if (found.size() == kMaxSorriesShown) break;
    const text::Position at = trial.text.position_at(place.offset);
    RemainingSorry sorry{at.line, at.column, {}};
    if (place.is_word && (all_goals || is_in_what_changed(trial.text, declarations, lines, place.offset))) {
      auto goals = co_await goals_of_word(trial.scratch->handle(), place.offset, scope);
      if (!goals.empty()) sorry.goals = std::move(goals);
    }
    found.push_back(std::move(sorry));
  }
  co_return found;
}

// Replaces the only file of the write. If it has changed: an error with its present lines, or false.
Result<bool> replace_lines_on_disk(WriteGuard* guard, const PlannedWrite& write, int start_line, int end_line,
                                   bool may_repeat) {
  if (std::string why = objection_of(guard, write); !why.empty())
    return fail(ErrorKind::InvalidArgument, std::move(why), "Nothing is written.");
  const ChangedFile& file = write.files.front();
  const document::FileReplacement replacement{file.path, file.name, file.old_bytes, file.new_bytes};
  auto done = document::replace_file(replacement);
  if (done && guard) guard->written(write);
  if (done) return true;
  Error why = done.error();
  const auto now = document::load_bytes(replacement.path, replacement.name);
  if (now && *now != replacement.expected && may_repeat) return false;
  if (now && *now != replacement.expected)
    why.hint += " These lines are now:\n" + text::shown_lines(*now, start_line, end_line);
  return tl::unexpected(std::move(why));
}

// Where the lines are that the caller expects, though others may have moved them: at the given place, or else
// at the only place that has them. nullopt: neither.
std::optional<int> find_expected(const std::string& bytes, int start_line, int end_line,
                                 std::string expected) {
  constexpr std::string_view kDigest = "sha256:";
  const std::string text = text::normalise_newlines(bytes).text;
  const auto lines = text::lines_with_endings(text);
  const bool is_digest = expected.starts_with(kDigest);
  if (is_digest) expected.erase(0, kDigest.size());
  if (!is_digest) expected = text::normalise_newlines(expected).text;
  if (!is_digest && expected.ends_with('\n')) expected.pop_back();
  const std::size_t count = static_cast<std::size_t>(end_line - start_line) + 1;
  const auto is_at = [&](std::size_t first) {
    if (first + count > lines.size()) return false;
    std::string found;
    for (std::size_t i = first; i < first + count; ++i) found += lines[i];
    if (found.ends_with('\n')) found.pop_back();
    return (is_digest ? sha256_of(found) : found) == expected;
  };
  const std::size_t given = static_cast<std::size_t>(start_line - 1);
  if (is_at(given)) return start_line;
  std::optional<int> only;
  for (std::size_t first = 0; first + count <= lines.size(); ++first) {
    if (!is_at(first)) continue;
    if (only) return std::nullopt;
    only = static_cast<int>(first) + 1;
  }
  return only;
}

/// A text with all edits made.
struct EditedText {
  std::string content;
  ChangedLines lines;
};

// The edits are in order. InvalidArgument if there are no such lines, or if two edits replace the same.
Result<EditedText> edited(std::string content, const std::vector<ProofEdit>& edits, const std::string& name) {
  EditedText text{std::move(content), {}};
  for (std::size_t i = edits.size(); i-- > 0;) {
    const ProofEdit& edit = edits[i];
    if (i > 0 && edits[i - 1].end_line >= edit.start_line)
      return fail(ErrorKind::InvalidArgument,
                  "Two edits replace line " + std::to_string(edit.start_line) + " of " + name + ".",
                  "Pass one edit for lines that overlap.");
    TRY(auto replaced,
        text::replace_lines(text.content, edit.start_line, edit.end_line, edit.new_text, name));
    text.content = std::move(replaced.content);
    const int shift = replaced.new_line_count - replaced.old_line_count;
    for (ReplacedLines& below : text.lines.all) below.first += shift;
    text.lines.all.insert(text.lines.all.begin(), {replaced.first_line, replaced.old_line_count,
                                                   replaced.first_line, replaced.new_line_count});
  }
  return text;
}

// Whether the edits say what they replace, so that a changed file is no harm.
bool may_repeat(const WriteProofParams& params) {
  return std::ranges::all_of(params.edits, [](const ProofEdit& each) { return each.expected.has_value(); });
}

/// Edits of one content of a file: steps, of which each may refuse to write.
struct EditCheck {
  Lean& lean;
  const std::shared_ptr<io::Operation> operation;
  const OpenFile& file;
  WriteProofParams params;
  // Filled in by the steps.
  std::string bytes = {};  ///< of the file
  EditedText replaced = {};
  FileEdit edit = {};
  HeldTrial trial = {Trial{.complete = true}, nullptr};
  WriteProofResult result = {};

  /// nullopt: the file was changed meanwhile, and the caller has said what to replace.
  asio::awaitable<Result<std::optional<WriteProofResult>>> run() {
    static constexpr Step kSteps[] = {&EditCheck::read,
                                      &EditCheck::ask_guard,
                                      &EditCheck::look_at_words,
                                      &EditCheck::elaborate,
                                      &EditCheck::look_for_errors,
                                      &EditCheck::look_for_sorries,
                                      &EditCheck::compare_statements};
    for (const Step step : kSteps) {
      CO_TRY(const bool goes_on, co_await (this->*step)());
      if (!goes_on) co_return std::move(result);
    }
    if (operation->scope.cancel->cancelled()) co_return call_cancelled();
    if (params.dry_run) {
      result.unused = unused_variables(trial, lines());
      co_return std::move(result);
    }
    co_return co_await write();
  }

  /// False: `result` says why nothing is written.
  using Step = asio::awaitable<Result<bool>> (EditCheck::*)();

  bool refuse(std::string reason, const Messages* why = nullptr) {
    result.reason = std::move(reason);
    if (why) result.messages = messages_of(*why);
    result.trial = status_of(trial);
    return false;
  }
  const ChangedLines& lines() const { return replaced.lines; }

  asio::awaitable<Result<bool>> read() {
    const fs::path path = file.document().path;
    const std::string name = file.document().name;
    CO_TRY(const auto location, lean.workspace.locate(params.file_path));
    CO_CHECK(require_own_file(*file.store(), path, location.named));
    auto load = [path, name]() -> Result<std::string> {
      TRY_DONE(document::check_replaceable(path, name));
      return document::load_bytes(path, name);
    };
    CO_TRY(bytes, co_await lean.pool.run(std::move(load), operation->scope));
    for (ProofEdit& each : params.edits) {
      if (!each.expected) continue;
      const auto at = find_expected(bytes, each.start_line, each.end_line, *each.expected);
      if (!at) {
        result.current_text = text::shown_lines(bytes, each.start_line, each.end_line);
        co_return refuse("These lines are not the expected ones: somebody may have changed them.");
      }
      each.end_line += *at - each.start_line;
      each.start_line = *at;
    }
    std::ranges::stable_sort(params.edits, [](auto& a, auto& b) { return a.stands_before(b); });
    CO_TRY(replaced, edited(bytes, params.edits, file.document().name));
    const ProofEdit& front = params.edits.front();
    if (params.edits.size() == 1 && lines().all.front().old_count > 0)
      result.current_text = text::shown_lines(bytes, front.start_line, front.end_line);
    edit = {file.store(), file.document().path, text::normalise_newlines(bytes).text,
            text::normalise_newlines(replaced.content).text};
    co_return true;
  }

  PlannedWrite planned() const {
    return planned_write(*edit.project, *operation,
                         {{edit.path, file.document().name, bytes, replaced.content}});
  }

  // Before the work, and again before the write.
  asio::awaitable<Result<bool>> ask_guard() {
    if (params.dry_run || !lean.guard) co_return true;
    auto ask = [guard = lean.guard, write = planned()]() -> Result<std::string> {
      return objection_of(guard.get(), write);
    };
    CO_TRY(std::string objection, co_await lean.pool.run(std::move(ask), operation->scope));
    co_return objection.empty() || refuse(std::move(objection));
  }

  asio::awaitable<Result<bool>> look_at_words() {
    if (!params.allow_sorry)
      for (const ProofEdit& each : params.edits)
        if (const auto word = sorry_word(each.new_text))
          co_return refuse("The new text contains " + *word + "; pass allow_sorry if that is intended.");
    std::string objection;
    if (!params.allow_statement_change) objection = objection_of_words(edit);
    co_return objection.empty() || refuse(std::move(objection));
  }

  asio::awaitable<Result<bool>> elaborate() {
    CO_TRY(trial, co_await elaborate_and_hold(operation, file, edit.after, operation->scope));
    const Messages all = trial.messages();
    if (!trial.complete) co_return refuse("Lean did not finish the file in time.", &all);
    co_return !trial.header_failed || refuse(imports_not_loaded(trial));
  }

  asio::awaitable<Result<bool>> look_for_errors() {
    Messages found = new_ones(trial, {}, lines(), params.allow_sorry);
    if (!found.any()) co_return true;
    CO_CHECK(co_await file.wait_until_done(operation->scope));
    const document::DocumentState& old = file.state();
    if (old.done() && old.text().str() == edit.before)
      found = new_ones(trial, known_before(old, lines(), params.allow_sorry), lines(), params.allow_sorry);
    if (!found.any()) co_return true;
    result.has_new_error = true;
    result.places = lines().places();
    co_return refuse(what_is_new(found), &found);
  }

  // Sorries that no message reports: Lean may not announce a theorem, and stops at an exit.
  asio::awaitable<Result<bool>> look_for_sorries() {
    if (params.allow_sorry) co_return true;
    for (const Symbol& symbol : trial.unannounced)
      if (lines().touch(trial.text.position_at(symbol.start).line, trial.text.position_at(symbol.end).line))
        co_return refuse(unannounced_reason(symbol));
    const auto exit = text::find_exit(edit.after);
    if (exit && *exit <= lines().last_new()) co_return refuse(not_checked_below(*exit));
    TextOfFile whole{file.store(), edit.path, edit.after};
    CO_TRY(const auto hidden, co_await hidden_sorries(lean, std::move(whole), operation->scope));
    if (auto sorry = hidden_sorry_at(hidden)) co_return refuse(std::move(*sorry));
    if (hidden.unchecked) co_return refuse(hidden.unknown + " Pass allow_sorry if that is intended.");
    if (!hidden.messages_suffice && !hidden.unknown.empty()) result.reason = hidden.why_unknown();
    co_return true;
  }

  asio::awaitable<Result<bool>> compare_statements() {
    if (params.allow_statement_change || params.dry_run) co_return true;
    CO_TRY(std::string objection,
           co_await statement_objection(lean, operation, edit, &trial, operation->scope));
    if (!objection.empty()) co_return refuse(std::move(objection));
    if (trial.scratch) co_return true;
    CO_TRY(trial, co_await elaborate_and_hold(operation, file, edit.after, operation->scope));
    co_return trial.complete || refuse("Lean did not finish the file in time.");
  }

  // Ignores the call's deadline: a timeout would not tell the caller whether the file was written.
  asio::awaitable<Result<std::optional<WriteProofResult>>> write() {
    auto replace = [guard = lean.guard, write = planned(), front = params.edits.front(),
                    may_repeat = may_repeat(params)] {
      return replace_lines_on_disk(guard.get(), write, front.start_line, front.end_line, may_repeat);
    };
    CO_TRY(const bool is_replaced, co_await lean.pool.run(std::move(replace), write_scope()));
    if (!is_replaced) co_return std::nullopt;
    result.written = true;
    result.current_text.reset();
    result.lines.start_line = lines().all.front().first;
    result.lines.end_line = lines().last_new();
    result.lines.shift = 0;
    for (const ReplacedLines& each : lines().all) *result.lines.shift += each.shift();
    result.places = lines().places();
    const auto sorries = lean::find_sorries(trial.text, trial.diagnostics);
    result.lines.sorry_count = static_cast<int>(sorries.size());
    if (!sorries.empty())
      result.lines.sorries =
          co_await remaining_sorries(trial, lines(), sorries, params.all_goals, operation->scope);
    result.messages = messages_of(in_new_lines(trial, lines()));
    result.trial = status_of(trial);
    co_return std::move(result);
  }
};

/// The right to write to a file that others may write to, too.
struct WriterTurn {
  std::shared_ptr<document::Document> document;  ///< outlives the permit
  std::optional<io::FairSemaphore::Permit> permit;
};

}  // namespace

asio::awaitable<Result<WriteProofResult>> write_proof(Lean& lean, std::shared_ptr<io::Operation> operation,
                                                      WriteProofParams params) {
  const bool expects_nothing = std::ranges::any_of(
      params.edits, [](const ProofEdit& each) { return each.expected && each.end_line < each.start_line; });
  if (expects_nothing)
    co_return fail(ErrorKind::InvalidArgument,
                   "expected is of lines that are replaced; this is an insertion.",
                   "Leave out expected, or replace lines.");
  const auto turn = std::make_shared<WriterTurn>();
  io::Timer limit(co_await asio::this_coro::executor);
  // Others may write to the same file; each time one of them got on.
  do {
    if (!params.dry_run && may_repeat(params) && !turn->permit) {
      CO_TRY(const auto known, co_await open_file(lean, operation, params.file_path));
      turn->document = known.share();
      auto given = co_await turn->document->usage.writers.acquire(operation->scope);
      if (!given && operation->scope.cancel->cancelled()) co_return call_cancelled();
      if (!given)
        co_return fail(ErrorKind::Timeout, "Others were writing to " + params.file_path + " all the time.",
                       "Nothing is written. Call again.");
      turn->permit.emplace(std::move(*given));
      limit.expires_after(turn->document->usage.longest_turn);
      limit.async_wait([turn](boost::system::error_code error) {
        if (!error) turn->permit.reset();
      });
    }
    CO_TRY(const auto file, co_await open_file(lean, operation, params.file_path));
    EditCheck check{lean, operation, file, params};
    CO_TRY(auto result, co_await check.run());
    if (result) co_return std::move(*result);
  } while (io::Clock::now() < operation->scope.deadline);
  co_return changed_meanwhile(params.file_path);
}

}  // namespace leanbridge::ide
