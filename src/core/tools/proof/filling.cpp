#include "filling.hpp"

#include "core/document/file.hpp"
#include "core/ide/scratch_elaboration.hpp"
#include "core/lean/imports.hpp"
#include "core/text/lean_header.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/tools/common/typed_tool.hpp"
#include "counterexamples.hpp"
#include "fill_candidates.hpp"
#include "processor_meter.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace leanbridge::tools {

wire::Fields FillItem::fields() {
  return wire::fields<&FillItem::line, &FillItem::column, &FillItem::declaration, &FillItem::closed_by,
                      &FillItem::refuted, &FillItem::reason, &FillItem::goals>();
}

namespace {

constexpr std::size_t kMaxDefinitions = 20'000;  // definitions to look for in goals
constexpr int kMaxRounds = 12;                   // rounds of a stage: each round ends at least one candidate
constexpr int kMaxChecks = 4;                    // checks of the filled file
constexpr double kShareOfTactics = 0.8;          // of the budget; the rest is for checking
constexpr double kShareOfRefuting = 0.3;
constexpr int kMaxLimits = 2;  // Lean's limits that a place may reach in a stage, since the candidates of a
                               // stage are much alike
// Lean counts allocations in units of heartbeats. A looping tactic makes about this many a second; the number
// falls if the machine turns out to be slower.
constexpr double kHeartbeatsPerSecond = 20'000;
constexpr double kFewestHeartbeats = 2'000, kMostHeartbeats = 200'000;  // the maximum is Lean's own limit
constexpr double kClockShare = 4;     // seconds on the clock for each second of processor time
constexpr double kShareOfCall = 0.8;  // of the call's time; the rest is for checking
constexpr auto kGoalLimit = std::chrono::seconds(2);
constexpr auto kGoalLimitInLoop = std::chrono::milliseconds(200);  // Lean has the goal by now, or never will
constexpr auto kLongestSlice = std::chrono::milliseconds(200);     // between looks at processor time
constexpr auto kShortestSlice = std::chrono::milliseconds(20);
constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// A place, and the results of trying it.
struct PlaceState {
  Candidates pending;
  std::string proof;    ///< "": none yet
  Candidates used;      ///< the candidates in the proof
  std::string refuted;  ///< the values for which the goal is false
  std::string reason;
  std::optional<StructuredGoal> goal;
  int limits = 0;  ///< limits of Lean's that were reached in this stage
  bool given_up = false;

  bool is_open() const { return proof.empty() && refuted.empty() && !given_up; }
};

class Filling {
 public:
  Filling(Environment& environment, std::shared_ptr<mcp::Call> call, const OpenFile& file, std::string source,
          std::vector<FillPlace> places, io::Clock::duration budget)
      : environment_(environment),
        call_(std::move(call)),
        file_(file),
        source_(std::move(source)),
        places_(std::move(places)),
        with_axiom_(source_, places_),
        states_(places_.size()),
        budget_(std::chrono::duration<double>(budget).count()),
        meter_(environment.pool),
        tactics_(call_->scope.with_timeout(
            std::min(share_of(budget, kClockShare * kShareOfTactics),
                     share_of(call_->scope.deadline - io::Clock::now(), kShareOfCall)))) {}

  asio::awaitable<Result<void>> run() {
    CO_TRY(TacticSet tactics, co_await known_tactics());
    CO_TRY(const auto counts, co_await environment_.pool.run(
                                  [file = counts_file()]() -> Result<TacticCounts> {
                                    return file.empty() ? TacticCounts() : TacticCounts::read(file);
                                  },
                                  call_->scope));
    tactics.sort(counts);
    CO_TRY(const auto definitions, co_await environment_.pool.run(all_definitions(), call_->scope));
    const auto of_goal = [&](auto candidates) {
      return [&, candidates](const PlaceState& each) {
        return each.goal ? candidates(*each.goal, definitions, tactics) : Candidates();
      };
    };
    CO_CHECK(co_await try_all([&](const PlaceState&) { return tactics.cheap(); }));
    // Trying all values together costs less than one induction on a false goal, or one search, which may find
    // a theorem that is false, too.
    Candidates deciders = {"decide", "simp"};
    if (tactics.has("norm_num")) deciders.emplace_back("norm_num");
    CO_CHECK(co_await refute(deciders));
    CO_CHECK(co_await try_all(of_goal(by_definitions)));
    CO_CHECK(co_await try_all(of_goal(by_cases)));
    CO_CHECK(co_await try_all([&](const PlaceState&) { return tactics.dear(); }));
    CO_CHECK(co_await try_all([](const PlaceState&) { return by_search(); }));
    CO_CHECK(co_await try_all(of_goal(by_dear_cases)));
    take_back_what_uses_refuted();
    co_return Result<void>();
  }

