#include "lean_names.hpp"

#include "lean_lexer.hpp"

#include <algorithm>

namespace leanbridge::text {

namespace {

constexpr std::string_view kRootPrefix = "_root_.";

bool is_identifier(std::string_view component) {
  LeanLexer lexer(component);
  const auto token = lexer.next();
  return token && token->kind == LeanTokenKind::Word && token->begin == 0 && token->end == component.size() &&
         component.find_first_of(".#") == std::string_view::npos && !has_quotes(component);
}

}  // namespace

std::vector<std::string_view> parts_of(std::string_view name) {
  std::vector<std::string_view> parts;
  if (name.empty()) return parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = name.find('.', end_of_quoted(name, begin));
    parts.push_back(name.substr(begin, end == std::string_view::npos ? end : end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::string_view last_part(std::string_view name) {
  for (;;) {
    const std::size_t dot = name.find('.', end_of_quoted(name, 0));
    if (dot == std::string_view::npos) return name;
    name.remove_prefix(dot + 1);
  }
}

std::string_view namespace_of(std::string_view name) {
  return name.substr(0, name.size() - std::min(name.size(), last_part(name).size() + 1));
}

std::string_view unquoted(std::string_view part) {
  const bool quoted = part.starts_with(kOpenQuote) && part.ends_with(kCloseQuote);
  return quoted ? part.substr(kOpenQuote.size(), part.size() - kOpenQuote.size() - kCloseQuote.size()) : part;
}

std::string as_component(std::string_view component) {
  if (is_identifier(component)) return std::string(component);
  return std::string(kOpenQuote).append(component).append(kCloseQuote);
}

std::string plain_name(std::string_view name) {
  std::string plain;
  for (const std::string_view part : parts_of(name))
    plain.append(plain.empty() ? "" : ".").append(as_component(unquoted(part)));
  return plain;
}

std::string unescaped_name(std::string_view name) {
  std::string plain;
  for (const std::string_view part : parts_of(name))
    plain.append(plain.empty() ? "" : ".").append(unquoted(part));
  return plain;
}

bool is_same_name(std::string_view one, std::string_view other) {
  const auto of_one = parts_of(one), of_other = parts_of(other);
  return std::equal(of_one.begin(), of_one.end(), of_other.begin(), of_other.end(),
                    [](std::string_view a, std::string_view b) { return unquoted(a) == unquoted(b); });
}

bool has_quotes(std::string_view text) {
  return text.find(kOpenQuote) != std::string_view::npos || text.find(kCloseQuote) != std::string_view::npos;
}

std::string without_quotes(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    const bool quote = text.starts_with(kOpenQuote) || text.starts_with(kCloseQuote);
    if (!quote) plain += text.front();
    text.remove_prefix(quote ? kOpenQuote.size() : 1);
  }
  return plain;
}

std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with(kOpenQuote)) return at;
  const std::size_t close = text.find(kCloseQuote, at);
  return close == std::string_view::npos ? text.size() : close + kCloseQuote.size();
}

std::optional<std::filesystem::path> path_of_module(std::string_view module) {
  std::filesystem::path path;
  for (const std::string_view part : parts_of(module)) {
    const std::string_view component = unquoted(part);
    const bool leads_elsewhere =
        component.empty() || component == "." || component == ".." ||
        component.find_first_of(std::string_view("/\0", 2)) != std::string_view::npos;
    if (leads_elsewhere) return std::nullopt;
    path /= component;
  }
  if (path.empty()) return std::nullopt;
  return path;
}

std::string module_of_path(const std::filesystem::path& relative) {
  const std::filesystem::path extension = relative.extension();
  const bool is_file = extension == ".lean" || extension == ".olean" || extension == ".ilean";
  std::string name;
  for (const std::filesystem::path& part : is_file ? relative.parent_path() / relative.stem() : relative)
    if (!part.empty()) name.append(name.empty() ? "" : ".").append(as_component(part.string()));
  return name;
}

void Scopes::see(std::string_view command, std::string_view name) {
  const std::vector<std::string_view> parts = parts_of(name);
  const std::size_t count = std::max<std::size_t>(1, parts.size());
  if (command == "namespace") {
    for (const std::string_view part : parts) {
      open_.push_back(prefix_.size());
      prefix_.append(part).append(1, '.');
    }
  } else if (command == "section" || command == "mutual") {
    open_.resize(open_.size() + (command == "section" ? count : 1), prefix_.size());
  } else if (command == "end") {
    for (std::size_t left = count; left > 0 && !open_.empty(); --left) {
      prefix_.resize(open_.back());
      open_.pop_back();
    }
  }
}

std::string Scopes::full_name(std::string_view written, std::size_t most) const {
  if (prefix_.size() + written.size() > most) return {};
  if (written.starts_with(kRootPrefix)) return std::string(written.substr(kRootPrefix.size()));
  return prefix_ + std::string(written);
}

}  // namespace leanbridge::text
