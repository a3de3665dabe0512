#pragma once
/// Turns the goal at a place into a lemma above the declaration, and uses the lemma there.

#include "fill_script.hpp"
#include "goals.hpp"
#include "proof_writing.hpp"

namespace leanbridge::ide {

// --- the text of a lemma that states a goal, made from Lean's own printing of the goal. Pure

/// A hypothesis of a goal as a binder of a lemma, and as an argument of its use.
struct LemmaBinder {
  enum class Kind { Explicit, Implicit, Instance };
  Kind kind = Kind::Explicit;
  std::string name;  ///< empty: an unnamed instance
  std::string type;
  std::string argument;  ///< the argument where the lemma is used; empty: Lean finds it
  /// The goal mentions it, directly or through others. An unmentioned hypothesis is there because it is about
  /// mentioned ones: a proof may need it if it is a proposition.
  bool is_mentioned = false;
};

/// A goal with, in `binders`, the hypotheses that it depends on and those that depend on them, in the order
/// of the goal.
struct LemmaStatement {
  std::vector<LemmaBinder> binders;
  std::string goal;
  std::vector<std::string> levels;  ///< names of universe levels that the source does not declare
};

/// `source` is the file's text before the declaration, for its universe levels. Names that Lean marks as
/// inaccessible are replaced.
LemmaStatement lemma_statement(const StructuredGoal& goal, std::string_view source);

/// `theorem NAME.{LEVELS} BINDERS :\n    GOAL`.
std::string lemma_header(const std::string& name, const LemmaStatement& statement);
/// `NAME ARGUMENTS`.
std::string lemma_use(const std::string& name, const LemmaStatement& statement);

/// Whether a text has the name as a word, or as the beginning of one: `x` in `x.succ`.
bool mentions(std::string_view text, const std::string& name);

/// The lines of a tactic block, moved to the third column; its first line begins in `column`.
std::string moved_block(std::string_view block, std::size_t column);

// --- a lemma that Lean accepts

/// With its use.
struct ExtractedLemma {
  bool written = false;
  std::string lemma;        ///< with its proof
  std::string use;          ///< the text that replaces the proof
  bool uses_sorry = false;  ///< the lemma does: the moved proof is or contains a sorry
  int start_line = 1;
  int end_line = 1;      ///< of the lines that `new_text` replaces
  std::string new_text;  ///< absent if it was written

  static wire::Fields fields();
};

/// Extracts a lemma with just the hypotheses that it needs. Keep it, and the file, until run() ends.
class LemmaExtraction {
 public:
  /// At the sorry or tactic at a position. `name`: of the lemma; absent: the declaration's with `_aux`.
  LemmaExtraction(Lean& lean, std::shared_ptr<io::Operation> operation, const OpenFile& file, FilePosition at,
                  std::optional<std::string> name)
      : lean_(lean),
        operation_(std::move(operation)),
        file_(file),
        at_(std::move(at)),
        name_(std::move(name)) {}

  /// Errors: InvalidArgument (no tactic or sorry with one goal here), NotSupported (metavariables, or Lean
  /// does not accept what it prints), and those of write_proof().
  asio::awaitable<Result<ExtractedLemma>> run(bool write);

 private:
  /// A proof to move out of its declaration.
  struct Place {
    text::DeclarationSite site;
    std::size_t command = 0;  ///< offset of the command that contains the declaration
    FillPlace proof;
    std::size_t column = 0;  ///< of the tactics, in bytes
    bool is_sorry = false;
    bool is_unproved = false;  ///< Lean has reported a sorry in the declaration
    std::string name;          ///< of the lemma
  };
  Result<Place> find_place() const;
  asio::awaitable<Result<HeldTrial>> elaborate(std::string text);
  asio::awaitable<Result<StructuredGoal>> goal_as(std::string_view printing);
  asio::awaitable<Result<void>> drop_data();
  asio::awaitable<Result<void>> drop_unused(std::vector<std::string> unused);
  asio::awaitable<Result<WriteProofResult>> try_write(bool dry_run);
  asio::awaitable<Result<ExtractedLemma>> finish(bool write);
  ProofEdit edit() const;
  std::string lemma() const;
  std::string use() const;

  Lean& lean_;
  std::shared_ptr<io::Operation> operation_;
  const OpenFile& file_;
  const FilePosition at_;
  const std::optional<std::string> name_;
  text::Text text_;  // of the file, when Lean was done with it
  std::string source_;
  Place what_;
  LemmaStatement statement_;
};

}  // namespace leanbridge::ide
