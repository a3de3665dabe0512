#pragma once
/// Failed answers. Their class decides how to continue (docs/search.md).

#include "core/base/try.hpp"
#include "search/sources/backend.hpp"
#include <nlohmann/json_fwd.hpp>

/// CO_TRY for an Outcome: the coroutine returns its Problem.
#define CO_ASK(declaration, ...)                                                    \
  auto LEANBRIDGE_JOIN(asked_, __LINE__) = __VA_ARGS__;                             \
  if (!LEANBRIDGE_JOIN(asked_, __LINE__))                                           \
    co_return tl::unexpected(std::move(LEANBRIDGE_JOIN(asked_, __LINE__)).error()); \
  declaration = *std::move(LEANBRIDGE_JOIN(asked_, __LINE__))

namespace leanbridge::search {

Problem problem(Failure failure, std::string message, std::string hint = {});
/// The problem of a source of this name after the wait for it has ended.
Problem late_answer(std::string_view source);
/// The problem of JSON that is not as documented. `title` is the backend's display name.
Problem wrong_shape(const std::string& title, const std::string& expected);
/// Cancelled or Timeout, for an error of the pool.
Problem ended(const Error& error, std::string message);

/// The error message in the body, from any of the usual fields; "": there is none.
std::string server_text(const nlohmann::json& body);
/// A text for messages: without line breaks and control characters, cut to `limit` bytes at a character.
std::string one_line(std::string_view text, std::size_t limit = 300);

}  // namespace leanbridge::search
