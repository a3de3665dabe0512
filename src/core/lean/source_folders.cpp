#include "source_folders.hpp"

#include "core/base/files.hpp"
#include "core/text/lean_lexer.hpp"
#include <toml++/toml.h>

#include <algorithm>

namespace leanbridge::lean {

namespace fs = std::filesystem;

namespace {

void add(const fs::path& folder, SourceFolders& found) {
  fs::path normal = folder.lexically_normal();
  // Behind a link, `..` does not lead where the text suggests.
  if (std::ranges::find(folder, "..") != folder.end()) {
    std::error_code error;
    normal = fs::weakly_canonical(folder, error);
    if (error) normal = folder;
  }
  if (!normal.has_filename()) normal = normal.parent_path();
  if (std::ranges::find(found.folders, normal) == found.folders.end())
    found.folders.push_back(std::move(normal));
}

std::string source_dir_in(const toml::table& table) {
  return table["srcDir"].value_or(std::string("."));
}

void add_root(std::string name, SourceFolders& found) {
  // Globs: `A.*` is A and the modules below it, `A.+` only the modules below it.
  if (name.ends_with(".*") || name.ends_with(".+")) name.resize(name.size() - 2);
  if (!name.empty() && std::ranges::find(found.roots, name) == found.roots.end())
    found.roots.push_back(std::move(name));
}

void add_roots(const toml::table& library, SourceFolders& found) {
  add_root(library["name"].value_or(std::string()), found);
  for (const char* const key : {"roots", "globs"}) {
    const toml::node_view<const toml::node> names = library[key];
    add_root(names.value_or(std::string()), found);
    if (const toml::array* const list = names.as_array())
      for (const toml::node& name : *list) add_root(name.value_or(std::string()), found);
  }
}

// Finds `lean_lib A`, `lean_lib «a-b»`, and the names behind backticks in `#[...]` after `roots` and `globs`.
void add_literal_roots(std::string_view program, SourceFolders& found) {
  std::string_view key, before;
  bool in_list = false;
  text::LeanLexer lexer(program);
  while (const auto token = lexer.next()) {
    if (text::is_remark(token->kind)) continue;
    std::string_view word = program.substr(token->begin, token->end - token->begin);
    const bool is_word = token->kind == text::LeanTokenKind::Word;
    if (is_word && (word == "lean_lib" || word == "roots" || word == "globs")) {
      key = word;
      in_list = false;
    } else if (key == "lean_lib") {
      if (token->kind == text::LeanTokenKind::String && word.size() >= 2)
        word = word.substr(1, word.size() - 2);
      add_root(std::string(word), found);
      key = {};
    } else if (!key.empty()) {
      if (word == "[") in_list = true;
      if (word == "]" || (!in_list && is_word && !word.starts_with('.'))) key = {};
      if (in_list && is_word && before == "`") add_root(std::string(word), found);
    }
    before = word;
  }
}

// Finds `srcDir := "x"` on one line, for the key `srcDir`.
std::vector<std::string> literal_folders(const std::string& program, std::string_view key) {
  std::vector<std::string> found;
  for (std::size_t at = program.find(key); at != std::string::npos; at = program.find(key, at + 1)) {
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
    for (const std::string& folder : literal_folders(*lakefiles.lean, "srcDir")) add(package / folder, found);
    add_literal_roots(*lakefiles.lean, found);
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
        if (const toml::table* const table = target.as_table()) {
          add(own / source_dir_in(*table), found);
          if (std::string_view(kind) == "lean_lib") add_roots(*table, found);
        }
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

ProductFolders product_folders(const fs::path& package) {
  const Lakefiles lakefiles = Lakefiles::in(package);
  toml::table lakefile;
  if (lakefiles.toml && !lakefiles.lean) {
    try {
      lakefile = toml::parse(*lakefiles.toml);
    } catch (const toml::parse_error&) {
      // Lake does not build with such a lakefile.
    }
  }
  const auto folder = [&](const char* key, const char* otherwise) -> std::string {
    if (!lakefiles.lean) return lakefile[key].value_or(std::string(otherwise));
    const std::vector<std::string> written = literal_folders(*lakefiles.lean, key);
    return written.empty() ? otherwise : written.front();
  };
  const fs::path build = package / folder("buildDir", ".lake/build");
  return {(build / folder("leanLibDir", "lib/lean")).lexically_normal(),
          (build / folder("binDir", "bin")).lexically_normal()};
}

}  // namespace leanbridge::lean
