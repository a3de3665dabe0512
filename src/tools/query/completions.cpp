#include "completions.hpp"

#include <algorithm>
#include <array>

namespace leanbridge::tools {

using nlohmann::json;

namespace {

constexpr std::array<const char*, 26> kKinds = {
    "",         "text",      "method", "function", "constructor",   "field",  "variable",
    "class",    "interface", "module", "property", "unit",          "value",  "enum",
    "keyword",  "snippet",   "color",  "file",     "reference",     "folder", "enum_member",
    "constant", "struct",    "event",  "operator", "type_parameter"};

std::string kind_of(const json& item) {
  const json kind = item.value("kind", json());
  const std::size_t number = kind.is_number_unsigned() ? kind.get<std::size_t>() : 0;
  return number < kKinds.size() ? kKinds[number] : "";
}

// Lean marks a constant in `data`: as its last string, with a `c` before the name, or as {"id": {"const":
// {"declName"}}}.
std::string constant_in(const json& data) {
  if (data.is_array() && !data.empty() && data.back().is_string()) {
    const auto id = data.back().get<std::string>();
    return id.size() > 1 && id[0] == 'c' ? id.substr(1) : std::string();
  }
  const json::json_pointer name("/id/const/declName");
  if (data.is_object() && data.contains(name) && data[name].is_string()) return data[name].get<std::string>();
  return {};
}

int rank(const std::string& label, const std::string& typed) {
  if (label == typed) return 0;
  if (label.starts_with(typed)) return 1;
  const std::size_t dot = label.rfind('.');
  if (dot != std::string::npos && label.compare(dot + 1, typed.size(), typed) == 0) return 2;
  return label.find(typed) != std::string::npos ? 3 : 4;
}

}  // namespace

std::vector<Completion> read_completions(const json& answer, const std::string& typed) {
  const json& items = answer.is_object() ? answer.value("items", json::array()) : answer;
  std::vector<Completion> found;
  if (!items.is_array()) return found;
  for (const json& item : items) {
    if (!item.is_object() || !item.value("label", json()).is_string()) continue;
    Completion completion;
    completion.label = item["label"].get<std::string>();
    if (completion.label == "-" || completion.label.empty()) continue;  // Lean's way to say: nothing
    completion.name = constant_in(item.value("data", json()));
    if (completion.name.empty()) completion.name = completion.label;
    completion.kind = kind_of(item);
    completion.item = item;
    found.push_back(std::move(completion));
  }
  const std::size_t dot = typed.rfind('.');
  const std::string last = dot == std::string::npos ? typed : typed.substr(dot + 1);
  const auto key = [&](const Completion& c) {
    return std::make_tuple(std::min(rank(c.label, typed), rank(c.label, last)), c.label.size(), c.label);
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](const Completion& a, const Completion& b) { return key(a) < key(b); });
  return found;
}

std::string word_before(const text::Text& text, std::size_t offset) {
  constexpr std::string_view kEnds = " \t\n()[]{},:;@|=<>+-*/^";
  const std::string& source = text.str();
  std::size_t start = offset;
  while (start > 0 && kEnds.find(source[start - 1]) == std::string_view::npos) --start;
  return source.substr(start, offset - start);
}

}  // namespace leanbridge::tools
