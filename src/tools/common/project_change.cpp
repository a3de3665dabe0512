#include "project_change.hpp"

#include "leanbridge/base/files.hpp"
#include "leanbridge/document/file.hpp"
#include "leanbridge/ide/lake_run.hpp"
#include "leanbridge/lean/imports.hpp"
#include "leanbridge/lean/project.hpp"
#include "leanbridge/text/lean_header.hpp"
#include "leanbridge/text/utf8.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace leanbridge::tools {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxProjectFiles = 20'000;
constexpr std::uintmax_t kMaxCopiedBytes = std::uintmax_t{2} << 30;
constexpr std::size_t kCopiedPiece = std::size_t{1} << 20;

// In pieces: a compiled module may be large.
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

// Copies the project without version control, and links its packages.
Result<void> copy_project(const fs::path& from, const fs::path& to) {
  std::uintmax_t bytes = 0;
  std::error_code error;
  fs::recursive_directory_iterator entry(from, error), end;
  for (; !error && entry != end; entry.increment(error)) {
    const fs::path relative = entry->path().lexically_relative(from);
    std::error_code ignored;
    if (relative == ".git" || relative == ".lake/packages") entry.disable_recursion_pending();
    if (relative == ".git") continue;
    if (relative == ".lake/packages" || entry->is_symlink(ignored)) {
      fs::create_symlink(
          relative == ".lake/packages" ? entry->path() : fs::read_symlink(entry->path(), ignored),
          to / relative, ignored);
    } else if (entry->is_directory(ignored)) {
      fs::create_directories(to / relative, ignored);
    } else if (entry->is_regular_file(ignored)) {
      bytes += entry->file_size(ignored);
      if (bytes > kMaxCopiedBytes)
        return fail(ErrorKind::NotSupported, "The project is too large to be compiled in a copy.",
                    "Call without write, and make the edits yourself.");
      if (auto copied = copy_bytes(entry->path(), to / relative); !copied) return copied;
      fs::last_write_time(to / relative, entry->last_write_time(ignored), ignored);
      fs::permissions(to / relative, entry->status(ignored).permissions() | fs::perms::owner_write, ignored);
    }
  }
  if (error)
    return fail(ErrorKind::Internal, "The project cannot be copied: " + error.message() + ".",
                "Free space in the folder for temporary files.");
  return {};
}

asio::awaitable<Result<bool>> compiles(LakeCommand lake, fs::path folder, std::string name, std::string& said,
                                       io::CancelScope scope) {
  lake.root = folder;
  lake.arguments = {"lean", name};
  said.clear();
  LakeOutput output;
  output.on_stdout = output.on_stderr = [&](std::string_view lines) {
    if (said.size() < kMaxReasonBytes && (lines.find("error") != lines.npos || !said.empty())) said += lines;
  };
  CO_TRY(const LakeEnd end, co_await run_lake(std::move(lake), std::move(output), scope));
  if (end.how == LakeEnd::How::Cancelled) co_return call_cancelled();
  if (end.how == LakeEnd::How::TimedOut)
    co_return fail(ErrorKind::Timeout, "Compiling " + name + " had not finished by the call's deadline.",
                   "Nothing is written; pass a longer timeout_s.");
  co_return end.exit_code == 0;
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
    if (std::any_of(changed.begin(), changed.end(), is_same)) continue;
    const auto bytes = document::load_bytes(path, name);
    if (!bytes) continue;
    const auto imports = imports_of(*bytes);
    if (std::any_of(changed.begin(), changed.end(),
                    [&](const auto& each) { return imports.contains(each.path); }))
      found.emplace_back(imports.size(), ChangedFile{path, name, *bytes, *bytes});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ChangedFile> all;
  for (auto& [depth, file] : found) all.push_back(std::move(file));
  return all;
}

asio::awaitable<Result<std::string>> objection_to(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                  std::shared_ptr<document::DocumentStore> store,
                                                  std::vector<ChangedFile> files) {
  const lean::ServerOptions& server = store->server().options();
  CO_TRY(const fs::path program, lean::find_lake(server.lake));
  LakeCommand lake{program, store->root(), {}, server.spawn, server.environment};
  const auto copy = [root = store->root(), files]() -> Result<std::shared_ptr<const TemporaryFolder>> {
    TRY(auto folder, TemporaryFolder::create());
    TRY_DONE(copy_project(root, folder->path()));
    for (const ChangedFile& file : files) {
      if (!file.changes()) continue;
      const fs::path copied = folder->path() / file.name;
      std::error_code ignored;
      fs::remove(copied, ignored);
      TRY_DONE(write_new_file(copied, file.new_bytes));
    }
    return folder;
  };
  CO_TRY(const auto folder, co_await environment.pool.run(copy, call->scope));
  lake.held = std::make_shared<std::shared_ptr<const TemporaryFolder>>(folder);  // lake may still write to it
  std::size_t done = 0;
  for (const ChangedFile& file : files) {
    call->progress = [name = file.name, done, all = files.size()]() -> std::optional<mcp::Progress> {
      return mcp::Progress{static_cast<double>(done), static_cast<double>(all), "compiling " + name};
    };
    std::string said, before;
    CO_TRY(const bool fine, co_await compiles(lake, folder->path(), file.name, said, call->scope));
    ++done;
    if (fine) continue;
    CO_TRY(const bool was_fine, co_await compiles(lake, store->root(), file.name, before, call->scope));
    if (was_fine)
      co_return file.name + " would not compile: " + std::string(text::beginning_of(said, kMaxReasonBytes));
  }
  call->progress = {};
  co_return "";
}

Result<void> write_all_files(const std::vector<ChangedFile>& files) {
  std::vector<document::FileReplacement> replacements;
  for (const ChangedFile& file : files)
    if (file.changes()) replacements.push_back({file.path, file.name, file.old_bytes, file.new_bytes});
  TRY(auto prepared, document::PreparedReplacements::prepare(std::move(replacements)));
  for (const ChangedFile& file : files) {
    TRY(const std::string now, document::load_bytes(file.path, file.name));
    if (now != file.old_bytes)
      return fail(ErrorKind::InvalidArgument, file.name + " was changed meanwhile.",
                  "Nothing is written; call again.");
  }
  return prepared.put_in_place();
}

}  // namespace leanbridge::tools
