#pragma once
/// Reading JSON that somebody else has written, where any member may be missing or of another type.

#include <nlohmann/json.hpp>

#include <string>

// Once, in src/base/json.cpp, rather than in every file.
extern template class nlohmann::basic_json<>;

namespace leanbridge {

/// The text of a member; "" for what is no object, or has no such text.
inline std::string text_member(const nlohmann::json& object, const char* name) {
  if (!object.is_object()) return "";
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

/// Whether a member is true; what is no boolean is not.
inline bool is_true(const nlohmann::json& object, const char* name) {
  if (!object.is_object()) return false;
  const auto found = object.find(name);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

}  // namespace leanbridge
