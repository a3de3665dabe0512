#pragma once
/// Classifies failed answers; the class decides what happens next (docs/search.md).

#include "leanbridge/base/try.hpp"
#include "leanbridge/http/client.hpp"
#include "leanbridge/search/backend.hpp"

#include <nlohmann/json_fwd.hpp>

/// CO_TRY for an Outcome: the coroutine returns its Problem.
#define CO_ASK(declaration, ...)                                                    \
  auto LEANBRIDGE_JOIN(asked_, __LINE__) = __VA_ARGS__;                             \
  if (!LEANBRIDGE_JOIN(asked_, __LINE__))                                           \
    co_return tl::unexpected(std::move(LEANBRIDGE_JOIN(asked_, __LINE__)).error()); \
  declaration = *std::move(LEANBRIDGE_JOIN(asked_, __LINE__))

namespace leanbridge::search {

Problem problem(Failure failure, std::string message, std::string hint = {});

/// `title` is the backend's display name, here and below.
Problem problem_of(const http::Failure& failure, const std::string& title);
/// For a response whose status is not 2xx.
Problem problem_of(const http::Response& response, const std::string& title);
/// For JSON that is not as documented.
Problem wrong_shape(const std::string& title, const std::string& expected);

/// The error message in the body, from any of the usual fields; "": none.
std::string server_text(const nlohmann::json& body);
/// For messages: without line breaks and control characters, truncated to `limit` bytes at a character.
std::string one_line(std::string_view text, std::size_t limit = 300);

}  // namespace leanbridge::search
