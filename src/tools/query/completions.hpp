#pragma once
/// What Lean offers to complete a word with. Private to this module.

#include "tools/common/open_file.hpp"

#include <string>
#include <vector>

namespace leanbridge::tools {

struct Completion {
  std::string label;  ///< what to insert
  std::string name;   ///< of the constant, in full, where Lean tells it; else the label
  std::string kind;   ///< LSP's word: "function", "constant", "event" for a theorem, ...
  nlohmann::json item;
};

/// The items of an answer to textDocument/completion, best for `typed` (what stands before the place) first:
/// those that begin with it, those that hold it, the rest; the short ones first.
std::vector<Completion> read_completions(const nlohmann::json& answer, const std::string& typed);

/// The identifier, or the beginning of one, that ends at a byte offset: with its dots.
std::string word_before(const text::Text& text, std::size_t offset);

}  // namespace leanbridge::tools
