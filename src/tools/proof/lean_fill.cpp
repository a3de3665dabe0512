// lean_fill: tries what a machine can prove at every sorry of a file, in a few elaborations of the whole.

#include "leanbridge/document/file.hpp"
#include "leanbridge/lean/imports.hpp"
#include "leanbridge/text/lean_header.hpp"
#include "leanbridge/text/lean_lexer.hpp"
#include "leanbridge/text/lines.hpp"

#include "counterexamples.hpp"
#include "fill_candidates.hpp"
#include "fill_script.hpp"
#include "own_file.hpp"
#include "tools/common/scratch_elaboration.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace leanbridge::tools {

namespace {

constexpr double kUsualBudget = 30;  // s
constexpr std::size_t kMaxPlaces = 200;
constexpr std::size_t kMaxGoalsShown = 8;
constexpr std::size_t kMaxDefinitions = 20'000;       // that are looked for in goals
constexpr int kMaxRounds = 12;                        // of one stage: each ends at least one candidate
constexpr int kMaxChecks = 4;                         // of the filled file
constexpr double kShareOfTactics = 0.6;               // of the budget; the rest is for refuting and checking
constexpr auto kGoalLimit = std::chrono::seconds(2);  // if Lean has not got there
constexpr auto kFillWriteLimit = std::chrono::minutes(1);

struct FillParams {
  FileParams file;
  std::optional<std::string> declaration;
  double budget_s = kUsualBudget;
  bool write = false;

  static wire::Fields fields() {
    return {wire::flatten<&FillParams::file>(),
            wire::field<&FillParams::declaration>("declaration", "Default: the whole file"),
            wire::field<&FillParams::budget_s>("budget_s").with_default(),
            wire::field<&FillParams::write>("write").with_default()};
  }
};

struct FillItem {
  int line = 1;
  int column = 1;
  wire::Nullable<std::string> declaration;
  std::optional<std::string> closed_by;  ///< what stands in place of the sorry
  std::optional<std::string> refuted;    ///< values for which the goal is false
  std::optional<std::string> reason;     ///< why it was not tried to the end
  std::optional<std::vector<std::string>> goals;

  static wire::Fields fields() {
    return {wire::field<&FillItem::line>("line"),
            wire::field<&FillItem::column>("column"),
            wire::field<&FillItem::declaration>("declaration"),
            wire::field<&FillItem::closed_by>("closed_by"),
            wire::field<&FillItem::refuted>("refuted"),
            wire::field<&FillItem::reason>("reason"),
            wire::field<&FillItem::goals>("goals")};
  }
};

struct FillResult {
  int closed = 0;
  int refuted = 0;
  int left = 0;  ///< refuted ones included
  bool written = false;
  std::optional<std::string> reason;  ///< why nothing was written, or not everything was tried
  std::vector<FillItem> places;
  double seconds = 0;

  static wire::Fields fields() {
    return {wire::field<&FillResult::closed>("closed"),
            wire::field<&FillResult::refuted>("refuted").omit_empty(),
            wire::field<&FillResult::left>("left"),
            wire::field<&FillResult::written>("written").omit_empty(),
            wire::field<&FillResult::reason>("reason"),
            wire::field<&FillResult::places>("places"),
            wire::field<&FillResult::seconds>("seconds")};
  }
};

/// A place, and what has become of it.
struct Open {
  Candidates pending;
  std::string proof;    ///< "": none yet
  std::string refuted;  ///< values
  std::string reason;
  std::optional<StructuredGoal> goal;
  bool given_up = false;

  bool is_open() const { return proof.empty() && refuted.empty() && !given_up; }
};

class Filling {
 public:
  Filling(Environment& environment, std::shared_ptr<mcp::Call> call, const OpenFile& file, std::string source,
          std::vector<FillPlace> places, io::CancelScope tactics)
      : environment_(environment),
        call_(std::move(call)),
        file_(file),
        source_(std::move(source)),
        places_(std::move(places)),
        open_(places_.size()),
        tactics_(std::move(tactics)) {}

