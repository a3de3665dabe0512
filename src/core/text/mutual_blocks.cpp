#include "mutual_blocks.hpp"

#include "lean_declarations.hpp"
#include "lean_lexer.hpp"

#include <algorithm>

namespace leanbridge::text {

std::vector<MutualBlock> mutual_blocks(std::string_view source) {
  std::vector<MutualBlock> blocks;
  if (source.find("mutual") == std::string_view::npos) return blocks;
  LeanLexer lexer(source);
  bool open = false;
  while (const auto token = lexer.next()) {
    if (token->kind != LeanTokenKind::Word) continue;
    const std::string_view word = source.substr(token->begin, token->end - token->begin);
    if (!open && word == "mutual") {
      blocks.push_back({token->begin, source.size(), source.size()});
      open = true;
    } else if (open && word == "end") {
      blocks.back().last_end = token->begin;
      blocks.back().end = token->end;
      open = false;
    }
  }
  return blocks;
}

std::optional<MutualBlock> mutual_block_around(std::string_view source, std::size_t offset) {
  for (const MutualBlock& block : mutual_blocks(source))
    if (block.begin < offset && offset <= block.last_end) return block;
  return std::nullopt;
}

std::string rest_of_block(std::string_view source, std::size_t offset) {
  const auto block = mutual_block_around(source, offset);
  if (!block) return {};
  const auto declaration = enclosing_declaration(source, offset);
  const std::size_t begin =
      declaration ? std::min(declaration->end, block->last_end) : std::min(offset, block->last_end);
  const bool has_end = block->last_end < block->end;
  return "\n" + std::string(source.substr(begin, block->end - begin)) + (has_end ? "\n" : "\nend\n");
}

}  // namespace leanbridge::text
