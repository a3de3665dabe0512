#pragma once
/// The lines of a file. Blocking.

#include "check/batch/item.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace leanbridge::app {

enum class FileEnd { AfterLine, WithinLine };

/// Calls `take` with each line that is not blank (batch::LineReader::Line). Returns whether the last line has
/// its ending. InvalidArgument or FileNotFound if the file cannot be read.
template <class Take>
Result<FileEnd> for_each_line(const std::string& name, Take take) {
  constexpr std::size_t kChunk = 256u << 10;
  const auto file = RegularFile::open(name);
  if (!file) return tl::unexpected(file.error().to_error(name));
  batch::LineReader lines;
  std::string chunk(kChunk, '\0');
  for (bool more = true; more;) {
    const auto size = file->read_some(chunk.data(), chunk.size());
    if (!size) return tl::unexpected(size.error().to_error(name));
    more = *size > 0;
    lines.feed(std::string_view(chunk).substr(0, *size));
    if (!more) lines.end();
    while (const auto line = lines.next()) take(*line);
  }
  return lines.ends_within_line() ? FileEnd::WithinLine : FileEnd::AfterLine;
}

}  // namespace leanbridge::app
