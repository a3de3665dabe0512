#include "filling.hpp"

#include "core/base/counted.hpp"
#include "core/document/file.hpp"
#include "core/lean/imports.hpp"
#include "core/text/lean_header.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/text/signature.hpp"

#include <algorithm>
#include <limits>

namespace leanbridge::ide {

wire::Fields FillItem::fields() {
  return wire::fields<&FillItem::line, &FillItem::column, &FillItem::declaration, &FillItem::closed_by,
                      &FillItem::refuted, &FillItem::reason, &FillItem::goals>();
}

wire::Fields FillReport::fields() {
  return {wire::field<&FillReport::closed>(), wire::field<&FillReport::refuted>().omit_empty(),
          wire::field<&FillReport::left>(),   wire::field<&FillReport::reason>(),
          wire::field<&FillReport::places>(), wire::field<&FillReport::cpu_s>()};
}

namespace {

constexpr std::size_t kMaxGoalsListed = 8;
constexpr std::size_t kMaxDefinitions = 20'000;  // that are looked for in goals
constexpr int kMaxRounds = 12;                   // of one stage: each ends at least one candidate
constexpr int kMaxChecks = 4;                    // of the filled file
constexpr double kShareOfTactics = 0.8;          // of the budget; the rest is for checking
constexpr double kShareOfRefuting = 0.3;
constexpr const char* kBudgetEnded = "The budget ended before all was tried.";
constexpr int kMaxLimits = 2;  // of Lean's that a place reaches in a stage, whose candidates are much alike
// Lean counts allocations, in these units, of which a tactic that loops makes about so many in a second,
// until the machine turns out to be slower.
constexpr double kHeartbeatsPerSecond = 20'000;
constexpr double kFewestHeartbeats = 2'000, kMostHeartbeats = 200'000;  // the latter is Lean's own limit
constexpr double kClockShare = 4;     // seconds on the clock for each of processor time
constexpr double kShareOfCall = 0.8;  // of the call's time; the rest is for checking
constexpr auto kGoalLimit = std::chrono::seconds(2);
constexpr auto kGoalLimitInLoop = std::chrono::milliseconds(200);  // Lean has the goal by now, or never will
constexpr auto kLongestSlice = std::chrono::milliseconds(200);     // between looks at processor time
constexpr auto kShortestSlice = std::chrono::milliseconds(20);
constexpr double kUnlimited = std::numeric_limits<double>::infinity();

io::Clock::duration share_of(io::Clock::duration budget, double share) {
  return std::chrono::duration_cast<io::Clock::duration>(budget * share);
}

bool uses_sorry(const Trial& trial, const text::DeclarationSite& site) {
  return trial.messages().within(site.start, site.end).sorries().any();
}

bool is_reported(const Trial& trial, const text::DeclarationSite& site) {
  const int first = trial.text.position_at(site.start).line;
  const int last = trial.text.position_at(site.end - 1).line;
  return trial.complete || std::ranges::none_of(trial.still_elaborating, [&](const auto& lines) {
           return lines.start <= last && lines.end >= first;
         });
}

// Why Lean does not take a declaration; "": it does.
std::string objection(const Trial& trial, const HiddenSorries& hidden, const text::DeclarationSite& site) {
  if (const auto* error = trial.messages().within(site.start, site.end).errors().first())
    return error->message.substr(0, error->message.find('\n'));
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

// The first goal at a byte of the trial's text, if Lean says it in time.
asio::awaitable<std::optional<StructuredGoal>> goal_in(const HeldTrial& trial, std::size_t at,
                                                       io::CancelScope scope) {
  const document::DocumentHandle handle = trial.scratch->handle();
  const auto goals = co_await goals_at(handle, handle.anchor(at), GoalFormat::Structured, scope);
  if (!goals || goals->goals.empty()) co_return std::nullopt;
  co_return std::get<StructuredGoal>(goals->goals.front());
}

std::vector<FillPlace> first_places(std::vector<FillPlace> places, std::size_t most) {
  if (places.size() > most) places.resize(most);
  return places;
}

}  // namespace

void Filling::Place::give_up(const std::string& why) {
  if (pending.empty()) return;
  pending.clear();
  given_up = true;
  reason = why;
}

void Filling::Place::take(const FillOutcome& outcome, bool complete, bool may_wait) {
  const std::size_t before = pending.size();
  const auto drop_to = [&](std::size_t k) {
    pending.erase(pending.begin(), pending.begin() + static_cast<std::ptrdiff_t>(k));
  };
  if (outcome.is_closed()) {
    proof = proof_of(pending, outcome);
    for (const std::size_t k : outcome.closed) used.push_back(pending[k]);
    pending.clear();
  } else if (outcome.broken) {
    give_up("Lean takes no tactic in this place.");
  } else if (!outcome.refused.empty() && !outcome.left) {
    for (auto k = outcome.refused.rbegin(); k != outcome.refused.rend(); ++k)
      pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(*k));
  } else if (may_wait && (outcome.ended || !outcome.is_reported())) {
    drop_to(outcome.ended.value_or(0));  // Lean reports some limits at the head of the declaration
    tried += before - pending.size();
    waiting = std::exchange(pending, {});
    is_late = true;
    return;
  } else if (outcome.ended && ++limits < kMaxLimits) {
    drop_to(*outcome.ended + 1);
  } else if (outcome.is_reported() || complete) {
    pending.clear();
  } else {
    return give_up("A tactic did not end in time.");
  }
  tried += before - pending.size();
}

// The tactics that were tried, and why it ended.
std::string Filling::Place::why_open() const {
  if (tried == 0) return reason;
  return (reason.empty() ? "" : reason + " ") + counted(tried, "tactic") + " failed" +
         (lemmas.empty() ? "." : ", with " + counted(lemmas.size(), "lemma") + " of this file at hand.");
}

bool Filling::Place::take_back(const std::string& why) {
  if (proof.empty()) return false;
  reason = proof + ": " + why;
  tried = 0;
  proof.clear();
  given_up = true;
  return true;
}

Result<std::vector<FillPlace>> places_to_fill(const OpenFile& file,
                                              const std::optional<std::string>& declaration) {
  std::vector<FillPlace> places = fill_places(file.text().str());
  add_failures(file.text(), file.state().diagnostics(), places);
  if (!declaration) return places;
  TRY(const text::NamedDeclaration named, declaration_named(file.text(), *declaration, file.document().name));
  std::erase_if(places, [&](const FillPlace& place) {
    return place.begin < named.site.start || place.begin >= named.site.end;
  });
  return places;
}

Filling::Filling(Lean& lean, std::shared_ptr<io::Operation> operation, const OpenFile& file,
                 std::vector<FillPlace> places, FillLimits limits, std::filesystem::path counts)
    : lean_(lean),
      operation_(std::move(operation)),
      file_(file),
      source_(file.text().str()),
      all_places_(places.size()),
      places_(first_places(std::move(places), limits.places)),
      with_axiom_(source_, places_),
      states_(places_.size()),
      budget_(std::chrono::duration<double>(limits.budget).count()),
      counts_(std::move(counts)),
      heartbeats_per_second_(kHeartbeatsPerSecond),
      meter_(lean.pool),
      tactics_(operation_->scope.with_timeout(
          std::min(share_of(limits.budget, kClockShare * kShareOfTactics),
                   share_of(operation_->scope.deadline - io::Clock::now(), kShareOfCall)))) {}

asio::awaitable<Result<FillReport>> Filling::run() {
  CO_CHECK(co_await try_tactics());
  CO_TRY(std::string text, co_await check());
  CO_CHECK(co_await remember());
  co_return summary(std::move(text));
}

FillReport Filling::summary(std::string text) const {
  FillReport filled;
  filled.text = std::move(text);
  std::size_t shown = 0;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    FillItem found = item(i);
    if (found.goals && ++shown > kMaxGoalsListed) found.goals.reset();
    (found.closed_by ? filled.closed : filled.left) += 1;
    if (found.refuted) ++filled.refuted;
    filled.places.push_back(std::move(found));
  }
  std::string reason;
  if (all_places_ > places_.size())
    reason = "Only the first " + std::to_string(places_.size()) + " of " + std::to_string(all_places_) +
             " sorries were tried: pass a declaration for others.";
  if (meter_.is_processor_time())
    filled.cpu_s = meter_.seconds();
  else
    reason += std::string(reason.empty() ? "" : " ") +
              "Processor time is unknown here, so budget_s was time on the clock.";
  if (!reason.empty()) filled.reason = std::move(reason);
  return filled;
}

