#pragma once
/// Which tactics have closed how many places of a project, so that these are tried first.

#include "fill_script.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace leanbridge::ide {

class TacticCounts {
 public:
  /// The file for a project in the cache folder.
  static std::filesystem::path file_for(const std::filesystem::path& cache,
                                        const std::filesystem::path& project);
  /// Empty if the file is missing or malformed: it only saves time. Blocking.
  static TacticCounts read(const std::filesystem::path& file);
  /// False if it cannot be written. Blocking.
  bool write(const std::filesystem::path& file) const;

  void add(const std::string& tactic);
  /// Most successful first; tactics with equal counts keep their order.
  void sort(Candidates& candidates) const;
  bool empty() const { return counts_.empty(); }

 private:
  std::map<std::string, std::uint64_t> counts_;
};

}  // namespace leanbridge::ide
