#include "foundations.hpp"

#include "core/base/files.hpp"
#include "core/base/json.hpp"
#include "core/base/sha256.hpp"
#include "core/base/try.hpp"
#include "core/lean/project.hpp"
#include "core/lean/source_folders.hpp"
#include "core/text/lean_header.hpp"
#include "core/text/lean_names.hpp"
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace leanbridge::certify {

namespace fs = std::filesystem;
using nlohmann::json;

bool PackageRoots::have(const fs::path& relative) const {
  return std::ranges::any_of(roots, [&](const std::string& root) {
    const auto path = text::path_of_module(root);
    return path && lean::is_within(relative, *path);
  });
}

std::optional<fs::path> compiled_modules_of(const fs::path& package) {
  fs::path folder = lean::product_folders(package).modules;
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return std::nullopt;
  return folder;
}

std::vector<fs::path> package_folders(const std::vector<lean::Package>& packages) {
  std::vector<fs::path> folders;
  for (const lean::Package& package : packages) {
    if (!package.is_fetched) continue;
    if (auto folder = compiled_modules_of(package.folder)) folders.push_back(std::move(*folder));
  }
  return folders;
}

std::vector<fs::path> build_folders(const fs::path& root, const std::vector<lean::Package>& packages) {
  std::vector<fs::path> folders, own = lean::path_dependencies_in(root, packages);
  own.insert(own.begin(), root);
  for (const fs::path& package : own)
    if (auto folder = compiled_modules_of(package)) folders.push_back(std::move(*folder));
  return folders;
}

Result<void> no_shadows(const ModulePlaces& places) {
  std::error_code error;
  for (fs::directory_iterator entry(places.toolchain, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path name = entry->path().filename();
    if (name.extension() != ".olean" && !entry->is_directory(error)) continue;
    for (const fs::path& folder : places.packages) {
      std::error_code ignored;
      if (fs::exists(folder / name, ignored))
        return fail(ErrorKind::InvalidArgument,
                    (folder / name).string() + " has the name of a module of the toolchain.",
                    "Remove it: Lean would load it instead of the toolchain's.");
    }
  }
  return {};
}

std::vector<std::string> imports_of(std::string_view source) {
  const text::LeanHeader header = text::parse_lean_header(source);
  std::vector<std::string> imports = header.imported_modules();
  if (!header.has_prelude) imports.insert(imports.begin(), "Init");
  return imports;
}

WatchedFoundations watch(const Foundations& foundations) {
  const auto& [sysroot, programs, kernel, modules, own] = foundations;
  WatchedFoundations watched;
  for (const std::string& name : programs) watched.outside.add(sysroot / name);
  // A new library here may be loaded instead of the system's.
  for (const char* const name : {"bin", "lib", "lib/lean"}) watched.outside.add(sysroot / name);
  for (const fs::path& file : kernel) watched.outside.add(file);
  for (const fs::path& file : modules)
    if (!file.empty()) watch_module(lean::is_within(file, own) ? watched.own : watched.outside, file);
  return watched;
}

namespace {

constexpr const char* kFormat = "leanbridge_baseline";
constexpr int kFormatVersion = 2;
constexpr std::size_t kMaxBaseline = std::size_t{256} << 20U;  // bytes
constexpr std::size_t kMaxFiles = 200'000;

Result<void> add_hash(const fs::path& folder, const fs::path& file, HashCache& known, FileHashes& hashes) {
  TRY(std::string hash, known.of(file));
  hashes.emplace(file.lexically_relative(folder).generic_string(), std::move(hash));
  return {};
}

}  // namespace

std::optional<HashCache::Entry> HashCache::find(const fs::path& file) {
  const std::lock_guard lock(mutex_);
  const auto known = files_.find(file);
  return known == files_.end() ? std::nullopt : std::optional(known->second);
}

Result<std::string> HashCache::of(const fs::path& file) {
  if (auto known = find(file); known && !known->file.first_changed(known->since))
    return std::move(known->sha256);
  Entry fresh;
  fresh.file.add(file);
  fresh.since = system_time();
  auto hash = sha256_of_file(file);
  if (!hash) return tl::unexpected(hash.error().to_error(file.string()));
  fresh.sha256 = *hash;
  const std::lock_guard lock(mutex_);
  files_.insert_or_assign(file, std::move(fresh));
  return std::move(*hash);
}

Result<FileHashes> hashes_of_module(const fs::path& folder, const fs::path& olean, HashCache& known) {
  FileHashes hashes;
  for (const char* const extension : {"", ".server", ".private"}) {
    const fs::path part = olean.string() + extension;
    std::error_code ignored;
    if (!hashes.empty() && !fs::exists(part, ignored)) continue;
    TRY_DONE(add_hash(folder, part, known, hashes));
  }
  return hashes;
}

Result<FileHashes> hashes_below(const fs::path& folder) {
  FileHashes hashes;
  HashCache known;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!is_module_part(entry->path())) continue;
    if (hashes.size() == kMaxFiles)
      return fail(ErrorKind::NotSupported, folder.string() + " has more than 200,000 compiled files.");
    TRY_DONE(add_hash(folder, entry->path(), known, hashes));
  }
  if (error)
    return fail(ErrorKind::Internal, folder.string() + " cannot be listed: " + error.message() + ".");
  return hashes;
}

