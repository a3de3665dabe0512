#pragma once
/// The files of the project, and what each contained at which time, for the judge.

#include "random.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::faults {

class Disk {
 public:
  using Content = std::optional<std::string>;  ///< nullopt: no file

  Disk(std::filesystem::path folder, Random random);
  ~Disk();
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  void write(const std::string& name, const std::string& text);
  void remove(const std::string& name);
  /// nullopt also if there has never been one.
  Content content(const std::string& name) const;
  /// The present moment, to pass to since().
  std::size_t now(const std::string& name) const;
  /// Every content since that moment, including the one at that moment; each once.
  std::vector<Content> since(const std::string& name, std::size_t moment) const;

 private:
  std::filesystem::path folder_;
  Random random_;
  std::map<std::string, std::vector<Content>> history_;
  int writes_ = 0;
};

}  // namespace leanbridge::faults
