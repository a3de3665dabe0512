#pragma once
/// The `mutual … end` blocks of a file. Lean reads such a block as one command: a text that is cut within it
/// needs the rest of the block, just as it needs closing brackets.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

struct MutualBlock {
  std::size_t begin = 0;     ///< byte offset of its first word
  std::size_t last_end = 0;  ///< byte offset where its `end` begins; the size of the text if it has none
  std::size_t end = 0;       ///< just after its `end`

  friend bool operator==(const MutualBlock&, const MutualBlock&) = default;
};

/// All blocks, in order. A block without `end` reaches to the end of the text.
std::vector<MutualBlock> mutual_blocks(std::string_view source);

/// The block around the byte `offset`.
std::optional<MutualBlock> mutual_block_around(std::string_view source, std::size_t offset);

/// The text that completes a source cut within the declaration at `offset`: the following declarations of its
/// block, which the cut one may use, and the block's `end`. Empty outside of blocks.
std::string rest_of_block(std::string_view source, std::size_t offset);

}  // namespace leanbridge::text
