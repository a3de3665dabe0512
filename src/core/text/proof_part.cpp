#include "proof_part.hpp"

#include "lean_lexer.hpp"
#include "utf8.hpp"
#include "word_list.hpp"

#include <algorithm>

namespace leanbridge::text {

namespace {

std::size_t column_of(std::string_view source, std::size_t offset) {
  const std::string_view before = source.substr(0, offset);
  return count_code_points(before.substr(before.rfind('\n') + 1));
}

// The end of the last token before a place in the declaration, but not above the offset.
std::size_t reached(std::size_t offset, const SourceRange& token) {
  return token.begin >= offset ? token.end : offset;
}

// The end of the last token above the first line below the offset that `ends` the item beginning there.
std::size_t end_before(std::string_view source, ProofLayout& layout, const ProofLayout::Declaration& site,
                       std::size_t offset, const ProofLayout::MarkTest& ends) {
  const std::size_t line_end = std::min(source.find('\n', offset), site.end);
  const auto next = layout.first_mark(source, line_end + 1, site.end, ends);
  return reached(offset, next ? next->before : site.last_code);
}

std::size_t item_end(std::string_view source, ProofLayout& layout, const ProofLayout::Declaration& site,
                     std::size_t offset, std::size_t column) {
  return end_before(source, layout, site, offset, [column](const ProofLayout::Mark& mark) {
    return mark.column && (*mark.column < column || (*mark.column == column && mark.is_tactic));
  });
}

}  // namespace

std::optional<ProofPart> proof_part(std::string_view source, std::size_t from, std::size_t to) {
  ProofLayout layout;
  return proof_part(source, layout, from, to);
}

std::optional<ProofPart> proof_part(std::string_view source, ProofLayout& layout, std::size_t from,
                                    std::size_t to) {
  const auto site = layout.declaration_at(source, to);
  if (!site) return std::nullopt;
  const auto next = layout.first_mark(source, to, site->end, is_tactic);
  const auto last = layout.last_mark(source, site->start, to, is_tactic);
  ProofPart part;
  part.declaration_start = site->start;
  part.declaration_end = site->last_code.end;
  part.before_tactic = from == to && next && next->begin == to;
  if (!part.before_tactic && !last) return std::nullopt;
  const std::size_t tactic = part.before_tactic ? to : last->begin;
  const auto first = layout.first_mark(source, std::max(from, site->start), to, is_tactic);
  part.begin = first && !part.before_tactic ? first->begin : tactic;
  part.from = from == to ? part.begin : std::max(site->start, std::min(from, part.begin));
  part.last = !next;
  part.item_end = item_end(source, layout, *site, tactic, column_of(source, tactic));
  part.end = part.before_tactic ? to : part.last ? part.item_end : std::min(part.item_end, next->before.end);
  part.limit = part.before_tactic ? to
               : part.last        ? part.item_end + 1
                                  : std::min(part.item_end + 1, next->begin);
  part.is_proposition = site->is_proposition;
  return part;
}

TacticExtent tactic_extent(std::string_view source, std::size_t offset, std::size_t column) {
  ProofLayout layout;
  return tactic_extent(source, layout, offset, column);
}

TacticExtent tactic_extent(std::string_view source, ProofLayout& layout, std::size_t offset,
                           std::size_t column) {
  const auto site = layout.declaration_at(source, offset);
  if (!site) return {offset, offset, offset};
  TacticExtent extent;
  extent.item = item_end(source, layout, *site, offset, column);
  extent.block = end_before(source, layout, *site, offset, [column](const ProofLayout::Mark& mark) {
    return mark.column && *mark.column < column;
  });
  const auto end = layout.block_end(source, offset, site->end);
  extent.proof = std::max(extent.block, end.value_or(reached(offset, site->last_code)));
  return extent;
}

}  // namespace leanbridge::text