  /// Keeps only the proofs with which Lean accepts their declarations. Returns the filled source.
  asio::awaitable<Result<std::string>> check() {
    for (int round = 0; round < kMaxChecks; ++round) {
      const bool any = std::any_of(states_.begin(), states_.end(),
                                   [](const PlaceState& each) { return !each.proof.empty(); });
      if (!any) break;
      std::vector<std::size_t> moved;
      const std::string text =
          filled(with_axiom_.source, with_axiom_.places, proofs(std::string(kLeftByAxiom)), &moved);
      CO_TRY(const auto trial, co_await elaborate(text, kUnlimited, call_->scope));
      if (!trial.complete)
        co_return fail(ErrorKind::Timeout, "Lean did not finish the filled file in time.",
                       "Pass a longer timeout_s, or a declaration.");
      CO_TRY(const bool changed, co_await take_back(trial, text, moved));
      if (!changed) co_return filled(source_, places_, proofs(""));
    }
    for (PlaceState& each : states_) take_back(each, "Lean does not accept the declaration with it.");
    co_return source_;
  }

  // Counts the tactics that are useful elsewhere: those that mention no name.
  asio::awaitable<Result<void>> remember() {
    const TacticSet known;
    Candidates used;
    for (const PlaceState& each : states_)
      if (!each.proof.empty())
        std::copy_if(each.used.begin(), each.used.end(), std::back_inserter(used),
                     [&](const std::string& tactic) { return known.has(tactic); });
    if (used.empty() || counts_file().empty()) co_return Result<void>();
    const auto add = [used, file = counts_file()]() -> Result<bool> {
      TacticCounts counts = TacticCounts::read(file);  // read again: another call may have written it
      for (const std::string& tactic : used) counts.add(tactic);
      return counts.write(file);
    };
    const auto written = co_await environment_.pool.run(add, call_->scope);
    if (!written && written.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(written.error());
    co_return Result<void>();  // a failure is harmless: the table only saves time
  }

  FillItem item(std::size_t i) const {
    const text::Position at = file_text_.position_at(places_[i].begin);
    const PlaceState& state = states_[i];
    FillItem item;
    item.line = at.line;
    item.column = at.column;
    if (const auto* site = site_of(i); site && !site->name.empty())
      item.declaration = named_[static_cast<std::size_t>(site - sites_.data())].full_name;
    if (!state.proof.empty()) {
      item.closed_by = state.proof;
      return item;
    }
    if (!state.refuted.empty())
      item.refuted = state.refuted;
    else if (!state.reason.empty())
      item.reason = state.reason;
    if (state.goal) item.goals = std::vector{state.goal->pretty};
    return item;
  }
  std::size_t size() const { return states_.size(); }
  const ProcessorMeter& meter() const { return meter_; }

 private:
  static io::Clock::duration share_of(io::Clock::duration budget, double share) {
    return std::chrono::duration_cast<io::Clock::duration>(budget * share);
  }
  std::filesystem::path counts_file() const {
    if (environment_.cache.empty()) return {};
    return TacticCounts::file_for(environment_.cache, file_.store()->root());
  }
  const text::DeclarationSite* site_of(std::size_t place) const {
    return text::enclosing_declaration(sites_, source_.size(), places_[place].begin);
  }
  TextOfFile whole_text(std::string text) const {
    return {file_.store(), file_.document().path, std::move(text)};
  }

  // Reads the definitions of the text and of the project's files that it imports. Blocking.
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

  // A tactic that Lean cannot parse would break the whole file, so each is first tried below the header
  // alone.
  asio::awaitable<Result<TacticSet>> known_tactics() {
    const std::size_t header = text::parse_lean_header(source_).end;
    std::string text = source_.substr(0, header) + "\n";
    std::vector<std::size_t> begins;
    TacticSet tactics;
    const Candidates all = tactics.all();
    for (const std::string& tactic : all) {
      begins.push_back(text.size());
      text += "example : True := by first | trivial | (" + tactic + ")\n";
    }
    CO_TRY(const auto trial, co_await elaborate(text, kUnlimited, call_->scope));
    if (trial.header_failed)
      co_return fail(ErrorKind::LeanUnavailable, imports_not_loaded(trial),
                     "Fix the header or the imported file that it names, then call again.");
    std::set<std::string> missing;
    for (const lean::Diagnostic& diagnostic : trial.diagnostics) {
      if (diagnostic.severity != lean::Severity::Error) continue;
      const std::size_t at = lean::blamed_offset(trial.text, diagnostic);
      const auto next = std::upper_bound(begins.begin(), begins.end(), at);
      if (next != begins.begin()) missing.insert(all[static_cast<std::size_t>(next - begins.begin()) - 1]);
    }
    tactics.remove(missing);
    co_return tactics;
  }

  // The proof of each place; `left` for places without one.
  std::vector<std::string> proofs(const std::string& left) const {
    std::vector<std::string> all;
    for (const PlaceState& each : states_) all.push_back(each.proof.empty() ? left : each.proof);
    return all;
  }

  template <class CandidatesOf>
  asio::awaitable<Result<void>> try_all(CandidatesOf candidates) {
    for (PlaceState& each : states_) {
      each.pending = each.is_open() ? candidates(each) : Candidates();
      each.limits = 0;
    }
    for (int round = 0; round < kMaxRounds; ++round) {
      const bool any = std::any_of(states_.begin(), states_.end(),
                                   [](const PlaceState& each) { return !each.pending.empty(); });
      if (!any || cpu_left() <= 0 || io::Clock::now() >= tactics_.deadline) break;
      CO_CHECK(co_await one_round());
    }
    for (PlaceState& each : states_)
      if (!each.pending.empty() && each.is_open()) each.reason = "The budget ended before all was tried.";
    co_return Result<void>();
  }

  asio::awaitable<Result<void>> one_round() {
    std::vector<Candidates> candidates;
    for (const PlaceState& each : states_) candidates.push_back(each.pending);
    // A place that is proved already stays a sorry here, which costs nothing.
    const FillScript script = script_for(source_, places_, candidates, heartbeats());
    const io::CancelScope half_of_clock = tactics_.with_timeout((tactics_.deadline - io::Clock::now()) / 2);
    auto trial = co_await elaborate(script.text, cpu_left() / 2, half_of_clock);
    if (!trial) {
      if (trial.error().kind != ErrorKind::Timeout && trial.error().kind != ErrorKind::WorkerCrashed)
        co_return tl::unexpected(trial.error());
      for (PlaceState& each : states_) give_up(each, trial.error().message);
      co_return Result<void>();
    }
    // At the assumed speed, half of the time would have sufficed for all heartbeats.
    if (!trial->complete) heartbeats_per_second_ /= 2;
    const auto outcomes = outcomes_of(script, trial->text, trial->diagnostics);
    std::set<const text::DeclarationSite*> ended;
    for (const FillOutcome& outcome : outcomes)
      if (outcome.ended) ended.insert(site_of(outcome.place));
    bool is_unreached = false;
    const io::Clock::duration goal_limit = trial->complete ? kGoalLimit : kGoalLimitInLoop;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      PlaceState& state = states_[outcomes[i].place];
      if (!outcomes[i].is_reported()) {
        // Another place of the declaration has used up its heartbeats, or an earlier place all of the time.
        if (ended.contains(site_of(outcomes[i].place)) || is_unreached) continue;
        is_unreached = !trial->complete;
      }
      take(state, outcomes[i], trial->complete);
      if (state.proof.empty() && !state.goal) {
        const std::size_t at = script.text.find("show (_ : Prop)", script.probes[i].whole.begin);
        const auto goals = co_await goals_at(trial->scratch->handle(), trial->scratch->handle().anchor(at),
                                             GoalFormat::Structured, call_->scope.with_timeout(goal_limit));
        if (goals && !goals->goals.empty()) state.goal = std::get<StructuredGoal>(goals->goals.front());
      }
    }
    co_await meter_.look(call_->scope);
    co_return Result<void>();
  }

