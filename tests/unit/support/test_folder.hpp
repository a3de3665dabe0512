#pragma once
/// A folder for one test, removed afterwards.

#include <stdlib.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace leanbridge::test {

class TestFolder {
 public:
  TestFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "leanbridge-test-XXXXXX").string();
    path_ = std::filesystem::canonical(::mkdtemp(pattern.data()));
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

  /// Writes a file, and creates missing folders.
  std::filesystem::path write(std::string_view name, std::string_view content) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
    return file;
  }
  std::filesystem::path write_program(std::string_view name, std::string_view content) const {
    const std::filesystem::path file = write(name, content);
    ::chmod(file.c_str(), 0755);
    return file;
  }

 private:
  std::filesystem::path path_;
};

/// Makes a file look as if it was written an hour ago, so that its identity is trusted; `seconds` tells two
/// states apart.
inline void age(const std::filesystem::path& file, int seconds = 0) {
  std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() -
                                             std::chrono::hours(1) + std::chrono::seconds(seconds));
}

inline std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace leanbridge::test
