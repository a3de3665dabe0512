#include "loaded_module.hpp"

#include <algorithm>

namespace leanbridge::index {

namespace fs = std::filesystem;

namespace {

constexpr int kMaxComponents = 200;

}  // namespace

Result<std::unique_ptr<LoadedModule>> load_module(const fs::path& olean) {
  std::vector<MappedFile> files;
  std::vector<std::string_view> parts;
  for (const char* const extension : {"", ".server", ".private"}) {
    const fs::path path = olean.string() + extension;
    std::error_code error;
    if (!files.empty() && !fs::exists(path, error)) continue;
    auto file = MappedFile::open(path);
    if (!file) return tl::unexpected(file.error());
    files.push_back(std::move(*file));
    parts.push_back(files.back().bytes());
  }
  auto region = Region::open(parts);
  if (!region) {
    Error error = region.error();
    error.message = olean.string() + ": " + error.message;
    return tl::unexpected(std::move(error));
  }
  auto module = std::make_unique<LoadedModule>(std::move(files), std::move(*region));
  module->data = module->region.constructor(module->region.root(module->region.parts() - 1));
  return module;
}

std::vector<std::string> components(Region& region, Ref name) {
  constexpr unsigned kNumber = 2;
  std::vector<std::string> found;
  for (int i = 0; i < kMaxComponents && !is_boxed(name); ++i) {
    const Object object = region.constructor(name);
    const Ref component = region.field(object, 1);
    if (object.tag == kNumber)
      found.push_back(std::string(1, '\0') + std::to_string(component));
    else
      found.emplace_back(region.string(component));
    name = region.field(object, 0);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

std::string key_of(Region& region, Ref name) {
  std::string key;
  for (const std::string& component : components(region, name)) {
    key += component;
    key += '\x01';
  }
  return key;
}

std::optional<fs::path> find_olean(const std::vector<std::string>& module,
                                   const std::vector<fs::path>& search_path) {
  fs::path relative;
  for (const std::string& component : module) relative /= component;
  for (const fs::path& folder : search_path) {
    std::error_code error;
    fs::path path = folder / (relative.string() + ".olean");
    if (fs::is_regular_file(path, error)) return path;
  }
  return std::nullopt;
}

std::string dotted(const std::vector<std::string>& module) {
  std::string text;
  for (const std::string& component : module) text += (text.empty() ? "" : ".") + as_component(component);
  return text;
}

}  // namespace leanbridge::index
