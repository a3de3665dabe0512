#include "git.hpp"

#include "core/base/ascii.hpp"
#include "core/base/sha256.hpp"
#include "core/base/try.hpp"
#include "core/lean/imports.hpp"
#include "core/lean/project.hpp"
#include <boost/beast/core/detail/sha1.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace leanbridge::certify {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kSha256Digits = 64;

// Beast has SHA-1 for WebSocket's handshake; no other library that the program links anyway has it.
std::string sha1_of(std::string_view header, std::string_view content) {
  namespace beast = boost::beast::detail;
  beast::sha1_context context{};
  beast::init(context);
  beast::update(context, header.data(), header.size());
  beast::update(context, content.data(), content.size());
  std::array<char, beast::sha1_context::digest_size> digest{};
  beast::finish(context, digest.data());
  return hexadecimal(digest);
}

GitTreeEntry::Kind kind_of(std::string_view mode) {
  if (mode == "40000") return GitTreeEntry::Kind::Folder;
  return mode.starts_with("100") ? GitTreeEntry::Kind::File : GitTreeEntry::Kind::Other;
}

}  // namespace

const char* to_string(GitObjectType type) {
  switch (type) {
    case GitObjectType::Commit:
      return "commit";
    case GitObjectType::Tree:
      return "tree";
    case GitObjectType::Blob:
      return "blob";
  }
  return "?";
}

std::string name_of_git_object(GitObjectType type, std::string_view content, std::size_t digits) {
  std::string header = to_string(type) + (" " + std::to_string(content.size()));
  header += '\0';
  return digits == kSha256Digits ? sha256_of(header.append(content)) : sha1_of(header, content);
}

std::optional<std::string> tree_of_git_commit(std::string_view content) {
  constexpr std::string_view kKey = "tree ";
  const std::size_t end = content.find('\n');
  if (!content.starts_with(kKey) || end == content.npos) return std::nullopt;
  return std::string(content.substr(kKey.size(), end - kKey.size()));
}

std::vector<NamedGitEntry> entries_of_git_tree(std::string_view content, std::size_t digits) {
  // Each entry consists of the mode, a space, the name, a zero byte and the object's name in binary.
  const std::size_t bytes = digits / 2;
  std::vector<NamedGitEntry> entries;
  while (!content.empty()) {
    const std::size_t space = content.find(' ');
    const std::size_t zero = space == content.npos ? content.npos : content.find('\0', space);
    if (zero == content.npos || content.size() - zero - 1 < bytes) break;
    entries.push_back({std::string(content.substr(space + 1, zero - space - 1)),
                       {kind_of(content.substr(0, space)), hexadecimal(content.substr(zero + 1, bytes))}});
    content.remove_prefix(zero + 1 + bytes);
  }
  return entries;
}

std::optional<GitTreeEntry> entry_of_git_tree(std::string_view content, std::string_view name,
                                              std::size_t digits) {
  for (NamedGitEntry& each : entries_of_git_tree(content, digits))
    if (each.name == name) return std::move(each.entry);
  return std::nullopt;
}

