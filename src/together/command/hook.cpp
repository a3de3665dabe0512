// leanbridge hook pre-commit: what git is about to commit, its index, against HEAD.

#include "certify/command/one_run.hpp"
#include "certify/git/changed_files.hpp"
#include "certify/untrusted/run.hpp"
#include "core/base/files.hpp"
#include "core/base/try.hpp"
#include "core/lean/project.hpp"
#include "core/program/options.hpp"
#include "together/statements/approvals.hpp"
#include <CLI/CLI.hpp>

#include <cstdio>

namespace leanbridge::app {

namespace {

using together::CommitVerdict;

constexpr double kHookSeconds = 60;

// The first line that git prints, where the caller is and with its environment: git tells a hook by
// GIT_INDEX_FILE, which may be relative, which index is meant.
asio::awaitable<Result<std::string>> ask_git(std::vector<std::string> words, io::CancelScope scope) {
  const auto git = certify::find_system_program("git");
  if (!git) co_return fail(ErrorKind::NotSupported, "There is no git.", "Install it.");
  words.insert(words.begin(), git->string());
  io::ChildCommand command{std::move(words), absolute_path("."), lean::environment_for_lake()};
  for (const char* who : {"GIT_AUTHOR_", "GIT_COMMITTER_"})
    for (const char* what : {"NAME", "EMAIL"}) command.environment[std::string(who) + what] = "leanbridge";
  constexpr std::size_t kMaxPrinted = 4096;
  CO_TRY(const auto end,
         co_await certify::run_program(io::ChildProcess::spawn, std::move(command), kMaxPrinted, scope));
  if (!end.succeeded()) co_return fail(ErrorKind::InvalidArgument, "git: " + certify::quotable(end.errors));
  co_return end.output.substr(0, end.output.find('\n'));
}

asio::awaitable<Result<CommitVerdict>> judge(std::filesystem::path root, io::Pool& pool,
                                             io::CancelScope scope) {
  CO_TRY(const auto tree, co_await ask_git({"write-tree"}, scope));
  // A commit of the index that no branch has: all else reads commits, whose objects are checked.
  CO_TRY(const auto index, co_await ask_git({"commit-tree", "-m", "index", tree}, scope));
  auto head = co_await ask_git({"rev-parse", "--verify", "-q", "HEAD"}, scope);
  if (!head) {  // before the first commit
    CO_TRY(const auto empty, co_await ask_git({"hash-object", "-w", "-t", "tree", "/dev/null"}, scope));
    head = co_await ask_git({"commit-tree", "-m", "none", empty}, scope);
  }
  CO_CHECK(head);
  certify::ChangeQuestion question{root, *head, index};
  CO_TRY(const auto changed, co_await certify::changed_files(std::move(question), pool, scope));
  CO_TRY(const auto approved, co_await together::approvals_in(root, *head, scope));
  CO_TRY(const auto brought, co_await together::approvals_in(root, index, scope));
  std::vector<text::SourceReading> before, after;
  std::vector<std::string> unread;
  for (const certify::ChangedFile& file : changed.files) {
    const std::string name = file.name.string();
    if (!file.unread.empty()) unread.push_back(name + ": " + file.unread);
    if (certify::is_setting(file.name) && !approved.empty())
      unread.push_back(name + " decides how all is built");
    if (certify::is_setting(file.name) || !file.unread.empty()) continue;
    if (file.before) before.push_back(text::read_declarations(name, *file.before));
    if (file.after) after.push_back(text::read_declarations(name, *file.after));
    if (file.after && !after.back().doubt.empty()) unread.push_back(name + ": " + after.back().doubt);
  }
  CommitVerdict verdict = together::judge_commit(approved, brought, text::source_changes(before, after));
  verdict.undecided.insert(verdict.undecided.end(), unread.begin(), unread.end());
  co_return verdict;
}

int hook(const Options& options) {
  const std::filesystem::path folder =
      absolute_path(options.project_root.empty() ? "." : options.project_root);
  const auto root = lean::find_project_root(folder.has_filename() ? folder : folder.parent_path());
  if (!root) return usage(Error(ErrorKind::InvalidArgument, "There is no Lean project here."));
  OneRun<CommitVerdict> run(kHookSeconds);
  const auto verdict =
      run.run([&](io::Pool& pool, const io::CancelScope& scope) { return judge(*root, pool, scope); });
  if (run.interrupted()) return kInterrupted;
  if (!verdict) return report_undecided(verdict.error(), false);
  for (const std::string& why : verdict->refused) print_paragraph(stderr, one_line(why), "refused: ");
  for (const std::string& why : verdict->undecided)
    print_paragraph(stderr, one_line(why), "only a compiler can tell: ");
  return !verdict->refused.empty() ? kFailed : verdict->undecided.empty() ? 0 : kUndecided;
}

}  // namespace

void add_hook(CLI::App& app, Options& options) {
  CLI::App* command = app.add_subcommand("hook", "Judge a commit for git, before it is made")->group("");
  CLI::App* commit = command->add_subcommand(
      "pre-commit", "Refuse new sorries in proofs, axioms, other approved statements");
  command->require_subcommand(1);
  for (CLI::App* each : {command, commit}) each->fallthrough();
  commit->footer(
      "  exec leanbridge hook pre-commit  in .git/hooks/pre-commit (docs/together.md)\n\n"
      "Exit status: 0 if it is fine by its words, 1 if not, 2 for wrong usage, 3 if only a compiler can "
      "tell, "
      "130 if interrupted.");
  commit->callback([&options] { options.command = hook; });
}

}  // namespace leanbridge::app
