#pragma once
/// Where the declarations of a source and their tactics begin and end. Kept through edits: only the parts
/// that an edit may have changed are read again.

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace leanbridge::text {

/// A part of a source; byte offsets.
struct SourceRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The facts about a source that proof_part() and tactic_extent() need. The first question reads the whole
/// source, the first question after edits only their surroundings. Not thread-safe.
class ProofLayout {
 public:
  struct Declaration {
    std::size_t start = 0;
    std::size_t end = 0;    ///< as DeclarationSite::end
    SourceRange last_code;  ///< its last token that is no comment or documentation
    bool is_proposition = false;
  };

  /// A token that begins a tactic or is the first on its line.
  struct Mark {
    std::size_t begin = 0;
    SourceRange before;                 ///< the token before it
    std::optional<std::size_t> column;  ///< of the first on a line: the number of code points before it
    bool is_tactic = false;
  };

  /// The source is read in pieces of about `piece_size` bytes, each of whole lines.
  explicit ProofLayout(std::size_t piece_size = kPieceSize);
  ProofLayout(const ProofLayout&);
  ProofLayout(ProofLayout&&) noexcept;
  ProofLayout& operator=(const ProofLayout&);
  ProofLayout& operator=(ProofLayout&&) noexcept;
  ~ProofLayout();

  /// Records that the source has changed, except for its first `front` and its last `back` bytes.
  void edited(std::size_t front, std::size_t back);

  /// Finds the declaration around an offset, as enclosing_declaration() does. `source` is always the current
  /// one.
  std::optional<Declaration> declaration_at(std::string_view source, std::size_t offset);
  /// A condition on marks; first_mark() finds the first mark in [from, to) that meets it.
  using MarkTest = std::function<bool(const Mark&)>;
  std::optional<Mark> first_mark(std::string_view source, std::size_t from, std::size_t to,
                                 const MarkTest& is_wanted);
  std::optional<Mark> last_mark(std::string_view source, std::size_t from, std::size_t to,
                                const MarkTest& is_wanted);
  /// The first end of an outermost block of tactics in [from, to].
  std::optional<std::size_t> block_end(std::string_view source, std::size_t from, std::size_t to);

 private:
  static constexpr std::size_t kPieceSize = 2048;
  struct Piece;
  class Reader;
  void update(std::string_view source);
  std::size_t piece_at(std::size_t offset) const;

  std::size_t piece_size_;
  std::vector<Piece> pieces_;
  std::size_t size_ = 0;              // of the source that the pieces describe
  std::size_t front_ = 0, back_ = 0;  // how much of that source is unchanged
  bool is_current_ = false;
};

inline bool is_tactic(const ProofLayout::Mark& mark) {
  return mark.is_tactic;
}

}  // namespace leanbridge::text
