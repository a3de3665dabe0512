#pragma once
/// Which of Lean's messages about a text lie where, and what they say.

#include "core/document/document_state.hpp"
#include "core/lean/messages.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace leanbridge::ide {

/// A selection of Lean's messages about a text, in the order in which Lean reported them. Refers to the text
/// and to the messages: take it anew after a `co_await`. Places are byte offsets of that text. A message lies
/// where it begins; an error of the parser lies at the end of the text that is incomplete, although older
/// Leans report it at the next command (lean::blamed_offset).
class Messages {
 public:
  Messages(const text::Text& text, const std::vector<lean::Diagnostic>& all);
  explicit Messages(const document::DocumentState& state) : Messages(state.text(), state.diagnostics()) {}

  /// The ones in [begin, end).
  Messages within(std::size_t begin, std::size_t end) const;
  /// The ones in this line, from 1, or below.
  Messages from_line(int line) const;
  /// The ones that are no silent signal, which agents must not see; of the severity, if one is given.
  Messages shown(std::optional<lean::Severity> severity = {}) const;
  Messages errors() const;
  /// Lean's warnings that a declaration uses sorry.
  Messages sorries() const;
  /// Errors and sorries.
  Messages objections() const;
  /// Errors about goals that a block leaves unsolved. They begin where the block does, far above the tactic
  /// to blame; `other_errors` are all others.
  Messages unsolved() const;
  Messages other_errors() const;
  /// Lean's silent signals that it has proved a theorem.
  Messages announcements() const;
  /// The ones for which the predicate of a lean::Diagnostic holds.
  template <class Predicate>
  Messages where(Predicate holds) const {
    Messages found(*text_);
    for (const lean::Diagnostic* each : list_)
      if (holds(*each)) found.list_.push_back(each);
    return found;
  }

  const text::Text& text() const { return *text_; }
  /// Where a message lies.
  std::size_t place(const lean::Diagnostic& message) const { return lean::blamed_offset(*text_, message); }
  const std::vector<const lean::Diagnostic*>& list() const& { return list_; }
  /// A temporary gives a value, over which a `for` may loop.
  std::vector<const lean::Diagnostic*> list() && { return std::move(list_); }
  bool any() const { return !list_.empty(); }
  /// The one that Lean reported first, and the one that begins first; nullptr if there is none.
  const lean::Diagnostic* first() const { return list_.empty() ? nullptr : list_.front(); }
  const lean::Diagnostic* earliest() const;

 private:
  explicit Messages(const text::Text& text) : text_(&text) {}

  const text::Text* text_;
  std::vector<const lean::Diagnostic*> list_;
};

}  // namespace leanbridge::ide
