#pragma once
/// One run of the local `loogle`: it greets, then answers a line with a line.

#include "leanbridge/io/child_process.hpp"

#include <deque>
#include <string>

namespace leanbridge::search {

class LoogleProcess {
 public:
  enum class State { Starting, Ready, Ended };

  /// Ended at once where it cannot be started.
  static std::shared_ptr<LoogleProcess> start(asio::io_context& context, io::ChildCommand command);
  ~LoogleProcess() { kill(); }

  State state() const { return state_; }
  /// Why it has ended.
  const std::string& reason() const { return reason_; }

  void send(const std::string& line) { child_->input().send(line + "\n"); }
  bool has_line() const { return !lines_.empty(); }
  std::string take_line();
  /// Ends it, and everything below it, at once.
  void kill();

  io::Condition changed;

 private:
  LoogleProcess() = default;
  bool receive(std::string_view bytes);
  void end(std::string reason);

  std::shared_ptr<io::ChildProcess> child_;
  State state_ = State::Starting;
  std::string reason_;
  std::string unfinished_;
  std::deque<std::string> lines_;
};

}  // namespace leanbridge::search
