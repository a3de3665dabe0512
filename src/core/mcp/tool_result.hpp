#pragma once
/// The result of `tools/call`. Only this file turns an answer or an Error into the JSON that a client sees,
/// and limits its size.

#include "core/base/error.hpp"
#include "core/base/json_struct.hpp"
#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace leanbridge::mcp {

/// Size limits. One `#eval` can make a value of a gigabyte, and a host that receives a 60 MB message closes
/// the connection or passes it all to a model.
inline constexpr std::size_t kMaxTextBytes = std::size_t{1} << 20U;    ///< for one text of an answer
inline constexpr std::size_t kMaxAnswerBytes = std::size_t{4} << 20U;  ///< for the whole answer, as JSON

/// Keeps `limit` bytes, from the beginning and the end, around a note of how many bytes were omitted. Cuts
/// between UTF-8 characters.
std::string cut_in_the_middle(std::string_view text, std::size_t limit);

/// Keeps the first two thirds and the last third of the characters (code points) of each text above the
/// budget, around a note of how many were omitted and how to get them. The end stays because a goal's target
/// comes last. A budget of 0 leaves everything as it is.
void cut_to_budget(nlohmann::json& answer, std::size_t budget);
/// Cuts one text.
void cut_to_budget(std::string& text, std::size_t budget);

/// Shortens each text above `max_text`. If the answer is still too large, shortens all texts further, then
/// drops the last items of lists, longest list first, and adds `cut_to_fit: true`.
void bound_answer(nlohmann::json& answer, std::size_t max_text = kMaxTextBytes,
                  std::size_t max_answer = kMaxAnswerBytes);

/// A result as JSON text: `structuredContent`, and the same as a text, since hosts differ in which of the two
/// the model sees. Members are in the order of `output`; the members of `more` follow.
std::string to_tool_result(const nlohmann::json& answer, const wire::Fields& output,
                           const nlohmann::json& more = nlohmann::json::object());

/// `isError: true` and the text `{"error":{"kind","message","hint"}}`.
nlohmann::json to_tool_error(const Error& error);

}  // namespace leanbridge::mcp
