#include "core/io/child_process.hpp"

#include "core/platform/processes.hpp"
#include "core/platform/supervisor.hpp"
#include "core/program/emulator.hpp"
#include "support/loop.hpp"
#include "support/orphan_maker.hpp"
#include "support/platform.hpp"
#include "support/processes.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <sstream>

namespace leanbridge::io {

using test::children;
using test::Loop;
using test::processes_marked;

namespace {

std::vector<std::string> words(std::vector<std::string> list) {
  return list;
}

/// A child, and what it did.
struct Child {
  Child(Loop& loop, const std::string& script, std::map<std::string, std::string> environment = {})
      : Child(loop, words({"/bin/sh", "-c", script}), std::move(environment)) {}

  Child(Loop& loop, std::vector<std::string> argv, std::map<std::string, std::string> environment = {}) {
    ChildCommand command;
    command.argv = std::move(argv);
    command.directory = "/";
    command.environment = std::move(environment);
    start(loop, std::move(command));
  }
  Child(Loop& loop, ChildCommand command) { start(loop, std::move(command)); }

  void start(Loop& loop, ChildCommand command) {
    ChildProcess::Events events;
    events.on_stdout = [this](std::string_view bytes) { return out += bytes, true; };
    events.on_stdout_end = [this] { out_ended = true; };
    events.on_exit = [this](int code) { codes.push_back(code); };
    auto spawned = ChildProcess::spawn(loop.context, std::move(command), std::move(events));
    REQUIRE(spawned.has_value());
    process = *spawned;
  }
  bool over() const { return out_ended && !codes.empty(); }

