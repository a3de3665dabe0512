#pragma once
/// Commands appended to a text that Lean has accepted, to ask about it in the same worker. Pure. Private to
/// this module.

#include "core/lean/messages.hpp"
#include "item.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::batch {

/// Axioms, or why they are unknown.
struct Axioms {
  std::optional<std::vector<std::string>> names;  ///< sorted
  std::string why_not;
};

class Probe {
 public:
  /// Asks whether `theorem` proves `statement` (if the item has one) and, if requested, for the axioms of
  /// `theorem`, or of all theorems of the text.
  Probe(const Item& item, bool wants_axioms);

  bool asks_anything() const { return statement_line_ || !axiom_lines_.empty(); }
  /// The text with the commands below it.
  const std::string& text() const { return text_; }

  /// Lean's objection to the statement; nullopt: `theorem` proves it.
  std::optional<std::string> objection(const std::vector<lean::Diagnostic>& diagnostics) const;
  Axioms axioms(const std::vector<lean::Diagnostic>& diagnostics) const;

 private:
  std::uint32_t add(const std::string& command);

  std::string text_;
  std::uint32_t next_line_ = 0;  // counts from 0, like all lines here
  std::optional<std::uint32_t> statement_line_;
  std::uint32_t statement_end_ = 0;
  std::vector<std::uint32_t> axiom_lines_;
  std::string why_no_axioms_;
};

/// Whether the text itself declares the item's theorem, if it names one.
bool declares_theorem(const Item& item);

}  // namespace leanbridge::batch
