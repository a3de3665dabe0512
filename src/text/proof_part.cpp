#include "leanbridge/text/proof_part.hpp"

#include "leanbridge/text/lean_declarations.hpp"
#include "leanbridge/text/lean_lexer.hpp"
#include "leanbridge/text/utf8.hpp"
#include "leanbridge/text/word_list.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace leanbridge::text {

namespace {

constexpr auto kSorryWords = std::to_array<std::string_view>({"sorry", "admit", "sorryAx"});

using Places = ProofLayout::Places;

std::size_t column_of(std::string_view source, std::size_t offset) {
  const std::string_view before = source.substr(0, offset);
  return count_code_points(before.substr(before.rfind('\n') + 1));
}

// Just after the last token that begins before the offset.
std::size_t end_of_code(const std::vector<LaidOutToken>& tokens, std::size_t offset) {
  const auto beyond = std::partition_point(tokens.begin(), tokens.end(),
                                           [&](const LaidOutToken& token) { return token.begin < offset; });
  return beyond == tokens.begin() ? offset : std::prev(beyond)->end;
}

// The extent within a declaration whose tactics begin at `tactics`, in order.
TacticExtent extent_in(std::string_view source, const DeclarationSite& site, const Places& places,
                       std::size_t offset, std::size_t column) {
  TacticExtent extent;
  std::size_t reached = offset;
  std::optional<std::size_t> item, block;
  const std::size_t line_end = std::min(source.find('\n', offset), site.end);
  for (const LaidOutToken& token : places.tokens) {
    if (token.begin > line_end && token.column) {
      const bool is_tactic = std::binary_search(places.tactics.begin(), places.tactics.end(), token.begin);
      const bool outside = *token.column < column;
      if (!item && (outside || (*token.column == column && is_tactic))) item = reached;
      if (!block && outside) block = reached;
    }
    if (token.begin >= offset) reached = token.end;
  }
  extent.item = item.value_or(reached);
  extent.block = block.value_or(reached);
  const auto end = std::lower_bound(places.ends.begin(), places.ends.end(), offset);
  extent.proof = std::max(extent.block, end == places.ends.end() ? reached : *end);
  return extent;
}

}  // namespace

const DeclarationSite* ProofLayout::declaration_at(std::string_view source, std::size_t offset) {
  if (!declarations_) declarations_ = declarations(source);
  return enclosing_declaration(*declarations_, source.size(), offset);
}

const Places& ProofLayout::places_in(std::string_view source, const DeclarationSite& site) {
  if (placed_ == site.start) return places_;
  places_ = {};
  TacticLayout layout = tactic_layout(source, site);
  for (const TacticPlace& place : layout.places) {
    if (place.kind == TacticPlace::Kind::End)
      places_.ends.push_back(place.offset);
    else if (place.offset < site.end)
      places_.tactics.push_back(place.offset);
  }
  places_.tokens = std::move(layout.tokens);
  placed_ = site.start;
  return places_;
}

std::optional<ProofPart> proof_part(std::string_view source, std::size_t from, std::size_t to) {
  ProofLayout layout;
  return proof_part(source, layout, from, to);
}

std::optional<ProofPart> proof_part(std::string_view source, ProofLayout& layout, std::size_t from,
                                    std::size_t to) {
  const DeclarationSite* const site = layout.declaration_at(source, to);
  if (!site) return std::nullopt;
  const Places& places = layout.places_in(source, *site);
  const auto& tactics = places.tactics;
  const auto next = std::lower_bound(tactics.begin(), tactics.end(), to);
  ProofPart part;
  part.declaration_start = site->start;
  part.declaration_end = places.tokens.empty() ? site->start : places.tokens.back().end;
  part.before_tactic = from == to && next != tactics.end() && *next == to;
  if (!part.before_tactic && next == tactics.begin()) return std::nullopt;
  const std::size_t tactic = part.before_tactic ? to : *std::prev(next);
  const auto first = std::lower_bound(tactics.begin(), next, from);
  part.begin = first == next || part.before_tactic ? tactic : *first;
  part.from = from == to ? part.begin : std::max(site->start, std::min(from, part.begin));
  part.last = next == tactics.end();
  part.item_end = extent_in(source, *site, places, tactic, column_of(source, tactic)).item;
  part.end = part.before_tactic ? to
             : part.last        ? part.item_end
                                : std::min(part.item_end, end_of_code(places.tokens, *next));
  part.limit = part.before_tactic ? to : part.last ? part.item_end + 1 : std::min(part.item_end + 1, *next);
  part.is_proposition = site->keyword == "theorem" || site->keyword == "lemma" || site->keyword == "example";
  return part;
}

TacticExtent tactic_extent(std::string_view source, std::size_t offset, std::size_t column) {
  ProofLayout layout;
  const DeclarationSite* const site = layout.declaration_at(source, offset);
  if (!site) return {offset, offset, offset};
  return extent_in(source, *site, layout.places_in(source, *site), offset, column);
}

std::optional<std::size_t> find_sorry(std::string_view source) {
  LeanLexer lexer(source);
  while (const auto token = lexer.next())
    if (token->kind == LeanTokenKind::Word &&
        contains(kSorryWords, source.substr(token->begin, token->end - token->begin)))
      return token->begin;
  return std::nullopt;
}

}  // namespace leanbridge::text
