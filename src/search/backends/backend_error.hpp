#pragma once
/// From a failed or refusing answer to the class of failure that decides what happens next (docs/search.md).

#include "leanbridge/http/client.hpp"
#include "leanbridge/search/backend.hpp"

#include <nlohmann/json_fwd.hpp>

namespace leanbridge::search {

Problem problem(Failure failure, std::string message, std::string hint = {});

/// `title` is the backend's name for people, here and below.
Problem problem_of(const http::Failure& failure, const std::string& title);
/// Of an answer whose status is not 2xx.
Problem problem_of(const http::Response& response, const std::string& title);
/// The answer is JSON, but not as documented.
Problem wrong_shape(const std::string& title, const std::string& expected);

/// What the server says is wrong, in whatever field it says it; "" where it does not.
std::string server_text(const nlohmann::json& body);
/// For a message: without line breaks and control characters, at most `limit` bytes, whole characters.
std::string one_line(std::string_view text, std::size_t limit = 300);

}  // namespace leanbridge::search
