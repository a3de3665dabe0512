#include "backend_error.hpp"

#include "core/text/utf8.hpp"
#include "read_hits.hpp"

namespace leanbridge::search {

using nlohmann::json;

Problem problem(Failure failure, std::string message, std::string hint) {
  return {failure, std::move(message), std::move(hint), {}, {}, 0, false};
}

Problem late_answer(std::string_view source) {
  return problem(Failure::Late,
                 std::string(source) + " has not answered yet; its answer is kept for the next search.");
}

Problem wrong_shape(const std::string& title, const std::string& expected) {
  return problem(Failure::ServerError, title + " returned unexpected JSON: expected " + expected + ".",
                 "The service may have changed; check its configured URL and version.");
}

Problem ended(const Error& error, std::string message) {
  return problem(error.kind == ErrorKind::Cancelled ? Failure::Cancelled : Failure::Timeout,
                 std::move(message));
}

std::string one_line(std::string_view text, std::size_t limit) {
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 32 && byte != 127)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  if (line.size() > limit) line = std::string(text::beginning_of(line, limit)) + "…";
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string server_text(const json& body) {
  for (const char* key : {"error", "msg", "message", "detail"}) {
    const json& found = member(body, key);
    if (found.is_string()) return one_line(found.get<std::string>());
    // FastAPI sends a list of {"loc", "msg", "type"}.
    if (found.is_array() && !found.empty()) return server_text(found.front());
    if (found.is_object()) return server_text(found);
  }
  return "";
}

}  // namespace leanbridge::search