// --- finding proofs

asio::awaitable<Result<void>> Filling::try_tactics() {
  CO_TRY(TacticSet tactics, co_await known_tactics());
  CO_TRY(const auto counts, co_await lean_.pool.run(
                                [file = counts_]() -> Result<TacticCounts> {
                                  return file.empty() ? TacticCounts() : TacticCounts::read(file);
                                },
                                operation_->scope));
  tactics.sort(counts);
  CO_TRY(const auto names, co_await lean_.pool.run(project_names(), operation_->scope));
  CO_CHECK(co_await try_all([&](const Place&) { return tactics.cheap(); }));
  // All values together cost less than one induction at a false goal, or a search, which may find a theorem
  // that is false, too.
  Candidates deciders = {"decide", "simp"};
  if (tactics.has("norm_num")) deciders.emplace_back("norm_num");
  CO_CHECK(co_await refute(deciders));
  // A place at which a tactic reaches a limit waits until the others have had their turn.
  for (const bool may_wait : {true, false}) {
    may_wait_ = may_wait;
    for (std::size_t stage = 0; stage < kFillStages; ++stage)
      CO_CHECK(co_await try_all([&](Place& each) { return candidates(stage, each, names, tactics); }));
  }
  for (Place& each : states_)
    if (each.is_open() && !each.waiting.empty()) each.reason = kBudgetEnded;
  take_back_what_uses_refuted();
  co_return Result<void>();
}