  double cpu_left() const { return budget_ * kShareOfTactics - meter_.seconds(); }

  // The limit for each declaration in a round, so that a looping tactic does not use up the time of all.
  // Together they may take at most half of the round's time.
  int heartbeats() const {
    const auto open = std::count_if(states_.begin(), states_.end(),
                                    [](const PlaceState& each) { return !each.pending.empty(); });
    const double seconds = cpu_left() / 4 / static_cast<double>(std::max<std::ptrdiff_t>(open, 1));
    return static_cast<int>(std::clamp(seconds * heartbeats_per_second_, kFewestHeartbeats, kMostHeartbeats));
  }

  // Stops after `limit` seconds of processor time, or when the scope ends.
  asio::awaitable<Result<HeldTrial>> elaborate(std::string text, double limit, io::CancelScope scope) {
    CO_TRY(auto scratch, co_await begin_elaboration(call_, file_, std::move(text), scope));
    co_await meter_.follow(scratch->store()->server().pid(), scratch->document()->uri, scope);
    const double end = meter_.seconds() + limit;
    for (;;) {
      const auto left = std::chrono::duration<double>(std::min(end - meter_.seconds(), 1.0));
      const auto slice = std::clamp<io::Clock::duration>(
          std::chrono::duration_cast<io::Clock::duration>(left), kShortestSlice, kLongestSlice);
      const auto known = co_await scratch->handle().wait_until_done(scope.with_timeout(slice));
      co_await meter_.look(call_->scope);
      if (!known || *known == document::WaitOutcome::Complete || io::Clock::now() >= scope.deadline) break;
      if (meter_.seconds() < end) continue;
      scope = scope.with_timeout(io::Clock::duration::zero());
      break;
    }
    co_return co_await end_elaboration(call_, std::move(scratch), scope);
  }

