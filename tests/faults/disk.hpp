#pragma once
/// The files of the project and what has stood in them when, for the judge.

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
  /// nullopt also where there never was one.
  Content content(const std::string& name) const;
  /// A moment, to be given to since().
  std::size_t now(const std::string& name) const;
  /// Every content from that moment on, its own included; each once.
  std::vector<Content> since(const std::string& name, std::size_t moment) const;

 private:
  std::filesystem::path folder_;
  Random random_;
  std::map<std::string, std::vector<Content>> history_;
  int writes_ = 0;
};

}  // namespace leanbridge::faults