  asio::awaitable<Result<void>> run() {
    CO_TRY(const TacticSet tactics, co_await known_tactics());
    CO_TRY(const auto definitions, co_await environment_.pool.run(all_definitions(), call_->scope));
    const auto of_goal = [&](auto candidates) {
      return [&, candidates](const Open& each) {
        return each.goal ? candidates(*each.goal, definitions, tactics) : Candidates();
      };
    };
    CO_CHECK(co_await try_all([&](const Open&) { return tactics.all(); }));
    CO_CHECK(co_await try_all(of_goal(by_definitions)));
    CO_CHECK(co_await try_all(of_goal(by_cases)));
    // Refuting is cheaper than a search, which would only find a theorem that is false, too.
    Candidates deciders = {"decide", "simp"};
    if (tactics.has("norm_num")) deciders.emplace_back("norm_num");
    CO_CHECK(co_await refute(deciders));
    CO_CHECK(co_await try_all([](const Open&) { return by_search(); }));
    take_back_what_uses_refuted();
    co_return Result<void>();
  }

  /// Leaves only proofs with which Lean accepts their declarations. Returns the text.
  asio::awaitable<Result<std::string>> check() {
    for (int round = 0; round < kMaxChecks; ++round) {
      const bool any =
          std::any_of(open_.begin(), open_.end(), [](const Open& each) { return !each.proof.empty(); });
      if (!any) co_return source_;
      std::vector<std::size_t> moved;
      std::string text = filled(source_, places_, proofs(), &moved);
      CO_TRY(const auto trial, co_await elaborate_and_hold(call_, file_, text, call_->scope));
      if (!trial.complete)
        co_return fail(ErrorKind::Timeout, "Lean did not finish the filled file in time.",
                       "Pass a longer timeout_s, or a declaration.");
      CO_TRY(const bool changed, co_await take_back(trial, text, moved));
      if (!changed) co_return text;
    }
    for (Open& each : open_) take_back(each, "Lean does not accept the declaration with it.");
    co_return source_;
  }

  FillItem item(std::size_t i) const {
    const text::Text text(source_);
    const text::Position at = text.position_at(places_[i].begin);
    const Open& open = open_[i];
    FillItem item;
    item.line = at.line;
    item.column = at.column;
    const auto site = text::enclosing_declaration(source_, places_[i].begin);
    if (site && !site->name.empty()) item.declaration = site->name;
    if (!open.proof.empty()) {
      item.closed_by = open.proof;
      return item;
    }
    if (!open.refuted.empty())
      item.refuted = open.refuted;
    else if (!open.reason.empty())
      item.reason = open.reason;
    if (open.goal) item.goals = std::vector{open.goal->pretty};
    return item;
  }
  std::size_t size() const { return open_.size(); }

 private:
  // Reads what the text and the project's files that it imports define. Blocking.
  std::function<Result<std::vector<std::string>>()> all_definitions() const {
    return [source = source_, root = file_.store()->root()]() -> Result<std::vector<std::string>> {
      std::vector<std::string> names = definitions_of(source);
      lean::ImportWatch watch(root);
      const auto imports = watch.state_of(text::parse_lean_header(source).imported_modules());
      for (const auto& [path, identity] : imports) {
        if (!identity.exists() || path.extension() != ".lean" || names.size() >= kMaxDefinitions) continue;
        const auto text = document::load_bytes(path, path.string());
        if (!text) continue;
        const auto more = definitions_of(*text);
        names.insert(names.end(), more.begin(), more.end());
      }
      return names;
    };
  }

  // What Lean cannot parse here would end the whole file. Asked once, below the header alone.
  asio::awaitable<Result<TacticSet>> known_tactics() {
    const std::size_t header = text::parse_lean_header(source_).end;
    std::string text = source_.substr(0, header) + "\n";
    std::vector<std::size_t> begins;
    TacticSet tactics;
    for (const std::string& tactic : tactics.all()) {
      begins.push_back(text.size());
      text += "example : True := by first | trivial | (" + tactic + ")\n";
    }
    CO_TRY(const auto trial, co_await elaborate_text(call_, file_, text, call_->scope));
    if (trial.header_failed)
      co_return fail(ErrorKind::LeanUnavailable, "Lean cannot load the file's imports.",
                     "lean_diagnostic_messages says why.");
    std::set<std::string> missing;
    for (const lean::Diagnostic& diagnostic : trial.diagnostics) {
      if (diagnostic.severity != lean::Severity::Error) continue;
      const std::size_t at = lean::blamed_offset(trial.text, diagnostic);
      const auto next = std::upper_bound(begins.begin(), begins.end(), at);
      if (next != begins.begin())
        missing.insert(tactics.all()[static_cast<std::size_t>(next - begins.begin()) - 1]);
    }
    tactics.remove(missing);
    co_return tactics;
  }

