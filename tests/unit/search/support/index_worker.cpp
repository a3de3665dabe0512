#include "index_worker.hpp"

#include "core/base/log.hpp"
#include "search/index/build/builder.hpp"
#include "search/index/local_index.hpp"
#include "support/hidden_command.hpp"
#include "support/processes.hpp"
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace leanbridge::test {

namespace {

using namespace leanbridge::index;

std::string option(const std::vector<std::string>& arguments, const std::string& name) {
  for (const std::string& argument : arguments)
    if (argument.starts_with(name + "=")) return argument.substr(name.size() + 1);
  return "";
}

int build(const std::vector<std::string>& arguments) {
  if (const std::string limit = option(arguments, "limit"); !limit.empty()) {
    ::signal(SIGXFSZ, SIG_IGN);  // then write() fails instead
    const rlimit bytes = {std::strtoul(limit.c_str(), nullptr, 10), RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &bytes);
  }
  BuildJob job;
  job.folder = arguments[1];
  job.stem = arguments[2];
  job.layout.sources = {arguments[3]};
  job.stop = std::make_shared<std::atomic<bool>>(false);
  job.on_progress = [](BuildProgress progress) {
    std::printf("progress %zu %zu\n", progress.modules, progress.declarations);
    std::fflush(stdout);
  };
  const BuildOutcome outcome = bring_up_to_date(job);
  constexpr const char* kEnds[] = {"done", "busy", "stopped", "unwritable", "failed"};
  std::printf("%s %d %s\n", kEnds[static_cast<int>(outcome.end)], outcome.owner, outcome.message.c_str());
  return 0;
}

asio::awaitable<void> search(LocalIndex& index, Lookup lookup) {
  const io::CancelScope scope(std::chrono::seconds(60));
  static_cast<void>(co_await index.build(lookup.project, scope));
  const auto matches = co_await index.find(lookup, scope);
  const bool any = matches && !matches->found.empty();
  std::printf("found %s\n", any ? matches->found[0].name.c_str() : "nothing");
  for (const auto& part : index.status().parts)
    std::printf("state %s: %s\n", part.name.c_str(), part.problem.value_or("").c_str());
}

int find(const std::vector<std::string>& arguments) {
  if (const std::string user = option(arguments, "user"); !user.empty())
    if (::setuid(static_cast<uid_t>(std::strtoul(user.c_str(), nullptr, 10))) != 0) return 1;
  asio::io_context context(1);
  LocalIndex index(context, IndexOptions{arguments[1], arguments[3]});
  Lookup lookup;
  lookup.project = arguments[2];
  lookup.words = arguments[4];
  asio::co_spawn(context, search(index, lookup), [&](std::exception_ptr) { context.stop(); });
  context.run();
  return 0;
}

}  // namespace

int index_worker(const std::vector<std::string>& arguments) {
  log::configure("off", "");
  if (arguments.size() >= 4 && arguments[0] == "build") return build(arguments);
  if (arguments.size() >= 5 && arguments[0] == "find") return find(arguments);
  return 2;
}

IndexWorker::IndexWorker(const std::vector<std::string>& arguments) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
  const std::string program = own_program();
  std::vector<std::string> words = {program, kIndexWorkerCommand};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    ::execv(program.c_str(), argv.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  out_ = ends[0];
}

IndexWorker::~IndexWorker() {
  kill();
  ::close(out_);
}

std::string IndexWorker::line() {
  for (;;) {
    if (const std::size_t end = buffer_.find('\n'); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    char bytes[4096];
    const ssize_t size = ::read(out_, bytes, sizeof bytes);
    if (size <= 0) return "";
    buffer_.append(bytes, static_cast<std::size_t>(size));
  }
}

std::string IndexWorker::last_line() {
  std::string last;
  for (std::string next = line(); !next.empty(); next = line()) last = next;
  return last;
}

void IndexWorker::kill() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  pid_ = 0;
}

static const HiddenCommand kIndexWorker(kIndexWorkerCommand, index_worker);

}  // namespace leanbridge::test