Candidates Filling::candidates(std::size_t stage, Place& place, const ProjectNames& names,
                               const TacticSet& tactics) {
  if (place.is_late == may_wait_ || (place.is_late && stage < place.stage)) return {};
  if (place.is_late && stage == place.stage) return std::exchange(place.waiting, {});
  place.stage = stage;
  const StructuredGoal goal = place.goal.value_or(StructuredGoal());
  if (stage == 0) place.lemmas = lemmas_for(static_cast<std::size_t>(&place - states_.data()), goal, names);
  return candidates_of(stage, goal, names, place.lemmas, tactics);
}

std::set<std::string> Filling::refuted_names() const {
  std::set<std::string> names;
  for (std::size_t i = 0; i < states_.size(); ++i)
    if (const auto* site = site_of(i); site && !states_[i].refuted.empty()) names.insert(site->name);
  return names;
}

// The theorems above the place whose statements have a name of the project that its goal has; the next first.
std::vector<std::string> Filling::lemmas_for(std::size_t place, const StructuredGoal& goal,
                                             const ProjectNames& names) const {
  std::vector<std::string> shared = mentioned_in(goal, names.definitions), lemmas;
  for (const std::string& name : mentioned_in(goal, names.predicates)) shared.push_back(name);
  const std::set<std::string> refuted = refuted_names();
  const auto is_stated_of = [&](const text::DeclarationSite& site, const std::string& name) {
    const std::size_t begin = site.keyword_offset;
    return text::mentions(source_, begin, site.end, name) &&
           text::mentions(source_, begin, text::signature_of(source_, site).end, name);
  };
  const auto* own = site_of(place);
  for (const auto* site = own; own && lemmas.size() < kMaxLemmas && site-- != sites_.data();)
    if (text::is_theorem_keyword(site->keyword) && !refuted.contains(site->name) &&
        std::ranges::any_of(shared, [&](const auto& name) { return is_stated_of(*site, name); }))
      lemmas.push_back(site->name);
  return lemmas;
}

// Reads what the text and the project's files that it imports declare. Blocking.
std::function<Result<ProjectNames>()> Filling::project_names() const {
  return [source = source_, root = file_.store()->root()]() -> Result<ProjectNames> {
    ProjectNames names;
    names.add(source);
    lean::ImportWatch watch(root);
    const auto imports = watch.state_of(text::parse_lean_header(source).imported_modules());
    for (const auto& [path, identity] : imports) {
      if (!identity.exists() || path.extension() != ".lean" || names.definitions.size() >= kMaxDefinitions)
        continue;
      if (const auto text = document::load_bytes(path, path.string())) names.add(*text);
    }
    return names;
  };
}

