#include "leanbridge/lean/source_folders.hpp"

#include "leanbridge/base/files.hpp"

#include <toml++/toml.h>

#include <algorithm>

namespace leanbridge::lean {

namespace fs = std::filesystem;

namespace {

void add(const fs::path& folder, SourceFolders& found) {
  fs::path normal = folder.lexically_normal();
  // Behind a link, `..` is not what the text says.
  if (std::find(folder.begin(), folder.end(), "..") != folder.end()) {
    std::error_code error;
    normal = fs::weakly_canonical(folder, error);
    if (error) normal = folder;
  }
  if (!normal.has_filename()) normal = normal.parent_path();
  if (std::find(found.folders.begin(), found.folders.end(), normal) == found.folders.end())
    found.folders.push_back(std::move(normal));
}

std::string source_dir_in(const toml::table& table) {
  return table["srcDir"].value_or(std::string("."));
}

// `srcDir := "x"` on one line.
std::vector<std::string> literal_source_dirs(const std::string& program) {
  std::vector<std::string> found;
  constexpr std::string_view kKey = "srcDir";
  for (std::size_t at = program.find(kKey); at != std::string::npos; at = program.find(kKey, at + 1)) {
    const std::string line = program.substr(at, program.find('\n', at) - at);
    const std::size_t open = line.find('"');
    const std::size_t close = open == std::string::npos ? open : line.find('"', open + 1);
    if (close != std::string::npos) found.push_back(line.substr(open + 1, close - open - 1));
  }
  return found;
}

}  // namespace

Lakefiles Lakefiles::in(const fs::path& package) {
  const auto read = [&](const char* name) -> std::optional<std::string> {
    auto text = read_regular_file(package / name, kMaxConfigurationSize);
    return text ? std::optional(std::move(*text)) : std::nullopt;
  };
  return {read("lakefile.lean"), read("lakefile.toml")};
}

Result<SourceFolders> source_folders(const fs::path& package, const Lakefiles& lakefiles) {
  SourceFolders found;
  if (lakefiles.lean) {
    found.is_complete = false;
    add(package, found);
    for (const std::string& folder : literal_source_dirs(*lakefiles.lean)) add(package / folder, found);
    return found;
  }
  if (!lakefiles.toml) {
    add(package, found);
    return found;
  }
  try {
    const toml::table lakefile = toml::parse(*lakefiles.toml);
    const fs::path own = package / source_dir_in(lakefile);
    for (const char* const kind : {"lean_lib", "lean_exe"}) {
      const toml::array* const targets = lakefile[kind].as_array();
      if (!targets) continue;
      for (const toml::node& target : *targets)
        if (const toml::table* const table = target.as_table()) add(own / source_dir_in(*table), found);
    }
    if (found.folders.empty()) add(own, found);
  } catch (const toml::parse_error& error) {
    return fail(ErrorKind::InvalidArgument,
                (package / "lakefile.toml").string() + ":" + std::to_string(error.source().begin.line) +
                    " is no TOML: " + std::string(error.description()),
                "Correct it: `lake build` says the same.");
  }
  return found;
}

}  // namespace leanbridge::lean
