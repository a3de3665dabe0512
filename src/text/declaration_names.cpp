#include "leanbridge/text/declaration_names.hpp"

#include "leanbridge/text/lean_lexer.hpp"

#include <algorithm>
#include <functional>

namespace leanbridge::text {

namespace {

constexpr std::string_view kRoot = "_root_.";

// `A.B` as A and B: `namespace A.B` is closed by `end A.B`, or by `end B` and `end A`. Dots between « and »
// part nothing.
std::vector<std::string> components(std::string_view name) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (name.substr(at).starts_with("«")) quoted = true;
    if (name.substr(at).starts_with("»")) quoted = false;
    if (name[at] == '.' && !quoted)
      parts.emplace_back();
    else
      parts.back() += name[at];
  }
  return parts;
}

// What `namespace`, `section` and `mutual` open, and `end` closes.
class Scopes {
 public:
  void open_namespace(std::string_view name) {
    for (std::string& part : components(name)) open_.push_back(std::move(part));
  }
  void open_section() { open_.emplace_back(); }
  /// `name`: what stands behind `end` on its line; may be empty.
  void close(std::string_view name) {
    std::size_t count = name.empty() ? 1 : components(name).size();
    // A section has one place here, whatever dots are in its name.
    if (!open_.empty() && open_.back().empty()) count = 1;
    while (count-- > 0 && !open_.empty()) open_.pop_back();
  }
  std::string prefix() const {
    std::string joined;
    for (const std::string& name : open_)
      if (!name.empty()) joined += name + ".";
    return joined;
  }

 private:
  std::vector<std::string> open_;  // empty: no namespace
};

bool same_line(std::string_view source, std::size_t begin, std::size_t end) {
  return source.substr(begin, end - begin).find('\n') == std::string_view::npos;
}

}  // namespace

std::vector<NamedDeclaration> named_declarations(std::string_view source) {
  std::vector<NamedDeclaration> found;
  for (DeclarationSite& site : declarations(source)) found.push_back({std::move(site), {}});
  std::size_t next = 0;
  Scopes scopes;
  const auto name_up_to = [&](std::size_t offset) {
    for (; next < found.size() && found[next].site.keyword_offset <= offset; ++next) {
      NamedDeclaration& declaration = found[next];
      const std::string& name = declaration.site.name;
      if (name.empty()) continue;
      declaration.full_name = name.starts_with(kRoot) ? name.substr(kRoot.size()) : scopes.prefix() + name;
    }
  };
  std::vector<LeanToken> tokens;
  LeanLexer lexer(source);
  while (const auto token = lexer.next())
    if (!is_remark(token->kind)) tokens.push_back(*token);
  const auto word_of = [&](std::size_t i) {
    return i < tokens.size() && tokens[i].kind == LeanTokenKind::Word
               ? source.substr(tokens[i].begin, tokens[i].end - tokens[i].begin)
               : std::string_view();
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    name_up_to(tokens[i].begin);
    const std::string_view word = word_of(i);
    const bool first_on_line = tokens[i].begin == 0 || source[tokens[i].begin - 1] == '\n';
    const std::string_view before = i > 0 ? word_of(i - 1) : std::string_view();
    const bool begins_command =
        first_on_line || before == "public" || before == "noncomputable" || before == "meta";
    if (word == "namespace" && first_on_line) scopes.open_namespace(word_of(i + 1));
    if (word == "section" && begins_command) scopes.open_section();
    if (word == "mutual" && first_on_line) scopes.open_section();
    if (word == "end" && first_on_line) {
      const bool named = i + 1 < tokens.size() && same_line(source, tokens[i].end, tokens[i + 1].begin);
      scopes.close(named ? word_of(i + 1) : std::string_view());
    }
  }
  name_up_to(source.size());
  return found;
}

std::vector<NamedDeclaration> find_declarations(std::string_view source, std::string_view name) {
  const bool from_root = name.starts_with(kRoot);
  if (from_root) name.remove_prefix(kRoot.size());
  if (name.empty()) return {};
  const std::vector<NamedDeclaration> all = named_declarations(source);
  const auto ends_with = [](std::string_view whole, std::string_view part) {
    return whole.ends_with(part) && whole.size() > part.size() &&
           whole[whole.size() - part.size() - 1] == '.';
  };
  const std::function<bool(std::string_view)> ways[] = {
      [&](std::string_view full) { return full == name; },
      [&](std::string_view full) { return !from_root && ends_with(full, name); },
      [&](std::string_view full) { return !from_root && !full.empty() && ends_with(name, full); },
  };
  std::vector<NamedDeclaration> found;
  for (const auto& is_meant : ways) {
    std::copy_if(all.begin(), all.end(), std::back_inserter(found),
                 [&](const NamedDeclaration& declaration) { return is_meant(declaration.full_name); });
    if (!found.empty()) break;
  }
  return found;
}

}  // namespace leanbridge::text