  static void give_up(PlaceState& state, const std::string& why) {
    if (state.pending.empty()) return;
    state.pending.clear();
    state.given_up = true;
    state.reason = why;
  }

  static void take(PlaceState& state, const FillOutcome& outcome, bool complete) {
    if (outcome.is_closed()) {
      state.proof = proof_of(state.pending, outcome);
      for (const std::size_t k : outcome.closed) state.used.push_back(state.pending[k]);
      state.pending.clear();
    } else if (outcome.broken) {
      give_up(state, "Lean takes no tactic in this place.");
    } else if (outcome.ended && ++state.limits < kMaxLimits) {
      state.pending.erase(state.pending.begin(),
                          state.pending.begin() + static_cast<std::ptrdiff_t>(*outcome.ended) + 1);
    } else if (outcome.ended) {
      state.pending.clear();
    } else if (outcome.left || complete) {
      state.pending.clear();
    } else {
      give_up(state, "A tactic did not end in time.");
    }
  }

  asio::awaitable<Result<void>> refute(const Candidates& deciders) {
    CO_TRY(const auto silencer, co_await find_silencer(environment_, whole_text(source_), call_->scope));
    if (silencer) co_return Result<void>();  // a sorry in place of `decide` might not be reported
    std::vector<Candidates> candidates(states_.size());
    std::vector<std::vector<Counterexample>> examples(states_.size());
    bool any = false;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (!states_[i].proof.empty() || !states_[i].goal) continue;
      examples[i] = counterexamples(*states_[i].goal, deciders);
      for (const Counterexample& each : examples[i]) candidates[i].push_back(each.tactic);
      any = any || !candidates[i].empty();
    }
    for (Candidates& each : candidates)
      each.emplace_back(kLeftByAxiom);  // chosen where none of the examples
                                        // is a counterexample
    if (!any) co_return Result<void>();
    const FillScript script = script_for(with_axiom_.source, with_axiom_.places, candidates);
    const double limit = budget_ * kShareOfRefuting;
    const auto clock = std::chrono::duration<double>(limit * kClockShare);
    const auto trial =
        co_await elaborate(script.text, std::min(limit, cpu_left()),
                           tactics_.with_timeout(std::chrono::duration_cast<io::Clock::duration>(clock)));
    if (!trial && trial.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(trial.error());
    if (!trial) co_return Result<void>();
    const auto sites = text::declarations(script.text);
    const auto outcomes = outcomes_of(script, trial->text, trial->diagnostics);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const std::size_t place = outcomes[i].place;
      if (!outcomes[i].is_closed() || outcomes[i].closed.size() != 1) continue;
      const std::size_t example = outcomes[i].closed.front();
      if (example >= examples[place].size()) continue;
      const auto* site = text::enclosing_declaration(sites, script.text.size(), script.probes[i].whole.begin);
      if (!site || uses_sorry(*trial, *site)) continue;
      if (!is_reported(*trial, *site)) continue;  // a warning may come yet
      const std::string& values = examples[place][example].values;
      states_[place].refuted = values.empty() ? "false" : values;
    }
    co_return Result<void>();
  }

