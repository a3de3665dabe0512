#pragma once
/// The `mutual … end` blocks of a file. Lean takes such a block as one command: a text that is cut within it
/// needs the rest of the block, just as it needs the brackets that are open.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

struct MutualBlock {
  std::size_t begin = 0;     ///< of its first word
  std::size_t last_end = 0;  ///< byte offset where its `end` begins; the size of the text if it has none
  std::size_t end = 0;       ///< behind that word

  friend bool operator==(const MutualBlock&, const MutualBlock&) = default;
};

/// All blocks, in order. One that has no `end` reaches to the end of the text.
std::vector<MutualBlock> mutual_blocks(std::string_view source);

/// The block that the byte `offset` is in.
std::optional<MutualBlock> mutual_block_around(std::string_view source, std::size_t offset);

/// What a text that is cut within the declaration at `offset` needs to be whole commands: the declarations
/// behind that one in its block, which it may use, and the block's `end`. Empty outside of such blocks.
std::string rest_of_block(std::string_view source, std::size_t offset);

}  // namespace leanbridge::text
