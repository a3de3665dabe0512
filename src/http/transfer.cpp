#include "transfer.hpp"

#include "core/base/ascii.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace leanbridge::http {

namespace {

constexpr std::size_t kMaxHeaderBytes = 256u << 10;

bool same_word(std::string_view left, std::string_view right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

bool is_redirect(long status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

}  // namespace

Transfer::Transfer(Request request, TransferSettings settings, Sink sink)
    : request_(std::move(request)),
      settings_(std::move(settings)),
      sink_(std::move(sink)),
      handle_(curl().easy_init()) {}

Transfer::~Transfer() {
  curl().easy_cleanup(handle_);
  curl().slist_free_all(header_lines_);
}

std::optional<Failure> Transfer::prepare() {
  auto origin = origin_of(request_.url);
  if (!origin) return origin.error();
  origin_ = std::move(*origin);
  if (settings_.loopback_only && !origin_.loopback())
    return Failure{Failure::Kind::BadUrl,
                   origin_.place() + " is not on this machine, and network access is off."};
  response_ = Response();
  header_bytes_ = 0;

  curl().easy_reset(handle_);
  curl().slist_free_all(std::exchange(header_lines_, nullptr));
  for (const auto& [name, value] : request_.headers)
    header_lines_ =
        curl().slist_append(header_lines_, (value.empty() ? name + ";" : name + ": " + value).c_str());
  header_lines_ = curl().slist_append(header_lines_, "Expect:");  // do not wait for 100 Continue

  curl().easy_setopt(handle_, CURLOPT_URL, request_.url.c_str());
  if (!request_.unix_socket.empty())
    curl().easy_setopt(handle_, CURLOPT_UNIX_SOCKET_PATH, request_.unix_socket.c_str());
  curl().easy_setopt(handle_, CURLOPT_PROTOCOLS_STR, "http,https");
  curl().easy_setopt(handle_, CURLOPT_HTTPHEADER, header_lines_);
  curl().easy_setopt(handle_, CURLOPT_USERAGENT, settings_.user_agent.c_str());
  curl().easy_setopt(handle_, CURLOPT_ACCEPT_ENCODING, "");  // every encoding that curl supports
  if (request_.method == "POST") {
    curl().easy_setopt(handle_, CURLOPT_POSTFIELDS, request_.body.data());
    curl().easy_setopt(handle_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
  } else if (request_.method != "GET") {
    curl().easy_setopt(handle_, CURLOPT_CUSTOMREQUEST, request_.method.c_str());
  }
  if (!settings_.ca_file.empty()) curl().easy_setopt(handle_, CURLOPT_CAINFO, settings_.ca_file.c_str());
  curl().easy_setopt(handle_, CURLOPT_NOSIGNAL, 1L);
  // Without this, removing a handle waits for the resolver's thread if a look-up hangs.
  curl().easy_setopt(handle_, CURLOPT_QUICK_EXIT, 1L);
  curl().easy_setopt(handle_, CURLOPT_ERRORBUFFER, detail_);
  if (!streams())
    curl().easy_setopt(handle_, CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(request_.max_body));
  curl().easy_setopt(handle_, CURLOPT_HEADERFUNCTION, &Transfer::on_header);
  curl().easy_setopt(handle_, CURLOPT_HEADERDATA, this);
  curl().easy_setopt(handle_, CURLOPT_WRITEFUNCTION, &Transfer::on_body);
  curl().easy_setopt(handle_, CURLOPT_WRITEDATA, this);
  curl().easy_setopt(handle_, CURLOPT_PRIVATE, this);
  return std::nullopt;
}

std::size_t Transfer::on_header(char* bytes, std::size_t, std::size_t size, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  const std::string_view line(bytes, size);
  transfer.header_bytes_ += size;
  if (transfer.header_bytes_ > kMaxHeaderBytes) {
    transfer.too_large_ = true;
    return 0;
  }
  if (line.starts_with("HTTP/")) {  // the head of a proxy's answer, or of an interim answer
    transfer.response_.headers.clear();
    return size;
  }
  const std::size_t colon = line.find(':');
  if (trimmed(line).empty()) transfer.headers_ended();
  if (colon == std::string_view::npos) return size;
  transfer.response_.headers.emplace_back(lower_case(std::string(line.substr(0, colon))),
                                          trimmed(line.substr(colon + 1)));
  return size;
}

void Transfer::headers_ended() {
  if (!streams()) return;
  long status = 0;
  curl().easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
  // Skip interim answers and redirects. For a proxy tunnel the status is 0 here.
  if (status < 200 || is_redirect(status)) return;
  Response head;
  head.status = static_cast<int>(status);
  head.headers = response_.headers;
  head_given_ = true;
  sink_.on_headers(std::move(head));
}

void Transfer::consumed(std::size_t bytes) {
  unconsumed_ -= std::min(bytes, unconsumed_);
  if (unconsumed_ < kMaxUnconsumed && std::exchange(paused_, false))
    curl().easy_pause(handle_, CURLPAUSE_CONT);
}

std::size_t Transfer::on_body(char* bytes, std::size_t, std::size_t size, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  std::string& body = transfer.response_.body;
  if (transfer.streams()) {
    if (!transfer.head_given_) return size;  // body of a redirect
    if (transfer.unconsumed_ >= kMaxUnconsumed) {
      transfer.paused_ = true;
      return CURL_WRITEFUNC_PAUSE;
    }
    transfer.unconsumed_ += size;
    transfer.sink_.on_bytes(std::string(bytes, size));
    return size;
  }
  if (size > transfer.request_.max_body - body.size()) {
    transfer.too_large_ = true;
    return 0;
  }
  body.append(bytes, size);
  return size;
}

std::optional<Outcome> Transfer::ended(CURLcode code) {
  if (code != CURLE_OK) return tl::unexpected(failure(code));
  long status = 0;
  curl().easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
  response_.status = static_cast<int>(status);
  char* target = nullptr;
  if (is_redirect(status)) curl().easy_getinfo(handle_, CURLINFO_REDIRECT_URL, &target);
  if (target) return redirected(target);
  return std::move(response_);
}

std::optional<Outcome> Transfer::redirected(const std::string& target) {
  const auto refused = [&](const std::string& why) {
    return tl::unexpected(Failure{Failure::Kind::Redirects, origin_.place() + " redirected " + why});
  };
  if (++redirects_ > request_.max_redirects)
    return refused("more than " + std::to_string(request_.max_redirects) + " times.");
  const auto next = origin_of(target);
  if (!next) return refused("to something that is not an http or https URL.");
  if (origin_.scheme == "https" && next->scheme == "http")
    return refused("from https to http, which is not allowed.");
  // As in browsers, only 307 and 308 repeat a POST.
  const bool repeats = response_.status == 307 || response_.status == 308;
  if (*next != origin_ && (request_.same_origin || (repeats && request_.method != "GET")))
    return refused("to another origin, " + next->scheme + "://" + next->place() +
                   ", which must not receive the request.");
  // Any of the caller's headers may hold a secret, not only Authorization.
  if (*next != origin_)
    std::erase_if(request_.headers, [](const auto& header) {
      return !same_word(header.first, "accept") && !same_word(header.first, "content-type");
    });
  if (!repeats && request_.method == "POST") {
    request_.method = "GET";
    request_.body.clear();
    std::erase_if(request_.headers,
                  [](const auto& header) { return same_word(header.first, "content-type"); });
  }
  request_.url = target;
  return std::nullopt;
}

Failure Transfer::failure(CURLcode code) const {
  using Kind = Failure::Kind;
  const std::string place = origin_.place();
  if (too_large_ || code == CURLE_FILESIZE_EXCEEDED)
    return {Kind::TooLarge, place + " sent more than " + std::to_string(request_.max_body) + " bytes."};
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return {Kind::Resolve, "The host name of " + place + " could not be resolved."};
    case CURLE_COULDNT_RESOLVE_PROXY:
      return {Kind::Resolve, "The proxy configured for " + place + " could not be resolved."};
    case CURLE_COULDNT_CONNECT:
      return {Kind::Connect, "Nothing accepts connections at " + place + ", or its proxy refuses them."};
    case CURLE_PROXY:
      return {Kind::Connect, "The proxy configured for " + place + " refuses connections."};
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
      return {Kind::Tls, "No secure connection to " + place + ": " +
                             (detail_[0] ? detail_ : curl().easy_strerror(code))};
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return {Kind::Truncated, place + " closed the connection before the answer was complete."};
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return {Kind::BadUrl, "The address is not an http or https URL."};
    default:
      // Omit curl's detail: it may quote a proxy with its password.
      return {Kind::Other, "The exchange with " + place + " failed: " + curl().easy_strerror(code) + "."};
  }
}

}  // namespace leanbridge::http