namespace {

constexpr std::size_t kMaxObjectName = 200;  // bytes
constexpr std::size_t kMaxObjectsAtOnce = 100;
// A commit that begins with the same digits as another is made in seconds for seven digits, and for no money
// for sixteen.
constexpr std::size_t kMinDigits = 16;

/// This folder and the folders above it that have a `.git`.
std::vector<fs::path> repositories_around(fs::path folder) {
  std::vector<fs::path> found;
  for (;; folder = folder.parent_path()) {
    std::error_code ignored;
    if (fs::symlink_status(folder / ".git", ignored).type() != fs::file_type::not_found)
      found.push_back(folder);
    if (!folder.has_relative_path()) return found;
  }
}

constexpr std::string_view kHexDigits = "0123456789abcdefABCDEF";

// The part of a revision that names a commit, before suffixes such as ~2.
std::string_view base_of(std::string_view revision) {
  return revision.substr(0, revision.find_first_of("^~@:"));
}

// The digits of the object that `base` names if no branch or tag has that name: a hash, possibly abbreviated,
// or the output of `git describe` (v1.2-3-g1a2b3c4). Empty: it is neither.
std::string_view hash_in(std::string_view base) {
  constexpr std::size_t kShortest = 4;
  const std::size_t mark = base.rfind("-g");
  if (mark != base.npos && mark > 0 && base[mark - 1] >= '0' && base[mark - 1] <= '9')
    base.remove_prefix(mark + 2);
  return base.size() >= kShortest && base.find_first_not_of(kHexDigits) == base.npos ? base
                                                                                     : std::string_view();
}

/// Takes a line off the beginning of the text.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

/// The number behind `words` in a line of `cat-file --batch`; nullopt: the line has another form.
std::optional<std::size_t> size_in(std::string_view line, std::string_view words) {
  std::size_t size = 0;
  if (!line.starts_with(words)) return std::nullopt;
  const auto [end, error] = std::from_chars(line.data() + words.size(), line.data() + line.size(), size);
  return error == std::errc() && end == line.data() + line.size() ? std::optional(size) : std::nullopt;
}

/// The content of an object, if it is the one that its name is the hash of.
Result<std::string> checked_content(GitObjectType type, const std::string& object, std::string_view content,
                                    const std::string& what) {
  if (name_of_git_object(type, content, object.size()) == object) return std::string(content);
  return fail(ErrorKind::InvalidArgument,
              what + " has been changed: its content is not the one that its name is the hash of.",
              "Run git fsck, and clone the repository anew from a place that you trust.");
}

/// `header` is what git printed instead of the object's, `errors` what it wrote about all that it was asked
/// for.
tl::unexpected<Error> unreadable(const std::string& what, const std::string& object, std::string_view header,
                                 std::string_view errors) {
  const bool speaks_of_it = header.empty() || errors.find(object) != errors.npos;
  return fail(ErrorKind::InvalidArgument,
              what + " cannot be read. git says: " + quotable(speaks_of_it ? errors : header),
              "Get it from where the repository comes from: run git fetch, or clone it anew.");
}

tl::unexpected<Error> git_took_too_long() {
  return fail(ErrorKind::Timeout, "git did not answer in time.", "Pass a longer timeout.");
}

}  // namespace

io::ChildCommand GitRevision::command(std::vector<std::string> arguments) const {
  io::ChildCommand command;
  // The command names the repository, so neither core.worktree nor GIT_* variables can choose another one.
  command.argv = {git_,
                  "--no-replace-objects",
                  "--no-optional-locks",
                  "-c",
                  "core.hooksPath=/dev/null",
                  "-c",
                  "core.fsmonitor=false",
                  "--git-dir=" + (top_ / ".git").string(),
                  "--work-tree=" + top_.string()};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.directory = top_;
  command.environment = lean::environment_for_lake();
  std::erase_if(command.environment, [](const auto& variable) { return variable.first.starts_with("GIT_"); });
  command.environment["GIT_TERMINAL_PROMPT"] = "0";
  command.environment["GIT_NO_LAZY_FETCH"] = "1";
  command.environment["GIT_GRAFT_FILE"] = "/dev/null";
  // Git's advice about an option is for users of git.
  command.environment["GIT_CONFIG_COUNT"] = "1";
  command.environment["GIT_CONFIG_KEY_0"] = "advice.graftFileDeprecated";
  command.environment["GIT_CONFIG_VALUE_0"] = "false";
  command.environment["GIT_CONFIG_NOSYSTEM"] = "1";
  command.environment["GIT_CONFIG_GLOBAL"] = "/dev/null";
  command.environment["GIT_ALLOW_PROTOCOL"] = "none";  // a missing object is not fetched
  return command;
}

