#include "probe.hpp"

#include "core/lean/printed.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/lean_quoting.hpp"
#include "verdict.hpp"

#include <algorithm>
#include <set>

namespace leanbridge::batch {

namespace {

constexpr std::size_t kMaxTheorems = 64;  // theorems whose axioms are requested

std::uint32_t line_breaks(std::string_view text) {
  return static_cast<std::uint32_t>(std::ranges::count(text, '\n'));
}

}  // namespace

bool declares_theorem(const Item& item) {
  return item.theorem.empty() || !text::find_declarations(item.text, item.theorem).empty();
}

Probe::Probe(const Item& item, bool wants_axioms)
    : text_(item.text + "\n\n"), next_line_(line_breaks(text_)) {
  if (!item.statement.empty())
    if (const auto term = text::parenthesize_term(item.statement, 2)) {
      statement_line_ = add("example : " + *term + " := @" + full_name(item));
      statement_end_ = next_line_;
    }
  if (!wants_axioms) return;
  const std::vector<std::string> names = theorems_of(item);
  if (names.empty()) why_no_axioms_ = "The text declares no theorem.";
  if (names.size() > kMaxTheorems)
    why_no_axioms_ = "The text declares more than " + std::to_string(kMaxTheorems) +
                     " theorems; name the one that matters in `theorem`.";
  if (!why_no_axioms_.empty()) return;
  for (const std::string& name : names) axiom_lines_.push_back(add("#print axioms " + name));
}

// Returns the line on which the command begins.
std::uint32_t Probe::add(const std::string& command) {
  const std::uint32_t line = next_line_;
  text_ += command + "\n";
  next_line_ += line_breaks(command) + 1;
  return line;
}

std::optional<std::string> Probe::objection(const std::vector<lean::Diagnostic>& diagnostics) const {
  if (!statement_line_) return std::nullopt;
  for (const lean::Diagnostic& diagnostic : diagnostics) {
    const std::uint32_t line = diagnostic.range.start.line;
    if (*statement_line_ <= line && line < statement_end_ && diagnostic.severity == lean::Severity::Error)
      return diagnostic.message;
  }
  return std::nullopt;
}

Axioms Probe::axioms(const std::vector<lean::Diagnostic>& diagnostics) const {
  if (!why_no_axioms_.empty()) return {std::nullopt, why_no_axioms_};
  std::set<std::string> all;
  for (const std::uint32_t line : axiom_lines_) {
    std::optional<lean::PrintedAxioms> found;
    std::string said = "Lean does not answer `#print axioms`.";
    for (const lean::Diagnostic& diagnostic : diagnostics) {
      if (diagnostic.range.start.line != line) continue;
      if (diagnostic.severity == lean::Severity::Information && !found)
        found = lean::read_printed_axioms(diagnostic.message);
      if (diagnostic.severity == lean::Severity::Error) said = diagnostic.message;
    }
    if (!found) return {std::nullopt, said};
    all.insert(found->axioms.begin(), found->axioms.end());
  }
  return {std::vector<std::string>(all.begin(), all.end()), {}};
}

}  // namespace leanbridge::batch
