// The readers of Lean source that use nothing but the text: they accept any text, and what they find lies
// inside it, in order.

#include "core/text/attempt_text.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/lean_header.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/text/lean_quoting.hpp"
#include "core/text/proof_part.hpp"
#include "core/text/signature.hpp"
#include "core/text/tactic_places.hpp"
#include "core/text/text.hpp"
#include "core/text/trust_scan.hpp"
#include "core/text/utf8.hpp"
#include "fuzz.hpp"
#include "search/index/readers.hpp"
#include "search/index/type_fit.hpp"

#include <algorithm>

namespace leanbridge::fuzz {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

void check_tokens(std::string_view source, Choices& choices) {
  text::LeanLexer lexer(source);
  const std::size_t asked = choices.below(source.size() + 1);
  bool inside = false;
  std::size_t at = 0;
  while (const auto token = lexer.next()) {
    require(token->begin >= at && token->begin < token->end && token->end <= source.size(),
            "tokens are in order");
    const auto between = source.substr(at, token->begin - at);
    require(std::all_of(between.begin(), between.end(), is_blank), "between tokens is white space");
    require(!is_blank(source[token->begin]), "white space is no token");
    using enum text::LeanTokenKind;
    const bool opaque = token->kind != Word && token->kind != Number && token->kind != Symbol;
    inside = inside || (opaque && token->begin < asked && asked < token->end);
    at = token->end;
  }
  const auto rest = source.substr(at);
  require(std::all_of(rest.begin(), rest.end(), is_blank), "behind the last token is white space");
  require(!inside || text::in_comment_or_literal(source, asked), "what is inside a literal is known to be");
}

void check_signature(std::string_view source, const text::DeclarationSite& site) {
  const text::Signature signature = text::signature_of(source, site);
  require(signature.end >= site.keyword_offset && signature.end <= site.end,
          "a statement ends in its declaration");
  std::size_t at = site.keyword_offset;
  for (const text::Binder& binder : signature.binders) {
    require(binder.begin >= at && binder.begin < binder.end && binder.end <= signature.end,
            "binders are in order");
    at = binder.end;
    std::size_t name_at = binder.begin;
    for (std::size_t i = 0; i < binder.names.size(); ++i) {
      const text::BoundName& name = binder.names[i];
      require(name.begin >= name_at && name.end <= binder.end &&
                  source.substr(name.begin, name.end - name.begin) == name.name,
              "a name is where it says");
      name_at = name.end;
      if (i > 0) continue;  // both read the rest of the text
      require(text::without_name(source, binder, i).size() < source.size(), "a name can be taken away");
      (void)text::mentions(source, binder.end, signature.end, name.name);
    }
  }
}

void check_declarations(std::string_view source, Choices& choices) {
  const auto sites = text::declarations(source);
  std::size_t at = 0;
  for (const text::DeclarationSite& site : sites) {
    require(site.start >= at && site.start <= site.keyword_offset && site.keyword_offset < site.end &&
                site.end <= source.size(),
            "declarations are in order");
    at = site.end;
    check_signature(source, site);
  }
  const auto named = text::named_declarations(source);
  require(named.size() == sites.size(), "every declaration has its place among the named ones");
  if (!named.empty()) {
    const std::string& name = named[choices.below(named.size())].full_name;
    require(name.empty() || !text::find_declarations(source, name).empty(),
            "a full name finds its declaration");
  }
  const std::size_t offset = choices.below(source.size() + 1);
  if (const auto site = text::enclosing_declaration(source, offset))
    require(site->start <= offset && offset <= site->end, "a declaration encloses the place");
}

void check_places(std::string_view source) {
  std::size_t next = 0, proof = 0;
  for (const text::TacticPlace& place : text::tactic_places(source)) {
    require(place.offset >= next && place.offset <= source.size(), "places are in order");
    require(place.asked_at <= source.size() && place.asked_at >= place.offset,
            "a place is asked at where it is, or below");
    require(place.proof >= proof, "proofs are in order");
    require(place.offset == source.size() || !text::is_continuation_byte(source[place.offset]) ||
                text::first_invalid_byte(source).has_value(),
            "a place is not inside a character");
    next = place.offset + 1;
    proof = place.proof;
  }
}

void check_attempt(const text::Text& source, std::string_view snippet, Choices& choices) {
  const std::size_t offset = text::code_point_start(source.str(), choices.below(source.size() + 1));
  const text::AttemptText attempt = text::attempt_text(source.str(), offset, snippet);
  require(attempt.declaration <= offset && attempt.snippet_start <= attempt.snippet_end &&
              attempt.snippet_end <= attempt.text.size(),
          "the snippet is in the text");
  require(attempt.snippet_end < attempt.proof_goals && attempt.proof_goals <= attempt.block_goals &&
              attempt.block_goals < attempt.text.size(),
          "the goals are asked for below the snippet");
  require(std::string_view(attempt.text).starts_with(std::string_view(source.str()).substr(0, offset)),
          "what stands before the place stays");
  const int line = 1 + static_cast<int>(choices.below(source.addressable_lines()));
  require(text::attempt_place(source, line).offset <= source.size(), "there is a place for an attempt");
}

void check_proof_part(const text::Text& source, Choices& choices) {
  const std::size_t offset = text::code_point_start(source.str(), choices.below(source.size() + 1));
  if (const auto part = text::proof_part(source.str(), offset, offset)) {
    require(part->declaration_start <= part->begin && part->begin <= part->end &&
                part->end <= part->declaration_end && part->end <= part->limit &&
                part->begin <= part->item_end,
            "the part of a proof is in its declaration");
    require(part->before_tactic ? part->begin == offset : part->begin < offset,
            "a position is behind its tactic");
  }
  const text::TacticExtent extent = text::tactic_extent(source.str(), offset, choices.below(9));
  require(offset <= extent.item && extent.item <= extent.block && extent.block <= extent.proof &&
              extent.proof <= source.size(),
          "a block holds its first tactic, and a proof its blocks");
}

void check_readers(std::string_view source, const text::Text& text) {
  int last = 1;
  for (const text::TrustFinding& finding : text::scan_for_trust(source)) {
    require(finding.line >= last && static_cast<std::size_t>(finding.line) <= text.addressable_lines(),
            "findings are in order, in lines of the text");
    last = finding.line;
  }
  const text::LeanHeader header = text::parse_lean_header(source);
  require(header.imports.size() <= header.words.size(), "an import is a word of the header");
  require(header.end <= source.size(), "the header ends inside the text");
  for (const std::string& word : header.words)
    require(!word.empty() && source.find(word) != std::string_view::npos, "words stand in the text");
  for (const index::Declaration& found : index::read_source(source, "M", "M.lean")) {
    require(!found.name.empty(), "a declaration has a name");
    require(found.line >= 1 && found.line <= text.addressable_lines() && found.column >= 1 &&
                static_cast<int>(found.column) <= text.end_column(static_cast<int>(found.line)),
            "a declaration is in the text");
  }
  if (text::is_lean_name(source)) {
    text::LeanLexer lexer(source);
    const auto token = lexer.next();
    require(token && token->kind == text::LeanTokenKind::Word && token->end == source.size(),
            "a name is one word");
  }
}

void check_patterns(std::string_view pattern, std::string_view type) {
  for (const std::string_view one : {pattern, type}) {
    const index::TypePatterns patterns({std::string(one)});
    const double fit = patterns.fit(type);
    require(fit >= 0 && fit <= 1, "a fit is between 0 and 1");
    require(fit == 0 || !patterns.empty(), "what cannot be read fits nothing");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = text_of(data, size);
  Choices choices(input);
  const auto parts = parts_of(input);
  const std::string_view snippet = parts.back();
  // The file's bytes can be anything; Text requires valid UTF-8.
  const std::string_view source = parts.front();
  check_tokens(source, choices);
  check_declarations(source, choices);
  check_places(source);
  const text::Text valid(text::replace_invalid(parts.front()));
  check_readers(valid.str(), valid);
  check_attempt(valid, snippet, choices);
  check_proof_part(valid, choices);
  check_patterns(source, snippet);
  return 0;
}

}  // namespace leanbridge::fuzz
