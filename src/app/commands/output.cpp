#include "output.hpp"

#include "leanbridge/mcp/tool_result.hpp"

#include "table.hpp"
#include <unistd.h>

#include <cstdio>
#include <utility>

namespace leanbridge::app {

using nlohmann::json;

void print_json(const json& value) {
  const int indent = ::isatty(STDOUT_FILENO) != 0 ? 2 : -1;
  std::printf("%s\n", value.dump(indent, ' ', false, json::error_handler_t::replace).c_str());
}

json error_json(const Error& error) {
  const json result = mcp::to_tool_error(error);
  return json::parse(result["content"][0]["text"].get_ref<const std::string&>())["error"];
}

void print_error(const Error& error) {
  std::fprintf(stderr, "leanbridge: %s\n", one_line(error.message + " " + error.hint).c_str());
}

int usage(const Error& error) {
  print_error(error);
  return kUsage;
}

int report(const Error& error) {
  print_error(error);
  return error.kind == ErrorKind::InvalidArgument ? kUsage : kFailed;
}

void ProgressLine::clear() {
  if (std::exchange(shown_, false)) std::fputs("\r\033[K", stderr);
}

void ProgressLine::show(const std::string& text) {
  constexpr std::size_t kCells = 120;
  if (::isatty(STDERR_FILENO) == 0) return;
  const std::string line = one_line(text);
  std::fprintf(stderr, "\r\033[K%s", cells_of(line) > kCells ? fitted(line, kCells).c_str() : line.c_str());
  shown_ = true;
}

}  // namespace leanbridge::app
