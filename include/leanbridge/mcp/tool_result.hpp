#pragma once
/// The result of `tools/call`: the one place where an answer or an Error becomes the JSON that a client sees.

#include "leanbridge/base/error.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace leanbridge::mcp {

/// What a client is sent at most. A value of a gigabyte is one `#eval` away, and a host that gets one message
/// of 60 MB closes the connection or gives all of it to a model.
inline constexpr std::size_t kMaxTextBytes = std::size_t{1} << 20U;    ///< one text of an answer
inline constexpr std::size_t kMaxAnswerBytes = std::size_t{4} << 20U;  ///< all of it, as JSON

/// At most `limit` bytes and a mark: the beginning and the end, between them how many bytes are left out. Cut
/// between characters of UTF-8.
std::string cut_in_the_middle(std::string_view text, std::size_t limit);

/// Cuts each text above `max_text`. Where that is not enough, all texts are cut further, and then lists lose
/// their last items, the longest list first; `cut_to_fit: true` is added where items went.
void bound_answer(nlohmann::json& answer, std::size_t max_text = kMaxTextBytes,
                  std::size_t max_answer = kMaxAnswerBytes);

/// `structuredContent`, and the same as compact JSON text: hosts differ in which of the two the model sees.
nlohmann::json to_tool_result(const nlohmann::json& answer);

/// `isError: true` and the text `{"error":{"kind","message","hint"}}`.
nlohmann::json to_tool_error(const Error& error);

}  // namespace leanbridge::mcp
