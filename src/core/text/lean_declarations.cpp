#include "lean_declarations.hpp"

#include "command_words.hpp"
#include "declaration_scan.hpp"
#include "lean_lexer.hpp"
#include "lean_names.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace leanbridge::text {
namespace {

constexpr std::size_t kMaxBracketTokens = 1000;  // more tokens than any attribute has: the bracket is never
                                                 // closed

}  // namespace

std::optional<DeclarationScan::Command> DeclarationScan::read(std::size_t i) {
  auto command = i < head_end_ ? std::nullopt : command_at(i);
  state_.after_in = tokens_.word(i) == "in";
  return command;
}

std::optional<DeclarationScan::Command> DeclarationScan::command_at(std::size_t i) {
  const std::size_t begin = tokens_[i].begin;
  const bool after_in = state_.in_other_command && state_.after_in;
  if (!after_in && !tokens_[i].first_on_line) return std::nullopt;
  if (auto declaration = read_head(i)) {
    state_.in_declaration = true;
    state_.in_other_command = false;
    return Command{std::move(declaration)};
  }
  if (!(after_in || is_in_column_0(begin) || is_scope_command(i)) || !is_other_command(i))
    return std::nullopt;
  state_.in_other_command = true;
  return std::exchange(state_.in_declaration, false) ? std::optional(Command{}) : std::nullopt;
}

bool DeclarationScan::is_module_doc(std::size_t i) {
  return tokens_.has(i) && tokens_[i].kind == LeanTokenKind::DocComment && tokens_.text(i).starts_with("/-!");
}

bool DeclarationScan::is_scope_command(std::size_t i) {
  return is_command_word(tokens_.word(i), kOpens);
}

bool DeclarationScan::is_other_command(std::size_t i) {
  if (is_module_doc(i)) return true;
  const std::string_view keyword = tokens_.word(skip_prefix(i));
  return !keyword.empty() && (keyword.front() == '#' || is_command_word(keyword, kEnds));
}

/// Skips doc comment, attributes and modifiers: the index of the command's keyword.
std::size_t DeclarationScan::skip_prefix(std::size_t i) {
  for (;;) {
    if (tokens_.has(i) && tokens_[i].kind == LeanTokenKind::DocComment && !is_module_doc(i))
      ++i;
    else if (tokens_.is_symbol(i, "@["))
      i = skip_brackets(i);
    else if (tokens_.word(i) == "scoped" && tokens_.is_symbol(i + 1, "["))
      i = skip_brackets(i + 1);
    else if (is_command_word(tokens_.word(i), kModifies))
      ++i;
    else
      return i;
  }
}

/// The index after the bracket that matches the one at `i`.
std::size_t DeclarationScan::skip_brackets(std::size_t i) {
  int nesting = 0;
  for (const std::size_t limit = i + kMaxBracketTokens; i < limit && tokens_.has(i); ++i) {
    if (tokens_.is_symbol(i, "(") || tokens_.is_symbol(i, "[") || tokens_.is_symbol(i, "@[")) ++nesting;
    if ((tokens_.is_symbol(i, ")") || tokens_.is_symbol(i, "]")) && --nesting == 0) return i + 1;
  }
  return i;
}

/// Skips unknown words in column 0, such as a macro before a declaration (`silently theorem foo`). nullopt if
/// no declaration keyword follows on the line.
std::optional<std::size_t> DeclarationScan::skip_macro_words(std::size_t i) {
  // `deriving instance Repr for Foo` gives no declaration a name.
  if (!is_in_column_0(tokens_[i].begin) || tokens_.word(i) == "deriving" || is_other_command(i))
    return std::nullopt;
  const std::size_t line_end = source_.find('\n', tokens_[i].begin);
  while (!tokens_.word(i).empty() && tokens_[i].begin < line_end &&
         !is_command_word(tokens_.word(i), kDeclares))
    ++i;
  return tokens_.has(i) && tokens_[i].begin < line_end ? std::optional(i) : std::nullopt;
}

