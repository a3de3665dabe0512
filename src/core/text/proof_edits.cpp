#include "proof_edits.hpp"

#include "command_words.hpp"
#include "core/base/ascii.hpp"
#include "declaration_scan.hpp"
#include "lean_declarations.hpp"
#include "lean_lexer.hpp"
#include "lean_names.hpp"
#include "signature.hpp"
#include "word_list.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace leanbridge::text {

namespace {

using Kind = LeanTokenKind;

// Words by which a term can contain a `:=` or a command of its own.
constexpr auto kBinding = std::to_array<std::string_view>(
    {"let", "have", "letI", "haveI", "if", "do", "by", "match", "where", "suffices", "show", "from"});
// Words in the first column that continue a declaration.
constexpr auto kContinuing =
    std::to_array<std::string_view>({"where", "termination_by", "decreasing_by", "deriving", "by", "at"});

template <class See>
void each_token(std::string_view source, const See& see) {
  LeanLexer lexer(source);
  while (const auto token = lexer.next())
    if (!is_comment(token->kind)) see(*token, source.substr(token->begin, token->end - token->begin));
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// A decimal number, maybe with a point. The end of any other number depends on Lean's version.
bool is_plain_number(std::string_view number) {
  return std::ranges::all_of(number, [](char c) { return is_digit(c) || c == '.'; });
}

std::size_t end_of_code(std::string_view source, std::size_t begin, std::size_t end) {
  std::size_t last = begin;
  each_token(source.substr(begin, end - begin),
             [&](const LeanToken& token, std::string_view) { last = begin + token.end; });
  return last;
}

bool is_in_first_column(std::string_view source, std::size_t at) {
  return at == 0 || source[at - 1] == '\n';
}

/// A declaration up to the end of its code, without the comments and blanks behind it.
struct Site {
  std::string_view source;
  DeclarationSite site;
  std::size_t end = 0;

  std::string_view code() const { return source.substr(site.start, end - site.start); }
  std::string_view rest() const { return trimmed(source.substr(end, site.end - end)); }
};

std::vector<Site> sites_of(std::string_view source) {
  std::vector<Site> sites;
  for (DeclarationSite& site : declarations(source)) {
    const std::size_t end = end_of_code(source, site.start, site.end);
    sites.push_back({source, std::move(site), end});
  }
  return sites;
}

// Whether it begins in the first column, and none of its other words there could begin a command.
bool is_one_command(const Site& site) {
  bool only = is_in_first_column(site.source, site.site.start);
  each_token(site.code(), [&](const LeanToken& token, std::string_view word) {
    const std::size_t at = site.site.start + token.begin;
    const bool starts = at <= site.site.keyword_offset;
    if (token.kind == Kind::Word && !starts && is_in_first_column(site.source, at) &&
        !contains(kContinuing, word))
      only = false;
    if (token.kind == Kind::DocComment && !starts) only = false;
  });
  return only;
}

bool has_command_word(std::string_view body) {
  bool found = false;
  each_token(body, [&](const LeanToken& token, std::string_view word) {
    if (token.kind == Kind::Word) found = found || word.front() == '#' || is_command_word(word, kAnyKind);
  });
  return found;
}

// The offset of the body, behind `:=`; nullopt: the words do not tell.
std::optional<std::size_t> body_of(const Site& site) {
  const std::size_t end = signature_of(site.source, site.site).end;
  if (site.source.substr(end, 2) != ":=" || end >= site.end) return std::nullopt;
  const std::string_view statement = site.source.substr(site.site.start, end - site.site.start);
  bool sure = are_words_sure(statement);
  each_token(statement, [&](const LeanToken& token, std::string_view word) {
    if (token.kind == Kind::Word)
      sure = sure && !contains(kBinding, word) && !word.starts_with("let") && !word.starts_with("have");
  });
  return sure ? std::optional(end + 2) : std::nullopt;
}

// Whether a file may declare a notation that contains `:=`.
bool may_bind_by_own_syntax(std::string_view source) {
  bool found = false;
  each_token(source, [&](const LeanToken& token, std::string_view word) {
    if (token.kind == Kind::String) found = found || word.find(":=") != std::string_view::npos;
    if (token.kind == Kind::Word) found = found || word.find("Decl") != std::string_view::npos;
  });
  return found;
}

std::optional<EditedProof> edited_proof(const Site& before, const Site& after) {
  const std::string& keyword = after.site.keyword;
  if (!is_theorem_keyword(keyword) || before.site.keyword != keyword) return std::nullopt;
  const auto old_body = body_of(before), new_body = body_of(after);
  if (!old_body || !new_body || !is_one_command(before) || !is_one_command(after)) return std::nullopt;
  const std::string_view old_head = before.source.substr(before.site.start, *old_body - before.site.start),
                         new_head = after.source.substr(after.site.start, *new_body - after.site.start);
  if (old_head != new_head || !are_words_sure(before.code()) || !are_words_sure(after.code()))
    return std::nullopt;
  const auto has_word = [](const Site& site, std::size_t body) {
    return has_command_word(site.source.substr(body, site.end - body));
  };
  return EditedProof{after.site.start, after.end,
                     !has_word(before, *old_body) && !has_word(after, *new_body)};
}

std::optional<EditedProof> added_declaration(const Site& site) {
  if (!is_command_word(site.site.keyword, kMayBeAdded) || !is_one_command(site) ||
      !are_words_sure(site.code()))
    return std::nullopt;
  const std::size_t keyword_end = site.site.keyword_offset + site.site.keyword.size();
  return EditedProof{site.site.start, site.end,
                     !has_command_word(site.source.substr(keyword_end, site.end - keyword_end))};
}

// A theorem without attributes whose name is no part of any word of the other text, so that none of these
// words can mean it.
bool is_lemma_unknown_to(const Site& site, std::string_view other) {
  const DeclarationSite& declared = site.site;
  if (!is_theorem_keyword(declared.keyword) || declared.name.empty() ||
      last_part(declared.name) != declared.name)
    return false;
  bool is_unknown = true;
  each_token(site.source.substr(declared.start, declared.keyword_offset - declared.start),
             [&](const LeanToken& token, std::string_view) {
               is_unknown = is_unknown && token.kind == Kind::DocComment;
             });
  each_token(other, [&](const LeanToken& token, std::string_view word) {
    if (!is_unknown || token.kind != Kind::Word) return;
    const auto parts = parts_of(word);
    is_unknown = std::ranges::find(parts, declared.name) == parts.end();
  });
  return is_unknown;
}

// Removes new lemmas between the old declarations from `now`: they cannot change the statements of those.
std::vector<EditedProof> take_out_lemmas(const std::vector<Site>& old, std::vector<Site>& now,
                                         std::string_view before) {
  std::vector<EditedProof> lemmas;
  std::size_t next = 0;  // index of the next old declaration
  std::erase_if(now, [&](const Site& site) {
    if (next == old.size()) return false;
    if (old[next].site.name == site.site.name && old[next].site.keyword == site.site.keyword) {
      ++next;
      return false;
    }
    const auto added = added_declaration(site);
    if (!added || !is_lemma_unknown_to(site, before)) return false;
    lemmas.push_back(*added);
    return true;
  });
  return lemmas;
}

// The text between two declarations, without the comments and blanks that end a declaration.
std::string_view between(std::string_view source, std::size_t begin, std::size_t end) {
  return trimmed(source.substr(begin, end - begin));
}

// Whether two texts have the same commands, apart from comments.
bool are_same_commands(std::string_view before, std::string_view after) {
  if (before == after) return true;
  if (!are_words_sure(before) || !are_words_sure(after)) return false;
  const auto words_of = [](std::string_view source) {
    std::string words;
    each_token(source, [&](const LeanToken&, std::string_view word) { words.append(word).append(1, '\n'); });
    return words;
  };
  return words_of(before) == words_of(after);
}

bool has_only_ends(std::string_view tail) {
  bool only = are_words_sure(tail), after_end = false;
  each_token(tail, [&](const LeanToken& token, std::string_view word) {
    const bool is_end = word == "end";
    only = only && (is_end || (after_end && token.kind == Kind::Word));
    after_end = is_end;
  });
  return only;
}

}  // namespace

bool are_words_sure(std::string_view source) {
  bool sure = !has_quotes(source) && !find_doubt(source);
  std::optional<LeanToken> number;
  each_token(source, [&](const LeanToken& token, std::string_view word) {
    if (number && number->end == token.begin && token.kind == Kind::Word) sure = false;
    if (token.kind == Kind::Number) sure = sure && is_plain_number(word);
    number = token.kind == Kind::Number ? std::optional(token) : std::nullopt;
  });
  return sure;
}

std::optional<std::vector<EditedProof>> edited_proofs(std::string_view before, std::string_view after) {
  const std::vector<Site> old = sites_of(before);
  std::vector<Site> now = sites_of(after);
  std::vector<EditedProof> edits = take_out_lemmas(old, now, before);
  // The new text with these lemmas blanked out.
  std::string others(after);
  for (const EditedProof& lemma : edits)
    std::fill(others.begin() + static_cast<std::ptrdiff_t>(lemma.begin),
              others.begin() + static_cast<std::ptrdiff_t>(lemma.end), ' ');
  if (now.size() < old.size()) return std::nullopt;
  std::size_t old_at = 0, at = 0;
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (!are_same_commands(between(before, old_at, old[i].site.start),
                           between(others, at, now[i].site.start)))
      return std::nullopt;
    old_at = old[i].site.end;
    at = now[i].site.end;
    const bool same_rest = old[i].rest() == now[i].rest();
    if (old[i].code() == now[i].code()) {
      // A comment may be none if the text before it is read wrongly.
      const bool is_sure =
          same_rest || (are_words_sure(before.substr(0, old_at)) && are_words_sure(after.substr(0, at)));
      if (!is_sure) edits.push_back({now[i].site.start, now[i].end, false});
      continue;
    }
    const auto edit = edited_proof(old[i], now[i]);
    if (!edit) return std::nullopt;
    edits.push_back(*edit);
  }
  const bool adds = now.size() > old.size();
  if (adds) {
    // Text behind the last old declaration, such as its `end`, may come before the first added one.
    if (between(others, at, now[old.size()].site.start) != (old.empty() ? trimmed(before) : ""))
      return std::nullopt;
    if (old.empty()) old_at = before.size();
    for (std::size_t i = old.size(); i < now.size(); ++i) {
      const auto edit = added_declaration(now[i]);
      if (!edit || (i > old.size() && !between(others, at, now[i].site.start).empty())) return std::nullopt;
      edits.push_back(*edit);
      at = now[i].site.end;
    }
  }
  const std::string_view tail = between(others, at, after.size());
  if (!are_same_commands(between(before, old_at, before.size()), tail) || (adds && !has_only_ends(tail)))
    return std::nullopt;
  if (!edits.empty() && may_bind_by_own_syntax(after)) return std::nullopt;
  return edits;
}

}  // namespace leanbridge::text
