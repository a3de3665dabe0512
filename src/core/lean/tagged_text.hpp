#pragma once
/// Reads Lean.Widget.TaggedText (src/Lean/Widget/TaggedText.lean), in which Lean sends goals and messages:
/// {"text": ...} | {"append": [...]} | {"tag": [info, TaggedText]}. Skips other shapes, and everything below
/// a depth of 400.

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace leanbridge::lean {

/// The whole text, without tags.
std::string plain_text(const nlohmann::json& tagged);

/// The text in pieces, in order: each outermost tag is one piece, and so is each text between two of them. A
/// tag {"expr": ...} (Lean.Widget.MsgEmbed) stands for the text of its expression.
std::vector<std::string> text_pieces(const nlohmann::json& tagged);

}  // namespace leanbridge::lean
