#pragma once
/// What the fuzzers share (docs/testing.md). Each is a file with one LLVMFuzzerTestOneInput, which ends the
/// process if the code under test breaks a promise of its header; the sanitizers find the rest.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::fuzz {

/// Says which promise is broken; libFuzzer keeps the input.
inline void require(bool holds, const char* promise,
                    std::source_location where = std::source_location::current()) {
  if (holds) return;
  std::fprintf(stderr, "%s:%u: broken: %s\n", where.file_name(), where.line(), promise);
  std::abort();
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// The parts of the input between bytes 0xFF, which do not occur in UTF-8; at least one. So a text file is an
/// input as it is.
inline std::vector<std::string_view> parts_of(std::string_view input) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = input.find('\xFF');
    parts.push_back(input.substr(0, end));
    if (end == std::string_view::npos) return parts;
    input.remove_prefix(end + 1);
  }
}

/// Takes the first line, without its line feed.
inline std::string_view next_line(std::string_view& lines) {
  const std::string_view line = lines.substr(0, lines.find('\n'));
  lines.remove_prefix(std::min(line.size() + 1, lines.size()));
  return line;
}

/// Numbers that follow from the input without bytes of their own: mixed from all of its bytes, the last one
/// first.
class Choices {
 public:
  explicit Choices(std::string_view input) : input_(input), left_(input.size()) {}

  /// In [0, count); count is not 0.
  std::size_t below(std::size_t count) {
    if (left_ == 0) left_ = input_.size();
    const unsigned char byte = left_ > 0 ? static_cast<unsigned char>(input_[--left_]) : 0;
    state_ = (state_ ^ byte) * 0x100000001B3U + 0x9E3779B97F4A7C15U;
    return static_cast<std::size_t>((state_ ^ (state_ >> 29U)) % count);
  }

 private:
  std::string_view input_;
  std::size_t left_;
  std::uint64_t state_ = 0xCBF29CE484222325U;
};

/// The stream in pieces, most of them short, some empty.
inline std::vector<std::string_view> cut(std::string_view stream, Choices& choices) {
  std::vector<std::string_view> pieces;
  while (!stream.empty()) {
    const std::size_t limit = choices.below(4) == 0 ? 200 : 8;
    const std::size_t size = choices.below(limit);
    pieces.push_back(stream.substr(0, size));
    stream.remove_prefix(pieces.back().size());
  }
  return pieces;
}

inline std::vector<std::string_view> bytes_of(std::string_view stream) {
  std::vector<std::string_view> bytes;
  for (std::size_t i = 0; i < stream.size(); ++i) bytes.push_back(stream.substr(i, 1));
  return bytes;
}

}  // namespace leanbridge::fuzz