// A tactic that Lean cannot parse would end the whole file, so each is first tried below the header alone.
asio::awaitable<Result<TacticSet>> Filling::known_tactics() {
  const std::size_t header = text::parse_lean_header(source_).end;
  std::string text = source_.substr(0, header) + "\n";
  std::vector<std::size_t> begins;
  TacticSet tactics;
  const Candidates all = tactics.all();
  for (const std::string& tactic : all) {
    begins.push_back(text.size());
    text += "example : True := by first | trivial | (" + tactic + ")\n";
  }
  CO_TRY(const auto trial, co_await elaborate(text, kUnlimited, operation_->scope));
  if (trial.header_failed)
    co_return fail(ErrorKind::LeanUnavailable, imports_not_loaded(trial),
                   "Fix the header or the imported file that it names, then call again.");
  std::set<std::string> missing;
  for (const lean::Diagnostic& diagnostic : trial.diagnostics) {
    if (diagnostic.severity != lean::Severity::Error) continue;
    const std::size_t at = lean::blamed_offset(trial.text, diagnostic);
    const auto next = std::ranges::upper_bound(begins, at);
    if (next != begins.begin()) missing.insert(all[static_cast<std::size_t>(next - begins.begin()) - 1]);
  }
  tactics.remove(missing);
  co_return tactics;
}

template <class CandidatesOf>
asio::awaitable<Result<void>> Filling::try_all(CandidatesOf candidates) {
  for (Place& each : states_) {
    each.pending = each.is_open() ? candidates(each) : Candidates();
    each.limits = 0;
  }
  for (int round = 0; round < kMaxRounds; ++round) {
    const bool any = std::ranges::any_of(states_, [](const Place& each) { return !each.pending.empty(); });
    if (!any || cpu_left() <= 0 || io::Clock::now() >= tactics_.deadline) break;
    CO_CHECK(co_await one_round());
  }
  for (Place& each : states_)
    if (!each.pending.empty() && each.is_open()) each.reason = kBudgetEnded;
  co_return Result<void>();
}

asio::awaitable<Result<void>> Filling::one_round() {
  std::vector<Candidates> candidates;
  for (const Place& each : states_) candidates.push_back(each.pending);
  // A place that is proved already stays a sorry, which costs nothing.
  const FillScript script = script_for(source_, places_, candidates, heartbeats());
  const io::CancelScope half_of_clock = tactics_.with_timeout((tactics_.deadline - io::Clock::now()) / 2);
  auto trial = co_await elaborate(script.text, cpu_left() / 2, half_of_clock);
  if (!trial) {
    if (trial.error().kind != ErrorKind::Timeout && trial.error().kind != ErrorKind::WorkerCrashed)
      co_return tl::unexpected(trial.error());
    for (Place& each : states_) each.give_up(trial.error().message);
    co_return Result<void>();
  }
  // Half of the time would have been enough for all heartbeats at the assumed speed.
  if (!trial->complete) heartbeats_per_second_ /= 2;
  const auto outcomes = outcomes_of(script, trial->text, trial->diagnostics);
  std::set<const text::DeclarationSite*> ended;
  for (const FillOutcome& outcome : outcomes)
    if (outcome.ended) ended.insert(site_of(outcome.place));
  bool is_unreached = false;
  const io::Clock::duration goal_limit = trial->complete ? kGoalLimit : kGoalLimitInLoop;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    Place& state = states_[outcomes[i].place];
    if (!outcomes[i].is_reported()) {
      // Another place of the declaration has used up its heartbeats, or an earlier one all the time.
      if (ended.contains(site_of(outcomes[i].place)) || is_unreached) continue;
      is_unreached = !trial->complete;
    }
    state.take(outcomes[i], trial->complete, may_wait_);
    if (state.proof.empty() && !state.goal) {
      const std::size_t at = script.text.find("show (_ : Prop)", script.probes[i].whole.begin);
      state.goal = co_await goal_in(*trial, at, operation_->scope.with_timeout(goal_limit));
    }
  }
  co_await meter_.look(operation_->scope);
  co_return Result<void>();
}

