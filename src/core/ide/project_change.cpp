#include "project_change.hpp"

#include "core/base/files.hpp"
#include "core/document/file.hpp"
#include "core/lean/imports.hpp"
#include "core/lean/project.hpp"
#include "core/text/lean_header.hpp"
#include "core/text/utf8.hpp"
#include "lake_run.hpp"
#include "module_compiler.hpp"
#include "statement_changes.hpp"
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace leanbridge::ide {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxProjectFiles = 20'000;
constexpr std::uintmax_t kMaxCopiedBytes = std::uintmax_t{2} << 30;
constexpr std::size_t kCopiedPiece = std::size_t{1} << 20;

// Copies in pieces, since a compiled module may be large.
Result<void> copy_bytes(const fs::path& from, const fs::path& to) {
  const auto source = RegularFile::open(from);
  if (!source) return tl::unexpected(source.error().to_error(from.string()));
  const Descriptor target(::open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  std::string piece(kCopiedPiece, '\0');
  for (bool more = static_cast<bool>(target); more;) {
    const auto size = source->read_some(piece.data(), piece.size());
    if (!size) return tl::unexpected(size.error().to_error(from.string()));
    if (*size == 0) return {};
    more = write_all(target.get(), std::string_view(piece).substr(0, *size));
  }
  return fail(ErrorKind::Internal, to.string() + " cannot be written: " + std::strerror(errno) + ".",
              "Free space on its disk.");
}

/// A copy of a project, below a folder that stands for the root of the file system. A path that leads out of
/// the project, such as `require core from "../core"`, means the same in the copy: it finds a link there, or
/// nothing. It never leads to a folder beside the copy that somebody else may have made.
class ProjectCopy {
 public:
  ProjectCopy(fs::path project, const fs::path& root)
      : project_(std::move(project)), root_(root), copy_(in_root(project_)) {}

  Result<void> make() {
    std::error_code error;
    fs::create_directories(copy_, error);
    std::vector<fs::path> folders;
    for (const lean::Package& package : lean::packages_of(project_)) {
      fs::path folder = package.folder.lexically_normal();
      if (!folder.has_filename()) folder = folder.parent_path();
      if (package.is_fetched || !lean::is_within(folder, project_)) folders.push_back(std::move(folder));
    }
    std::ranges::sort(folders);
    for (const fs::path& folder : folders) link_package(folder);
    fs::recursive_directory_iterator entry(project_, error), end;
    for (; !error && entry != end; entry.increment(error)) {
      if (auto copied = copy_entry(entry); !copied) return copied;
    }
    if (error)
      return fail(ErrorKind::Internal, "The project cannot be copied: " + error.message() + ".",
                  "Free space in the folder for temporary files.");
    return {};
  }

 private:
  fs::path in_root(const fs::path& path) const { return root_ / path.relative_path(); }

  // Links the package that contains the project, except for the project itself.
  void link_package(const fs::path& folder) {
    // A link inside of a linked folder would be created in the original folder.
    const auto holds_it = [&](const fs::path& linked) { return lean::is_within(folder, linked); };
    if (folder == project_ || std::ranges::any_of(linked_, holds_it)) return;
    if (!lean::is_within(project_, folder)) {
      link(folder, in_root(folder));
      linked_.push_back(folder);
      return;
    }
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
      link_package(entry->path());
  }

  static void link(const fs::path& target, const fs::path& at) {
    std::error_code ignored;
    fs::create_directories(at.parent_path(), ignored);
    fs::create_symlink(target, at, ignored);
  }

  // Leaves out version control, and links fetched packages instead of copying them.
  Result<void> copy_entry(fs::recursive_directory_iterator& entry) {
    const fs::path& path = entry->path();
    const fs::path relative = path.lexically_relative(project_), to = copy_ / relative;
    std::error_code ignored;
    const bool is_linked = fs::is_symlink(to, ignored);
    if (relative == ".git" || relative == kPackages || is_linked) entry.disable_recursion_pending();
    if (relative == ".git" || is_linked) return {};
    if (relative == kPackages && !fs::exists(to, ignored)) {
      link(path, to);
    } else if (relative == kPackages) {
      for (fs::directory_iterator package(path, ignored), end; !ignored && package != end;
           package.increment(ignored))
        link(package->path(), to / package->path().filename());  // unless it exists already
    } else if (entry->is_symlink(ignored)) {
      fs::path target = fs::read_symlink(path, ignored);
      const fs::path meant = (path.parent_path() / target).lexically_normal();
      if (!lean::is_within(meant, project_)) target = meant;
      link(target, to);
    } else if (entry->is_directory(ignored)) {
      fs::create_directories(to, ignored);
    } else if (entry->is_regular_file(ignored)) {
      bytes_ += entry->file_size(ignored);
      if (bytes_ > kMaxCopiedBytes)
        return fail(ErrorKind::NotSupported, "The project is too large to be compiled in a copy.",
                    "Call without write, and make the edits yourself.");
      if (auto copied = copy_bytes(path, to); !copied) return copied;
      fs::last_write_time(to, entry->last_write_time(ignored), ignored);
      fs::permissions(to, entry->status(ignored).permissions() | fs::perms::owner_write, ignored);
    }
    return {};
  }

  static constexpr const char* kPackages = ".lake/packages";
  fs::path project_, root_, copy_;
  std::vector<fs::path> linked_;
  std::uintmax_t bytes_ = 0;
};

// `olean`: where the compiled module goes.
asio::awaitable<Result<bool>> compiles(LakeCommand lake, fs::path folder, std::string name, fs::path olean,
                                       std::string& said, io::CancelScope scope) {
  // Run in the project, where elan finds its toolchain; `-d` names the folder.
  lake.arguments = {"lean", "-d", folder.string(), (folder / name).string(), "--", "-o", olean.string()};
  said.clear();
  LakeOutput output;
  output.on_stdout = output.on_stderr = [&](std::string_view lines) {
    if (said.size() < kMaxReasonBytes && (lines.find("error") != lines.npos || !said.empty())) said += lines;
  };
  CO_TRY(const LakeEnd end, co_await run_lake(std::move(lake), std::move(output), scope));
  const std::string beginning = folder.string() + "/";
  for (std::size_t at; (at = said.find(beginning)) != std::string::npos;) said.erase(at, beginning.size());
  if (end.how == LakeEnd::How::Cancelled) co_return call_cancelled();
  if (end.how == LakeEnd::How::TimedOut)
    co_return fail(ErrorKind::Timeout, "Compiling " + name + " had not finished by the call's deadline.",
                   "Nothing is written; pass a longer timeout_s.");
  co_return end.exit_code == 0;
}

/// A compiled module, and the folders of those that it imports.
struct CompiledFile {
  fs::path olean;
  std::vector<fs::path> folders;

  Result<olean::ModuleSet> open() const {
    TRY(auto bytes, olean::ModuleBytes::map(olean));
    return olean::ModuleSet::open(std::move(bytes), olean, folders);
  }
};

Result<std::string> changes_between(const CompiledFile& before, const CompiledFile& after,
                                    const NewNames& renamed) {
  TRY(olean::ModuleSet old, before.open());
  TRY(olean::ModuleSet now, after.open());
  const auto nowhere = [](std::uint32_t) { return false; };
  olean::EditedLines edited{nowhere, nowhere, {}};
  for (const auto& [name, new_name] : renamed) {
    const std::string key = olean::key_of(name), new_key = olean::key_of(new_name);
    edited.renamed.emplace(key, new_key);
    for (olean::ConstantId id = 0; id < old.own_constants(); ++id)  // the name of a private declaration has a
                                                                    // prefix
      if (const std::string own = old.key(id); own.ends_with(key) && old.name(id).text == name)
        edited.renamed.emplace(own, own.substr(0, own.size() - key.size()) + new_key);
  }
  TRY(const auto changes, olean::type_changes(old, now, edited));
  return describe(changes);
}

// Replaces the project's own folders by those of its copy.
std::vector<fs::path> in_copy(std::vector<fs::path> folders, const fs::path& root, const fs::path& copied) {
  for (fs::path& folder : folders)
    if (lean::is_within(folder, root)) folder = copied / folder.lexically_relative(root);
  return folders;
}

}  // namespace

Result<std::vector<ChangedFile>> with_files_above(const fs::path& root, std::vector<ChangedFile> changed) {
  const std::vector<std::string> names = lean::lean_files_below(root, kMaxProjectFiles + 1);
  if (names.size() > kMaxProjectFiles)
    return fail(ErrorKind::NotSupported,
                "The project has more than " + std::to_string(kMaxProjectFiles) +
                    " Lean files, so it is not known which of them import this one.",
                "Call without write, and make the edits yourself.");
  lean::ImportWatch watch(root);
  std::vector<std::pair<std::size_t, ChangedFile>> found;
  const auto imports_of = [&](const std::string& bytes) {
    return watch.state_of(text::parse_lean_header(bytes).imported_modules());
  };
  for (const ChangedFile& file : changed) found.emplace_back(imports_of(file.old_bytes).size(), file);
  for (const std::string& name : names) {
    const fs::path path = root / name;
    const auto is_same = [&](const ChangedFile& each) { return each.path == path; };
    if (std::ranges::any_of(changed, is_same)) continue;
    const auto bytes = document::load_bytes(path, name);
    if (!bytes) continue;
    const auto imports = imports_of(*bytes);
    if (std::ranges::any_of(changed, [&](const auto& each) { return imports.contains(each.path); }))
      found.emplace_back(imports.size(), ChangedFile{path, name, *bytes, *bytes});
  }
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ChangedFile> all;
  for (auto& [depth, file] : found) all.push_back(std::move(file));
  return all;
}

asio::awaitable<Result<std::string>> objection_to(Lean& lean, std::shared_ptr<io::Operation> operation,
                                                  std::shared_ptr<document::DocumentStore> store,
                                                  std::vector<ChangedFile> files,
                                                  std::optional<NewNames> renamed) {
  const lean::ServerOptions& server = store->server().options();
  CO_TRY(const fs::path program, lean::find_lake(server.lake));
  LakeCommand lake{program, store->root(), {}, server.spawn, server.environment};
  const auto copy = [root = store->root(), files]() -> Result<std::shared_ptr<const TemporaryFolder>> {
    TRY(auto folder, TemporaryFolder::create());
    const fs::path stands_for_root = fs::canonical(folder->path());
    TRY_DONE(ProjectCopy(root, stands_for_root).make());
    for (const ChangedFile& file : files) {
      if (!file.changes()) continue;
      const fs::path copied = stands_for_root / root.relative_path() / file.name;
      std::error_code ignored;
      fs::remove(copied, ignored);
      TRY_DONE(write_new_file(copied, file.new_bytes));
    }
    return folder;
  };
  CO_TRY(const auto folder, co_await lean.pool.run(copy, operation->scope));
  lake.held = std::make_shared<std::shared_ptr<const TemporaryFolder>>(folder);  // lake may still write to it
  const fs::path copied = fs::canonical(folder->path()) / store->root().relative_path();
  CO_TRY(const auto modules,
         co_await lean.pool.run([] { return TemporaryFolder::create(); }, operation->scope));
  const fs::path old_olean = modules->path() / "before.olean", olean = modules->path() / "after.olean";
  std::shared_ptr<const SearchPath> search;
  if (renamed) search = co_await search_path_of(lean, *store, operation->scope);
  std::size_t done = 0;
  for (const ChangedFile& file : files) {
    operation->progress = [name = file.name, done, all = files.size()]() -> std::optional<io::Progress> {
      return io::Progress{static_cast<double>(done), static_cast<double>(all), "compiling " + name};
    };
    std::string said, before;
    CO_TRY(const bool fine, co_await compiles(lake, copied, file.name, olean, said, operation->scope));
    ++done;
    if (fine && !renamed) continue;
    CO_TRY(const bool was_fine,
           co_await compiles(lake, store->root(), file.name, old_olean, before, operation->scope));
    if (!was_fine) continue;
    if (!fine)
      co_return file.name + " would not compile: " + std::string(text::beginning_of(said, kMaxReasonBytes));
    if (!search)
      co_return "Whether a statement would change is not known: Lake does not say where modules are.";
    const auto compare = [before = CompiledFile{old_olean, search->folders},
                          after = CompiledFile{olean, in_copy(search->folders, store->root(), copied)},
                          renamed = *renamed] { return changes_between(before, after, renamed); };
    CO_TRY(const std::string changes, co_await lean.pool.run(compare, operation->scope));
    if (!changes.empty()) co_return "As Lean has " + file.name + ", it would " + changes + ".";
  }
  operation->progress = {};
  co_return "";
}

}  // namespace leanbridge::ide
