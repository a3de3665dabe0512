#include "sorries.hpp"

#include "core/text/lean_declarations.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/text/missing_proofs.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace leanbridge::lean {

// Lean prints the sorry as a term: with `pp.maxSteps` it may be `⋯`, with `pp.sorrySource` it names the
// place.
bool is_sorry_warning(std::string_view message) {
  constexpr std::string_view kUses = "declaration uses ";
  const std::size_t uses = message.find(kUses);
  const std::string_view mark =
      uses == std::string_view::npos ? std::string_view() : message.substr(uses + kUses.size(), 1);
  return mark == "`" || mark == "'";
}

bool reports_sorry(const Diagnostic& diagnostic) {
  return diagnostic.severity == Severity::Warning && is_sorry_warning(diagnostic.message);
}

std::vector<std::size_t> sorry_words(std::string_view source) {
  std::vector<std::size_t> found;
  text::LeanLexer lexer(source);
  while (const auto token = lexer.next()) {
    if (token->kind != text::LeanTokenKind::Word) continue;
    const std::string_view word = source.substr(token->begin, token->end - token->begin);
    if (text::is_missing_proof(word)) found.push_back(token->begin);
  }
  return found;
}

std::vector<SorryPlace> find_sorries(const text::Text& text, const std::vector<Diagnostic>& diagnostics) {
  std::vector<std::size_t> warned, wrong;
  for (const Diagnostic& diagnostic : diagnostics) {
    const std::size_t at = text.offset_at(diagnostic.range.start);
    if (reports_sorry(diagnostic)) warned.push_back(at);
    if (diagnostic.severity == Severity::Error) wrong.push_back(at);
  }
  std::vector<SorryPlace> found;
  if (warned.empty() && wrong.empty()) return found;
  const std::vector<std::size_t> words = sorry_words(text.str());
  std::ranges::sort(warned);
  std::ranges::sort(wrong);
  std::vector<std::size_t> outside;  // warnings outside of all declarations
  auto unplaced = warned.begin();
  for (const text::DeclarationSite& site : text::declarations(text.str())) {
    const auto inside = [&site](const std::vector<std::size_t>& offsets) {
      const auto begin = std::ranges::lower_bound(offsets, site.start);
      return std::span(begin, std::lower_bound(begin, offsets.end(), site.end));
    };
    const auto warnings = inside(warned);
    while (unplaced != warned.end() && *unplaced < site.start) outside.push_back(*unplaced++);
    unplaced += static_cast<std::ptrdiff_t>(warnings.size());
    if (warnings.empty() && inside(wrong).empty()) continue;
    const auto written = inside(words);
    for (const std::size_t word : written) found.push_back({word, true});
    if (!written.empty()) continue;
    for (const std::size_t warning : warnings) found.push_back({warning, false});
  }
  outside.insert(outside.end(), unplaced, warned.end());
  for (const std::size_t warning : outside) found.push_back({warning, false});
  std::ranges::stable_sort(found, {}, &SorryPlace::offset);
  return found;
}

}  // namespace leanbridge::lean
