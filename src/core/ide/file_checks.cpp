#include "file_checks.hpp"

#include "compiler_fallback.hpp"
#include "core/lean/header_fault.hpp"
#include "core/lean/sorries.hpp"
#include "core/text/proof_part.hpp"
#include "filling.hpp"
#include "goals.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace leanbridge::ide {

wire::Names<UnfinishedReason> names_of(UnfinishedReason) {
  return {{UnfinishedReason::StillElaborating, "still_elaborating"},
          {UnfinishedReason::Error, "error"},
          {UnfinishedReason::Sorry, "sorry"},
          {UnfinishedReason::Unknown, "unknown"},
          {UnfinishedReason::NotChecked, "not_checked"}};
}

namespace {

constexpr std::size_t kUsualGoals = 3;
constexpr std::size_t kMaxOpenGoals = 100;
constexpr auto kGoalsLimit = std::chrono::seconds(5);      // for all goals of a file
constexpr auto kSuggestBudget = std::chrono::seconds(10);  // for each file

// The unfinished declarations: one entry per declaration and reason, and one per sorry.
class Unfinished {
 public:
  explicit Unfinished(const std::vector<Declaration>& declarations) : declarations_(declarations) {}

  /// False if it was already listed.
  bool add(int line, UnfinishedReason reason, const std::string& name = {},
           std::optional<std::size_t> offset = {}) {
    const Declaration* declaration = declaration_at(declarations_, line);
    const int begin = declaration ? declaration->start_line : line;
    if (!seen_.emplace(begin, reason).second) return false;
    const std::string known = declaration && !declaration->name.empty() ? declaration->name : name;
    items_.push_back({begin, null_if_empty(known), reason, {}, {}, {}, offset});
    return true;
  }
  void add_sorry(int line, std::optional<std::size_t> offset) {
    const Declaration* declaration = declaration_at(declarations_, line);
    seen_.emplace(declaration ? declaration->start_line : line, UnfinishedReason::Sorry);
    const std::string name = declaration ? declaration->name : std::string();
    items_.push_back({line, null_if_empty(name), UnfinishedReason::Sorry, {}, {}, {}, offset});
  }
  bool has(int line, UnfinishedReason reason) const {
    const Declaration* declaration = declaration_at(declarations_, line);
    return seen_.contains({declaration ? declaration->start_line : line, reason});
  }
  std::vector<UnfinishedItem> take() {
    std::ranges::stable_sort(items_, {}, &UnfinishedItem::line);
    return std::move(items_);
  }

