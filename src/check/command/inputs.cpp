#include "inputs.hpp"

#include "core/base/try.hpp"
#include "core/lean/project.hpp"
#include "core/text/lean_header.hpp"
#include "core/text/lean_names.hpp"
#include "core/text/utf8.hpp"

#include <algorithm>

namespace leanbridge::app {

namespace fs = std::filesystem;

namespace {

// Lake would say of the text in place of the file that it imports itself.
bool imports_file(const std::string& text, const fs::path& file) {
  const auto modules = text::parse_lean_header(text).imported_modules();
  return std::ranges::any_of(modules, [&](const std::string& module) {
    const auto path = text::path_of_module(module);
    return path && file.string().ends_with("/" + path->string() + ".lean");
  });
}

std::size_t count_lines(const std::string& name) {
  constexpr std::size_t kChunk = 1u << 20;
  const auto file = RegularFile::open(name);
  if (!file) return 0;
  std::string chunk(kChunk, '\0');
  std::size_t lines = 0;
  bool blank = true;  // whether the line is blank so far
  for (;;) {
    const auto size = file->read_some(chunk.data(), chunk.size());
    if (!size || *size == 0) return lines + (blank ? 0 : 1);
    for (std::size_t i = 0; i < *size; ++i) {
      if (chunk[i] == '\n')
        lines += std::exchange(blank, true) ? 0 : 1;
      else if (chunk[i] != ' ' && chunk[i] != '\t' && chunk[i] != '\r')
        blank = false;
    }
  }
}

}  // namespace

Result<std::vector<std::string>> lean_files_of(const std::string& name) {
  std::error_code ignored;
  if (!fs::is_directory(name, ignored)) return std::vector<std::string>{name};
  std::vector<std::string> files = lean::lean_files_below(name);
  if (files.empty())
    return fail(ErrorKind::InvalidArgument, name + " has no .lean file.", "Name files, or another folder.");
  for (std::string& file : files) file = (fs::path(name) / file).lexically_normal().string();
  return files;
}

Result<std::vector<CheckInput>> find_inputs(const std::vector<std::string>& given) {
  std::vector<CheckInput> inputs;
  for (const std::string& name : given) {
    std::error_code ignored;
    if (name == "-") {
      inputs.push_back({CheckInput::Kind::Stdin, "stdin"});
    } else if (fs::is_directory(name, ignored)) {
      TRY(const auto files, lean_files_of(name));
      for (const std::string& file : files) inputs.push_back({CheckInput::Kind::LeanFile, file});
    } else {
      if (auto file = RegularFile::open(name); !file) return tl::unexpected(file.error().to_error(name));
      const bool is_lean = name.ends_with(".lean");
      inputs.push_back({is_lean ? CheckInput::Kind::LeanFile : CheckInput::Kind::Lines, name});
    }
  }
  const auto is_stdin = [](const CheckInput& input) { return input.kind == CheckInput::Kind::Stdin; };
  if (std::ranges::count_if(inputs, is_stdin) > 1)
    return fail(ErrorKind::InvalidArgument, "- is given twice.", "Stdin can be read only once.");
  return inputs;
}

std::size_t count_items(const std::vector<CheckInput>& inputs) {
  std::size_t count = 0;
  for (const CheckInput& input : inputs) {
    if (input.kind == CheckInput::Kind::LeanFile) ++count;
    if (input.kind == CheckInput::Kind::Lines) count += count_lines(input.name);
  }
  return count;
}

namespace {

/// Whether files of one folder may belong to different libraries.
bool names_single_modules(const fs::path& root, fs::path folder) {
  for (;; folder = folder.parent_path()) {
    for (const char* name : {"lakefile.toml", "lakefile.lean"}) {
      const auto lakefile = read_regular_file(folder / name, kMaxConfigurationSize);
      if (!lakefile) continue;
      for (const char* word : {"globs", "roots", "lean_exe"})
        if (lakefile->find(word) != std::string::npos) return true;
    }
    if (folder == root || !folder.has_relative_path()) return false;
  }
}

}  // namespace

fs::path OptionFiles::for_file(const std::string& file, const std::string& text) {
  std::error_code error;
  fs::path path = fs::canonical(file, error);
  if (error || !lean::is_within(path, root_)) return {};
  const fs::path folder = path.parent_path();
  if (folder == root_) return path;
  const auto known = of_folder_.find(folder);
  if (known == of_folder_.end()) of_folder_[folder] = names_single_modules(root_, folder) ? fs::path() : path;
  const fs::path& shared = of_folder_[folder];
  const bool has_own = shared.empty() || !fs::exists(shared, error) || imports_file(text, shared);
  return has_own ? path : shared;
}

tl::expected<batch::Item, batch::BadItem> read_lean_file(const std::string& name) {
  auto text = read_regular_file(name, batch::kMaxItemBytes);
  if (!text) return tl::unexpected(batch::BadItem{name, name + ": " + text.error().why});
  if (text::first_invalid_byte(*text))
    return tl::unexpected(batch::BadItem{name, name + ": it is not UTF-8"});
  batch::Item item;
  item.id = name;
  item.text = std::move(*text);
  return item;
}

}  // namespace leanbridge::app
