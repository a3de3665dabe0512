#include "output.hpp"

#include "core/mcp/tool_result.hpp"
#include "documents.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string_view>

namespace leanbridge::app {

using nlohmann::json;

namespace {

constexpr std::size_t kBelow = 6;  // the indent of a paragraph without room beside its start

std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    longest = std::max(longest, cells_of(word));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return longest;
}

}  // namespace

void print_json(const json& value) {
  const int indent = is_terminal(stdout) ? 2 : -1;
  std::printf("%s\n", value.dump(indent, ' ', false, json::error_handler_t::replace).c_str());
}

void print_paragraph(std::FILE* stream, const std::string& text, const std::string& start) {
  const std::size_t width = is_terminal(stream) ? width_of(stream) : std::string::npos;
  const std::size_t indent = cells_of(start);
  const bool is_short = indent + cells_of(text) <= width;
  const bool breaks_word = indent + longest_word(text) > width && kBelow + longest_word(text) <= width;
  if (!is_short && (indent > width / 2 || breaks_word)) {
    const std::string head = start.substr(0, start.find_last_not_of(' ') + 1);
    std::fprintf(stream, "%s\n%s", head.c_str(), wrapped_block(text, width, kBelow).c_str());
    return;
  }
  std::fprintf(stream, "%s%s", start.c_str(), wrapped_block(text, width, indent).substr(indent).c_str());
}

json error_json(const Error& error) {
  const json result = mcp::to_tool_error(error);
  return json::parse(result["content"][0]["text"].get_ref<const std::string&>())["error"];
}

void print_error(const Error& error) {
  const std::string text = with_documents(one_line(error.message + " " + error.hint));
  if (!is_terminal(stderr)) {
    std::fprintf(stderr, "leanbridge: %s\n", text.c_str());
    return;
  }
  constexpr std::string_view kNamedAs = "leanbridge:";
  const std::string block = wrapped_block(std::string(kNamedAs) + " " + text, width_of(stderr), 0);
  std::fprintf(stderr, "%s%s", paint_for(stderr)(Style::Error, kNamedAs).c_str(),
               block.substr(kNamedAs.size()).c_str());
}

int usage(const Error& error) {
  print_error(error);
  return kUsage;
}

int report(const Error& error) {
  print_error(error);
  return error.kind == ErrorKind::InvalidArgument ? kUsage : kFailed;
}

int report_undecided(const Error& error, bool as_json) {
  if (as_json)
    print_json({{"error", error_json(error)}});
  else
    print_error(error);
  const bool is_usage = error.kind == ErrorKind::InvalidArgument || error.kind == ErrorKind::FileNotFound;
  return is_usage ? kUsage : kUndecided;
}

bool is_interactive() {
  return is_terminal(stdin) && is_terminal(stdout) && is_terminal(stderr);
}

std::string asked(const std::string& question) {
  std::fprintf(stderr, "%s ", question.c_str());
  std::string answer;
  if (!std::getline(std::cin, answer)) std::fputs("\n", stderr);
  answer.erase(0, answer.find_first_not_of(" \t\r"));
  return answer.erase(answer.find_last_not_of(" \t\r") + 1);
}

bool agreed(const std::string& question) {
  const std::string answer = asked(question + " [y/N]");
  return answer == "y" || answer == "Y" || answer == "yes";
}

}  // namespace leanbridge::app