/// Reads prefix, keyword and name of a declaration that begins at `first`; nullopt if none does.
std::optional<DeclarationSite> DeclarationScan::read_head(std::size_t first) {
  std::size_t i = skip_prefix(first);
  if (!is_command_word(tokens_.word(i), kDeclares)) {
    const auto keyword = skip_macro_words(first);
    if (!keyword || !is_command_word(tokens_.word(*keyword), kDeclares)) return std::nullopt;
    i = *keyword;
  }
  DeclarationSite site;
  site.start = tokens_[first].begin;
  site.keyword_offset = tokens_[i].begin;
  site.keyword = tokens_.word(i);
  if (site.keyword == "class" && (tokens_.word(i + 1) == "inductive" || tokens_.word(i + 1) == "abbrev"))
    site.keyword.append(" ").append(tokens_.word(++i));
  std::size_t after = i + 1;
  if (site.keyword == "instance" && tokens_.is_symbol(after, "(") && tokens_.word(after + 1) == "priority")
    after = skip_brackets(after);
  // `alias ⟨forward, backward⟩ := iff` may declare two names, where `_` stands for none: take the first name.
  if (site.keyword == "alias" && tokens_.is_symbol(after, "⟨")) {
    ++after;
    if (tokens_.word(after) == "_" && tokens_.is_symbol(after + 1, ",")) after += 2;
  }
  if (site.keyword != "example" && !tokens_.word(after).empty() && tokens_.word(after) != "_") {
    site.name = tokens_.word(after);
    i = after;
  }
  head_end_ = i + 1;
  return site;
}

std::vector<DeclarationSite> declarations(std::string_view source) {
  TokenWindow tokens(source);
  DeclarationScan scan(tokens);
  std::vector<DeclarationSite> sites;
  bool open = false;
  for (std::size_t i = 0; tokens.has(i); ++i) {
    constexpr std::size_t kDroppedAtOnce = 1024;
    if (i % kDroppedAtOnce == 0) tokens.drop_before(i);
    auto command = scan.read(i);
    if (!command) continue;
    if (open) sites.back().end = tokens[i].begin;
    open = command->declaration.has_value();
    if (open) sites.push_back(std::move(*command->declaration));
  }
  if (open) sites.back().end = source.size();
  return sites;
}

const DeclarationSite* enclosing_declaration(const std::vector<DeclarationSite>& sites, std::size_t size,
                                             std::size_t offset) {
  const auto beyond = std::partition_point(sites.begin(), sites.end(),
                                           [&](const DeclarationSite& site) { return site.start <= offset; });
  if (beyond == sites.begin()) return nullptr;
  const DeclarationSite& site = *std::prev(beyond);
  return offset < site.end || (offset == site.end && offset == size) ? &site : nullptr;
}

std::optional<DeclarationSite> enclosing_declaration(std::string_view source, std::size_t offset) {
  const auto sites = declarations(source);
  const DeclarationSite* const site = enclosing_declaration(sites, source.size(), offset);
  return site ? std::optional(*site) : std::nullopt;
}

namespace {

constexpr std::string_view kRoot = "_root_.";

bool same_line(std::string_view source, std::size_t begin, std::size_t end) {
  return source.substr(begin, end - begin).find('\n') == std::string_view::npos;
}

}  // namespace

void ScopeReader::advance() {
  last_ = token_;
  token_ = next_;
  do next_ = lexer_.next();
  while (next_ && is_remark(next_->kind));
}

std::string_view ScopeReader::word(const std::optional<LeanToken>& token) const {
  return token && token->kind == LeanTokenKind::Word ? source_.substr(token->begin, token->end - token->begin)
                                                     : std::string_view();
}

const Scopes& ScopeReader::at(std::size_t offset) {
  for (; token_ && token_->begin < offset; advance()) {
    constexpr std::string_view kQuoting = "([{|`$";
    const std::string_view command = word(token_);
    if (command.empty() || (last_ && kQuoting.find(source_[last_->end - 1]) != kQuoting.npos)) continue;
    const bool has_name = next_ && (command == "namespace" || same_line(source_, token_->end, next_->begin));
    scopes_.see(command, has_name ? word(next_) : std::string_view());
  }
  return scopes_;
}

std::vector<NamedDeclaration> named_declarations(std::string_view source) {
  std::vector<NamedDeclaration> found;
  ScopeReader scopes(source);
  for (DeclarationSite& site : declarations(source)) {
    found.push_back({std::move(site), {}});
    NamedDeclaration& each = found.back();
    if (!each.site.name.empty())
      each.full_name = scopes.at(each.site.keyword_offset).full_name(each.site.name);
  }
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
      [&](std::string_view full) { return full == name || is_same_name(full, name); },
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

std::vector<std::string> names_declared_in(std::string_view source) {
  std::vector<std::string> names;
  for (const NamedDeclaration& declaration : named_declarations(source))
    if (!declaration.full_name.empty()) names.push_back(declaration.full_name);
  return names;
}

bool is_theorem_keyword(std::string_view keyword) {
  return keyword == "theorem" || keyword == "lemma";
}

}  // namespace leanbridge::text
