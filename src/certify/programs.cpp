#include "leanbridge/certify/certify.hpp"
#include "leanbridge/text/silencers.hpp"

#include "run.hpp"

#include <algorithm>
#include <array>

namespace leanbridge::certify {

namespace {

/// Names may be written with « and », and mean the same.
std::string without_quotes(std::string_view source) {
  constexpr std::string_view kOpen = "«", kClose = "»";
  std::string plain;
  plain.reserve(source.size());
  while (!source.empty()) {
    const bool quote = source.starts_with(kOpen) || source.starts_with(kClose);
    if (!quote) plain += source.front();
    source.remove_prefix(quote ? kOpen.size() : 1);
  }
  return plain;
}

}  // namespace

std::optional<std::string> program_in(std::string_view source) {
  const std::string plain = without_quotes(source);
  const text::Silencers silencers = text::find_silencers(plain);
  for (const auto& finding : {silencers.unchecked, silencers.any})
    if (finding) return "line " + std::to_string(finding->line) + " has `" + quotable(finding->pattern) + "`";
  // What such a program cannot do without.
  constexpr auto kParts =
      std::to_array<std::string_view>({"Elab", "CoreM", "MetaM", "MacroM", "Environment", "modifyEnv",
                                       "setEnv", "addDecl", "IO.", "EIO", "macro_rules", "Lean.Parser"});
  std::size_t first = std::string::npos;
  std::string_view found;
  for (const std::string_view part : kParts)
    if (const std::size_t at = plain.find(part); at < first) {
      first = at;
      found = part;
    }
  if (first == std::string::npos) return std::nullopt;
  const auto lines = std::count(plain.begin(), plain.begin() + static_cast<std::ptrdiff_t>(first), '\n');
  return "line " + std::to_string(lines + 1) + " has `" + std::string(found) + "`";
}

}  // namespace leanbridge::certify
