#pragma once
/// Tries tactics at a position, in scratch documents.

#include "core/text/attempt_text.hpp"
#include "goals.hpp"
#include "module_compiler.hpp"
#include "proof_writing.hpp"

#include <array>

namespace leanbridge::ide {

/// The effect of a snippet on the proof. Flattened.
struct AttemptVerdict {
  GoalStatus proof_status = GoalStatus::StillElaborating;  ///< in the snippet's block
  std::optional<bool> progress;  ///< the goals differ from those before; absent if it failed
  bool closes_goal = false;      ///< fewer goals are left than before, and no sorry is the reason
  bool proof_complete = false;   ///< the declaration has no goal left, no error and no sorry
  bool uses_sorry = false;       ///< as far as its words or Lean's messages tell
  std::optional<std::size_t> remaining_goals;        ///< absent if the snippet failed
  std::optional<std::array<int, 2>> replaces_lines;  ///< first and last line of the file; absent if it failed
  std::optional<std::string> reason;  ///< why the status is worse or less certain than Lean's messages say

  static wire::Fields fields();
};

/// Lean's report about an attempt.
struct AttemptFacts {
  Goals before;
  Goals after;                    ///< in the snippet's block
  Goals proof_after;              ///< in the whole proof; requested only if the block has no goals left
  bool error_in_snippet = false;  ///< an error begins in the snippet
  bool declaration_open = false;  ///< there is an error or a sorry anywhere in the declaration
  bool uses_sorry = false;
  /// Why Lean does not accept the declaration, although no error begins in the snippet: the kernel rejects
  /// it, or Lean, though done, does not announce it.
  std::optional<std::string> rejected;
};

/// The goals that an attempt leaves: in the snippet's block or, if that has none, in the whole proof. Not in
/// a proof if the snippet failed.
Goals goals_left(const AttemptFacts& facts);
/// The verdict, except for replaces_lines.
AttemptVerdict verdict_of(const AttemptFacts& facts);

/// A sorry that a snippet leaves.
struct OpenSorry {
  int line = 1;                    ///< of the snippet, from 1
  std::vector<std::string> goals;  ///< there

  static wire::Fields fields();
};

/// The result of one attempt.
struct Attempt {
  std::string snippet;
  std::optional<std::size_t> number = {};    ///< from 1, where the snippet is not shown whole
  std::optional<std::string> tried_as = {};  ///< the text that was tried, where that is not the snippet
  std::optional<std::vector<OpenSorry>> sorries = {};
  std::vector<Goal> goals = {};                  ///< see goals_left()
  std::vector<DiagnosticItem> diagnostics = {};  ///< about the snippet only
  bool timed_out = true;                         ///< until it is done
  AttemptVerdict verdict = {};
  std::optional<bool> truncated = {};

  // Not in answers.
  bool outside = false;   ///< it was tried, but there is no proof at the position
  bool rejected = false;  ///< see AttemptFacts
  Goals before = {};
  std::string old_lines = {}, new_lines = {};  ///< of replaces_lines, without and with the snippet

  const std::string& text() const { return tried_as ? *tried_as : snippet; }  ///< that was tried
  bool has_failed() const { return !timed_out && verdict.proof_status == GoalStatus::Error; }
  static wire::Fields fields();
};

/// Shortens a list of an attempt to what is useful to an agent. Returns true if it dropped something.
template <class T>
bool cap(std::vector<T>& list, std::size_t limit) {
  if (list.size() <= limit) return false;
  list.resize(limit);
  return true;
}
inline constexpr std::size_t kMaxGoals = 20;

/// How many scratch documents are used, and after what time an attempt is abandoned.
struct TrialLimits {
  std::size_t parallel = 1;
  io::Clock::duration each = io::kNoDeadline;
};

// --- the work of Trials: scratch documents at one place

/// Where the snippets go.
struct AttemptSite {
  std::shared_ptr<document::DocumentStore> store;
  std::filesystem::path file;  ///< the user's
  std::string before;          ///< the file's text up to the place
  std::string closing;         ///< see attempt_text()
  std::string rest;            ///< the text that completes the declaration's `mutual` block

