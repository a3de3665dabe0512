#pragma once
/// libcurl, loaded on the first request or URL. It pulls in thirty libraries, which take half of the
/// program's start-up and a third of its memory, and most sessions never use the network. Any thread.

#include "client.hpp"
#include <curl/curl.h>

#include <optional>

namespace leanbridge::http {

/// The functions in use, by their names without `curl_`.
struct Curl {
#define LEANBRIDGE_CURL_FUNCTIONS(X) \
  X(easy_cleanup)                    \
  X(easy_getinfo)                    \
  X(easy_init)                       \
  X(easy_pause)                      \
  X(easy_reset)                      \
  X(easy_setopt)                     \
  X(easy_strerror)                   \
  X(free)                            \
  X(getdate)                         \
  X(global_cleanup)                  \
  X(global_init)                     \
  X(multi_add_handle)                \
  X(multi_cleanup)                   \
  X(multi_info_read)                 \
  X(multi_init)                      \
  X(multi_perform)                   \
  X(multi_poll)                      \
  X(multi_remove_handle)             \
  X(multi_setopt)                    \
  X(multi_wakeup)                    \
  X(slist_append)                    \
  X(slist_free_all)                  \
  X(url)                             \
  X(url_cleanup)                     \
  X(url_get)                         \
  X(url_set)
// The name declares a member, so it cannot be parenthesised.
// NOLINTNEXTLINE(bugprone-macro-parentheses)
#define LEANBRIDGE_CURL_MEMBER(name) decltype(&::curl_##name) name = nullptr;
  LEANBRIDGE_CURL_FUNCTIONS(LEANBRIDGE_CURL_MEMBER)
#undef LEANBRIDGE_CURL_MEMBER
};

/// Why libcurl cannot be loaded. Call it before any other function here.
std::optional<Failure> curl_is_missing();

const Curl& curl();

}  // namespace leanbridge::http
