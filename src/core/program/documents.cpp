#include "documents.hpp"

#include "core/platform/program.hpp"

#include <algorithm>

namespace leanbridge::app {

namespace fs = std::filesystem;

namespace {

// Relative to the program's folder: for a program in bin or lib/leanbridge of a prefix; in the npm package
// and the bundle; and in build/release of the sources.
constexpr const char* kFolders[] = {"../share/doc/leanbridge", "../../share/doc/leanbridge", "..", "../.."};

constexpr std::string_view kStart = "docs/", kEnd = ".md";

// The end of the name that begins at `at`; 0: no name begins there.
std::size_t end_of_name(std::string_view text, std::size_t at) {
  const bool is_part = at > 0 && (text[at - 1] == '/' || text[at - 1] == '.');
  const std::size_t end = text.find(kEnd, at + kStart.size());
  if (is_part || end == std::string_view::npos) return 0;
  const std::string_view name = text.substr(at + kStart.size(), end - at - kStart.size());
  const bool is_name = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '/';
  });
  return is_name ? end + kEnd.size() : 0;
}

}  // namespace

std::string with_documents(std::string_view text, const fs::path& folder, std::string_view home) {
  std::string replaced;
  std::size_t done = 0;
  for (std::size_t at = text.find(kStart); at != std::string_view::npos; at = text.find(kStart, at + 1)) {
    const std::size_t end = end_of_name(text, at);
    if (end == 0) continue;
    const std::string name(text.substr(at, end - at));
    std::string place =
        home.empty() ? name + " of its sources" : std::string(home) + "/blob/v" LEANBRIDGE_VERSION "/" + name;
    for (const char* each : kFolders) {
      std::error_code ignored;
      const fs::path file = (folder / each / name).lexically_normal();
      if (folder.empty() || !fs::is_regular_file(file, ignored)) continue;
      place = file.string();
      break;
    }
    replaced.append(text.substr(done, at - done)).append(place);
    done = end;
  }
  return replaced.append(text.substr(done));
}

std::string with_documents(std::string_view text) {
  return with_documents(text, platform::program_path().parent_path(), LEANBRIDGE_HOME);
}

}  // namespace leanbridge::app