  text::AttemptText text_of(const Attempt& attempt) const {
    return text::attempt_text(before, before.size(), attempt.text(), closing, rest);
  }
};

/// Fills in what Lean says of each attempt. Errors only if all are affected: Lean unavailable, cancelled.
asio::awaitable<Result<std::vector<Attempt>>> try_in_scratch(std::shared_ptr<io::Operation> operation,
                                                             AttemptSite site, std::vector<Attempt> attempts,
                                                             TrialLimits limits);

// --- attempts at a position

/// Tries each snippet independently at a position. Neither touches the user's document nor elaborates the
/// rest of the file. A slow snippet moves to the end of the queue, so that it delays no other; the last ones
/// share the remaining time. At a sorry that stands for a term, a snippet is tried as `by SNIPPET`, with the
/// rest of the declaration. Keep it, and the file, until run() ends.
class Trials {
 public:
  Trials(Lean& lean, std::shared_ptr<io::Operation> operation, const OpenFile& file, FilePosition at,
         TrialLimits limits)
      : lean_(lean), operation_(std::move(operation)), file_(file), at_(std::move(at)), limits_(limits) {}

  /// A snippet that fails is tried as its author may have meant it. Errors only if all attempts are affected:
  /// invalid position, Lean unavailable, cancelled.
  asio::awaitable<Result<std::vector<Attempt>>> run(std::vector<std::string> snippets);
  /// A sentence, if the snippets were tried at another place than requested.
  const std::optional<std::string>& moved() const { return moved_; }

 private:
  asio::awaitable<Result<std::vector<Attempt>>> try_all(std::vector<Attempt> attempts);
  Result<void> find_place();
  void read_as_tactic(std::size_t sorry);
  asio::awaitable<Result<void>> look_for_sorry(Attempt& attempt, const text::AttemptText& placed);
  TextOfFile whole_text(std::string text) const;
  void note_replaced_lines(Attempt& attempt) const;

  Lean& lean_;
  std::shared_ptr<io::Operation> operation_;
  const OpenFile& file_;
  const FilePosition at_;
  const TrialLimits limits_;
  text::Text source_;  // a copy, since the file may change; with `by sorry` for the sorry of a term
  text::AttemptPlace place_;
  // Of a term: its line in the file, and what follows it in its declaration.
  std::optional<std::string> term_line_;
  std::string closing_;
  std::optional<std::string> moved_;
};

/// The attempt that was written, and its lines.
struct WrittenAttempt {
  std::size_t number = 1;  ///< from 1
  int start_line = 1, end_line = 1;

  static wire::Fields fields() {
    return wire::fields<&WrittenAttempt::number, &WrittenAttempt::start_line, &WrittenAttempt::end_line>();
  }
};

/// Flattened.
struct AttemptWriting {
  std::optional<WrittenAttempt> written;
  std::optional<std::string> not_written;  ///< why

  static wire::Fields fields() {
    return {wire::field<&AttemptWriting::written>().unlisted(),
            wire::field<&AttemptWriting::not_written>().unlisted()};
  }
};

/// Writes the first attempt that completes the proof. Errors: those of write_proof().
asio::awaitable<Result<AttemptWriting>> write_complete(Lean& lean, std::shared_ptr<io::Operation> operation,
                                                       std::string file_path, bool all_goals,
                                                       const std::vector<Attempt>& attempts);

/// Shortens what a reader has already: the snippets, the end of messages that is the same in several, and
/// hypotheses of the goal that was there before. Returns that goal if something refers to it.
std::optional<std::string> shorten(std::vector<Attempt>& attempts);

}  // namespace leanbridge::ide