  std::vector<std::string> proofs() const {
    std::vector<std::string> all;
    for (const Open& each : open_) all.push_back(each.proof);
    return all;
  }

  template <class CandidatesOf>
  asio::awaitable<Result<void>> try_all(CandidatesOf candidates) {
    for (Open& each : open_) each.pending = each.is_open() ? candidates(each) : Candidates();
    for (int round = 0; round < kMaxRounds; ++round) {
      const bool any =
          std::any_of(open_.begin(), open_.end(), [](const Open& each) { return !each.pending.empty(); });
      if (!any || io::Clock::now() >= tactics_.deadline) break;
      CO_CHECK(co_await one_round());
    }
    for (Open& each : open_)
      if (!each.pending.empty() && each.is_open()) each.reason = "The budget ended before all was tried.";
    co_return Result<void>();
  }

  asio::awaitable<Result<void>> one_round() {
    std::vector<Candidates> candidates;
    for (const Open& each : open_) candidates.push_back(each.pending);
    // What is proved already stays a sorry: it need not be proved again.
    const FillScript script = script_for(source_, places_, candidates);
    auto trial = co_await elaborate_and_hold(call_, file_, script.text, tactics_);
    if (!trial) {
      if (trial.error().kind != ErrorKind::Timeout && trial.error().kind != ErrorKind::WorkerCrashed)
        co_return tl::unexpected(trial.error());
      for (Open& each : open_) give_up(each, trial.error().message);
      co_return Result<void>();
    }
    const auto outcomes = outcomes_of(script, trial->text, trial->diagnostics);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      Open& open = open_[outcomes[i].place];
      take(open, outcomes[i], trial->complete);
      if (open.proof.empty() && !open.goal) {
        const std::size_t at = script.text.find("show (_ : Prop)", script.probes[i].whole.begin);
        const auto goals = co_await goals_at(trial->scratch->handle(), trial->scratch->handle().anchor(at),
                                             GoalFormat::Structured, call_->scope.with_timeout(kGoalLimit));
        if (goals && !goals->goals.empty()) open.goal = std::get<StructuredGoal>(goals->goals.front());
      }
    }
    co_return Result<void>();
  }

  static void give_up(Open& open, const std::string& why) {
    if (open.pending.empty()) return;
    open.pending.clear();
    open.given_up = true;
    open.reason = why;
  }

  static void take(Open& open, const FillOutcome& outcome, bool complete) {
    if (outcome.is_closed()) {
      std::string proof;
      for (const std::size_t k : outcome.closed) proof += (proof.empty() ? "" : " | ") + open.pending[k];
      open.proof = outcome.closed.size() == 1 ? proof : "first | " + proof;
      const bool searched = open.proof.find("exact?") != std::string::npos;
      if (searched && outcome.suggestions.size() == 1 && open.proof == "exact?")
        open.proof = outcome.suggestions.front();
      else if (searched)
        open.proof.clear();
      open.pending.clear();
    } else if (outcome.broken) {
      give_up(open, "Lean takes no tactic in this place.");
    } else if (outcome.ended) {
      open.pending.erase(open.pending.begin(),
                         open.pending.begin() + static_cast<std::ptrdiff_t>(*outcome.ended) + 1);
    } else if (outcome.left || complete) {
      open.pending.clear();
    } else {
      give_up(open, "A tactic did not end in time.");
    }
  }

