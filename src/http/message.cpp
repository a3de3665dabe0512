// What needs no transfer: URLs and headers.

#include "leanbridge/base/ascii.hpp"
#include "leanbridge/http/client.hpp"

#include "curl.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace leanbridge::http {

namespace {

std::string part_of(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl().url_get(url, part, &text, CURLU_DEFAULT_PORT) != CURLUE_OK) return "";
  std::string copy = text;
  curl().free(text);
  return copy;
}

}  // namespace

bool is_token_char(char c) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         kMarks.find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

std::string Response::header(const std::string& lower_case_name) const {
  for (const auto& [name, value] : headers)
    if (name == lower_case_name) return value;
  return "";
}

bool Origin::loopback() const {
  const bool ipv4 = host.starts_with("127.") && std::all_of(host.begin(), host.end(), [](unsigned char c) {
                      return std::isdigit(c) || c == '.';
                    });
  return ipv4 || host == "localhost" || host == "[::1]";
}

tl::expected<Origin, Failure> origin_of(const std::string& url) {
  if (auto missing = curl_is_missing()) return tl::unexpected(std::move(*missing));
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> parts(curl().url(), curl().url_cleanup);
  Origin origin;
  // curl would read up to a NUL, and everybody else what stands behind it.
  const bool whole = url.find('\0') == std::string::npos;
  if (whole && curl().url_set(parts.get(), CURLUPART_URL, url.c_str(), 0) == CURLUE_OK) {
    origin.scheme = lower_case(part_of(parts.get(), CURLUPART_SCHEME));
    origin.host = lower_case(part_of(parts.get(), CURLUPART_HOST));
    origin.port = part_of(parts.get(), CURLUPART_PORT);
  }
  if ((origin.scheme == "http" || origin.scheme == "https") && !origin.host.empty()) return origin;
  return tl::unexpected(Failure{Failure::Kind::BadUrl, "The address is no http or https URL."});
}

std::optional<std::chrono::milliseconds> retry_after(const Response& response,
                                                     std::chrono::system_clock::time_point now) {
  constexpr std::int64_t kLongest = 86'400;  // seconds: nobody means more
  const std::string value = response.header("retry-after");
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (error != std::errc() || end != value.data() + value.size()) {
    const time_t date = curl().getdate(value.c_str(), nullptr);
    if (value.empty() || date < 0) return std::nullopt;
    seconds = std::int64_t{date} - std::chrono::system_clock::to_time_t(now);
  }
  return std::chrono::seconds(std::clamp<std::int64_t>(seconds, 0, kLongest));
}

std::string percent_encode(std::string_view text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 128 && (std::isalnum(byte) || c == '-' || c == '_' || c == '.' || c == '~')) {
      encoded += c;
    } else {
      encoded += '%';
      encoded += kDigits[byte >> 4];
      encoded += kDigits[byte & 15];
    }
  }
  return encoded;
}

}  // namespace leanbridge::http