asio::awaitable<Result<GitRevision>> GitRevision::find(io::Spawn spawn, fs::path folder, std::string revision,
                                                       io::CancelScope scope) {
  GitRevision found;
  found.spawn_ = std::move(spawn);
  const std::vector<fs::path> tops = repositories_around(folder);
  if (tops.empty())
    co_return fail(ErrorKind::InvalidArgument, "There is no git repository around " + folder.string() + ".",
                   "Pass a challenge file instead of a revision.");
  found.top_ = tops.front();
  const auto git = find_system_program("git");
  if (!git)
    co_return fail(ErrorKind::NotSupported, "git is not installed in /usr/bin, /bin or /usr/local/bin.",
                   "Install git, or pass a challenge file instead of a revision.");
  found.git_ = git->string();
  CO_TRY(found.commit_, co_await found.object_named(revision + "^{commit}", revision, scope));
  const std::string base(base_of(revision));
  if (const std::string hash = lower_case(hash_in(base)); !hash.empty()) {
    CO_CHECK(co_await found.check_hash(base, hash, revision, scope));
    // Only the hash of the final commit is checked, not those of the commits on the way to it.
    if (base.size() < revision.size())
      co_return fail(ErrorKind::InvalidArgument,
                     revision + " is found by way of " + base + ", which is not compared with its hash.",
                     "Pass the hash of the commit itself: git rev-parse --verify '" + revision + "'");
  }
  CO_TRY(const std::string content, co_await found.content_of(GitObjectType::Commit, found.commit_, scope));
  const auto root = tree_of_git_commit(content);
  if (!root) co_return fail(ErrorKind::InvalidArgument, "The commit " + found.commit_ + " has no folder.");
  found.root_ = *root;
  for (std::size_t i = 1; i < tops.size(); ++i) {
    CO_CHECK(co_await found.require_apart(tops[i], revision, scope));
  }
  co_return found;
}

asio::awaitable<Result<void>> GitRevision::require_apart(fs::path outer, std::string revision,
                                                         io::CancelScope scope) {
  const fs::path name = top_.lexically_relative(outer);
  const auto refused = [&](const std::string& why) {
    return fail(ErrorKind::InvalidArgument,
                top_.string() + " is in two git repositories, its own and " + outer.string() + ", " + why +
                    ": the same name means another file in each.",
                "Take the challenge out yourself, with git -C REPOSITORY show REVISION:PATH, and pass it as "
                "a file.");
  };
  const auto is_folder = [](const Result<std::optional<GitTreeEntry>>& entry) {
    return entry && *entry && (*entry)->kind != GitTreeEntry::Kind::Other;
  };
  // The commit may be a copy of the outer repository's.
  const auto own = co_await entry_at(name, scope);
  if (!own && own.error().kind != ErrorKind::InvalidArgument) co_return tl::unexpected(own.error());
  if (is_folder(own)) co_return refused("and the commit has a " + name.string() + " itself");
  GitRevision around;
  around.spawn_ = spawn_;
  around.git_ = git_;
  around.top_ = std::move(outer);
  bool any = false;
  for (const std::string& each : {revision, std::string("HEAD")}) {
    auto commit = co_await around.object_named(each + "^{commit}", each, scope);
    if (!commit && commit.error().kind != ErrorKind::InvalidArgument)
      co_return tl::unexpected(commit.error());
    if (!commit) continue;
    any = true;
    around.commit_ = std::move(*commit);
    CO_TRY(const std::string content,
           co_await around.content_of(GitObjectType::Commit, around.commit_, scope));
    const auto root = tree_of_git_commit(content);
    if (!root) co_return refused("of which " + each + " cannot be read");
    around.root_ = *root;
    const auto entry = co_await around.entry_at(name, scope);
    if (!entry && entry.error().kind != ErrorKind::InvalidArgument) co_return tl::unexpected(entry.error());
    if (is_folder(entry)) co_return refused("which has " + name.string() + " in " + each);
  }
  if (!any) co_return refused("which has no commit to tell whether " + name.string() + " belongs to it");
  co_return Result<void>();
}

asio::awaitable<Result<void>> GitRevision::check_hash(std::string base, std::string hash,
                                                      std::string revision, io::CancelScope scope) const {
  CO_TRY(const std::string ref,
         co_await first_line_of(
             {"rev-parse", "--symbolic-full-name", "--verify", "--quiet", "--end-of-options", base}, scope));
  if (!ref.empty())
    co_return fail(ErrorKind::InvalidArgument,
                   base + " looks like the hash of a commit, but is the name of " + ref + " here.",
                   "Pass all digits of the commit, or " + ref + ".");
  if (hash.size() < kMinDigits)
    co_return fail(ErrorKind::InvalidArgument,
                   revision + " has only " + std::to_string(hash.size()) +
                       " digits of a commit's hash; another commit that begins with them can be made.",
                   "Pass at least 16 digits of the commit, or a branch or tag.");
  CO_TRY(const std::string object, co_await object_named(base, revision, scope));
  if (!object.starts_with(hash))
    co_return fail(ErrorKind::InvalidArgument, base + " is resolved to " + object + ", another object.",
                   "Pass all digits of the commit.");
  co_return Result<void>();
}