double Filling::cpu_left() const {
  return budget_ * kShareOfTactics - meter_.seconds();
}

// For each declaration in a round, so that one tactic that loops does not take the time of all: together at
// most half of what the round may take.
int Filling::heartbeats() const {
  const auto open = std::ranges::count_if(states_, [](const Place& each) { return !each.pending.empty(); });
  const double seconds = cpu_left() / 4 / static_cast<double>(std::max<std::ptrdiff_t>(open, 1));
  return static_cast<int>(std::clamp(seconds * heartbeats_per_second_, kFewestHeartbeats, kMostHeartbeats));
}

// Ends at the latest after `limit` seconds of processor time, or with the scope.
asio::awaitable<Result<HeldTrial>> Filling::elaborate(std::string text, double limit, io::CancelScope scope) {
  CO_TRY(auto scratch, co_await begin_elaboration(operation_, file_, std::move(text), scope));
  co_await meter_.follow(scratch->store()->server().pid(), scratch->document()->uri, scope);
  const double end = meter_.seconds() + limit;
  for (;;) {
    const auto left = std::chrono::duration<double>(std::min(end - meter_.seconds(), 1.0));
    const auto slice = std::clamp<io::Clock::duration>(std::chrono::duration_cast<io::Clock::duration>(left),
                                                       kShortestSlice, kLongestSlice);
    const auto known = co_await scratch->handle().wait_until_done(scope.with_timeout(slice));
    co_await meter_.look(operation_->scope);
    if (!known || *known == document::WaitOutcome::Complete || io::Clock::now() >= scope.deadline) break;
    if (meter_.seconds() < end) continue;
    scope = scope.with_timeout(io::Clock::duration::zero());
    break;
  }
  co_return co_await end_elaboration(operation_, std::move(scratch), scope);
}

// Looks for values with which goals are false, shown by `deciders`, tactics.
asio::awaitable<Result<void>> Filling::refute(Candidates deciders) {
  CO_TRY(const auto silencer, co_await find_silencer(lean_, whole_text(source_), operation_->scope));
  if (silencer) co_return Result<void>();  // a sorry in place of `decide` might not be reported
  std::vector<Candidates> candidates(states_.size());
  std::vector<std::vector<Counterexample>> examples(states_.size());
  bool any = false;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (states_[i].proof.empty() && states_[i].goal)
      examples[i] = counterexamples(*states_[i].goal, deciders);
    for (const Counterexample& each : examples[i]) candidates[i].push_back(each.tactic);
    any = any || !candidates[i].empty();
    candidates[i].emplace_back(kLeftByAxiom);  // where none of them is one
  }
  if (!any) co_return Result<void>();
  const FillScript script = script_for(with_axiom_.source, with_axiom_.places, candidates);
  const double limit = budget_ * kShareOfRefuting;
  const auto clock = std::chrono::duration<double>(limit * kClockShare);
  const auto trial =
      co_await elaborate(script.text, std::min(limit, cpu_left()),
                         tactics_.with_timeout(std::chrono::duration_cast<io::Clock::duration>(clock)));
  if (trial) take_refutations(*trial, script, examples);
  if (!trial && trial.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(trial.error());
  co_return Result<void>();
}

void Filling::take_refutations(const Trial& trial, const FillScript& script,
                               const std::vector<std::vector<Counterexample>>& examples) {
  const auto sites = text::declarations(script.text);
  const auto outcomes = outcomes_of(script, trial.text, trial.diagnostics);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const std::size_t place = outcomes[i].place;
    if (!outcomes[i].is_closed() || outcomes[i].closed.size() != 1) continue;
    const std::size_t example = outcomes[i].closed.front();
    if (example >= examples[place].size()) continue;
    const auto* site = text::enclosing_declaration(sites, script.text.size(), script.probes[i].whole.begin);
    if (!site || uses_sorry(trial, *site)) continue;
    if (!is_reported(trial, *site)) continue;  // a warning may come yet
    const std::string& values = examples[place][example].values;
    states_[place].refuted = values.empty() ? "false" : values;
  }
}

