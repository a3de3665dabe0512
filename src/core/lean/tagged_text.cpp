#include "tagged_text.hpp"

#include "core/base/json.hpp"
#include <nlohmann/json.hpp>

namespace leanbridge::lean {

using nlohmann::json;

namespace {

constexpr int kMaxDepth = 400;

enum class Within { Text, Tag };

void add_pieces(const json& tagged, Within within, int depth, std::vector<std::string>& pieces) {
  if (depth > kMaxDepth || !tagged.is_object()) return;
  if (const json& text = member(tagged, "text"); text.is_string()) {
    if (within == Within::Text) pieces.emplace_back();
    pieces.back() += text.get_ref<const std::string&>();
  }
  if (const json& parts = member(tagged, "append"); parts.is_array())
    for (const json& part : parts) add_pieces(part, within, depth + 1, pieces);
  if (const json& tag = member(tagged, "tag"); tag.is_array() && tag.size() == 2) {
    const json& info = tag[0];
    const bool is_expression = info.is_object() && info.contains("expr");
    if (within == Within::Text) pieces.emplace_back();
    add_pieces(is_expression ? info["expr"] : tag[1], Within::Tag, depth + 1, pieces);
  }
}

}  // namespace

std::string plain_text(const json& tagged) {
  std::string text;
  for (const std::string& piece : text_pieces(tagged)) text += piece;
  return text;
}

std::vector<std::string> text_pieces(const json& tagged) {
  std::vector<std::string> pieces;
  add_pieces(tagged, Within::Text, 0, pieces);
  return pieces;
}

}  // namespace leanbridge::lean
