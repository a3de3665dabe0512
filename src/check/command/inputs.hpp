#pragma once
/// The inputs of `check`, as given on the command line. Blocking, except for reading stdin.

#include "check/batch/item.hpp"
#include "check/batch/verdict.hpp"
#include "core/base/error.hpp"
#include "file_lines.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace leanbridge::app {

struct CheckInput {
  enum class Kind { Stdin, Lines, LeanFile };
  Kind kind = Kind::Lines;
  std::string name;  ///< as given, or found in a folder; for messages and ids
};

/// The .lean files in and below a folder, sorted by name, without folders whose names begin with a dot; any
/// other name as it is. InvalidArgument for a folder that has none.
Result<std::vector<std::string>> lean_files_of(const std::string& name);

/// The inputs, with folders replaced by the .lean files in and below them, sorted by name. Leaves out folders
/// whose names begin with a dot. InvalidArgument if an input does not exist.
Result<std::vector<CheckInput>> find_inputs(const std::vector<std::string>& given);

/// The number of items in the inputs, without stdin. Reads them all.
std::size_t count_items(const std::vector<CheckInput>& inputs);

/// Which file of the project has the options of each (batch::Item::file). Files of a folder share the first
/// one of them, and so their workers, unless a lakefile names single modules, or they import that one; files
/// in the root may each be a library.
class OptionFiles {
 public:
  explicit OptionFiles(std::filesystem::path root) : root_(std::move(root)) {}
  /// A file that exists; empty: `file` is outside of the project. `text` is what the file has.
  std::filesystem::path for_file(const std::string& file, const std::string& text = {});

 private:
  std::filesystem::path root_;
  std::map<std::filesystem::path, std::filesystem::path> of_folder_;  // empty: each file has its own
};

/// The item that a .lean file contains, or why it is not one.
tl::expected<batch::Item, batch::BadItem> read_lean_file(const std::string& name);

/// Calls `take` with each whole line that is a verdict. Returns the number of other lines. InvalidArgument or
/// FileNotFound if the file cannot be read.
template <class Take>
Result<std::size_t> read_verdicts(const std::string& name, Take take) {
  std::size_t broken = 0;
  const auto ended = for_each_line(name, [&](const batch::LineReader::Line& line) {
    if (const auto judged = batch::read_verdict_line(line.text))
      take(*judged, line.text);
    else
      ++broken;
  });
  if (!ended) return tl::unexpected(ended.error());
  return broken;
}

}  // namespace leanbridge::app
