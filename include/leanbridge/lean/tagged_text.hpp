#pragma once
/// Reading Lean.Widget.TaggedText (src/Lean/Widget/TaggedText.lean), in which Lean sends goals and messages:
/// {"text": ...} | {"append": [...]} | {"tag": [info, TaggedText]}. What has another shape is passed over,
/// and so is what lies deeper than 400.

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace leanbridge::lean {

/// All of the text, without its tags.
std::string plain_text(const nlohmann::json& tagged);

/// The text in order, in pieces: what an outermost tag marks is one piece, so is each text between two of
/// them. Of a tag {"expr": ...} (Lean.Widget.MsgEmbed) the text is that of the expression.
std::vector<std::string> text_pieces(const nlohmann::json& tagged);

}  // namespace leanbridge::lean
