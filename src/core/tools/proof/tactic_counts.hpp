#pragma once
/// Which tactics have closed how many places of a project, so that these are tried first. Private to this
/// module.

#include "core/base/error.hpp"
#include "fill_script.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace leanbridge::tools {

class TacticCounts {
 public:
  /// The file of a project in the cache folder.
  static std::filesystem::path file_for(const std::filesystem::path& cache,
                                        const std::filesystem::path& project);
  /// Empty if the file is missing or is no such table: it only saves time. Blocking.
  static TacticCounts read(const std::filesystem::path& file);
  /// False if it cannot be written. Blocking.
  bool write(const std::filesystem::path& file) const;

  void add(const std::string& tactic);
  /// Of several that have closed as many, the first stays so.
  void sort(Candidates& candidates) const;
  bool empty() const { return counts_.empty(); }

 private:
  std::map<std::string, std::uint64_t> counts_;
};

}  // namespace leanbridge::tools
