#include "loogle_process.hpp"

namespace leanbridge::search {

namespace {

constexpr std::string_view kGreeting = "Loogle is ready.";
constexpr std::size_t kLongestLine = 16u << 20;  // bytes
constexpr std::size_t kLongestReason = 300;      // bytes

}  // namespace

std::shared_ptr<LoogleProcess> LoogleProcess::start(asio::io_context& context, io::ChildCommand command) {
  std::shared_ptr<LoogleProcess> process(new LoogleProcess);
  io::ChildProcess::Events events;
  // The child calls nothing once it is let go of, and it is this object's.
  LoogleProcess* const self = process.get();
  events.on_stdout = [self](std::string_view bytes) { return self->receive(bytes); };
  events.on_stdout_end = [self] { self->end("it closed its output"); };
  events.on_exit = [self](int code) { self->end("it ended with code " + std::to_string(code)); };
  auto child = io::ChildProcess::spawn(context, std::move(command), std::move(events));
  if (child)
    process->child_ = std::move(*child);
  else
    process->end(child.error().message);
  return process;
}

bool LoogleProcess::receive(std::string_view bytes) {
  unfinished_.append(bytes);
  for (std::size_t end = unfinished_.find('\n'); end != std::string::npos; end = unfinished_.find('\n')) {
    std::string line = unfinished_.substr(0, end);
    unfinished_.erase(0, end + 1);
    if (state_ != State::Starting)
      lines_.push_back(std::move(line));
    else if (line.find(kGreeting) != std::string::npos)
      state_ = State::Ready;
    // Lake may print before it.
  }
  if (unfinished_.size() > kLongestLine) {
    end("it printed a line without end");
    return false;
  }
  changed.notify_all();
  return true;
}

std::string LoogleProcess::take_line() {
  std::string line = std::move(lines_.front());
  lines_.pop_front();
  return line;
}

void LoogleProcess::kill() {
  if (child_) child_->terminate();
  end("it was ended");
}

void LoogleProcess::end(std::string reason) {
  if (state_ == State::Ended) return;
  state_ = State::Ended;
  reason_ = std::move(reason);
  if (child_) {
    std::string last = child_->stderr_tail();
    while (last.ends_with('\n')) last.pop_back();
    last.erase(0, last.rfind('\n') + 1);
    if (!last.empty()) reason_ += ": " + last.substr(0, kLongestReason);
    child_->terminate();
  }
  changed.notify_all();
}

}  // namespace leanbridge::search
