#include "leanbridge/certify/changed_files.hpp"

#include "leanbridge/base/files.hpp"
#include "leanbridge/base/try.hpp"
#include "leanbridge/lean/project.hpp"
#include "leanbridge/text/utf8.hpp"

#include "git.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace leanbridge::certify {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxListed = 100'000;                    // below the root, on each side
constexpr std::size_t kMaxCompared = std::size_t{16} << 20;    // bytes
constexpr std::size_t kMaxDiffering = std::size_t{128} << 20;  // of the files of a side that differ

tl::unexpected<Error> too_much_to_list(const fs::path& root) {
  return fail(ErrorKind::NotSupported, root.string() + " has more than 100,000 files.",
              "Pass the --project-root of a smaller project.");
}

/// What one side has under a name.
struct Side {
  GitTreeEntry entry;
  std::optional<std::string> text;  ///< where it has been read
  std::string unread;
};
using Sides = std::map<fs::path, Side>;  // by the name from the root

/// The files of the working tree that are looked at.
Result<std::vector<fs::path>> files_on_disk(const fs::path& root) {
  std::vector<fs::path> found;
  std::error_code error;
  constexpr auto kOptions = fs::directory_options::skip_permission_denied;
  std::size_t seen = 0;
  for (fs::recursive_directory_iterator entry(root, kOptions, error), end; !error && entry != end;
       entry.increment(error)) {
    if (++seen > kMaxListed) return too_much_to_list(root);
    std::error_code ignored;
    const fs::path& path = entry->path();
    if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) {
      // What is in another repository, git does not take for part of this one.
      const bool is_other = fs::symlink_status(path / ".git", ignored).type() != fs::file_type::not_found;
      if (is_other || path.filename().string().starts_with('.')) entry.disable_recursion_pending();
      continue;
    }
    fs::path name = path.lexically_relative(root);
    if (is_looked_at(name)) found.push_back(std::move(name));
  }
  // What was not listed would seem to be removed.
  if (error)
    return fail(ErrorKind::Internal,
                "The files of " + root.string() + " cannot be listed: " + error.message() + ".");
  return found;
}

/// A file of the working tree, with the name that git would give to its content. A file that a name of git's
/// leads to is not read through a link.
Side side_on_disk(const fs::path& file, std::size_t digits) {
  Side side;
  std::error_code error;
  if (fs::is_symlink(file, error)) {
    const fs::path target = fs::read_symlink(file, error);
    side.entry = {GitTreeEntry::Kind::Other,
                  name_of_git_object(GitObjectType::Blob, target.string(), digits)};
    side.unread = "it is a link";
    return side;
  }
  const auto opened = RegularFile::open(file, RegularFile::Links::Refuse);
  auto text = opened ? opened->read(kMaxCompared) : tl::unexpected(opened.error());
  if (!text) {
    side.unread = text.error().why;
    return side;
  }
  side.entry = {GitTreeEntry::Kind::File, name_of_git_object(GitObjectType::Blob, *text, digits)};
  side.text = std::move(*text);
  return side;
}

bool same_content(const Side& a, const Side& b) {
  return a.entry.kind == b.entry.kind && !a.entry.object.empty() && a.entry.object == b.entry.object;
}

class ChangeReader {
 public:
  ChangeReader(ChangeQuestion question, io::Pool& pool, io::CancelScope scope)
      : question_(std::move(question)), pool_(pool), scope_(std::move(scope)) {}

  asio::awaitable<Result<ChangedFiles>> run() {
    const ChangeQuestion& asked = question_;
    ChangedFiles changed;
    CO_TRY(GitRevision before, co_await GitRevision::find(asked.spawn, asked.root, asked.before, scope_));
    changed.before = before.commit();
    asked.on_step("listing the files of " + asked.before);
    CO_TRY(Sides old, co_await files_of(before));
    Sides now;
    std::optional<GitRevision> after;
    if (asked.after) {
      CO_TRY(after, co_await GitRevision::find(asked.spawn, asked.root, *asked.after, scope_));
      changed.after = after->commit();
      asked.on_step("listing the files of " + *asked.after);
      CO_TRY(now, co_await files_of(*after));
      leave_out_same(old, now);
    } else {
      CO_CHECK(co_await read_disk(before.commit().size(), old, now));
    }
    std::map<fs::path, ChangedFile> files;
    CO_CHECK(co_await read_side(before, old, files, &ChangedFile::before));
    CO_CHECK(co_await read_side(after ? *after : before, now, files, &ChangedFile::after));
    for (auto& [name, file] : files) changed.files.push_back(std::move(file));
    co_return changed;
  }