// --- believing them

// A theorem of the text whose own sorry is refuted proves anything.
void Filling::take_back_what_uses_refuted() {
  const std::set<std::string> refuted = refuted_names();
  for (Place& each : states_) {
    text::LeanLexer lexer(each.proof);
    std::string used;
    while (const auto token = lexer.next())
      if (const std::string word = each.proof.substr(token->begin, token->end - token->begin);
          used.empty() && refuted.contains(word))
        used = word;
    if (!used.empty()) each.take_back(used + " is false.");
  }
}

/// Leaves only proofs with which Lean accepts their declarations. Returns the filled source.
asio::awaitable<Result<std::string>> Filling::check() {
  for (int round = 0; round < kMaxChecks; ++round) {
    const bool any = std::ranges::any_of(states_, [](const Place& each) { return !each.proof.empty(); });
    if (!any) break;
    std::vector<std::size_t> moved;
    const std::string text =
        filled(with_axiom_.source, with_axiom_.places, proofs(std::string(kLeftByAxiom)), &moved);
    CO_TRY(const auto trial, co_await elaborate(text, kUnlimited, operation_->scope));
    if (!trial.complete)
      co_return fail(ErrorKind::Timeout, "Lean did not finish the filled file in time.",
                     "Pass a longer timeout_s, or a declaration.");
    CO_TRY(const bool changed, co_await take_back(trial, text, moved));
    if (!changed) co_return filled(source_, places_, proofs(""));
  }
  for (Place& each : states_) each.take_back("Lean does not accept the declaration with it.");
  co_return source_;
}

// Takes back the proofs of declarations that Lean does not accept. False: there is none.
asio::awaitable<Result<bool>> Filling::take_back(const Trial& trial, const std::string& text,
                                                 const std::vector<std::size_t>& moved) {
  CO_TRY(const auto hidden, co_await hidden_sorries(lean_, whole_text(text), operation_->scope));
  const auto sites = text::declarations(text);
  bool changed = false;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (states_[i].proof.empty()) continue;
    const auto* site = text::enclosing_declaration(sites, text.size(), moved[i]);
    if (!site) continue;
    if (const std::string why = objection(trial, hidden, *site); !why.empty())
      changed = states_[i].take_back(why) || changed;
  }
  co_return changed;
}

// Counts the tactics that are of use elsewhere: those that name nothing.
asio::awaitable<Result<void>> Filling::remember() {
  const TacticSet known;
  Candidates used;
  for (const Place& each : states_)
    if (!each.proof.empty())
      std::copy_if(each.used.begin(), each.used.end(), std::back_inserter(used),
                   [&](const std::string& tactic) { return known.has(tactic); });
  if (used.empty() || counts_.empty()) co_return Result<void>();
  const auto add = [used, file = counts_]() -> Result<bool> {
    TacticCounts counts = TacticCounts::read(file);  // anew: another call may have written it
    for (const std::string& tactic : used) counts.add(tactic);
    return counts.write(file);
  };
  const auto written = co_await lean_.pool.run(add, operation_->scope);
  if (!written && written.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(written.error());
  co_return Result<void>();  // the table only saves time
}

// One for each place; `left` for those that have none.
std::vector<std::string> Filling::proofs(const std::string& left) const {
  std::vector<std::string> all;
  for (const Place& each : states_) all.push_back(each.proof.empty() ? left : each.proof);
  return all;
}

const text::DeclarationSite* Filling::site_of(std::size_t place) const {
  return text::enclosing_declaration(sites_, source_.size(), places_[place].begin);
}

TextOfFile Filling::whole_text(std::string text) const {
  return {file_.store(), file_.document().path, std::move(text)};
}

FillItem Filling::item(std::size_t i) const {
  const text::Position at = file_text_.position_at(places_[i].begin);
  const Place& state = states_[i];
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
  else if (const std::string why = state.why_open(); !why.empty())
    item.reason = why;
  if (state.goal) item.goals = std::vector{state.goal->pretty};
  return item;
}

}  // namespace leanbridge::ide
