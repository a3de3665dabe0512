#pragma once
/// The deeds of clients on the declarations of a project, in lines of JSON beside its claims: for people, and
/// no decision rests on it. Blocking; callable from any thread.

#include "core/base/enum_names.hpp"
#include "core/base/json_struct.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::together {

enum class Deed { Claimed, Released, Wrote, Refused };
wire::Names<Deed> names_of(Deed);

struct RecordLine {
  std::string at;  ///< the time, in UTC
  std::string who;
  Deed did = Deed::Claimed;
  std::string file;  ///< relative to the project
  std::vector<std::string> declarations;
  std::string verdict;  ///< why it was refused or released; of what was written, the sorries of its file

  static wire::Fields fields() {
    return wire::fields<&RecordLine::at, &RecordLine::who, &RecordLine::did, &RecordLine::file,
                        &RecordLine::declarations, &RecordLine::verdict>();
  }
};

inline constexpr std::size_t kMaxRecord = std::size_t{1} << 20;  ///< bytes

/// Adds a line, with the present time. Of a record that is longer than `most` bytes, the older half goes. A
/// failure is logged.
void add_to_record(const std::filesystem::path& folder, RecordLine line, std::size_t most = kMaxRecord);
/// The lines, oldest first, without damaged ones.
std::vector<RecordLine> read_record(const std::filesystem::path& folder);

}  // namespace leanbridge::together
