#include "printed.hpp"

#include "core/base/ascii.hpp"
#include "core/text/lean_names.hpp"

#include <algorithm>
#include <array>

namespace leanbridge::lean {

namespace {

// Splits a printed list of names at its commas. A quoted name may contain commas.
std::vector<std::string> split_names(std::string_view list) {
  std::vector<std::string> names;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    at = text::end_of_quoted(list, at);
    if (at < list.size() && list[at] != ',') continue;
    if (std::string name(trimmed(list.substr(begin, at - begin))); !name.empty())
      names.push_back(std::move(name));
    begin = at + 1;
  }
  std::ranges::sort(names);
  return names;
}

// The first occurrence of `what` outside of names in quotes.
std::size_t find_outside_quotes(std::string_view text, std::string_view what) {
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with(text::kOpenQuote)) quoted = true;
    if (rest.starts_with(text::kCloseQuote)) quoted = false;
    if (!quoted && rest.starts_with(what)) return at;
  }
  return std::string_view::npos;
}

// Turns `_private.Some.Module.0.foo` into `foo`.
std::string without_private_prefix(std::string_view name) {
  constexpr std::string_view kPrivate = "_private.", kNumber = ".0.";
  const std::size_t number = name.find(kNumber);
  if (name.starts_with(kPrivate) && number != std::string_view::npos)
    name.remove_prefix(number + kNumber.size());
  return std::string(name);
}

}  // namespace

std::optional<PrintedAxioms> read_printed_axioms(std::string_view message) {
  constexpr std::string_view kNone = "' does not depend on any axioms", kSome = "' depends on axioms: [";
  message = trimmed(message);
  if (!message.starts_with('\'')) return std::nullopt;
  message.remove_prefix(1);
  if (message.ends_with(kNone) && find_outside_quotes(message, kNone) == message.size() - kNone.size())
    return PrintedAxioms{without_private_prefix(message.substr(0, message.size() - kNone.size())), {}};
  // Lean breaks a long message into lines, and indents them.
  std::string line;
  for (std::size_t at = 0; at < message.size(); ++at) {
    if (message[at] != '\n') {
      line += message[at];
      continue;
    }
    line += ' ';
    while (at + 1 < message.size() && message[at + 1] == ' ') ++at;
  }
  const std::size_t some = find_outside_quotes(line, kSome);
  if (some == std::string::npos || !line.ends_with(']')) return std::nullopt;
  const std::size_t list = some + kSome.size();
  auto axioms = split_names(std::string_view(line).substr(list, line.size() - 1 - list));
  if (axioms.empty()) return std::nullopt;
  return PrintedAxioms{without_private_prefix(std::string_view(line).substr(0, some)), std::move(axioms)};
}

std::optional<PrintedKind> read_printed_kind(std::string_view message) {
  constexpr auto kModifiers = std::to_array<std::string_view>(
      {"private", "protected", "public", "meta", "noncomputable", "unsafe", "partial"});
  constexpr auto kKinds =
      std::to_array<std::string_view>({"theorem", "def", "abbrev", "structure", "class", "inductive",
                                       "constructor", "recursor", "axiom", "opaque", "instance"});
  if (message.starts_with("@[")) message.remove_prefix(std::min(message.find(']'), message.size() - 1) + 1);
  PrintedKind printed;
  for (;;) {
    message = trimmed(message);
    const std::string_view word = message.substr(0, message.find_first_of(" \n"));
    if (std::ranges::find(kKinds, word) != kKinds.end()) {
      printed.kind = word;
      return printed;
    }
    if (std::ranges::find(kModifiers, word) == kModifiers.end()) return std::nullopt;
    if (word == "unsafe") printed.is_unsafe = true;
    if (word == "partial") printed.is_partial = true;
    message.remove_prefix(word.size());
  }
}

}  // namespace leanbridge::lean
