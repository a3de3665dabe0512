#pragma once
/// One client that exchanges lines: its session on two byte streams, back-pressure from one to the other, and
/// the end of both.

#include "core/io/byte_stream.hpp"
#include "core/mcp/session.hpp"
#include "core/rpc/framing.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace leanbridge::app {

class Runtime;

/// Belongs to the loop's thread.
class LineClient : public std::enable_shared_from_this<LineClient> {
 public:
  enum class End {
    Delivering,   ///< the client is gone or has closed its side: deliver the remaining answers
    Interrupted,  ///< do not wait for the client to read
  };

  /// Owns both descriptors, which may be copies of each other. `owner` is kept alive while a call is running;
  /// it may be null if the runtime outlives the loop.
  LineClient(Runtime& runtime, int input, int output, std::shared_ptr<const void> owner = nullptr);

  /// Reads until the input ends. `begun`: the beginning of the input, if some of it was read before.
  void start(std::string_view begun = {});
  /// Ends the session and all its calls. Only the first call has an effect.
  void end(const std::string& why, End how = End::Delivering);
  bool ended() const { return phase_ != Phase::Serving; }

  /// Ends the client's other servers, and waits until the client has read its answers: as long as it goes on
  /// reading, however slowly, unless it was interrupted. Call it after end().
  asio::awaitable<void> finish();

  /// Observes the calls of the client's session; may be empty. Set it before start().
  mcp::CallObserver observe_call;

  /// Called once, inside end().
  std::function<void()> on_end;

 private:
  enum class Phase { Serving, Delivering, Interrupted };
  bool interrupted() const { return phase_ == Phase::Interrupted; }
  void take_lines();
  void take_last_line();
  asio::awaitable<void> answer_the_rest(std::string why);
  asio::awaitable<void> back_pressure();

  asio::io_context& context_;
  Runtime& runtime_;
  std::shared_ptr<const void> owner_;
  std::shared_ptr<io::CancelSource> ended_ = std::make_shared<io::CancelSource>();
  std::shared_ptr<asio::posix::stream_descriptor> input_;
  std::shared_ptr<io::OutgoingQueue> output_;
  rpc::LineCodec codec_;
  std::shared_ptr<mcp::Session> session_;
  Phase phase_ = Phase::Serving;
};

/// Waits until everything has been written: as long as the reader goes on, with pauses of at most two
/// seconds. With `at_most`, no longer than that in all.
asio::awaitable<void> drained(std::shared_ptr<io::OutgoingQueue> output,
                              std::optional<io::Clock::duration> at_most);

}  // namespace leanbridge::app