  asio::awaitable<Result<void>> refute(const Candidates& deciders) {
    std::vector<Candidates> candidates(open_.size());
    std::vector<std::vector<Counterexample>> examples(open_.size());
    bool any = false;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (!open_[i].proof.empty() || !open_[i].goal) continue;
      examples[i] = counterexamples(*open_[i].goal, deciders);
      for (const Counterexample& each : examples[i]) candidates[i].push_back(each.tactic);
      any = any || !candidates[i].empty();
    }
    if (!any) co_return Result<void>();
    const FillScript script = script_for(source_, places_, candidates);
    const auto trial = co_await elaborate_text(call_, file_, script.text, call_->scope);
    if (!trial && trial.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(trial.error());
    if (!trial) co_return Result<void>();
    for (const FillOutcome& outcome : outcomes_of(script, trial->text, trial->diagnostics))
      if (outcome.is_closed() && outcome.closed.size() == 1)
        open_[outcome.place].refuted = examples[outcome.place][outcome.closed.front()].values.empty()
                                           ? "false"
                                           : examples[outcome.place][outcome.closed.front()].values;
    co_return Result<void>();
  }

  // A theorem of the text whose own sorry is refuted proves anything.
  void take_back_what_uses_refuted() {
    std::set<std::string, std::less<>> refuted;
    for (std::size_t i = 0; i < open_.size(); ++i)
      if (const auto site = text::enclosing_declaration(source_, places_[i].begin);
          site && !open_[i].refuted.empty())
        refuted.insert(site->name);
    for (Open& each : open_) {
      text::LeanLexer lexer(each.proof);
      std::string used;
      while (const auto token = lexer.next())
        if (const std::string word = each.proof.substr(token->begin, token->end - token->begin);
            used.empty() && refuted.contains(word))
          used = word;
      if (!used.empty()) take_back(each, used + " is false.");
    }
  }

  static bool take_back(Open& open, const std::string& why) {
    if (open.proof.empty()) return false;
    open.reason = open.proof + ": " + why;
    open.proof.clear();
    open.given_up = true;
    return true;
  }

  // Takes back the proofs of declarations that Lean does not accept. False: there is none.
  asio::awaitable<Result<bool>> take_back(const HeldTrial& trial, const std::string& text,
                                          const std::vector<std::size_t>& moved) {
    CO_TRY(const auto hidden,
           co_await hidden_sorries(environment_, TextOfFile{file_.store(), file_.document().path, text},
                                   call_->scope));
    bool changed = false;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (open_[i].proof.empty()) continue;
      const auto site = text::enclosing_declaration(text, moved[i]);
      if (!site) continue;
      if (const std::string why = objection(trial, hidden, *site, moved); !why.empty())
        changed = take_back(open_[i], why) || changed;
    }
    co_return changed;
  }

  // Why Lean does not take a declaration; "": it does.
  std::string objection(const HeldTrial& trial, const HiddenSorries& hidden,
                        const text::DeclarationSite& site, const std::vector<std::size_t>& moved) const {
    bool reported = false;
    for (const lean::Diagnostic& diagnostic : trial.diagnostics) {
      const std::size_t at = lean::blamed_offset(trial.text, diagnostic);
      if (at < site.start || at >= site.end) continue;
      if (diagnostic.severity == lean::Severity::Error)
        return diagnostic.message.substr(0, diagnostic.message.find('\n'));
      reported = reported || is_sorry(diagnostic);
    }
    for (const Symbol& symbol : trial.unannounced)
      if (symbol.end > site.start && symbol.start < site.end) return unannounced_reason(symbol);
    bool whole = true;  // without the places that are left
    for (std::size_t i = 0; i < open_.size(); ++i)
      if (site.start <= moved[i] && moved[i] < site.end) whole = whole && !open_[i].proof.empty();
    if (!whole) return "";
    if (reported) return "The declaration uses sorry all the same.";
    const int first = trial.text.position_at(site.start).line;
    const int last = trial.text.position_at(site.end).line;
    switch (hidden.about(first, last, site.keyword != "example")) {
      case HiddenSorries::Answer::No:
        return "";
      case HiddenSorries::Answer::Sorry:
        return "The declaration uses sorry, which Lean may not report (" + hidden.because + ").";
      case HiddenSorries::Answer::Unknown:
        return hidden.why_unknown();
    }
    return "";
  }

  Environment& environment_;
  std::shared_ptr<mcp::Call> call_;
  const OpenFile& file_;
  std::string source_;
  std::vector<FillPlace> places_;
  std::vector<Open> open_;
  io::CancelScope tactics_;
};