std::vector<fs::path> libraries_of(const fs::path& sysroot) {
  std::vector<fs::path> libraries;
  for (const char* const folder : {"lib", "lib/lean"}) {
    std::error_code error;
    for (fs::directory_iterator entry(sysroot / folder, error), end; !error && entry != end;
         entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      const bool is_library = name.find(".so") != std::string::npos || name.ends_with(".dylib");
      std::error_code ignored;
      if (is_library && entry->is_regular_file(ignored)) libraries.push_back(entry->path());
    }
  }
  std::ranges::sort(libraries);
  return libraries;
}

Result<FileHashes> hashes_of_programs(const fs::path& sysroot, const fs::path& lean, HashCache& known) {
  FileHashes hashes;
  TRY_DONE(add_hash(sysroot, lean, known, hashes));
  for (const fs::path& library : libraries_of(sysroot)) TRY_DONE(add_hash(sysroot, library, known, hashes));
  return hashes;
}

std::string hash_of(const FileHashes& hashes) {
  Sha256 digest;
  for (const auto& [name, hash] : hashes) digest.add(hash + "  " + name + "\n");
  return digest.finish();
}

Result<Baseline> Baseline::load(const fs::path& file) {
  const auto text = read_regular_file(file, kMaxBaseline);
  if (!text) return tl::unexpected(text.error().to_error(file.string()));
  const json record = json::parse(*text, nullptr, false);
  const auto not_one = [&] {
    return fail(
        ErrorKind::InvalidArgument, file.string() + " is not a baseline.",
        "Write one with `leanbridge certify --record-baseline FILE`, before an agent works in the project.");
  };
  if (!record.is_object() || record.value(kFormat, json()) != kFormatVersion) return not_one();
  Baseline baseline;
  bool is_whole = true;
  const auto read_hashes = [&](const json& from, const char* name, FileHashes& hashes) {
    const auto member = from.find(name);
    if (member == from.end() || !member->is_object()) return void(is_whole = false);
    for (const auto& [path, hash] : member->items()) {
      if (!hash.is_string()) return void(is_whole = false);
      hashes.emplace(path, hash.get<std::string>());
    }
  };
  read_hashes(record, "programs", baseline.programs);
  read_hashes(record, "toolchain", baseline.toolchain);
  read_hashes(record, "modules", baseline.modules);
  read_hashes(record, "checkers", baseline.checkers);
  const auto packages = record.find("packages");
  if (packages == record.end() || !packages->is_object()) return not_one();
  for (const auto& [name, from] : packages->items()) {
    PackageRecord& package = baseline.packages[name];
    package.roots.package = name;
    read_hashes(from, "modules", package.modules);
    read_hashes(from, "lakefiles", package.lakefiles);
    const auto roots = from.find("roots");
    if (!is_whole || roots == from.end() || !roots->is_array()) return not_one();
    for (const json& root : *roots) {
      if (!root.is_string()) return not_one();
      package.roots.roots.push_back(root.get<std::string>());
    }
  }
  if (!is_whole) return not_one();
  return baseline;
}

json Baseline::to_json() const {
  json of_packages = json::object();
  for (const auto& [name, package] : packages)
    of_packages[name] = {
        {"modules", package.modules}, {"lakefiles", package.lakefiles}, {"roots", package.roots.roots}};
  return {{kFormat, kFormatVersion}, {"programs", programs}, {"toolchain", toolchain},
          {"modules", modules},      {"checkers", checkers}, {"packages", std::move(of_packages)}};
}

namespace {

FileHashes hashes_of_lakefiles(const fs::path& package) {
  const lean::Lakefiles lakefiles = lean::Lakefiles::in(package);
  FileHashes hashes;
  if (lakefiles.lean) hashes.emplace("lakefile.lean", sha256_of(*lakefiles.lean));
  if (lakefiles.toml) hashes.emplace("lakefile.toml", sha256_of(*lakefiles.toml));
  return hashes;
}

std::string file_of_module(const fs::path& relative) {
  return relative.generic_string() + ".olean";
}

}  // namespace

Result<PackageRecord> PackageRecord::of(const lean::Package& package) {
  PackageRecord record;
  if (const auto folder = compiled_modules_of(package.folder)) {
    TRY(record.modules, hashes_below(*folder));
  }
  record.lakefiles = hashes_of_lakefiles(package.folder);
  TRY(lean::SourceFolders sources, lean::source_folders(package.folder, lean::Lakefiles::in(package.folder)));
  record.roots = {package.name, std::move(sources.roots)};
  return record;
}

