#include "questions.hpp"

#include "core/text/untrusted.hpp"

#include <algorithm>
#include <array>

namespace leanbridge::upstream {

using nlohmann::json;

namespace {

// Members whose values are data, or are handed back unchanged.
bool is_data(std::string_view name) {
  constexpr auto kData =
      std::to_array<std::string_view>({"text", "data", "blob", "structuredContent", "requestState"});
  return std::ranges::find(kData, name) != kData.end();
}

}  // namespace

json with_clean_metadata(json value) {
  if (value.is_array()) {
    for (json& element : value) element = with_clean_metadata(std::move(element));
    return value;
  }
  if (!value.is_object()) return text::cleaned_json(std::move(value));
  for (auto& [name, member] : value.items()) {
    if (name == "_meta")
      member = text::cleaned_json(std::move(member));
    else if (!is_data(name))
      member = with_clean_metadata(std::move(member));
  }
  return value;
}

json shown_question(std::string_view method, json params, const std::string& server) {
  params = with_clean_metadata(std::move(params));
  if (method == "elicitation/create" && params.is_object() && params.contains("message") &&
      params["message"].is_string())
    params["message"] =
        text::cleaned_line(server) + " asks: " + params["message"].get_ref<const std::string&>();
  return params;
}

}  // namespace leanbridge::upstream
