#pragma once
/// One request under way, including its redirects. Only on the HTTP thread.

#include "client.hpp"
#include "curl.hpp"

#include <optional>

namespace leanbridge::http {

using Outcome = tl::expected<Response, Failure>;

/// Settings shared by all transfers of a client.
struct TransferSettings {
  std::string user_agent;
  bool loopback_only = false;
  std::string ca_file;  ///< empty: the system's
};

/// Receives the pieces of a streamed answer. If its functions are empty, the answer is collected.
struct Sink {
  std::function<void(Response)> on_headers;
  std::function<void(std::string)> on_bytes;
};

class Transfer {
 public:
  static constexpr std::size_t kMaxUnconsumed = 1u << 20;  // bytes of a stream

  Transfer(Request request, TransferSettings settings, Sink sink);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  ~Transfer();

  /// Prepares the handle for the next request of the chain. Fails if its address is refused.
  std::optional<Failure> prepare();
  CURL* handle() const { return handle_; }
  /// Tells that the listener has consumed this many bytes; resumes the transfer if it was paused.
  void consumed(std::size_t bytes);

  /// Call when curl is done: returns the outcome, or nullopt to follow a redirect (call prepare() again).
  std::optional<Outcome> ended(CURLcode code);

 private:
  static std::size_t on_header(char* bytes, std::size_t, std::size_t size, void* self);
  static std::size_t on_body(char* bytes, std::size_t, std::size_t size, void* self);
  std::optional<Outcome> redirected(const std::string& target);
  Failure failure(CURLcode code) const;
  bool streams() const { return static_cast<bool>(sink_.on_bytes); }
  void headers_ended();

  Request request_;
  TransferSettings settings_;
  Sink sink_;
  Origin origin_;
  CURL* handle_;
  curl_slist* header_lines_ = nullptr;
  Response response_;
  std::size_t header_bytes_ = 0;
  std::size_t unconsumed_ = 0;
  bool paused_ = false;
  bool head_given_ = false;
  bool too_large_ = false;
  int redirects_ = 0;
  char detail_[CURL_ERROR_SIZE] = "";
};

}  // namespace leanbridge::http
