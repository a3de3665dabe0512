#include "leanbridge/lean/project.hpp"

#include "leanbridge/base/files.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace leanbridge::lean {

namespace fs = std::filesystem;

namespace {

bool has_project_file(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "lakefile.toml", ignored) || fs::exists(folder / "lakefile.lean", ignored) ||
         fs::exists(folder / "lean-toolchain", ignored);
}

// For /p/.lake/packages/mathlib: /p. The outermost project: a package may have been opened and fetched
// packages itself.
std::optional<fs::path> owner_of_package(const fs::path& root) {
  std::optional<fs::path> owner;
  for (fs::path folder = root; folder.has_relative_path(); folder = folder.parent_path()) {
    const fs::path lake = folder.parent_path();
    if (folder.filename() == "packages" && lake.filename() == ".lake" && has_project_file(lake.parent_path()))
      owner = lake.parent_path();
  }
  return owner;
}

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::optional<fs::path> on_path(const std::string& name) {
  const char* value = std::getenv("PATH");
  std::string_view rest = value ? value : "";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const fs::path candidate = fs::path(rest.substr(0, colon)) / name;
    if (is_program(candidate)) return candidate;
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
  }
  return std::nullopt;
}

constexpr const char* kInstallHint =
    "Install Lean with elan (https://lean-lang.org/install), or name the program with --lake COMMAND.";

}  // namespace

std::optional<fs::path> find_project_root(const fs::path& start) {
  for (fs::path folder = start;; folder = folder.parent_path()) {
    if (has_project_file(folder)) {
      return owner_of_package(folder).value_or(folder);
    }
    if (!folder.has_relative_path()) return std::nullopt;
  }
}

bool is_within(const fs::path& path, const fs::path& folder) {
  const auto [end_of_folder, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end_of_folder == folder.end();
}

Result<fs::path> find_lake(const std::string& configured) {
  const bool is_path = configured.find('/') != std::string::npos;
  if (is_path) {
    std::error_code error;
    const fs::path absolute = fs::absolute(configured, error);
    if (!error && is_program(absolute)) return absolute;
    return fail(ErrorKind::LeanUnavailable, "There is no program at " + configured + ", which --lake names.",
                "Correct --lake, or leave it out to use the lake on PATH.");
  }
  const std::string name = configured.empty() ? "lake" : configured;
  if (auto found = on_path(name)) return *found;
  if (const char* home = std::getenv("HOME"); home && is_program(fs::path(home) / ".elan/bin" / name))
    return fs::path(home) / ".elan/bin" / name;
  return fail(ErrorKind::LeanUnavailable, "There is no '" + name + "' on PATH nor in ~/.elan/bin.",
              kInstallHint);
}

std::string toolchain_of(const fs::path& root) {
  constexpr std::size_t kMostOfToolchain = 4096;  // bytes
  const auto content = read_regular_file(root / "lean-toolchain", kMostOfToolchain);
  std::string line = content ? content->substr(0, content->find('\n')) : std::string();
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t')) line.pop_back();
  return line;
}

}  // namespace leanbridge::lean