 private:
  asio::awaitable<Result<Sides>> files_of(GitRevision& revision) {
    Sides found;
    CO_TRY(std::vector<GitFile> files, co_await revision.files_below(question_.root, kMaxListed, scope_));
    if (files.size() == kMaxListed) co_return too_much_to_list(question_.root);
    for (GitFile& file : files)
      if (fs::path name = file.path.lexically_relative(question_.root); is_looked_at(name))
        found[std::move(name)].entry = std::move(file.entry);
    co_return found;
  }

  static void leave_out_same(Sides& old, Sides& now) {
    std::erase_if(now, [&old](const auto& each) {
      const auto same = old.find(each.first);
      if (same == old.end() || !same_content(same->second, each.second)) return false;
      old.erase(same);
      return true;
    });
  }

  /// Fills `now` with the files of the working tree that differ, and leaves only those in `old`.
  asio::awaitable<Result<void>> read_disk(std::size_t digits, Sides& old, Sides& now) {
    const auto list = [root = question_.root] { return files_on_disk(root); };
    CO_TRY(const std::vector<fs::path> names, co_await pool_.run(list, scope_));
    std::size_t total = 0, done = 0;
    for (const fs::path& name : names) {
      constexpr std::size_t kShowEvery = 100;
      if (done++ % kShowEvery == 0)
        question_.on_step("reading file " + std::to_string(done) + " of " + std::to_string(names.size()));
      const auto load = [file = question_.root / name, digits]() -> Result<Side> {
        return side_on_disk(file, digits);
      };
      CO_TRY(Side side, co_await pool_.run(load, scope_));
      if (const auto same = old.find(name); same != old.end() && same_content(same->second, side)) {
        old.erase(same);
        continue;
      }
      bound(side, total);
      now.emplace(name, std::move(side));
    }
    co_return Result<void>();
  }

  /// Puts the texts of one side into `files`, from the revision where they have not been read.
  asio::awaitable<Result<void>> read_side(GitRevision& revision, Sides& sides,
                                          std::map<fs::path, ChangedFile>& files,
                                          std::optional<std::string> ChangedFile::*text) {
    std::size_t total = 0;
    for (auto& [name, side] : sides) {
      if (!side.text && side.unread.empty()) {
        question_.on_step("reading " + name.string());
        auto content = co_await revision.read(question_.root / name, scope_);
        if (!content && content.error().kind != ErrorKind::InvalidArgument)
          co_return tl::unexpected(content.error());
        if (content)
          side.text = std::move(*content);
        else
          side.unread = content.error().message;
        bound(side, total);
      }
      ChangedFile& file = files[name];
      file.name = name;
      if (side.unread.empty() && text::first_invalid_byte(*side.text))
        side.unread = "it is not UTF-8, which is all that Lean reads";
      if (!side.unread.empty()) file.unread = side.unread;
      // What is there and was not read is not missing.
      file.*text = side.unread.empty() ? std::move(side.text) : std::string();
    }
    co_return Result<void>();
  }

  static void bound(Side& side, std::size_t& total) {
    if (!side.text) return;
    if (side.text->size() > kMaxCompared)
      side.unread = "it has more than 16 MiB";
    else if ((total += side.text->size()) > kMaxDiffering)
      side.unread = "the files before it that differ have 128 MiB";
    if (!side.unread.empty()) side.text.reset();
  }

  ChangeQuestion question_;
  io::Pool& pool_;
  io::CancelScope scope_;
};

}  // namespace

bool is_setting(const fs::path& name) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"lakefile.lean", "lakefile.toml", "lean-toolchain", lean::kManifestName});
  return std::find(kNames.begin(), kNames.end(), name.filename().string()) != kNames.end();
}

bool is_looked_at(const fs::path& name) {
  const bool is_hidden = std::any_of(name.begin(), name.end(),
                                     [](const fs::path& part) { return part.string().starts_with('.'); });
  return !is_hidden && (name.extension() == ".lean" || is_setting(name));
}

asio::awaitable<Result<ChangedFiles>> changed_files(ChangeQuestion question, io::Pool& pool,
                                                    io::CancelScope scope) {
  ChangeReader reader(std::move(question), pool, std::move(scope));
  co_return co_await reader.run();
}

}  // namespace leanbridge::certify
