#include "disk.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <fstream>

namespace leanbridge::faults {

namespace fs = std::filesystem;

Disk::Disk(fs::path folder, Random random) : folder_(std::move(folder)), random_(random) {
  fs::create_directories(folder_);
}

Disk::~Disk() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Disk::write(const std::string& name, const std::string& text) {
  const fs::path path = folder_ / name;
  const bool in_place = random_.percent(50);
  const fs::path target = in_place ? path : folder_ / (name + ".new");
  std::ofstream(target, std::ios::binary | std::ios::trunc) << text;
  // No two states of a file look alike. The bridge may trust the identity of an old file; one with a time
  // stamp in the future, or in the last two seconds, it has to read each time.
  timespec times[2];
  const std::time_t base = std::time(nullptr) + (random_.percent(70) ? -36'000 : 36'000);
  times[0] = times[1] = {base + ++writes_, 0};
  ::utimensat(AT_FDCWD, target.c_str(), times, 0);
  if (!in_place) fs::rename(target, path);
  history_[name].emplace_back(text);
}

void Disk::remove(const std::string& name) {
  fs::remove(folder_ / name);
  history_[name].emplace_back(std::nullopt);
}

Disk::Content Disk::content(const std::string& name) const {
  const auto found = history_.find(name);
  return found == history_.end() ? std::nullopt : found->second.back();
}

std::size_t Disk::now(const std::string& name) const {
  const auto found = history_.find(name);
  return found == history_.end() ? 0 : found->second.size() - 1;
}

std::vector<Disk::Content> Disk::since(const std::string& name, std::size_t moment) const {
  const auto found = history_.find(name);
  if (found == history_.end()) return {std::nullopt};
  std::vector<Content> contents;
  for (std::size_t i = moment; i < found->second.size(); ++i)
    if (std::find(contents.begin(), contents.end(), found->second[i]) == contents.end())
      contents.push_back(found->second[i]);
  return contents;
}

}  // namespace leanbridge::faults
