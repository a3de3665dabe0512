#include "log.hpp"

#include "ascii.hpp"
#include <fcntl.h>
#include <poll.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <utility>

namespace leanbridge::log {

namespace {

// stderr may be the same pipe as stdout, which is non-blocking: a plain fwrite would then lose lines. If the
// reader pauses for long, log lines are lost, but the program never blocks.
class StderrSink : public spdlog::sinks::base_sink<std::mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    const char* next = line.data();
    std::size_t left = line.size();
    while (left > 0) {
      const ssize_t written = ::write(STDERR_FILENO, next, left);
      if (written > 0) {
        next += written;
        left -= static_cast<std::size_t>(written);
      } else if (errno == EAGAIN) {
        pollfd ready{STDERR_FILENO, POLLOUT, 0};
        if (::poll(&ready, 1, 50) <= 0) return;
      } else if (errno != EINTR) {
        return;
      }
    }
  }
  void flush_() override {}
};

// A file that never grows beyond `limit` bytes and one line; the text before is in FILE.1.
class BoundedFileSink : public spdlog::sinks::base_sink<std::mutex> {
 public:
  BoundedFileSink(std::string file, std::size_t limit) : file_(std::move(file)), limit_(limit) {
    open();
    if (fd_ < 0) throw spdlog::spdlog_ex("cannot open " + file_, errno);
  }
  ~BoundedFileSink() override {
    if (fd_ >= 0) ::close(fd_);
  }

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    if (size_ >= limit_) renew();
    if (fd_ < 0 || ::write(fd_, line.data(), line.size()) < 0) return;
    size_ += line.size();
  }
  void flush_() override {}

 private:
  void open() {
    fd_ = ::open(file_.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
    struct stat status {};
    size_ = fd_ >= 0 && ::fstat(fd_, &status) == 0 ? static_cast<std::size_t>(status.st_size) : 0;
  }
  void renew() {
    if (fd_ >= 0) ::close(fd_);
    if (::rename(file_.c_str(), (file_ + ".1").c_str()) != 0) ::unlink(file_.c_str());
    open();
  }

  std::string file_;
  std::size_t limit_;
  std::size_t size_ = 0;
  int fd_ = -1;
};

// A user who can replace files in a folder can redirect a log that is written there. A folder that is shared
// on purpose (sticky, like /tmp) does not allow that.
std::string folder_problem(const std::string& file) {
  if (file.empty()) return "";
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  struct stat status {};
  if (::stat(folder.empty() ? "." : folder.c_str(), &status) != 0) return "";
  const bool open_to_all = (status.st_mode & S_IWOTH) != 0 && (status.st_mode & S_ISVTX) == 0;
  return open_to_all ? "other users can write to the folder of " + file : "";
}

spdlog::level::level_enum spdlog_level(Level level) {
  switch (level) {
    case Level::Debug:
      return spdlog::level::debug;
    case Level::Info:
      return spdlog::level::info;
    case Level::Warning:
      return spdlog::level::warn;
    case Level::Error:
      break;
  }
  return spdlog::level::err;
}

}  // namespace

void write(Level level, fmt::string_view format, fmt::format_args arguments) {
  spdlog::logger* logger = spdlog::default_logger_raw();
  const auto wanted = spdlog_level(level);
  if (logger->should_log(wanted)) logger->log(wanted, spdlog::string_view_t(fmt::vformat(format, arguments)));
}

void configure(const std::string& level, const std::string& file, std::size_t max_bytes) {
  const std::string word = lower_case(level);
  spdlog::sink_ptr sink = std::make_shared<StderrSink>();
  std::string problem;
  try {
    if (const std::string fault = folder_problem(file); !fault.empty()) {
      problem = fault;
    } else if (!file.empty() && max_bytes > 0) {
      sink = std::make_shared<BoundedFileSink>(file, max_bytes);
    } else if (!file.empty()) {
      // Create the file here to set its mode: log lines name files and quote Lean.
      const int made = ::open(file.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR);
      if (made >= 0) ::close(made);
      sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file, false);
    }
  } catch (const spdlog::spdlog_ex& failure) {
    problem = failure.what();
  }
  auto logger = std::make_shared<spdlog::logger>("leanbridge", std::move(sink));
  logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e %l %v");
  auto chosen = spdlog::level::from_str(word);  // an unknown word gives "off"
  if (chosen == spdlog::level::off && word != "off" && word != "none") chosen = spdlog::level::info;
  logger->set_level(chosen);
  logger->flush_on(spdlog::level::info);
  spdlog::set_default_logger(std::move(logger));
  if (!problem.empty()) warn("logging to stderr: {}", problem);
}

}  // namespace leanbridge::log
