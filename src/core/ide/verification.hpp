#pragma once
/// Whether a theorem is proved, and from which axioms: by Lean's answers, or by its compiled term.

#include "core/lean/axioms.hpp"
#include "hidden_sorries.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::ide {

class CommandAnswers;

/// A word in the source that deserves review.
struct TrustWarning {
  int line = 1;
  std::string pattern;

  static wire::Fields fields() { return wire::fields<&TrustWarning::line, &TrustWarning::pattern>(); }
};

/// A declaration that rests on more than the three axioms, or a reason why something in a file could not be
/// verified.
struct VerifyException {
  std::string file_path;  ///< relative to the project
  int line = 1;
  wire::Nullable<std::string> declaration = {};  ///< null: it is about the file
  std::vector<std::string> axioms = {};          ///< beyond the three
  bool own_sorry = false;                        ///< in its own statement or proof, not in what that uses
  std::optional<std::string> reason = {};        ///< an objection that is no axiom
  /// In brief answers one exception stands for all that have its reason, axioms and own_sorry:
  std::optional<std::size_t> count = {};              ///< how many; absent: itself alone
  std::optional<std::vector<std::string>> also = {};  ///< the next few, "LINE NAME", or "FILE:LINE NAME"

  static wire::Fields fields();
};

/// The verdict on one theorem, or on all declarations in files. Null means not known, see `reason`; members
/// that depend on it are absent then.
struct Verdict {
  std::optional<std::string> theorem_name;
  bool of_theorem = true;
  std::optional<std::string> kind;
  std::optional<std::string> statement;
  wire::Nullable<std::vector<std::string>> axioms;  ///< of files: those beyond the three, sorted
  std::optional<std::vector<std::string>> non_standard_axioms;
  std::optional<std::size_t> total;  ///< how many axioms there are, if not all are shown
  std::optional<bool> truncated;
  bool some_standard = false;  ///< if so, non_standard_axioms lacks some
  wire::Nullable<bool> uses_sorry;
  wire::Nullable<lean::AxiomTrust> trust;
  bool trusted = false;
  bool completed_name = false;  ///< theorem_name differs from the caller's
  bool compiled = false;        ///< read from the compiled term; false: Lean was asked
  bool kernel_replayed = false;
  std::optional<std::string> reason;
  std::optional<std::vector<std::string>> without_proof;
  std::vector<TrustWarning> warnings;
  std::optional<bool> partial;  ///< true or absent
  bool timed_out = false;
  std::string verdict_by = "lean_certify";  ///< the tool that compares statements and replays proofs
  std::optional<std::size_t> files, declarations;
  std::optional<std::vector<VerifyException>> exceptions;  ///< outside the baseline
  std::optional<bool> as_baseline;                         ///< with a baseline: all exceptions are in it
  std::size_t in_baseline = 0;                             ///< the number of exceptions in the baseline

  /// Fills in all that follows from the axioms alone; `kind` must be known.
  void judge(std::vector<std::string> all_axioms);
  void distrust(std::string why);
  /// It is not known to rest on the standard axioms alone.
  void doubt(std::string why);
  /// Leaves out what an answer has no room for.
  void shorten(wire::Detail detail);

  static wire::Fields fields();
};

/// The verdict on a constant by its compiled term.
Verdict verdict_on(const olean::Foundation& foundation);

/// Why a constant is not the theorem in the source; "": it is.
std::string replaced_objection(const std::string& keyword, const std::string& kind);

/// Verifies one theorem in a file's text as it is on disk. Keep it alive until run() ends.
class Verification {
 public:
  struct Question {
    std::string file_path;
    std::string theorem_name;  ///< with its namespaces
    bool compile = false;      ///< even if it is slow
    bool scan_source = true;   ///< for words that deserve review
  };

  Verification(Lean& lean, std::shared_ptr<io::Operation> operation, Question question)
      : lean_(lean), operation_(std::move(operation)), question_(std::move(question)) {}

  /// Errors: InvalidArgument for a name that is none, that is ambiguous, or that the file neither defines nor
  /// imports; those of Workspace::locate() and document::load_file(); WorkerCrashed, Cancelled.
  asio::awaitable<Result<Verdict>> run();

  /// After an error of run(): the file does not have the theorem.
  bool is_unknown() const { return is_unknown_; }
  const TextOfFile& text() const { return whole_; }
  const std::string& name() const { return name_; }  ///< in full

 private:
  asio::awaitable<Result<void>> load();
  asio::awaitable<Result<Verdict>> by_compiled_term();
  asio::awaitable<Result<Verdict>> by_lean();
  asio::awaitable<Result<Verdict>> ask_lean();

  const io::CancelScope& scope() const { return operation_->scope; }
  TextOfFile beginning() const;
  Verdict out_of_time(const std::string& what) const;
  tl::unexpected<Error> no_such_name();
  std::string why_not_asked() const;
  std::vector<TrustWarning> warnings() const;
  Verdict verdict_of(const document::DocumentState& state, const CommandAnswers& asked) const;

  Lean& lean_;
  std::shared_ptr<io::Operation> operation_;
  const Question question_;
  TextOfFile whole_;
  std::string file_name_, name_;
  std::optional<text::NamedDeclaration> declared_;  // nullopt: the text does not show it
  SilencerWatch::Found found_;
  bool is_unknown_ = false;
};

}  // namespace leanbridge::ide
