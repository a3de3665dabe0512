#pragma once
/// One request under way, redirects included. On the HTTP thread only.

#include "leanbridge/http/client.hpp"

#include <curl/curl.h>

#include <memory>
#include <optional>

namespace leanbridge::http {

using Outcome = tl::expected<Response, Failure>;

/// What all transfers of one client share.
struct TransferSettings {
  std::string user_agent;
  bool loopback_only = false;
  std::string ca_file;  ///< empty: curl's own, which is the system's
};

class Transfer {
 public:
  Transfer(Request request, TransferSettings settings);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  ~Transfer();

  /// Makes the handle ready for the next request of the chain; a failure where its address is refused.
  std::optional<Failure> prepare();
  CURL* handle() const { return handle_; }

  /// After curl has ended it: the outcome, or nothing where a redirect is to be followed (prepare() again).
  std::optional<Outcome> ended(CURLcode code);

 private:
  static std::size_t on_header(char* bytes, std::size_t, std::size_t size, void* self);
  static std::size_t on_body(char* bytes, std::size_t, std::size_t size, void* self);
  std::optional<Outcome> redirected(const std::string& target);
  Failure failure(CURLcode code) const;

  Request request_;
  TransferSettings settings_;
  Origin origin_;
  CURL* handle_;
  curl_slist* header_lines_ = nullptr;
  Response response_;
  std::size_t header_bytes_ = 0;
  bool too_large_ = false;
  int redirects_ = 0;
  char detail_[CURL_ERROR_SIZE] = "";
};

}  // namespace leanbridge::http