asio::awaitable<Result<std::string>> GitRevision::first_line_of(std::vector<std::string> arguments,
                                                                io::CancelScope scope) const {
  CO_TRY(const RunResult run,
         co_await run_program(spawn_, command(std::move(arguments)), kMaxObjectName, scope));
  if (run.timed_out) co_return git_took_too_long();
  co_return run.succeeded() ? run.output.substr(0, run.output.find('\n')) : std::string();
}

asio::awaitable<Result<std::string>> GitRevision::object_named(std::string expression, std::string revision,
                                                               io::CancelScope scope) const {
  std::vector<std::string> words = {"rev-parse", "--verify", "--quiet", "--end-of-options", expression};
  CO_TRY(const RunResult run, co_await run_program(spawn_, command(std::move(words)), kMaxObjectName, scope));
  if (run.timed_out) co_return git_took_too_long();
  std::string object = run.output.substr(0, run.output.find('\n'));
  const bool is_hash = object.size() >= 40 && object.find_first_not_of(kHexDigits) == object.npos;
  if (!run.succeeded() || !is_hash)
    co_return fail(ErrorKind::InvalidArgument,
                   "git finds no commit named " + revision + " in " + top_.string() + "." +
                       (run.errors.empty() ? "" : " It says: " + quotable(run.errors)),
                   "Pass a commit, a branch or a tag, such as HEAD.");
  co_return object;
}

asio::awaitable<Result<GitRevision::Contents>> GitRevision::first_contents(
    GitObjectType type, std::span<const std::string> objects, io::CancelScope scope) const {
  objects = objects.first(std::min(objects.size(), kMaxObjectsAtOnce));
  std::string names;
  for (const std::string& object : objects) names += object + "\n";
  // cat-file, unlike show, applies no filter that the repository configures.
  CO_TRY(const RunResult run, co_await run_program(spawn_, command({"cat-file", "--batch"}),
                                                   lean::kMaxSourceSize + objects.size() * kMaxObjectName,
                                                   scope, std::move(names)));
  if (run.timed_out) co_return git_took_too_long();
  Contents contents;
  std::string_view rest = run.output;
  for (const std::string& object : objects) {
    const std::string what = std::string("The ") + to_string(type) + " " + object + " of " + top_.string();
    const std::string_view header = take_line(rest);
    if (header == object + " missing") {
      contents.push_back(unreadable(what, object, header, run.errors));
      continue;
    }
    const auto size = size_in(header, object + " " + to_string(type) + " ");
    const bool is_whole = size && *size < rest.size();  // the end of its last line follows
    const bool is_too_large = (size && *size > lean::kMaxSourceSize) || (run.output_cut && contents.empty());
    if (is_whole && *size <= lean::kMaxSourceSize) {
      contents.push_back(checked_content(type, object, rest.substr(0, *size), what));
      rest.remove_prefix(*size + 1);  // and the end of its last line
      continue;
    }
    // Git has printed more than is read, or has ended: the objects that are left must be asked for again.
    if (is_too_large)
      contents.push_back(fail(ErrorKind::InvalidArgument, what + " is larger than 64 MiB."));
    else if (contents.empty())
      contents.push_back(unreadable(what, object, header, run.errors));
    break;
  }
  co_return contents;
}

asio::awaitable<Result<std::string>> GitRevision::content_of(GitObjectType type, std::string object,
                                                             io::CancelScope scope) const {
  CO_TRY(Contents contents, co_await first_contents(type, std::span(&object, 1), std::move(scope)));
  co_return std::move(contents.front());
}

asio::awaitable<Result<void>> GitRevision::read_folders(std::vector<std::string> objects,
                                                        io::CancelScope scope) {
  std::erase_if(objects, [this](const std::string& object) { return folders_.contains(object); });
  std::size_t bytes = 0;
  for (std::size_t done = 0; done < objects.size();) {
    CO_TRY(Contents contents,
           co_await first_contents(GitObjectType::Tree, std::span(objects).subspan(done), scope));
    for (Result<std::string>& content : contents) {
      if (!content) co_return tl::unexpected(content.error());
      if ((bytes += content->size()) > lean::kMaxSourceSize)
        co_return fail(ErrorKind::InvalidArgument,
                       "The folders of one level of " + top_.string() + " are larger than 64 MiB.");
      folders_.emplace(objects[done++], std::move(*content));
    }
  }
  co_return Result<void>();
}

