#pragma once
/// The lists of MCP that can change while a session is open.

#include <set>
#include <string>

namespace leanbridge::mcp {

enum class List { Tools, Prompts, Resources };
using Lists = std::set<List>;

inline Lists all_lists() {
  return {List::Tools, List::Prompts, List::Resources};
}

/// "tools": the capability of a server that has it, and the first part of its methods.
inline std::string word_of(List list) {
  return list == List::Tools ? "tools" : list == List::Prompts ? "prompts" : "resources";
}

/// The notification of its changes, in both eras.
inline std::string change_of(List list) {
  return "notifications/" + word_of(list) + "/list_changed";
}

/// The member of a filter (subscriptions/listen) that asks for that notification.
inline std::string filter_of(List list) {
  return word_of(list) + "ListChanged";
}

}  // namespace leanbridge::mcp
