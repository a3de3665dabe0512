#pragma once
/// libcurl, loaded when the first request is made or the first address is read. It brings thirty other
/// libraries, which take half of the program's start and a third of its memory, and most sessions never ask
/// the network. Any thread.

#include "leanbridge/http/client.hpp"

#include <curl/curl.h>

#include <optional>

namespace leanbridge::http {

/// The functions that are used, under their names without `curl_`.
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
// The name declares a member: it cannot stand in parentheses.
// NOLINTNEXTLINE(bugprone-macro-parentheses)
#define LEANBRIDGE_CURL_MEMBER(name) decltype(&::curl_##name) name = nullptr;
  LEANBRIDGE_CURL_FUNCTIONS(LEANBRIDGE_CURL_MEMBER)
#undef LEANBRIDGE_CURL_MEMBER
};

/// Why there is none, for whoever asks first; nothing else here may be called then.
std::optional<Failure> curl_is_missing();

const Curl& curl();

}  // namespace leanbridge::http