 private:
  const std::vector<Declaration>& declarations_;
  std::set<std::pair<int, UnfinishedReason>> seen_;
  std::vector<UnfinishedItem> items_;
};

/// Knowledge about a file, from the language server or the compiler.
struct KnownFile {
  const text::Text& text;
  const std::vector<lean::Diagnostic>& diagnostics;
  bool complete;
  bool header_failed;
  HiddenSorries hidden;
  std::vector<Declaration> declarations = {};
  std::vector<document::LineRange> still_elaborating = {};
  std::vector<Declaration> unannounced = {};
};

// Adds declarations that Lean did not check although it reported no error. False if there is any.
bool add_unchecked(const KnownFile& known, Unfinished& unfinished, FileVerdict& result) {
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
bool add_hidden(const KnownFile& known, Unfinished& unfinished, FileVerdict& result) {
  if (known.hidden.messages_suffice) return true;
  if (!known.hidden.unknown.empty()) return false;
  for (const olean::CompiledConstant& constant : known.hidden.constants)
    if (constant.uses_sorry &&
        unfinished.add(std::max(1, static_cast<int>(constant.line)), UnfinishedReason::Sorry, constant.name))
      ++result.sorry_count;
  bool all_known = !known.hidden.may_hide_example;
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

ProofState state_of(const KnownFile& known, const FileVerdict& found, bool all_known) {
  if (found.error_count > 0 || known.header_failed) return ProofState::Error;
  if (!known.complete) return ProofState::Elaborating;
  if (found.sorry_count > 0) return ProofState::Sorry;
  return all_known ? ProofState::Proved : ProofState::Unknown;
}

/// Of a file that nothing was looked at in.
FileVerdict not_checked(ProofState state, std::optional<std::string> why) {
  FileVerdict verdict;
  verdict.state = state;
  verdict.reason = std::move(why);
  verdict.messages.listed = false;
  return verdict;
}

FileVerdict report(const KnownFile& known, std::optional<lean::Severity> severity) {
  if (known.header_failed)
    if (auto fault = lean::read_header_fault(known.diagnostics); fault.elsewhere)
      return not_checked(ProofState::NotReached, std::move(fault.why));
  FileVerdict result;
  Unfinished unfinished(known.declarations);
  text::ProofLayout layout;
  const auto tactic_at = [&](const text::LspPosition& where) -> std::optional<std::size_t> {
    const std::size_t at = known.text.offset_at(where);
    const auto part = text::proof_part(known.text.str(), layout, at, at);
    return part ? std::optional(part->begin) : std::nullopt;
  };
  const Messages shown = Messages(known.text, known.diagnostics).shown();
  const Messages errors = shown.errors();
  result.error_count = static_cast<int>(errors.list().size());
  result.warning_count = static_cast<int>(shown.shown(lean::Severity::Warning).list().size());
  for (const lean::Diagnostic* error : errors.list()) {
    const bool shows_goals = error->message.find("⊢") != std::string::npos;
    const auto tactic = shows_goals ? std::nullopt : tactic_at(error->range.start);
    unfinished.add(known.text.position_at(errors.place(*error)).line, UnfinishedReason::Error, {}, tactic);
  }
  for (const lean::SorryPlace& place : lean::find_sorries(known.text, known.diagnostics)) {
    ++result.sorry_count;
    unfinished.add_sorry(known.text.position_at(place.offset).line,
                         place.is_word ? std::optional(place.offset) : std::nullopt);
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
  result.messages = list_of(shown.shown(severity), noise_for(severity));
  result.messages.listed = !result.messages.items.empty();
  return result;
}

// Fills in the goals of the first places.
asio::awaitable<void> add_goals(document::DocumentHandle file, std::vector<UnfinishedItem>& items,
                                std::size_t most, io::CancelScope scope) {
  scope = scope.with_timeout(kGoalsLimit);
  for (UnfinishedItem& item : items) {
    if (!item.offset || most == 0) continue;
    auto goals = co_await goals_of_word(file, *item.offset, scope);
    if (goals.empty()) continue;
    item.goals = std::move(goals);
    --most;
  }
}

// Adds the proofs that lean_fill finds for the sorries.
asio::awaitable<Result<void>> add_suggestions(Lean& lean, std::shared_ptr<io::Operation> operation,
                                              const OpenFile& file, std::vector<UnfinishedItem>& items,
                                              const std::filesystem::path& cache) {
  std::vector<FillPlace> places = fill_places(file.text().str());
  std::vector<UnfinishedItem*> asked;
  std::erase_if(places, [&](const FillPlace& place) {
    const auto item = std::ranges::find(items, place.begin, &UnfinishedItem::offset);
    if (item != items.end()) asked.push_back(&*item);
    return item == items.end();
  });
  if (places.empty()) co_return Result<void>();
  std::filesystem::path counts;
  if (!cache.empty()) counts = TacticCounts::file_for(cache, file.store()->root());
  const FillLimits limits{.budget = kSuggestBudget, .places = places.size()};
  Filling filling(lean, operation, file, std::move(places), limits, std::move(counts));
  const auto filled = co_await filling.run();
  if (!filled && filled.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(filled.error());
  if (!filled) co_return Result<void>();  // the verdict does not depend on it
  for (std::size_t i = 0; i < asked.size(); ++i) {
    asked[i]->closed_by = filled->places[i].closed_by;
    asked[i]->refuted = filled->places[i].refuted;
  }
  co_return Result<void>();
}

asio::awaitable<Result<FileVerdict>> check_file(Lean& lean, std::shared_ptr<io::Operation> operation,
                                                std::string path, CheckExtent extent) {
  CO_TRY(const auto file, co_await open_file(lean, operation, path));
  const document::DocumentState& state = file.document().state;
  Outline outline;
  HiddenSorries hidden;
  FileVerdict result;
  const auto pass = [&]() -> asio::awaitable<Result<AnsweredVersion>> {
    const document::Version version = state.version();
    CO_TRY(outline, co_await outline_of(file, operation->scope));
    if (!state.header_failed()) {
      CO_TRY(hidden, co_await hidden_sorries(lean, file, operation->scope));
    }
    if (state.version() != version) co_return version;
    const bool complete = state.done();
    KnownFile known{file.text(), state.diagnostics(), complete, state.header_failed(), std::move(hidden)};
    for (const Symbol& symbol : symbols_of(file.text(), outline.symbols)) {
      if (symbol.keyword == "namespace") continue;
      known.declarations.push_back({symbol.name, file.text().position_at(symbol.start).line,
                                    file.text().position_at(symbol.end).line});
      if (is_unannounced(state, symbol)) known.unannounced.push_back(known.declarations.back());
    }
    if (!complete) known.still_elaborating = state.still_elaborating();
    result = report(known, extent.severity);
    result.file =
        status_of(file, late_if((outline.timed_out && !complete) || known.hidden.timed_out, complete));
    if (complete)
      co_await add_goals(file.handle(), result.unfinished, extent.all_goals ? kMaxOpenGoals : kUsualGoals,
                         operation->scope);
    co_return version;
  };
  CO_CHECK(co_await repeat_while_edited(file.handle(), pass));
  if (extent.suggest && state.done())
    CO_CHECK(co_await add_suggestions(lean, operation, file, result.unfinished, extent.cache));
  if (operation->scope.cancel->cancelled()) co_return call_cancelled();
  co_return result;
}

asio::awaitable<Result<FileVerdict>> verdict_of(Lean& lean, std::shared_ptr<io::Operation> operation,
                                                std::string path, CheckExtent extent) {
  auto verdict = co_await check_file(lean, operation, path, extent);
  if (verdict || !may_fall_back(lean, path, verdict.error())) co_return verdict;
  CO_TRY(auto compiled, co_await diagnose_with_compiler(lean, operation, path, verdict.error()));
  CO_TRY(const auto location, lean.workspace.locate(path));
  TextOfFile whole{location.project, location.path, compiled.text.str()};
  CO_TRY(auto hidden, co_await hidden_sorries(lean, std::move(whole), operation->scope));
  if (hidden.timed_out) compiled.completeness = Completeness::TimedOut;
  const bool complete = compiled.completeness == Completeness::Complete;
  const KnownFile known{compiled.text,          compiled.diagnostics, complete,
                        compiled.header_failed, std::move(hidden),    declarations_in(compiled.text)};
  verdict = report(known, extent.severity);
  verdict->file = status_of(compiled);
  co_return verdict;
}

void add(FileVerdict& all, const FileVerdict& one) {
  all.error_count += one.error_count;
  all.warning_count += one.warning_count;
  all.sorry_count += one.sorry_count;
  all.success = all.success && one.success;
  all.file.partial = all.file.partial || one.file.partial;
  all.file.timed_out = all.file.timed_out || one.file.timed_out;
  if (one.state == ProofState::NotReached) ++all.not_reached_count;
  // In the order in which one file lacks them.
  for (const ProofState worst : {ProofState::Error, ProofState::NotReached, ProofState::Elaborating,
                                 ProofState::Sorry, ProofState::Unknown})
    if (all.state == worst || one.state == worst) {
      all.state = worst;
      break;
    }
}

/// A reason that an earlier file has, `said` with its path, is not said again: many files import one module.
void say_once(std::map<std::string, std::string>& said, CheckedFile& file) {
  const auto [first, is_new] = said.emplace(file.verdict.reason.value_or(""), file.file_path);
  if (!is_new) file.verdict.reason = "As " + first->second + ".";
}

}  // namespace

asio::awaitable<Result<FilesCheck>> check_files(Lean& lean, std::shared_ptr<io::Operation> operation,
                                                NamedFiles named, CheckExtent extent) {
  FilesCheck result;
  if (!named.several) {
    CO_TRY(result.all, co_await verdict_of(lean, operation, named.paths.front(), extent));
    co_return result;
  }
  result.all = not_checked(ProofState::Proved, {});
  result.all.success = true;
  result.truncated = named.truncated;
  std::vector<CheckedFile> files;
  std::map<std::string, std::string> said;
  for (const std::string& path : named.paths) {
    const auto verdict = co_await verdict_of(lean, operation, path, extent);
    if (!verdict && verdict.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(verdict.error());
    CheckedFile file{path, verdict ? *verdict : not_checked(ProofState::Unknown, verdict.error().message)};
    if (!verdict) file.verdict.file.timed_out = verdict.error().kind == ErrorKind::Timeout;
    file.verdict.file.partial = file.verdict.file.partial || file.verdict.file.timed_out;
    add(result.all, file.verdict);
    if (file.verdict.state == ProofState::NotReached) say_once(said, file);
    if (file.verdict.success) {
      file.verdict.messages.items.clear();
      file.verdict.messages.listed = false;
    }
    files.push_back(std::move(file));
  }
  for (const NamedFiles::LeftOut& left_out : named.left_out) {
    files.push_back({left_out.path, not_checked(ProofState::Unknown, left_out.why)});
    add(result.all, files.back().verdict);
  }
  if (named.truncated) {
    result.all.success = false;
    result.all.reason = "The folder has more files than were checked.";
  }
  result.files = std::move(files);
  co_return result;
}

}  // namespace leanbridge::ide
