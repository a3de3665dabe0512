#include "core/base/ascii.hpp"
#include "core/base/percent.hpp"
#include "http/server.hpp"

#include <algorithm>
#include <sstream>

namespace leanbridge::http {

std::optional<std::string_view> IncomingRequest::field(std::string_view lower_case_name) const {
  for (const auto& [name, value] : fields)
    if (name == lower_case_name) return value;
  return std::nullopt;
}

std::size_t IncomingRequest::count(std::string_view lower_case_name) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(fields, [&](const auto& each) { return each.first == lower_case_name; }));
}

std::string_view IncomingRequest::path() const {
  return std::string_view(target).substr(0, target.find('?'));
}

std::optional<std::map<std::string, std::string>> IncomingRequest::query() const {
  std::map<std::string, std::string> parameters;
  std::string text = target.substr(std::min(path().size() + 1, target.size()));
  std::ranges::replace(text, '+', ' ');
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, '&');) {
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    const auto name = percent_decoded(part.substr(0, equals));
    const auto value = percent_decoded(equals == std::string::npos ? "" : part.substr(equals + 1));
    if (!name || !value || !parameters.emplace(*name, *value).second) return std::nullopt;
  }
  return parameters;
}

std::optional<std::string> framing_problem(const IncomingRequest& head, bool is_http_1_1) {
  const auto encoding = head.field("transfer-encoding");
  if (encoding && !is_http_1_1) return "Transfer-Encoding needs HTTP/1.1.";
  if (encoding && (head.count("transfer-encoding") > 1 || lower_case(std::string(*encoding)) != "chunked"))
    return "The only Transfer-Encoding understood is chunked.";
  if (encoding && head.field("content-length"))
    return "Content-Length and Transfer-Encoding exclude each other.";
  if (head.count("content-length") > 1) return "There is more than one Content-Length.";
  // The parser accepts a list of equal lengths, which other readers interpret differently.
  const auto length = head.field("content-length");
  if (length && (length->empty() || length->find_first_not_of("0123456789") != std::string_view::npos))
    return "Content-Length is not a number.";
  if (head.count("host") > 1) return "There is more than one Host.";
  if (is_http_1_1 && !head.field("host")) return "Host is missing.";
  if (head.field("upgrade") && head.field("http2-settings")) return "This server speaks only HTTP/1.1.";
  return std::nullopt;
}

void Exchange::respond(OutgoingResponse response) {
  if (head_) return;
  head_ = std::move(response);
  ended_ = true;
  on_closed = nullptr;
  changed_.notify_all();
}

void Exchange::begin(OutgoingResponse head) {
  if (head_) return;
  head_ = std::move(head);
  in_parts_ = true;
  changed_.notify_all();
}

bool Exchange::write(std::string part) {
  if (closed_ || ended_) return false;
  if (queued_ > max_queued_) {
    client_gone();
    return false;
  }
  queued_ += part.size();
  parts_.push_back(std::move(part));
  changed_.notify_all();
  return true;
}

void Exchange::end() {
  ended_ = true;
  on_closed = nullptr;
  changed_.notify_all();
}

void Exchange::client_gone() {
  if (closed_) return;
  closed_ = true;
  changed_.notify_all();
  if (ended_) return;
  if (const auto told = std::exchange(on_closed, nullptr)) told();
}

std::string Exchange::take_part() {
  std::string part = std::move(parts_.front());
  parts_.pop_front();
  queued_ -= part.size();
  return part;
}

}  // namespace leanbridge::http