// Puts the new text in the place of the old one, with the line endings that the file has.
asio::awaitable<Result<void>> write_text(Environment& environment, const OpenFile& file, std::string old_text,
                                         std::string new_text) {
  auto write = [path = file.document().path, name = file.document().name, old_text = std::move(old_text),
                new_text = std::move(new_text)]() -> Result<void> {
    TRY(std::string bytes, document::load_bytes(path, name));
    const text::NormalisedText now = text::normalise_newlines(bytes);
    if (now.text != old_text || (now.had_crlf && now.had_lone_lf))
      return fail(ErrorKind::InvalidArgument,
                  now.text == old_text ? name + " mixes two kinds of line endings."
                                       : name + " was changed while it was filled.",
                  "Nothing is written; call again.");
    std::string content = now.had_crlf ? text::to_crlf(new_text) : new_text;
    return document::replace_file({path, name, std::move(bytes), std::move(content)});
  };
  const io::CancelScope scope(kFillWriteLimit);
  co_return co_await environment.pool.run(std::move(write), scope);
}

// The places of the file, or of one declaration.
Result<std::vector<FillPlace>> wanted_places(const OpenFile& file, const FillParams& params) {
  std::vector<FillPlace> places = fill_places(file.text().str());
  if (params.declaration) {
    TRY(const text::NamedDeclaration named,
        declaration_named(file.text(), *params.declaration, file.document().name));
    std::erase_if(places, [&](const FillPlace& place) {
      return place.begin < named.site.start || place.begin >= named.site.end;
    });
  }
  if (places.size() > kMaxPlaces) places.resize(kMaxPlaces);
  return places;
}

asio::awaitable<Result<FillResult>> fill_file(Environment& environment, std::shared_ptr<mcp::Call> call,
                                              FillParams params) {
  const auto start = io::Clock::now();
  if (!(params.budget_s > 0))
    co_return fail(ErrorKind::InvalidArgument, "budget_s must be more than 0.", "Pass seconds, such as 30.");
  CO_TRY(const auto file, co_await open_file(environment, call, params.file.file_path));
  if (params.write) {
    CO_TRY(const auto location, environment.workspace.locate(params.file.file_path));
    CO_CHECK(require_own_file(*file.store(), file.document().path, location.named));
    CO_CHECK(document::check_replaceable(file.document().path, file.document().name));
  }
  CO_TRY(auto places, wanted_places(file, params));
  FillResult result;
  if (places.empty()) {
    result.reason = "There is no sorry here.";
    co_return result;
  }
  const std::string source = file.text().str();
  const auto budget = std::chrono::duration_cast<io::Clock::duration>(
      std::chrono::duration<double>(params.budget_s * kShareOfTactics));
  Filling filling(environment, call, file, source, std::move(places), call->scope.with_timeout(budget));
  CO_CHECK(co_await filling.run());
  CO_TRY(std::string text, co_await filling.check());
  std::size_t shown = 0;
  for (std::size_t i = 0; i < filling.size(); ++i) {
    FillItem item = filling.item(i);
    if (item.goals && ++shown > kMaxGoalsShown) item.goals.reset();
    (item.closed_by ? result.closed : result.left) += 1;
    if (item.refuted) ++result.refuted;
    result.places.push_back(std::move(item));
  }
  if (call->scope.cancel->cancelled()) co_return call_cancelled();
  if (params.write && result.closed > 0) {
    CO_CHECK(co_await write_text(environment, file, source, text));
    result.written = true;
  }
  result.seconds = std::round(std::chrono::duration<double>(io::Clock::now() - start).count() * 100) / 100;
  co_return result;
}

}  // namespace

mcp::Tool lean_fill(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_fill",
       .title = "Fill sorries",
       .group = "proof",
       .description = "Tries what a machine can prove at every sorry of a file: what closes each, values "
                      "that refute it, or its goal. write: true puts in all that Lean accepts.",
       .annotations = {.read_only = false, .destructive = true, .idempotent = false, .open_world = false}},
      fill_file);
}

}  // namespace leanbridge::tools
