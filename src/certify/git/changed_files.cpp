#include "changed_files.hpp"

#include "core/base/files.hpp"
#include "core/base/try.hpp"
#include "core/lean/project.hpp"
#include "core/lean/source_folders.hpp"
#include "core/text/utf8.hpp"
#include "git.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace leanbridge::certify {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxListed = 100'000;                    // number of files below the root, on each side
constexpr std::size_t kMaxCompared = std::size_t{16} << 20;    // bytes
constexpr std::size_t kMaxDiffering = std::size_t{128} << 20;  // bytes of the changed files of a side

tl::unexpected<Error> too_much_to_list(const fs::path& root) {
  return fail(ErrorKind::NotSupported, root.string() + " has more than 100,000 files.",
              "Pass the --project-root of a smaller project.");
}

/// A file on one side.
struct Side {
  GitTreeEntry entry;
  std::optional<std::string> text;  ///< absent until it is read
  std::string unread;
};
using Sides = std::map<fs::path, Side>;  // by the name, relative to the root

/// The project's sources include neither git's own files nor files that Lake makes or fetches.
bool is_kept_apart(const fs::path& name) {
  return name.filename() == ".git" || name.filename() == ".lake";
}

bool has_git(const fs::path& folder) {
  std::error_code error;
  return fs::symlink_status(folder / ".git", error).type() != fs::file_type::not_found;
}

/// The files of the working tree to look at.
Result<std::set<fs::path>> files_on_disk(const fs::path& root) {
  std::set<fs::path> found;
  std::error_code error;
  constexpr auto kOptions = fs::directory_options::skip_permission_denied;
  std::size_t seen = 0;
  for (fs::recursive_directory_iterator entry(root, kOptions, error), end; !error && entry != end;
       entry.increment(error)) {
    if (++seen > kMaxListed) return too_much_to_list(root);
    std::error_code ignored;
    const fs::path& path = entry->path();
    fs::path name = path.lexically_relative(root);
    if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) {
      // Git does not count files of another repository as part of this one.
      if (is_kept_apart(name) || has_git(path)) entry.disable_recursion_pending();
      continue;
    }
    if (is_looked_at(name)) found.insert(std::move(name));
  }
  // Files that were not listed would seem to be removed.
  if (error)
    return fail(ErrorKind::Internal,
                "The files of " + root.string() + " cannot be listed: " + error.message() + ".");
  return found;
}

/// Why a file of the revision was not found here, although its name, or the name of a folder above it, is
/// taken; "": it does not exist.
std::string why_not_found(const fs::path& root, const fs::path& name) {
  fs::path path = root, shown;
  for (const fs::path& part : name) {
    path /= part;
    shown /= part;
    std::error_code error;
    const fs::file_type type = fs::symlink_status(path, error).type();
    if (type == fs::file_type::not_found) return "";
    if (type == fs::file_type::none) return shown.string() + " cannot be looked at: " + error.message();
    if (type == fs::file_type::symlink) return shown.string() + " is a link";
    if (shown == name)
      return type == fs::file_type::directory ? "it is a folder"
             : type == fs::file_type::regular ? ""
                                              : "it is no plain file";
    if (type != fs::file_type::directory) return "";
    if (has_git(path)) return shown.string() + " has a .git, and so belongs to another repository";
  }
  return "";
}

/// Why a name of one revision is no file in the other, which has these files and `closed` names; "": it does
/// not exist there.
std::string why_not_found(const Sides& files, const Sides& closed, const fs::path& name) {
  fs::path shown;
  for (const fs::path& part : name) {
    shown /= part;
    if (closed.contains(shown)) return shown.string() + " is a link or a submodule";
  }
  const auto below = files.lower_bound(name / "");
  const bool is_folder = below != files.end() && lean::is_within(below->first, name);
  return is_folder ? "it is a folder" : "";
}

