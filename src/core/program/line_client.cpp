#include "line_client.hpp"

#include "core/base/log.hpp"
#include "runtime.hpp"

#include <utility>

namespace leanbridge::app {

namespace {

// How long a client that has closed its side may pause between reading two parts of its answers.
constexpr io::Clock::duration kReaderGrace = std::chrono::seconds(2);

}  // namespace

LineClient::LineClient(Runtime& runtime, int input, int output, std::shared_ptr<const void> owner)
    : context_(runtime.context()),
      runtime_(runtime),
      owner_(std::move(owner)),
      input_(std::make_shared<asio::posix::stream_descriptor>(context_, input)),
      output_(std::make_shared<io::OutgoingQueue>(asio::posix::stream_descriptor(context_, output))) {}

void LineClient::start(std::string_view begun) {
  mcp::SessionOptions options = runtime_.session_options();
  options.owner = owner_;
  options.observe_call = observe_call;
  const std::weak_ptr<LineClient> weak = weak_from_this();
  session_ = std::make_shared<mcp::Session>(
      context_, runtime_.tools(), std::move(options),
      [output = output_](std::string&& message) { output->send(rpc::LineCodec::encode(std::move(message))); },
      [this, weak] {
        asio::post(context_, [weak] {
          if (const auto self = weak.lock(); self && !self->ended())
            self->runtime_.begin_work(self->ended_, self->owner_);
        });
      });
  runtime_.serve(session_);
  output_->on_failure = [weak](const std::string& reason) {
    if (const auto self = weak.lock()) self->end("output: " + reason);
  };
  output_->watch_reader();
  codec_.feed(begun);
  take_lines();
  const auto self = shared_from_this();
  const auto on_bytes = [self](std::string_view bytes) {
    self->codec_.feed(bytes);
    self->take_lines();
    return !self->ended();
  };
  const auto on_input_end = [self](const std::string& reason) {
    self->take_last_line();
    if (!self->ended())
      io::spawn(self->context_.get_executor(),
                [self, why = "input ended " + reason] { return self->answer_the_rest(why); });
  };
  io::spawn(context_,
            io::read_to_end(input_, on_bytes, on_input_end, [self] { return self->back_pressure(); }));
}

// One read may contain a thousand requests, and their answers a hundred megabytes.
void LineClient::take_lines() {
  while (!ended() && !output_->above_high_water()) {
    auto frame = codec_.next();
    if (!frame) return;
    if (auto* line = std::get_if<rpc::LineCodec::Line>(&*frame))
      session_->receive(line->text);
    else
      session_->receive_oversize(std::get<rpc::LineCodec::Oversize>(*frame).limit);
  }
}

// The last line may lack its line ending.
void LineClient::take_last_line() {
  codec_.feed("\n");
  take_lines();
}

// Answers the remaining requests: a client such as a script may close its side after its last request and
// wait for the answers. A signal, or the end of the reader, ends this wait at once.
asio::awaitable<void> LineClient::answer_the_rest(std::string why) {
  const auto self = shared_from_this();
  const io::CancelScope scope(io::kNoDeadline);  // each call has its own deadline
  co_await io::wait_until(output_->changed, scope,
                          [self] { return self->output_->closed() || self->session_->answers_owed() == 0; });
  end(why);
}

// Stops reading requests from a client that does not read its answers. Awaited before every read, so that no
// line is left unprocessed when the input ends.
asio::awaitable<void> LineClient::back_pressure() {
  while (output_->above_high_water() && !output_->closed()) {
    const io::CancelScope scope(io::kNoDeadline);
    co_await io::wait_until(output_->changed, scope,
                            [this] { return !output_->above_high_water() || output_->closed(); });
    take_lines();
  }
}

void LineClient::end(const std::string& why, End how) {
  if (ended()) return;
  const auto self = shared_from_this();
  phase_ = how == End::Interrupted ? Phase::Interrupted : Phase::Delivering;
  ended_->cancel();
  log::info("ending: {}", why);
  if (session_) session_->close();
  boost::system::error_code ignored;
  input_->close(ignored);
  output_->close_when_drained();
  if (on_end) on_end();
}

asio::awaitable<void> LineClient::finish() {
  const auto self = shared_from_this();
  co_await runtime_.stop_parts();
  const auto at_most =
      interrupted() ? std::optional<io::Clock::duration>(kStopGrace) : std::optional<io::Clock::duration>();
  co_await drained(output_, at_most);
}

asio::awaitable<void> drained(std::shared_ptr<io::OutgoingQueue> output,
                              std::optional<io::Clock::duration> at_most) {
  std::size_t left = 0;
  do {
    left = output->queued_bytes();
    const io::CancelScope scope(at_most.value_or(kReaderGrace));
    co_await io::wait_until(output->changed, scope, [&output, left, &at_most] {
      return output->closed() || (!at_most && output->queued_bytes() < left);
    });
  } while (!at_most && !output->closed() && output->queued_bytes() < left);
}

}  // namespace leanbridge::app
