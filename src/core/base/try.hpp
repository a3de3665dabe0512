#pragma once
/// Propagates errors in one line. The expression is a Result; if it holds an error, the function returns it:
///
///     TRY(const auto offset, text.offset_of(position, name));         // in a function that returns a Result
///     TRY_DONE(written(file, text));                                   // for Result<void>
///     CO_TRY(auto file, co_await open_file(environment, call, path));  // in a coroutine
///     CO_CHECK(co_await store->reset(path, scope));  // for Result<void>, or where the value is not needed
///
/// Use at most one per line, and never as the body of an `if` without braces.

#include "error.hpp"

#include <utility>

#define LEANBRIDGE_JOIN_(a, b) a##b
#define LEANBRIDGE_JOIN(a, b) LEANBRIDGE_JOIN_(a, b)

#define LEANBRIDGE_TRY(result, leave, declaration, ...)                              \
  auto result = __VA_ARGS__;                                                         \
  if (!result) leave tl::unexpected<::leanbridge::Error>(std::move(result).error()); \
  declaration = *std::move(result)

#define TRY(declaration, ...) \
  LEANBRIDGE_TRY(LEANBRIDGE_JOIN(tried_, __LINE__), return, declaration, __VA_ARGS__)
#define CO_TRY(declaration, ...) \
  LEANBRIDGE_TRY(LEANBRIDGE_JOIN(tried_, __LINE__), co_return, declaration, __VA_ARGS__)

#define TRY_DONE(...) \
  if (const auto checked = __VA_ARGS__; !checked) return tl::unexpected<::leanbridge::Error>(checked.error())
#define CO_CHECK(...)                             \
  if (const auto checked = __VA_ARGS__; !checked) \
  co_return tl::unexpected<::leanbridge::Error>(checked.error())
