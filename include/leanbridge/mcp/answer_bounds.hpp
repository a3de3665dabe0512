#pragma once
/// What a client is sent at most. A value of a gigabyte is one `#eval` away, and a host that gets one message
/// of 60 MB closes the connection or gives all of it to a model.

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace leanbridge::mcp {

inline constexpr std::size_t kMaxTextBytes = std::size_t{1} << 20U;    ///< one text of an answer
inline constexpr std::size_t kMaxAnswerBytes = std::size_t{4} << 20U;  ///< all of it, as JSON

/// At most `limit` bytes and a mark: the beginning and the end, between them how many bytes are left out. Cut
/// between characters of UTF-8.
std::string cut_in_the_middle(std::string_view text, std::size_t limit);

/// Cuts each text above `max_text`. Where that is not enough, all texts are cut further, and then lists lose
/// their last items, the longest list first; `cut_to_fit: true` is added where items went.
void bound_answer(nlohmann::json& answer, std::size_t max_text = kMaxTextBytes,
                  std::size_t max_answer = kMaxAnswerBytes);

}  // namespace leanbridge::mcp
