#include "tool_result.hpp"

#include "core/base/ordered_json.hpp"
#include "core/rpc/message.hpp"

#include <algorithm>

namespace leanbridge::mcp {

using nlohmann::json;

namespace {

json text_content(const std::string& text) {
  return json::array({{{"type", "text"}, {"text", text}}});
}

constexpr std::size_t kMinText = 200;  // bytes; texts shorter than this are useless, and names fit

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

// The approximate size as JSON, without escapes.
std::size_t bytes_of(const json& value) {
  if (value.is_string()) return value.get_ref<const std::string&>().size() + 2;
  std::size_t bytes = 2;
  if (value.is_array())
    for (const json& item : value) bytes += bytes_of(item) + 1;
  else if (value.is_object())
    for (const auto& [name, member] : value.items()) bytes += name.size() + 4 + bytes_of(member);
  else
    bytes = 8;
  return bytes;
}

void cut_texts(json& value, std::size_t limit) {
  if (value.is_string()) {
    auto& text = value.get_ref<std::string&>();
    if (text.size() > limit) text = cut_in_the_middle(text, limit);
  } else if (value.is_structured()) {
    for (json& inner : value) cut_texts(inner, limit);
  }
}

// The offset after `count` characters that begin at `from`.
std::size_t skip_characters(std::string_view text, std::size_t from, std::size_t count) {
  for (; count > 0 && from < text.size(); --count) do
      ++from;
    while (from < text.size() && continues_character(text[from]));
  return from;
}

}  // namespace

void cut_to_budget(std::string& text, std::size_t budget) {
  if (budget == 0 || text.size() <= budget) return;
  const auto count = static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return !continues_character(byte); }));
  if (count <= budget) return;
  const std::size_t head = budget - budget / 3;
  const std::size_t start = skip_characters(text, 0, head);
  const std::size_t end = skip_characters(text, start, count - budget);
  const std::string note =
      "\n[… " + std::to_string(count - budget) + " characters left out; verbose: true shows them …]\n";
  if (end - start > note.size()) text.replace(start, end - start, note);
}

namespace {

json* longest_list(json& value) {
  json* longest = value.is_array() && value.size() > 1 ? &value : nullptr;
  if (value.is_structured())
    for (json& inner : value)
      if (json* const list = longest_list(inner); list && (!longest || list->size() > longest->size()))
        longest = list;
  return longest;
}

}  // namespace

std::string cut_in_the_middle(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  std::size_t head = limit / 2, tail = text.size() - (limit - head);
  while (head > 0 && continues_character(text[head])) --head;
  while (tail < text.size() && continues_character(text[tail])) ++tail;
  std::string cut(text.substr(0, head));
  cut += "\n[… " + std::to_string(tail - head) + " bytes left out …]\n";
  cut += text.substr(tail);
  return cut;
}

void cut_to_budget(json& answer, std::size_t budget) {
  if (budget == 0) return;
  if (answer.is_string()) return cut_to_budget(answer.get_ref<std::string&>(), budget);
  if (!answer.is_structured()) return;
  for (json& inner : answer) cut_to_budget(inner, budget);
}

void bound_answer(json& answer, std::size_t max_text, std::size_t max_answer) {
  cut_texts(answer, max_text);
  for (std::size_t limit = max_text / 4; limit >= kMinText && bytes_of(answer) > max_answer; limit /= 4)
    cut_texts(answer, limit);
  while (bytes_of(answer) > max_answer) {
    json* const list = longest_list(answer);
    if (!list) return;
    list->erase(list->begin() + static_cast<std::ptrdiff_t>(list->size() / 2), list->end());
    if (answer.is_object()) answer["cut_to_fit"] = true;
  }
}

std::string to_tool_result(const json& answer, const wire::Fields& output, const json& more) {
  const std::string structured = answer.is_object() ? wire::dump_in_order(answer, output) : rpc::dump(answer);
  std::string result = R"({"content":)" + rpc::dump(text_content(structured)) + R"(,"structuredContent":)" +
                       structured + R"(,"isError":false)";
  for (const auto& [name, value] : more.items()) result += "," + rpc::dump(name) + ":" + rpc::dump(value);
  return result + "}";
}

json to_tool_error(const Error& error) {
  const json body = {
      {"error", {{"kind", wire_name(error.kind)}, {"message", error.message}, {"hint", error.hint}}}};
  return {{"content", text_content(rpc::dump(body))}, {"isError", true}};
}

}  // namespace leanbridge::mcp