  static bool uses_sorry(const Trial& trial, const text::DeclarationSite& site) {
    return std::any_of(trial.diagnostics.begin(), trial.diagnostics.end(), [&](const auto& diagnostic) {
      const std::size_t at = trial.text.offset_at(diagnostic.range.start);
      return is_sorry(diagnostic) && site.start <= at && at < site.end;
    });
  }

  static bool is_reported(const Trial& trial, const text::DeclarationSite& site) {
    const int first = trial.text.position_at(site.start).line;
    const int last = trial.text.position_at(site.end - 1).line;
    return trial.complete ||
           std::none_of(trial.still_elaborating.begin(), trial.still_elaborating.end(),
                        [&](const auto& lines) { return lines.start <= last && lines.end >= first; });
  }

  // A theorem of this text whose sorry has a false goal could prove anything.
  void take_back_what_uses_refuted() {
    std::set<std::string, std::less<>> refuted;
    for (std::size_t i = 0; i < states_.size(); ++i)
      if (const auto* site = site_of(i); site && !states_[i].refuted.empty()) refuted.insert(site->name);
    for (PlaceState& each : states_) {
      text::LeanLexer lexer(each.proof);
      std::string used;
      while (const auto token = lexer.next())
        if (const std::string word = each.proof.substr(token->begin, token->end - token->begin);
            used.empty() && refuted.contains(word))
          used = word;
      if (!used.empty()) take_back(each, used + " is false.");
    }
  }

  static bool take_back(PlaceState& state, const std::string& why) {
    if (state.proof.empty()) return false;
    state.reason = state.proof + ": " + why;
    state.proof.clear();
    state.given_up = true;
    return true;
  }

  // Takes back the proofs of declarations that Lean does not accept. Returns false if there are none.
  asio::awaitable<Result<bool>> take_back(const Trial& trial, const std::string& text,
                                          const std::vector<std::size_t>& moved) {
    CO_TRY(const auto hidden, co_await hidden_sorries(environment_, whole_text(text), call_->scope));
    const auto sites = text::declarations(text);
    bool changed = false;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (states_[i].proof.empty()) continue;
      const auto* site = text::enclosing_declaration(sites, text.size(), moved[i]);
      if (!site) continue;
      if (const std::string why = objection(trial, hidden, *site); !why.empty())
        changed = take_back(states_[i], why) || changed;
    }
    co_return changed;
  }

  // Why Lean does not accept a declaration; "": it does.
  static std::string objection(const Trial& trial, const HiddenSorries& hidden,
                               const text::DeclarationSite& site) {
    for (const lean::Diagnostic& diagnostic : trial.diagnostics) {
      const std::size_t at = lean::blamed_offset(trial.text, diagnostic);
      if (site.start <= at && at < site.end && diagnostic.severity == lean::Severity::Error)
        return diagnostic.message.substr(0, diagnostic.message.find('\n'));
    }
    for (const Symbol& symbol : trial.unannounced)
      if (symbol.end > site.start && symbol.start < site.end) return unannounced_reason(symbol);
    if (uses_sorry(trial, site)) return "The declaration uses sorry all the same.";
    const int first = trial.text.position_at(site.start).line;
    const int last = trial.text.position_at(site.end - 1).line;  // `end` is where the next command begins
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
  text::Text file_text_{source_};
  std::vector<text::NamedDeclaration> named_ = text::named_declarations(source_);
  std::vector<text::DeclarationSite> sites_ = text::declarations(source_);
  std::vector<FillPlace> places_;
  WithAxiom with_axiom_;
  std::vector<PlaceState> states_;
  double budget_;  // s
  double heartbeats_per_second_ = kHeartbeatsPerSecond;
  ProcessorMeter meter_;
  io::CancelScope tactics_;
};

}  // namespace

asio::awaitable<Result<Filled>> fill_at(Environment& environment, std::shared_ptr<mcp::Call> call,
                                        const OpenFile& file, std::vector<FillPlace> places,
                                        io::Clock::duration budget) {
  Filling filling(environment, std::move(call), file, file.text().str(), std::move(places), budget);
  CO_CHECK(co_await filling.run());
  Filled filled;
  CO_TRY(filled.text, co_await filling.check());
  CO_CHECK(co_await filling.remember());
  filled.cpu_s = filling.meter().seconds();
  filled.is_cpu_known = filling.meter().is_processor_time();
  for (std::size_t i = 0; i < filling.size(); ++i) filled.places.push_back(filling.item(i));
  co_return filled;
}

}  // namespace leanbridge::tools
