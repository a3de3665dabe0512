#pragma once
/// The inputs of `check`, as given on the command line. Blocking, except for reading stdin.

#include "leanbridge/base/error.hpp"
#include "leanbridge/base/files.hpp"
#include "leanbridge/batch/item.hpp"
#include "leanbridge/batch/verdict.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::app {

struct CheckInput {
  enum class Kind { Stdin, Lines, LeanFile };
  Kind kind = Kind::Lines;
  std::string name;  ///< as given, or found in a folder; for messages and ids
};

/// The inputs, with folders replaced by the .lean files in and below them, in order of their names. Names of
/// folders that begin with a dot are left out. InvalidArgument if one does not exist.
Result<std::vector<CheckInput>> find_inputs(const std::vector<std::string>& given);

/// How many items the inputs have, stdin not counted. Reads them all.
std::size_t count_items(const std::vector<CheckInput>& inputs);

/// A path in the project that has the options of the file's library (batch::Item::file); empty: the file is
/// outside. Files of a folder share it, and so their workers; files in the root may each be a library.
std::filesystem::path path_for_options(const std::filesystem::path& root, const std::string& file);

/// The item that a .lean file is, or why it is none.
tl::expected<batch::Item, batch::BadItem> read_lean_file(const std::string& name);

/// What a file of verdicts has. `cut_off`: it ends in the middle of a line, since its run was killed.
struct VerdictFile {
  std::size_t broken_lines = 0;
  bool cut_off = false;
};
/// Calls `take` with each whole line that is a verdict. InvalidArgument or FileNotFound if it cannot be read.
template <class Take>
Result<VerdictFile> read_verdicts(const std::string& name, Take take) {
  constexpr std::size_t kChunk = 256u << 10;
  auto file = RegularFile::open(name);
  if (!file) return tl::unexpected(file.error().to_error(name));
  VerdictFile found;
  batch::LineReader lines;
  std::string chunk(kChunk, '\0');
  for (bool more = true; more;) {
    const auto size = file->read_some(chunk.data(), chunk.size());
    if (!size) return tl::unexpected(size.error().to_error(name));
    more = *size > 0;
    lines.feed(std::string_view(chunk).substr(0, *size));
    if (!more) lines.end();
    while (const auto line = lines.next()) {
      const auto judged = batch::read_judged(line->text);
      if (judged)
        take(*judged, line->text);
      else
        ++found.broken_lines;
    }
  }
  found.cut_off = lines.ends_within_line();
  return found;
}

}  // namespace leanbridge::app
