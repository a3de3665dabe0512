#include "certify.hpp"
#include "certify/untrusted/run.hpp"
#include "core/text/lean_header.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/text/lean_names.hpp"
#include "core/text/lines.hpp"
#include "core/text/silencers.hpp"
#include "core/text/word_list.hpp"

#include <array>
#include <cctype>

namespace leanbridge::certify {

namespace {

/// A part of a name in the code. Without Lean's own namespaces, a program can name neither the environment
/// nor a file, whatever runs it. Comments count, too, if the text defines tokens, since Lean might then read
/// them as code.
struct NamedPart {
  std::size_t at = std::string::npos;
  std::string_view part;
};
NamedPart namespace_in(std::string_view source) {
  constexpr auto kNamespaces = std::to_array<std::string_view>({"Lean", "IO", "Qq", "Aesop"});
  const std::size_t begin = text::parse_lean_header(source).end;
  const std::string_view code = source.substr(begin);
  const auto parts_of = [&](std::string_view words) -> NamedPart {
    const auto is_end = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '\'' &&
             static_cast<unsigned char>(c) < 0x80;
    };
    for (std::size_t at = 0; at < words.size();) {
      std::size_t end = at;
      while (end < words.size() && !is_end(words[end])) ++end;
      if (const std::string_view part = words.substr(at, end - at); text::contains(kNamespaces, part))
        return {static_cast<std::size_t>(part.data() - source.data()), part};
      at = end + 1;
    }
    return {};
  };
  if (text::may_declare_tokens(source)) return parts_of(code);
  text::LeanLexer lexer(code);
  while (const auto token = lexer.next()) {
    if (text::is_remark(token->kind)) continue;
    if (const auto named = parts_of(code.substr(token->begin, token->end - token->begin));
        !named.part.empty())
      return named;
  }
  return {};
}

}  // namespace

std::optional<std::string> program_in(std::string_view source) {
  // Names may be written with « and » without a change of meaning.
  const std::string plain = text::without_quotes(source);
  const text::Silencers silencers = text::find_silencers(plain);
  for (const auto& finding : {silencers.unchecked, silencers.any})
    if (finding) return "line " + std::to_string(finding->line) + " has `" + quotable(finding->pattern) + "`";
  // Parts of names that such a program needs.
  constexpr auto kParts =
      std::to_array<std::string_view>({"Elab", "CoreM", "MetaM", "MacroM", "Environment", "modifyEnv",
                                       "setEnv", "addDecl", "IO.", "EIO", "macro_rules", "Lean.Parser"});
  auto [first, found] = namespace_in(plain);
  for (const std::string_view part : kParts)
    if (const std::size_t at = plain.find(part); at < first) {
      first = at;
      found = part;
    }
  if (first == std::string::npos) return std::nullopt;
  return "line " + std::to_string(text::line_number(plain, first)) + " has `" + std::string(found) + "`";
}

}  // namespace leanbridge::certify
