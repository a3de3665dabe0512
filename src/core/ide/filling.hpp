#pragma once
/// Tries what a machine can prove at places of a file, in a few elaborations of the whole.

#include "counterexamples.hpp"
#include "fill_candidates.hpp"
#include "processor_meter.hpp"
#include "scratch_elaboration.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace leanbridge::ide {

/// The outcome at a place.
struct FillItem {
  int line = 1;
  int column = 1;
  wire::Nullable<std::string> declaration;
  std::optional<std::string> closed_by;  ///< what stands in place of the sorry
  std::optional<std::string> refuted;    ///< values for which the goal is false
  std::optional<std::string> reason;     ///< what was tried in vain, and why it ended
  std::optional<std::vector<std::string>> goals;

  static wire::Fields fields();
};

struct FillReport {
  int closed = 0;
  int refuted = 0;
  int left = 0;                       ///< refuted ones included
  std::optional<std::string> reason;  ///< why not everything was tried
  std::vector<FillItem> places;       ///< one for each, in order
  std::optional<double> cpu_s;        ///< of the worker that tried; absent: some of it is time on the clock
  std::string text;                   ///< the file's with what closes places in them; Lean accepts all of it

  static wire::Fields fields();
};

/// The places of a file that is elaborated, or of one declaration in it. InvalidArgument: there is no such
/// declaration.
Result<std::vector<FillPlace>> places_to_fill(const OpenFile& file,
                                              const std::optional<std::string>& declaration);

struct FillLimits {
  io::Clock::duration budget;  ///< of processor time; four times that on the clock
  std::size_t places = 200;    ///< that are tried
};

/// Tries all places at once, cheap tactics first. Keep it, and the file, until run() ends.
class Filling {
 public:
  /// The check of what was found may take longer than the budget. `counts`: the table of tactics that have
  /// closed most (TacticCounts); empty: none is kept.
  Filling(Lean& lean, std::shared_ptr<io::Operation> operation, const OpenFile& file,
          std::vector<FillPlace> places, FillLimits limits, std::filesystem::path counts);

  /// Errors: LeanUnavailable if the imports cannot be loaded; Timeout, Cancelled, WorkerCrashed.
  asio::awaitable<Result<FillReport>> run();

 private:
  /// A place, and what has become of it so far.
  struct Place {
    Candidates pending;
    std::string proof;    ///< "": none yet
    Candidates used;      ///< those of which the proof is made
    std::string refuted;  ///< values
    std::string reason;
    std::optional<StructuredGoal> goal;
    std::vector<std::string> lemmas;  ///< of the file, for its goal
    std::size_t tried = 0;            ///< tactics
    int limits = 0;                   ///< that were reached in this stage
    bool given_up = false;
    bool is_late = false;   ///< a tactic reached a limit: the rest is tried after all other places
    std::size_t stage = 0;  ///< the last that it has come to
    Candidates waiting;     ///< of that stage, if it is late

    bool is_open() const { return proof.empty() && refuted.empty() && !given_up; }
    void give_up(const std::string& why);
    void take(const FillOutcome& outcome, bool complete, bool may_wait);
    bool take_back(const std::string& why);
    std::string why_open() const;
  };

  // Finding proofs.
  asio::awaitable<Result<void>> try_tactics();
  asio::awaitable<Result<TacticSet>> known_tactics();
  std::function<Result<ProjectNames>()> project_names() const;
  Candidates candidates(std::size_t stage, Place& place, const ProjectNames& names, const TacticSet& tactics);
  std::set<std::string> refuted_names() const;  ///< of theorems, as written
  std::vector<std::string> lemmas_for(std::size_t place, const StructuredGoal& goal,
                                      const ProjectNames& names) const;
  template <class CandidatesOf>
  asio::awaitable<Result<void>> try_all(CandidatesOf candidates);
  asio::awaitable<Result<void>> one_round();
  asio::awaitable<Result<void>> refute(Candidates deciders);
  void take_refutations(const Trial& trial, const FillScript& script,
                        const std::vector<std::vector<Counterexample>>& examples);
  asio::awaitable<Result<HeldTrial>> elaborate(std::string text, double limit, io::CancelScope scope);
  double cpu_left() const;
  int heartbeats() const;

  // Believing them.
  void take_back_what_uses_refuted();
  asio::awaitable<Result<std::string>> check();
  asio::awaitable<Result<bool>> take_back(const Trial& trial, const std::string& text,
                                          const std::vector<std::size_t>& moved);
  asio::awaitable<Result<void>> remember();

  std::vector<std::string> proofs(const std::string& left) const;
  const text::DeclarationSite* site_of(std::size_t place) const;
  TextOfFile whole_text(std::string text) const;
  FillItem item(std::size_t i) const;
  FillReport summary(std::string text) const;

  Lean& lean_;
  std::shared_ptr<io::Operation> operation_;
  const OpenFile& file_;
  const std::string source_;
  const text::Text file_text_{source_};
  const std::vector<text::NamedDeclaration> named_ = text::named_declarations(source_);
  const std::vector<text::DeclarationSite> sites_ = text::declarations(source_);
  const std::size_t all_places_;  // how many there are, tried or not
  const std::vector<FillPlace> places_;
  const WithAxiom with_axiom_;
  std::vector<Place> states_;  // one for each place
  const double budget_;        // s
  const std::filesystem::path counts_;
  double heartbeats_per_second_;
  bool may_wait_ = false;
  ProcessorMeter meter_;
  io::CancelScope tactics_;
};

}  // namespace leanbridge::ide
