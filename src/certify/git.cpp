#include "git.hpp"

#include "leanbridge/certify/sandbox.hpp"
#include "leanbridge/lean/imports.hpp"
#include "leanbridge/lean/project.hpp"

#include <utility>

namespace leanbridge::certify {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxCommitName = 200;  // bytes

std::optional<fs::path> repository_around(fs::path folder) {
  for (;; folder = folder.parent_path()) {
    std::error_code ignored;
    if (fs::exists(folder / ".git", ignored)) return folder;
    if (!folder.has_relative_path()) return std::nullopt;
  }
}

tl::unexpected<Error> git_took_too_long() {
  return fail(ErrorKind::Timeout, "git did not answer in time.", "Pass a longer timeout.");
}

}  // namespace

io::ChildCommand GitRevision::command(std::vector<std::string> arguments) const {
  io::ChildCommand command;
  // The repository is named, so neither core.worktree nor GIT_* variables choose another one.
  command.argv = {git_, "--no-replace-objects", "--no-optional-locks",
                  "--git-dir=" + (top_ / ".git").string(), "--work-tree=" + top_.string()};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.directory = top_;
  command.environment = lean::environment_for_lake();
  std::erase_if(command.environment, [](const auto& variable) { return variable.first.starts_with("GIT_"); });
  command.environment["GIT_TERMINAL_PROMPT"] = "0";
  command.environment["GIT_NO_LAZY_FETCH"] = "1";
  command.environment["GIT_GRAFT_FILE"] = "/dev/null";
  command.environment["GIT_ALLOW_PROTOCOL"] = "none";  // a missing object is not fetched
  return command;
}

asio::awaitable<Result<GitRevision>> GitRevision::find(io::Spawn spawn, fs::path folder, std::string revision,
                                                       io::CancelScope scope) {
  GitRevision found;
  found.spawn_ = std::move(spawn);
  const auto top = repository_around(folder);
  if (!top)
    co_return fail(ErrorKind::InvalidArgument, "There is no git repository around " + folder.string() + ".",
                   "Pass a challenge file instead of a revision.");
  found.top_ = *top;
  const auto git = find_system_program("git");
  if (!git)
    co_return fail(ErrorKind::NotSupported, "git is not installed in /usr/bin, /bin or /usr/local/bin.",
                   "Install git, or pass a challenge file instead of a revision.");
  found.git_ = git->string();
  const auto run = co_await run_program(
      found.spawn_,
      found.command({"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"}),
      kMaxCommitName, scope);
  if (!run) co_return tl::unexpected(run.error());
  if (run->timed_out) co_return git_took_too_long();
  found.commit_ = run->output.substr(0, run->output.find('\n'));
  const bool is_hash =
      found.commit_.size() >= 40 && found.commit_.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!run->succeeded() || !is_hash)
    co_return fail(ErrorKind::InvalidArgument,
                   "git finds no commit named " + revision + " in " + found.top_.string() + "." +
                       (run->errors.empty() ? "" : " It says: " + quotable(run->errors)),
                   "Pass a commit, a branch or a tag, such as HEAD.");
  co_return found;
}

asio::awaitable<Result<std::optional<std::string>>> GitRevision::read(fs::path path,
                                                                      io::CancelScope scope) const {
  if (!lean::is_within(path, top_))
    co_return fail(ErrorKind::InvalidArgument,
                   path.string() + " is outside the repository " + top_.string() + ".",
                   "Pass a file of the repository.");
  const std::string name = path.lexically_relative(top_).generic_string();
  // cat-file, unlike show, applies no filter that the repository configures.
  auto run = co_await run_program(spawn_, command({"cat-file", "blob", commit_ + ":" + name}),
                                  lean::kMaxSourceSize, scope);
  if (!run) co_return tl::unexpected(run.error());
  if (run->timed_out) co_return git_took_too_long();
  if (run->output_cut)
    co_return fail(ErrorKind::InvalidArgument, name + " is larger than 64 MiB in " + commit_ + ".");
  if (!run->succeeded()) co_return std::nullopt;
  co_return std::move(run->output);
}

}  // namespace leanbridge::certify