std::optional<std::string> Baseline::package_of(const fs::path& relative) const {
  const std::string file = file_of_module(relative);
  for (const auto& [name, package] : packages)
    if (package.modules.contains(file)) return name;
  if (modules.contains(file)) return std::nullopt;
  for (const auto& [name, package] : packages)
    if (package.roots.have(relative)) return name;
  return std::nullopt;
}

bool Baseline::is_of_toolchain(const fs::path& relative) const {
  return toolchain.contains(file_of_module(relative));
}

Result<void> Baseline::check_packages(const std::vector<lean::Package>& now) const {
  for (const auto& [name, recorded] : packages) {
    const auto found = std::ranges::find_if(now, [&, &wanted = name](const lean::Package& package) {
      return package.name == wanted && package.is_fetched;
    });
    const std::string hint = "Restore it, or record a new baseline if the change is yours.";
    if (found == now.end())
      return fail(ErrorKind::InvalidArgument,
                  "The manifest does not list the package " + name + " of the baseline any more.", hint);
    for (const auto& [file, hash] : hashes_of_lakefiles(found->folder)) {
      const auto known = recorded.lakefiles.find(file);
      if (known == recorded.lakefiles.end() || known->second != hash)
        return fail(ErrorKind::InvalidArgument,
                    (found->folder / file).string() + " is not the file of the baseline.", hint);
    }
  }
  return {};
}

namespace {

/// `mathlib` for `…/mathlib/.lake/build/lib/lean`.
std::string name_of_package(const fs::path& folder) {
  fs::path path = folder;
  while (path.has_relative_path() && path.filename() != ".lake") path = path.parent_path();
  return path.has_relative_path() ? path.parent_path().filename().string() : folder.string();
}

}  // namespace

Result<void> ImportHashes::add(const olean::ModuleSet& set, const ImportFolders& folders,
                               HashCache& known_hashes) {
  for (const auto& module : set.modules()) {
    if (module->file.empty() || by_module_.contains(module->name)) continue;
    const auto hash_in = [&](const fs::path& folder, FileHashes& into) -> Result<bool> {
      if (!lean::is_within(module->file, folder)) return false;
      TRY(FileHashes found, hashes_of_module(folder, module->file, known_hashes));
      by_module_[module->name] = hash_of(found);
      into.merge(found);
      return true;
    };
    TRY(const bool of_toolchain, hash_in(folders.toolchain, toolchain_));
    if (of_toolchain) {
      ++toolchain_modules_;
      continue;
    }
    TRY(bool known, hash_in(folders.rebuilt, rebuilt_));
    for (std::size_t i = 0; !known && i < folders.builds.size(); ++i) {
      TRY(known, hash_in(folders.builds[i], builds_));
    }
    for (std::size_t i = 0; !known && i < folders.packages.size(); ++i) {
      TRY(known, hash_in(folders.packages[i], packages_[folders.packages[i].string()]));
    }
  }
  return {};
}

void ImportHashes::describe(Certificate& certificate) const {
  FileHashes all = programs;
  for (const auto& [name, hash] : toolchain_) all.emplace("lib/lean/" + name, hash);
  certificate.toolchain.sha256 = hash_of(all);
  certificate.toolchain.modules = toolchain_modules_;
  certificate.modules.clear();
  certificate.packages.clear();
  for (const auto& [module, hash] : by_module_) {
    const auto relative = text::path_of_module(module);
    if (!relative) continue;
    const std::string file = relative->generic_string() + ".olean";
    if (rebuilt_.contains(file))
      certificate.modules.push_back({module, hash, ModuleOrigin::Rebuilt});
    else if (builds_.contains(file))
      certificate.modules.push_back({module, hash, ModuleOrigin::Baseline});
  }
  for (const auto& [folder, hashes] : packages_) {
    if (hashes.empty()) continue;
    PackageHash package;
    package.package = name_of_package(folder);
    package.modules = static_cast<std::size_t>(
        std::ranges::count_if(hashes, [](const auto& file) { return file.first.ends_with(".olean"); }));
    package.sha256 = hash_of(hashes);
    certificate.packages.push_back(std::move(package));
  }
}

std::optional<std::string> ImportHashes::difference_from(const Baseline& baseline) const {
  std::optional<std::string> found;
  const auto check = [&](const FileHashes& hashes, const FileHashes& recorded) {
    for (const auto& [name, hash] : hashes) {
      const auto known = recorded.find(name);
      if (found || (known != recorded.end() && known->second == hash)) continue;
      found =
          name + (known == recorded.end() ? " is not in the baseline." : " is not the file of the baseline.");
    }
  };
  check(programs, baseline.programs);
  check(toolchain_, baseline.toolchain);
  check(builds_, baseline.modules);
  FileHashes of_packages;
  for (const auto& [name, package] : baseline.packages)
    of_packages.insert(package.modules.begin(), package.modules.end());
  for (const auto& [folder, hashes] : packages_) check(hashes, of_packages);
  return found;
}

}  // namespace leanbridge::certify