  std::shared_ptr<ChildProcess> process;
  std::string out;
  bool out_ended = false;
  std::vector<int> codes;
};

// A tree in which every process marks itself: a child, and its own child in another session, both of which
// ignore SIGTERM.
constexpr const char* kDeafTree =
    "trap '' TERM HUP INT; setsid sh -c \"trap '' TERM HUP INT; echo grandchild; while :; do sleep 1000; "
    "done\" & "
    "while :; do sleep 1000; done";

}  // namespace

TEST_CASE("a child's streams and exit code", "[io]") {
  Loop loop;
  Child child(loop, "read line; echo \"got $line\"; echo oops >&2; exit 3");
  CHECK_FALSE(child.process->exited());
  CHECK(child.process->pid() > 0);
  child.process->input().send("hello\n");
  REQUIRE(loop.until([&] { return child.over(); }));
  CHECK(child.out == "got hello\n");
  CHECK(child.codes == std::vector<int>{3});
  CHECK(child.process->exited());
  REQUIRE(loop.until([&] { return !child.process->stderr_tail().empty(); }));
  CHECK(child.process->stderr_tail() == "oops\n");
  CHECK(children().empty());
}

TEST_CASE("a child is in another session, so it has no terminal to ask on", "[io]") {
  Loop loop;
  // The fields after the name: state, parent, process group, session, terminal.
  Child child(loop,
              "read -r line < /proc/$$/stat; echo ${line##*)}; (: < /dev/tty) 2>/dev/null || echo none");
  REQUIRE(loop.until([&] { return child.over(); }));
  std::istringstream fields(child.out);
  std::string state, parent, group, session, terminal;
  fields >> state >> parent >> group >> session >> terminal;
  CHECK(session == std::to_string(child.process->pid()));
  CHECK(session != std::to_string(::getsid(0)));
  CHECK(terminal == "0");
  CHECK(child.out.ends_with("none\n"));
}

TEST_CASE("a child has no descriptor of ours but its streams", "[io]") {
  Loop loop;
  const int leaking = ::dup(STDERR_FILENO);  // not close-on-exec, as some libraries open theirs
  Child child(loop, "ls /proc/$$/fd; :");
  REQUIRE(loop.until([&] { return child.over(); }));
  CHECK(child.out == "0\n1\n2\n");
  ::close(leaking);
}

TEST_CASE("exit codes: success, failure, a signal", "[io]") {
  Loop loop;
  const auto [script, code] = GENERATE(table<std::string, int>(
      {{"exit 0", 0}, {"exit 255", 255}, {"kill -9 $$", 137}, {"kill -TERM $$", 143}}));
  Child child(loop, script);
  REQUIRE(loop.until([&] { return child.over(); }));
  CHECK(child.codes == std::vector<int>{code});
}

TEST_CASE("the death of the supervisor itself by a signal shows in the exit code", "[io]") {
  Loop loop;
  const std::string mark = "MARK=supervisor-killed";
  Child child(loop, "echo up; exec sleep 1000", {{"MARK", "supervisor-killed"}, {"PATH", "/usr/bin:/bin"}});
  REQUIRE(loop.until([&] { return child.out == "up\n"; }));
  ::kill(child.process->pid(), SIGKILL);
  REQUIRE(loop.until([&] { return child.over(); }));
  CHECK(child.codes == std::vector<int>{137});
  CHECK(loop.until([&] { return processes_marked(mark).empty(); }));
}

TEST_CASE("what outlives a supervisor that was killed has its input ended", "[io]") {
  Loop loop;
  const std::string mark = "MARK=has-outlived";
  Child child(loop, "exec 3<&0; setsid sh -c 'echo up; cat <&3' & exec sleep 1000",
              {{"MARK", "has-outlived"}, {"PATH", "/usr/bin:/bin"}});
  REQUIRE(loop.until([&] { return child.out == "up\n"; }));
  ::kill(child.process->pid(), SIGKILL);
  REQUIRE(loop.until([&] { return !child.codes.empty(); }));
  CHECK(loop.until([&] { return processes_marked(mark).empty(); }));  // though the child is still held
}

TEST_CASE("a program that is not there ends with 127 and says so", "[io]") {
  Loop loop;
  Child child(loop, words({"/nowhere/lake", "serve"}));
  REQUIRE(loop.until([&] { return child.over() && !child.process->stderr_tail().empty(); }));
  CHECK(child.codes == std::vector<int>{127});
  CHECK(child.process->stderr_tail() == "cannot start /nowhere/lake: No such file or directory\n");
}

TEST_CASE("a folder that is not there is an error, not a child", "[io]") {
  Loop loop;
  ChildCommand command;
  command.argv = {"/bin/true"};
  command.directory = "/nowhere";
  ChildProcess::Events events;
  events.on_stdout = [](std::string_view) { return true; };
  events.on_stdout_end = [] {};
  const auto child = ChildProcess::spawn(loop.context, command, events);
  REQUIRE_FALSE(child.has_value());
  CHECK(child.error().kind == ErrorKind::LeanUnavailable);
  CHECK(children().empty());
}

TEST_CASE("arguments are passed on as they are, no shell sees them", "[io]") {
  Loop loop;
  Child child(loop, words({"/usr/bin/printf", "[%s]", "a b", "$HOME", "`x`", "", "«λ»", "--"}));
  REQUIRE(loop.until([&] { return child.over(); }));
  CHECK(child.out == "[a b][$HOME][`x`][][«λ»][--]");
}

TEST_CASE("a file that is no program is not handed to a shell", "[io]") {
  Loop loop;
  const test::TestFolder folder;
  const auto script = folder.write("script", "echo from a shell\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  Child child(loop, words({script.string()}));
  REQUIRE(loop.until([&] { return child.over(); }));
  CHECK(child.out.empty());
  CHECK(child.codes == std::vector<int>{127});
}

TEST_CASE("the environment is exactly the given one, the working directory too", "[io]") {
  Loop loop;
  const test::TestFolder folder;
  ChildCommand command;
  command.argv = {"/usr/bin/env"};
  command.directory = folder.path();
  command.environment = {{"ONE", "1 = one"}, {"EMPTY", ""}};
  Child environment(loop, command);
  REQUIRE(loop.until([&] { return environment.over(); }));
  // In any order: an emulator has its own.
  CHECK((environment.out == "EMPTY=\nONE=1 = one\n" || environment.out == "ONE=1 = one\nEMPTY=\n"));
  command.argv = {"/bin/pwd", "-P"};
  Child directory(loop, command);
  REQUIRE(loop.until([&] { return directory.over(); }));
  CHECK(directory.out == folder.path().string() + "\n");
}

TEST_CASE("of a flood on stderr the end is kept, from a line break on", "[io]") {
  Loop loop;
  Child child(loop, "seq -f 'line %.0f' 700000 >&2; echo last >&2", {{"PATH", "/usr/bin:/bin"}});  // 10 MB
  REQUIRE(loop.until(
      [&] { return child.over() && child.process->stderr_tail().ends_with("line 700000\nlast\n"); }));
  const std::string tail = child.process->stderr_tail();
  CHECK(tail.size() <= 8192);
  CHECK(tail.size() > 8000);
  CHECK(tail.starts_with("line 69"));
  CHECK(child.codes == std::vector<int>{0});
}

TEST_CASE("a flood on stderr without a line break is bounded too", "[io]") {
  Loop loop;
  Child child(loop, "head -c 1000000 /dev/zero | tr '\\0' x >&2", {{"PATH", "/usr/bin:/bin"}});
  REQUIRE(loop.until([&] { return child.over(); }));
  CHECK(child.process->stderr_tail().size() <= 8192);
}

TEST_CASE("the end of stdout is seen while the child lives on", "[io]") {
  Loop loop;
  Child child(loop, "exec >&-; sleep 1000", {{"PATH", "/usr/bin:/bin"}});
  REQUIRE(loop.until([&] { return child.out_ended; }));
  CHECK_FALSE(child.process->exited());
  child.process->terminate();
  REQUIRE(loop.until([&] { return child.over(); }));
}

TEST_CASE("terminate() ends the whole tree, deaf session leaders included", "[io]") {
  Loop loop;
  const std::string mark = "MARK=deaf-tree";
  Child child(loop, kDeafTree, {{"MARK", "deaf-tree"}, {"PATH", "/usr/bin:/bin"}});
  REQUIRE(loop.until([&] { return child.out == "grandchild\n"; }));
  CHECK(processes_marked(mark).size() >= 3);
  child.process->terminate();
  child.process->terminate();
  REQUIRE(loop.until([&] { return child.over(); }));
  CHECK(processes_marked(mark).empty());
  CHECK(child.codes == std::vector<int>{128 + SIGTERM});
  CHECK(children().empty());
  child.process->terminate();  // nothing is left to end
}

TEST_CASE("the supervisor is the last to end of a deep and wide tree", "[io]") {
  Loop loop;
  const std::string mark = "MARK=deep-tree";
  // Each level is a session of its own, with three children that ignore SIGTERM.
  const char* script =
      "trap '' TERM HUP INT; level=$((level + 1)); export level; for i in 1 2 3; do setsid sh -c "
      "\"trap '' TERM HUP INT; while :; do sleep 1000; done\" & done; "
      "if [ $level -lt 6 ]; then setsid sh -c \"$script\" & else echo deepest; fi; while :; do sleep 1000; "
      "done";
  Child child(loop, "eval \"$script\"",
              {{"MARK", "deep-tree"}, {"PATH", "/usr/bin:/bin"}, {"script", script}, {"level", "0"}});
  REQUIRE(loop.until([&] { return child.out == "deepest\n" && processes_marked(mark).size() >= 40; }));
  const auto tree = platform::descendants_of(child.process->pid());
  CHECK(tree.size() >= 40);
  CHECK(std::set<int>(tree.begin(), tree.end()).size() == tree.size());
  child.process->terminate();
  REQUIRE(loop.until([&] { return !child.codes.empty(); }));
  CHECK(processes_marked(mark).empty());  // at once, without waiting
  CHECK(platform::descendants_of(child.process->pid()).empty());
}

TEST_CASE("a tree is asked to end before it is killed", "[io]") {
  Loop loop;
  const test::TestFolder folder;
  const std::string mark = "MARK=asked";
  // Like git below lake, which takes a moment to remove its lock file.
  const char* script =
      "touch outer.lock; trap 'rm outer.lock; exit 1' TERM; "
      "setsid sh -c \"touch inner.lock; trap 'sleep 0.2; rm inner.lock; exit 1' TERM; "
      "sleep 1000 & echo ready; wait\" & wait";
  ChildCommand command;
  command.argv = {"/bin/sh", "-c", script};
  command.directory = folder.path();
  command.environment = {{"MARK", "asked"}, {"PATH", "/usr/bin:/bin"}};
  Child child(loop, command);
  REQUIRE(loop.until([&] { return child.out == "ready\n"; }));
  const bool is_let_go = GENERATE(false, true);
  if (is_let_go)
    child.process.reset();
  else
    child.process->terminate();
  REQUIRE(loop.until([&] { return processes_marked(mark).empty() && children().empty(); }));
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a tree that is deaf has two seconds", "[io]") {
  Loop loop;
  Child child(loop, kDeafTree, {{"MARK", "two-seconds"}, {"PATH", "/usr/bin:/bin"}});
  REQUIRE(loop.until([&] { return child.out == "grandchild\n"; }));
  const auto start = Clock::now();
  child.process->terminate();
  child.process->terminate();  // does not speed anything up
  REQUIRE(loop.until([&] { return !child.codes.empty(); }));
  CHECK(Clock::now() - start >= platform::kTimeToEnd);
  CHECK(processes_marked("MARK=two-seconds").empty());
}

TEST_CASE("what a child leaves behind ends with it", "[io]") {
  SKIP_UNDER_EMULATOR("qemu-user knows no PR_SET_CHILD_SUBREAPER, so orphans go to init");
  Loop loop;
  const std::string mark = "MARK=left-behind";
  // Where the supervisor does not inherit it, it must have seen it before its parent ended.
  const bool is_inherited = test::platform() == "linux";
  const char* const wait = is_inherited ? "" : "sleep 1; ";
  Child child(loop, std::string("setsid sleep 1000 >/dev/null 2>&1 & echo started; ") + wait + "exit 4",
              {{"MARK", "left-behind"}, {"PATH", "/usr/bin:/bin"}});
  REQUIRE(loop.until([&] { return child.over(); }));
  CHECK(child.codes == std::vector<int>{4});
  CHECK(processes_marked(mark).empty());
}

TEST_CASE("letting go of a child ends its tree and leaves no zombie", "[io]") {
  Loop loop;
  const std::string mark = "MARK=let-go";
  Child child(loop, kDeafTree, {{"MARK", "let-go"}, {"PATH", "/usr/bin:/bin"}});
  REQUIRE(loop.until([&] { return child.out == "grandchild\n"; }));
  child.process.reset();
  CHECK(loop.until([&] { return processes_marked(mark).empty() && children().empty(); }));
  CHECK(child.codes.empty());
}

TEST_CASE("a child may be let go of in its own events", "[io]") {
  Loop loop;
  // The end of stdout and the death come in one turn of the loop.
  for (int i = 0; i < 20; ++i) {
    ChildCommand command;
    command.argv = {"/bin/echo", "x"};
    command.directory = "/";
    std::shared_ptr<ChildProcess> process;
    bool ended = false;
    ChildProcess::Events events;
    events.on_stdout = [](std::string_view) { return true; };
    events.on_stdout_end = [&] { process.reset(), ended = true; };
    events.on_exit = [&](int) { process.reset(), ended = true; };
    process = ChildProcess::spawn(loop.context, command, events).value();
    siginfo_t info;
    ::waitid(P_PID, static_cast<id_t>(process->pid()), &info, WEXITED | WNOWAIT);  // dead, but not collected
    REQUIRE(loop.until([&] { return ended; }));
  }
  CHECK(loop.until([&] { return children().empty(); }));
}

TEST_CASE("a child that is started as another one ends does not stop the loop", "[io]") {
  Loop loop;
  int started = 0, ended = 0;
  std::shared_ptr<ChildProcess> process;
  std::function<void()> next = [&] {
    ChildCommand command;
    command.argv = {"/bin/sh", "-c", "echo up; exec sleep 1000"};
    command.directory = "/";
    ChildProcess::Events events;
    // Its death and the ends of its streams come in one turn of the loop, and the next child takes over the
    // descriptors that it leaves.
    events.on_stdout = [&](std::string_view) {
      process->terminate();
      siginfo_t info;
      ::waitid(P_PID, static_cast<id_t>(process->pid()), &info, WEXITED | WNOWAIT);
      return true;
    };
    events.on_stdout_end = [] {};
    events.on_exit = [&](int) {
      ++ended;
      process.reset();
      if (started < 40) next();
    };
    process = ChildProcess::spawn(loop.context, command, events).value();
    ++started;
  };
  next();
  REQUIRE(loop.until([&] { return ended == 40; }));
  process.reset();
  CHECK(loop.until([&] { return children().empty(); }));
}

TEST_CASE("the tree ends when the program that started it is killed", "[io]") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  // Another run's orphans, such as a mutant's, are not ours.
  const std::string value = std::to_string(::getpid()), mark = "ORPHANS=" + value,
                    program = test::own_program();
  const pid_t parent = ::fork();
  if (parent == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    ::setenv("ORPHANS", value.c_str(), 1);
    ::execl(program.c_str(), program.c_str(), test::kOrphanMakerCommand, kDeafTree, nullptr);
    ::_exit(1);
  }
  ::close(ends[1]);
  char word[8];
  CHECK(::read(ends[0], word, sizeof word) == 8);  // "started\n": the grandchild is up
  Loop loop;
  CHECK(loop.until([&] { return processes_marked(mark).size() >= 5; }));  // each shell has its `sleep`
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  CHECK(loop.until([&] { return processes_marked(mark).empty(); }));
  ::close(ends[0]);
}

}  // namespace leanbridge::io
