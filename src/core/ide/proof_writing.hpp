#pragma once
/// Replaces lines of a file if Lean accepts the result.

#include "scratch_elaboration.hpp"

#include <array>
#include <tuple>

namespace leanbridge::ide {

struct ProofEdit {
  int start_line = 1;
  int end_line = 1;                     ///< start_line - 1 inserts
  std::string new_text;                 ///< whole lines
  std::optional<std::string> expected;  ///< the lines that are replaced, or "sha256:" and their digest

  /// An insertion stands before what is replaced at its line.
  bool stands_before(const ProofEdit& other) const {
    return std::tie(start_line, end_line) < std::tie(other.start_line, other.end_line);
  }
};

struct WriteProofParams {
  std::string file_path;
  std::vector<ProofEdit> edits;  ///< at least one; lines of the file as it is; all are made, or none
  bool allow_sorry = false;
  bool allow_statement_change = false;
  bool dry_run = false;    ///< nothing is written, and no reason says that it would be
  bool all_goals = false;  ///< those of sorries in other declarations, too, which the caller has read before
};

/// A remaining sorry of the file.
struct RemainingSorry {
  int line = 1;
  int column = 1;
  std::optional<std::vector<std::string>> goals;  ///< the goals there; absent: Lean does not tell

  static wire::Fields fields() {
    return wire::fields<&RemainingSorry::line, &RemainingSorry::column, &RemainingSorry::goals>();
  }
};

/// Where the new lines are, if they were written.
struct WrittenLines {
  std::optional<int> start_line;
  std::optional<int> end_line;  ///< start_line - 1 if the lines were only removed
  std::optional<int> shift;     ///< by which the lines below have moved
  std::optional<int> sorry_count;
  std::optional<std::vector<RemainingSorry>> sorries;  ///< the first few of the whole file

  static wire::Fields fields() {
    return wire::fields<&WrittenLines::start_line, &WrittenLines::end_line, &WrittenLines::shift,
                        &WrittenLines::sorry_count, &WrittenLines::sorries>();
  }
};

struct WriteProofResult {
  bool written = false;
  std::optional<std::string> reason;  ///< why it was not written, or what is unknown about the written file
  WrittenLines lines;
  std::optional<std::string> current_text;  ///< if it was not written: the present text of the lines
  TrialMessages messages;
  TrialStatus trial;
  std::vector<std::string> unused = {};  ///< of a dry run: variables of the new lines, as the linter says
  bool has_new_error = false;            ///< refused for what Lean says of the new text; not in answers
  std::vector<std::array<int, 2>> places = {};  ///< of each edit: the first and last new line; not in answers

  static wire::Fields fields() {
    return {wire::field<&WriteProofResult::written>(),    wire::field<&WriteProofResult::reason>(),
            wire::flatten<&WriteProofResult::lines>(),    wire::field<&WriteProofResult::current_text>(),
            wire::flatten<&WriteProofResult::messages>(), wire::flatten<&WriteProofResult::trial>()};
  }
};

/// Replaces the lines if Lean accepts the result. A refusal is a result with a reason; errors are those of
/// the file and of Lean.
asio::awaitable<Result<WriteProofResult>> write_proof(Lean& lean, std::shared_ptr<io::Operation> operation,
                                                      WriteProofParams params);

// --- edits as callers give them. The text of one may be meant in several ways: Lean takes the first that it
// accepts.

/// Lines, or a declaration whose proof is replaced.
struct GivenEdit {
  std::optional<int> start_line, end_line;
  std::optional<std::string> declaration, new_text, expected;

  static wire::Fields fields();
};

/// The outcome of one of several edits.
struct EditOutcome {
  bool written = false;
  std::optional<std::string> reason;
  std::optional<int> start_line, end_line;
  std::optional<std::string> current_text;
  std::optional<std::vector<DiagnosticItem>> diagnostics;

  static wire::Fields fields();
};

struct WrittenEdits {
  WriteProofResult all;
  std::optional<std::vector<EditOutcome>> edits;  ///< of several

  static wire::Fields fields();
};

/// Ways to read an edit, the likeliest first. None is empty.
using Readings = std::vector<ProofEdit>;

/// Keep it until its coroutine ends. Errors: those of write_proof(), and InvalidArgument for a declaration
/// that is not there.
class EditWriting {
 public:
  /// `how`: everything but the edits.
  EditWriting(Lean& lean, std::shared_ptr<io::Operation> operation, WriteProofParams how)
      : lean_(lean), operation_(std::move(operation)), how_(std::move(how)) {}

  /// Writes all, or none.
  asio::awaitable<Result<WrittenEdits>> write_all(std::vector<GivenEdit> edits);
  /// Writes each by itself, in the order given, and leaves out one that overlaps another that is written. All
  /// lines are those of the file as it was.
  asio::awaitable<Result<WrittenEdits>> write_each(std::vector<GivenEdit> edits);

 private:
  asio::awaitable<Result<std::vector<Result<Readings>>>> read(std::vector<GivenEdit> edits);
  asio::awaitable<Result<WriteProofResult>> write_readings(std::vector<Readings> readings);

  Lean& lean_;
  std::shared_ptr<io::Operation> operation_;
  const WriteProofParams how_;
};

}  // namespace leanbridge::ide