asio::awaitable<Result<std::optional<GitTreeEntry>>> GitRevision::entry_at(fs::path path,
                                                                           io::CancelScope scope) {
  GitTreeEntry entry{GitTreeEntry::Kind::Folder, root_};
  for (const fs::path& part : path) {
    if (entry.kind == GitTreeEntry::Kind::Other)
      co_return fail(ErrorKind::InvalidArgument,
                     path.string() + " leads through a link or a submodule in " + commit_ + ".",
                     "Name the folder that it leads to.");
    if (entry.kind != GitTreeEntry::Kind::Folder) co_return std::nullopt;
    if (part.empty() || part == ".") continue;
    CO_CHECK(co_await read_folders({entry.object}, scope));
    auto next = entry_of_git_tree(folders_.at(entry.object), part.string(), commit_.size());
    if (!next) co_return std::nullopt;
    entry = std::move(*next);
  }
  co_return entry;
}

Result<fs::path> GitRevision::name_of(const fs::path& path) const {
  if (!lean::is_within(path, top_))
    return fail(ErrorKind::InvalidArgument,
                path.string() + " is outside the repository " + top_.string() + ".",
                "Pass a file of the repository.");
  return path.lexically_relative(top_);
}

asio::awaitable<Result<bool>> GitRevision::has(fs::path path, io::CancelScope scope) {
  CO_TRY(const fs::path name, name_of(path));
  CO_TRY(const auto entry, co_await entry_at(name, scope));
  co_return entry && entry->kind != GitTreeEntry::Kind::Folder;
}

asio::awaitable<Result<std::vector<GitFile>>> GitRevision::files_below(fs::path folder, std::size_t most,
                                                                       io::CancelScope scope) {
  std::vector<GitFile> files;
  CO_TRY(const fs::path name, name_of(folder));
  CO_TRY(const auto begin, co_await entry_at(name, scope));
  std::vector<std::pair<fs::path, std::string>> level, below;
  if (begin && begin->kind == GitTreeEntry::Kind::Folder) level.emplace_back(folder, begin->object);
  for (; !level.empty() && files.size() < most; level = std::exchange(below, {})) {
    std::vector<std::string> objects;
    for (const auto& [path, object] : level) objects.push_back(object);
    CO_CHECK(co_await read_folders(std::move(objects), scope));
    for (const auto& [path, object] : level)
      for (NamedGitEntry& each : entries_of_git_tree(folders_.at(object), commit_.size()))
        if (each.entry.kind == GitTreeEntry::Kind::Folder)
          below.emplace_back(path / each.name, std::move(each.entry.object));
        else if (files.size() < most)
          files.push_back({path / each.name, std::move(each.entry)});
  }
  co_return files;
}

asio::awaitable<Result<std::set<std::string>>> GitRevision::left_out_of_working_tree(
    io::CancelScope scope) const {
  constexpr std::size_t kMaxBytes = std::size_t{32} << 20U;
  // With `-v`, an entry to skip begins with S, or s if it is also assumed to be unchanged.
  CO_TRY(const RunResult run,
         co_await run_program(spawn_, command({"ls-files", "-v", "-z", "--full-name"}), kMaxBytes, scope));
  if (run.timed_out) co_return git_took_too_long();
  std::set<std::string> names;
  for (std::string_view rest = run.output; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    if (rest.starts_with("S ") || rest.starts_with("s ")) names.emplace(rest.substr(2, end - 2));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  co_return names;
}

asio::awaitable<Result<std::optional<std::string>>> GitRevision::read(fs::path path, io::CancelScope scope) {
  CO_TRY(const fs::path name, name_of(path));
  CO_TRY(const auto entry, co_await entry_at(name, scope));
  if (!entry || entry->kind == GitTreeEntry::Kind::Folder) co_return std::nullopt;
  if (entry->kind == GitTreeEntry::Kind::Other)
    co_return fail(ErrorKind::InvalidArgument,
                   name.string() + " is a link or a submodule in " + commit_ + ", not a file.",
                   "Pass the file that it leads to.");
  CO_TRY(std::string content, co_await content_of(GitObjectType::Blob, entry->object, scope));
  co_return std::optional(std::move(content));
}

}  // namespace leanbridge::certify