/// A file of the working tree, with the name that git would give to its content. Does not follow links.
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
    CO_TRY(auto listed, co_await files_of(before));
    Sides old = std::move(listed.files), now;
    const Sides old_closed = std::move(listed.closed);
    std::optional<GitRevision> after;
    if (asked.after) {
      CO_TRY(after, co_await GitRevision::find(asked.spawn, asked.root, *asked.after, scope_));
      changed.after = after->commit();
      asked.on_step("listing the files of " + *asked.after);
      CO_TRY(listed, co_await files_of(*after));
      now = std::move(listed.files);
      note_hidden(old, now, listed.closed);
      note_hidden(now, old, old_closed);
      leave_out_same(old, now);
      note_closed(old_closed, listed.closed, now);
    } else {
      CO_CHECK(co_await read_disk(before, old, old_closed, now));
    }
    std::map<fs::path, ChangedFile> files;
    CO_CHECK(co_await note_sources_elsewhere(before, after, files));
    CO_CHECK(co_await read_side(before, old, files, &ChangedFile::before));
    CO_CHECK(co_await read_side(after ? *after : before, now, files, &ChangedFile::after));
    for (auto& [name, file] : files) changed.files.push_back(std::move(file));
    co_return changed;
  }

 private:
  /// The names in a revision: files, and names that lead elsewhere.
  struct Listed {
    Sides files, closed;
  };

  asio::awaitable<Result<Listed>> files_of(GitRevision& revision) {
    Listed found;
    CO_TRY(std::vector<GitFile> files, co_await revision.files_below(question_.root, kMaxListed, scope_));
    if (files.size() == kMaxListed) co_return too_much_to_list(question_.root);
    for (GitFile& file : files) {
      fs::path name = file.path.lexically_relative(question_.root);
      if (file.entry.kind == GitTreeEntry::Kind::Other) found.closed[name].entry = file.entry;
      if (is_looked_at(name)) found.files[std::move(name)].entry = std::move(file.entry);
    }
    co_return found;
  }

  /// Notes in `other` the files of `side` that it lacks, although their names are taken there.
  static void note_hidden(const Sides& side, Sides& other, const Sides& closed) {
    Sides hidden;
    for (const auto& [name, file] : side) {
      if (other.contains(name)) continue;
      if (std::string why = why_not_found(other, closed, name); !why.empty())
        hidden[name].unread = std::move(why);
    }
    other.merge(std::move(hidden));
  }

  /// Notes links and submodules that are new, or lead elsewhere now, and may contain sources. A name with
  /// an extension counts as a file.
  static void note_closed(const Sides& old, const Sides& now, Sides& found) {
    for (const auto& [name, side] : now) {
      const auto same = old.find(name);
      if (name.has_extension() || (same != old.end() && same_content(same->second, side))) continue;
      Side unread = side;
      unread.unread = "it is a link or a submodule, and new or changed";
      found.emplace(name, std::move(unread));
    }
  }

  static void leave_out_same(Sides& old, Sides& now) {
    std::erase_if(now, [&old](const auto& each) {
      const auto same = old.find(each.first);
      if (same == old.end() || !same_content(same->second, each.second)) return false;
      old.erase(same);
      return true;
    });
  }

  /// Fills `now` with the changed files of the working tree, and leaves only the changed ones in `old`.
  asio::awaitable<Result<void>> read_disk(GitRevision& before, Sides& old, const Sides& old_closed,
                                          Sides& now) {
    const std::size_t digits = before.commit().size();
    const auto list = [root = question_.root, old = names_of(old)]() -> Result<std::set<fs::path>> {
      TRY(std::set<fs::path> found, files_on_disk(root));
      // Also compares files that the revision has in folders that the search of the working tree skips.
      for (const fs::path& name : old) {
        std::error_code ignored;
        const bool is_apart = std::ranges::any_of(name, is_kept_apart);
        if (is_apart && fs::symlink_status(root / name, ignored).type() == fs::file_type::regular)
          found.insert(name);
      }
      return found;
    };
    CO_TRY(const std::set<fs::path> names, co_await pool_.run(list, scope_));
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
    note_hidden(now, old, old_closed);
    co_return co_await note_missing(before, old, now);
  }

  /// Notes folders of sources that are not looked at: outside of the project, or in folders of git and Lake.
  asio::awaitable<Result<void>> note_sources_elsewhere(GitRevision& before, std::optional<GitRevision>& after,
                                                       std::map<fs::path, ChangedFile>& files) {
    std::vector<lean::Lakefiles> sides;
    for (GitRevision* const revision : {&before, after ? &*after : nullptr}) {
      if (revision == nullptr) {
        const auto load = [root = question_.root]() -> Result<lean::Lakefiles> {
          return lean::Lakefiles::in(root);
        };
        CO_TRY(lean::Lakefiles lakefiles, co_await pool_.run(load, scope_));
        sides.push_back(std::move(lakefiles));
        continue;
      }
      lean::Lakefiles lakefiles;
      CO_TRY(lakefiles.lean, co_await text_in(*revision, "lakefile.lean"));
      CO_TRY(lakefiles.toml, co_await text_in(*revision, "lakefile.toml"));
      sides.push_back(std::move(lakefiles));
    }
    for (const lean::Lakefiles& lakefiles : sides) {
      const auto sources = lean::source_folders(question_.root, lakefiles);
      if (!sources) continue;  // Lake cannot read it either, and its text is compared anyway
      for (const fs::path& folder : sources->folders) {
        const fs::path name = folder.lexically_relative(question_.root);
        const bool is_apart = std::ranges::any_of(
            name, [](const fs::path& part) { return part == ".." || is_kept_apart(part); });
        if (!is_apart) continue;
        ChangedFile& file = files[name];
        file.name = name;
        file.before = file.after = "";
        file.unread = "the lakefile has sources in it, and it is not looked at";
      }
    }
    co_return Result<void>();
  }

  /// A file below the root; nullopt: it does not exist, or cannot be read, which the report on the file
  /// itself says.
  asio::awaitable<Result<std::optional<std::string>>> text_in(GitRevision& revision, const char* name) {
    auto content = co_await revision.read(question_.root / name, scope_);
    if (!content && content.error().kind == ErrorKind::InvalidArgument) co_return std::nullopt;
    co_return content;
  }

  static std::vector<fs::path> names_of(const Sides& sides) {
    std::vector<fs::path> names;
    for (const auto& [name, side] : sides) names.push_back(name);
    return names;
  }

  /// Notes why files of the revision are missing from the working tree, unless they were removed.
  asio::awaitable<Result<void>> note_missing(GitRevision& before, const Sides& old, Sides& now) {
    std::vector<fs::path> missing = names_of(old);
    std::erase_if(missing, [&now](const fs::path& name) { return now.contains(name); });
    if (missing.empty()) co_return Result<void>();
    CO_TRY(const auto left_out, co_await before.left_out_of_working_tree(scope_));
    const auto look = [root = question_.root, top = before.top(), missing, left_out]() -> Result<Sides> {
      Sides found;
      for (const fs::path& name : missing) {
        std::string why = why_not_found(root, name);
        if (why.empty() && left_out.contains((root / name).lexically_relative(top).string()))
          why = "it is not checked out (git sparse-checkout, or its bit skip-worktree)";
        if (!why.empty()) found[name].unread = std::move(why);
      }
      return found;
    };
    CO_TRY(Sides found, co_await pool_.run(look, scope_));
    now.merge(std::move(found));
    co_return Result<void>();
  }

  /// Puts the texts of one side into `files`; reads from the revision the ones that are not yet known.
  asio::awaitable<Result<void>> read_side(GitRevision& revision, Sides& sides,
                                          std::map<fs::path, ChangedFile>& files,
                                          std::optional<std::string> ChangedFile::*text) {
    CO_CHECK(co_await read_texts(revision, sides));
    for (auto& [name, side] : sides) {
      ChangedFile& file = files[name];
      file.name = name;
      if (side.unread.empty() && text::first_invalid_byte(*side.text))
        side.unread = "it is not UTF-8, which is all that Lean reads";
      if (!side.unread.empty()) file.unread = side.unread;
      // A file that exists but was not read is not missing.
      file.*text = side.unread.empty() ? std::move(side.text) : std::string();
    }
    co_return Result<void>();
  }

  asio::awaitable<Result<void>> read_texts(GitRevision& revision, Sides& sides) {
    std::vector<Side*> unread;
    std::vector<std::string> objects;
    for (auto& [name, side] : sides) {
      if (side.text || !side.unread.empty()) continue;
      if (side.entry.kind == GitTreeEntry::Kind::File) {
        unread.push_back(&side);
        objects.push_back(side.entry.object);
      } else {
        side.unread = (question_.root / name).lexically_relative(revision.top()).string() +
                      " is a link or a submodule in " + revision.commit() + ", not a file.";
      }
    }
    std::size_t total = 0, done = 0;
    while (done < unread.size()) {
      question_.on_step("reading file " + std::to_string(done + 1) + " of " + std::to_string(unread.size()));
      CO_TRY(GitRevision::Contents contents,
             co_await revision.first_contents(GitObjectType::Blob, std::span(objects).subspan(done), scope_));
      for (Result<std::string>& content : contents) {
        Side& side = *unread[done++];
        if (content)
          side.text = std::move(*content);
        else
          side.unread = content.error().message;
        bound(side, total);
      }
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
  return std::ranges::find(kNames, name.filename().string()) != kNames.end();
}

bool is_looked_at(const fs::path& name) {
  return name.extension() == ".lean" || is_setting(name);
}

asio::awaitable<Result<ChangedFiles>> changed_files(ChangeQuestion question, io::Pool& pool,
                                                    io::CancelScope scope) {
  ChangeReader reader(std::move(question), pool, std::move(scope));
  co_return co_await reader.run();
}

}  // namespace leanbridge::certify
