// The client's side: passes lines between stdin and stdout and the shared server, and handles the server's
// death.
//
// | state     | the client's lines     | next                                                         |
// |-----------|------------------------|--------------------------------------------------------------|
// | Attached  | go to the server       | Attaching when it is lost                                    |
// | Attaching | wait                   | Attached, the session opened again; Detached if that fails   |
// | Detached  | requests get an error  | Attaching, at the first line after kRetryAfter               |
// | Ending    | are not read           | the process ends when what is left has been delivered        |
//
// Ending follows each other state, when the client is gone or a signal arrives.

#include "core/base/log.hpp"
#include "core/base/try.hpp"
#include "core/io/pool.hpp"
#include "core/mcp/session.hpp"
#include "core/program/interrupts.hpp"
#include "core/program/line_client.hpp"
#include "core/program/standard_stream.hpp"
#include "core/rpc/framing.hpp"
#include "gateway/command/upstream_files.hpp"
#include "handshake.hpp"
#include "launch.hpp"
#include "meeting.hpp"
#include "session_record.hpp"
#include "shared.hpp"
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <deque>
#include <functional>
#include <utility>

namespace leanbridge::app {

namespace {

constexpr auto kAttachLimit = std::chrono::seconds(10);
constexpr io::Clock::duration kRetryAfter = std::chrono::seconds(5);
// A server that dies this often is not started again for a while: this client may be the reason.
constexpr std::size_t kMaxLosses = 5;
constexpr io::Clock::duration kLossesWithin = std::chrono::minutes(1);
constexpr io::Clock::duration kRelayGrace = std::chrono::milliseconds(300);
constexpr std::size_t kMaxServerLine = std::size_t{256} << 20;  // bytes; the server's answers are limited to
                                                                // far less

constexpr const char* kLostMessage =
    "The leanbridge server that this client shares with others has ended in the middle of the request. A new "
    "one takes its place: call again.";

/// Attaches to a server. Blocking. Gets the server's number, from 0, and a flag that tells that it is no
/// longer wanted.
using GivenUp = std::shared_ptr<const std::atomic<bool>>;
using Attach = std::function<Result<Descriptor>(int number, GivenUp given_up)>;

class Relay {
 public:
  Relay(Attach attach, Descriptor server, const StandardStream& in, const StandardStream& out)
      : attach_(std::move(attach)),
        input_(std::make_shared<asio::posix::stream_descriptor>(context_, in.fd())),
        output_(std::make_shared<io::OutgoingQueue>(asio::posix::stream_descriptor(context_, out.fd()))),
        interrupts_(
            context_,
            [this](const std::string& why) {
              interrupted_ = true;
              end(why);
            },
            [this] { context_.stop(); }) {
    output_->on_failure = [this](const std::string& reason) { end("stdout: " + reason); };
    use(std::move(server));
  }

  void run() {
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGXFSZ, SIG_IGN);
    output_->watch_reader();
    const auto on_bytes = [this](std::string_view bytes) {
      client_lines_.feed(bytes);
      pass_on();
      return state_ != State::Ending;
    };
    const auto on_end = [this](const std::string&) {
      client_lines_.feed("\n");  // the last line may lack its ending
      client_ended_ = true;
      pass_on();
      io::spawn(context_, say_goodbye());
    };
    io::spawn(context_, io::read_to_end(input_, on_bytes, on_end, [this] { return back_pressure(); }));
    interrupts_.serve();
  }

 private:
  enum class State { Attached, Attaching, Detached, Ending };

  // One connection. Both directions have a descriptor of the same socket.
  struct Server {
    std::shared_ptr<asio::posix::stream_descriptor> input;
    std::shared_ptr<io::OutgoingQueue> output;
    rpc::LineCodec lines{kMaxServerLine};
    int socket = -1;  // of `input`
    bool over = false;
  };

  void use(Descriptor socket) {
    const auto server = std::make_shared<Server>();
    server->socket = ::fcntl(socket.get(), F_DUPFD_CLOEXEC, 0);
    const int copy = ::fcntl(socket.get(), F_DUPFD_CLOEXEC, 0);
    if (copy < 0) {
      if (server->socket >= 0) ::close(server->socket);
      return detach("This process is out of file descriptors.");
    }
    server->input = std::make_shared<asio::posix::stream_descriptor>(context_, server->socket);
    server->output = std::make_shared<io::OutgoingQueue>(asio::posix::stream_descriptor(context_, copy));
    server->output->on_failure = [weak = std::weak_ptr(server)](const std::string&) {
      // The messages that it sent before it died are still read; their end reports the death.
      if (const auto gone = weak.lock()) ::shutdown(gone->socket, SHUT_WR);
    };
    server_ = server;
    state_ = State::Attached;
    const auto on_bytes = [this, server](std::string_view bytes) {
      server->lines.feed(bytes);
      return take_server_lines(*server);
    };
    const auto on_end = [this, server](const std::string&) { lose(server); };
    const auto ready = [this] { return room_for_answers(); };
    io::spawn(context_, io::read_to_end(server->input, on_bytes, on_end, ready));
    changed_.notify_all();
  }

  // --- lines of the server

  bool take_server_lines(Server& server) {
    while (auto frame = server.lines.next()) {
      auto* line = std::get_if<rpc::LineCodec::Line>(&*frame);
      if (!line) continue;  // the server never sends so long a line
      if (record_.from_server(line->text)) output_->send(rpc::LineCodec::encode(std::move(line->text)));
    }
    return !server.over && !output_->closed();
  }

  asio::awaitable<void> room_for_answers() {
    co_await io::wait_until(output_->changed, io::CancelScope(io::kNoDeadline),
                            [this] { return !output_->above_high_water() || output_->closed(); });
  }

  // The server has closed the connection: it has served this client to its end, or it is dead.
  void lose(const std::shared_ptr<Server>& server) {
    if (server->over) return;
    close(*server);
    if (server != server_ || state_ == State::Ending) return;
    server_.reset();
    state_ = State::Attaching;
    const bool all_said = client_ended_ && client_lines_.unfinished_bytes() == 0;
    if (all_said && record_.answers_owed() == 0) return end("the client has ended");
    for (std::string& line : record_.lost(kLostMessage, SessionRecord::Next::Server))
      output_->send(rpc::LineCodec::encode(std::move(line)));
    if (all_said) return end("the server and the client have ended");
    if (state_ == State::Ending) return;  // the client does not read its messages
    log::warn("The shared server has ended; looking for another one.");
    const auto now = io::Clock::now();
    losses_.push_back(now);
    while (losses_.front() + kLossesWithin < now) losses_.pop_front();
    if (losses_.size() > kMaxLosses)
      return detach("It has ended " + std::to_string(losses_.size()) + " times within a minute.");
    attach_again();
  }

  void close(Server& server) {
    server.over = true;
    boost::system::error_code ignored;
    server.input->close(ignored);
    server.output->close();
  }

  void attach_again() {
    state_ = State::Attaching;
    io::spawn(context_, find_server());
  }

  asio::awaitable<void> find_server() {
    const io::CancelScope scope(2 * kAttachLimit, ended_);
    const auto number = ++servers_;
    auto found = co_await pool_.run(
        [attach = attach_, number, given_up = given_up_]() -> Result<std::shared_ptr<Descriptor>> {
          TRY(auto socket, attach(number, given_up));
          return std::make_shared<Descriptor>(std::move(socket));
        },
        scope);
    if (state_ != State::Attaching) co_return;
    if (!found) co_return detach(found.error().message);
    use(std::move(**found));
    if (state_ != State::Attached) co_return;
    for (std::string& line : record_.opening())
      server_->output->send(rpc::LineCodec::encode(std::move(line)));
    pass_on();
    if (client_ended_) io::spawn(context_, say_goodbye());
  }

  void detach(const std::string& why) {
    state_ = State::Detached;
    detached_since_ = io::Clock::now();
    why_detached_ = "There is no shared leanbridge server: " + why +
                    " Call again in some seconds, or start leanbridge without --shared.";
    log::error("{}", why_detached_);
    for (std::string& line : record_.lost(why_detached_, SessionRecord::Next::None))
      output_->send(rpc::LineCodec::encode(std::move(line)));
    changed_.notify_all();
    pass_on();
  }

  // --- lines of the client

  bool has_room() const {
    switch (state_) {
      case State::Attached:
        return !server_->output->above_high_water();
      case State::Attaching:
        return false;
      case State::Detached:
        return !output_->above_high_water();
      case State::Ending:
        break;
    }
    return false;
  }

  void pass_on() {
    while (has_room()) {
      auto frame = client_lines_.next();
      if (!frame) return;
      if (const auto* oversize = std::get_if<rpc::LineCodec::Oversize>(&*frame)) {
        output_->send(rpc::LineCodec::encode(mcp::oversize_error(oversize->limit)));
        continue;
      }
      std::string& line = std::get<rpc::LineCodec::Line>(*frame).text;
      if (state_ == State::Detached) {
        refuse(line);
        continue;
      }
      record_.from_client(line);
      server_->output->send(rpc::LineCodec::encode(std::move(line)));
    }
  }

  void refuse(const std::string& line) {
    for (std::string& refusal : SessionRecord::refusals(line, why_detached_))
      output_->send(rpc::LineCodec::encode(std::move(refusal)));
    if (io::Clock::now() > detached_since_ + kRetryAfter && losses_.size() <= kMaxLosses)
      return attach_again();
    if (losses_.size() > kMaxLosses && io::Clock::now() > detached_since_ + kLossesWithin) {
      losses_.clear();
      attach_again();
    }
  }

  // Awaited before every read from the client.
  asio::awaitable<void> back_pressure() {
    while (!has_room() && state_ != State::Ending) {
      const auto server = server_;
      const auto full = [this, server] {
        return !has_room() && state_ != State::Ending && server == server_;
      };
      io::Condition& changed = state_ == State::Attached   ? server->output->changed
                               : state_ == State::Detached ? output_->changed
                                                           : changed_;
      co_await io::wait_until(changed, io::CancelScope(io::kNoDeadline), [&full] { return !full(); });
      pass_on();
    }
  }

  // --- the end

  // The client sends no more. The server hears of it when everything has been sent, answers the rest, and
  // closes.
  asio::awaitable<void> say_goodbye() {
    while (state_ != State::Ending) {
      if (state_ == State::Detached) co_return end("the client has ended");
      const auto server = server_;
      if (state_ == State::Attaching || !server) {
        co_await io::wait_until(changed_, io::CancelScope(io::kNoDeadline),
                                [this] { return state_ != State::Attaching; });
        continue;
      }
      pass_on();
      co_await io::wait_until(server->output->changed, io::CancelScope(io::kNoDeadline), [&server] {
        return server->output->closed() || server->output->queued_bytes() == 0;
      });
      pass_on();
      if (server->output->queued_bytes() > 0) continue;
      if (!server->over) ::shutdown(server->socket, SHUT_WR);
      co_return;
    }
  }

  void end(const std::string& why) {
    if (state_ == State::Ending) return;
    state_ = State::Ending;
    log::info("ending: {}", why);
    ended_->cancel();
    *given_up_ = true;
    boost::system::error_code ignored;
    input_->close(ignored);
    if (server_) close(*server_);
    changed_.notify_all();
    output_->close_when_drained();
    interrupts_.drain(stop());
  }

  asio::awaitable<void> stop() {
    co_await drained(output_, interrupted_ ? std::optional(kRelayGrace) : std::nullopt);
  }

  asio::io_context context_{1};
  io::Pool pool_{1};
  Attach attach_;
  int servers_ = 0;
  std::shared_ptr<asio::posix::stream_descriptor> input_;
  std::shared_ptr<io::OutgoingQueue> output_;
  Interrupts interrupts_;
  rpc::LineCodec client_lines_;
  SessionRecord record_;
  std::shared_ptr<Server> server_;  // in the state Attached
  State state_ = State::Attaching;
  io::Condition changed_;  // notified when the state has changed
  std::shared_ptr<io::CancelSource> ended_ = std::make_shared<io::CancelSource>();
  std::shared_ptr<std::atomic<bool>> given_up_ = std::make_shared<std::atomic<bool>>(false);
  std::deque<io::Clock::time_point> losses_;
  io::Clock::time_point detached_since_;
  std::string why_detached_;
  bool client_ended_ = false;
  bool interrupted_ = false;
};

}  // namespace

std::optional<int> serve_shared(const Options& options, const StandardDescriptors& were_open) {
  if (!were_open.input || !were_open.output) return std::nullopt;  // serve() reports it
  const auto own = [](const Error& error) {
    log::warn("Lean is not shared; this session has a server of its own. {} {}", error.message, error.hint);
    return std::nullopt;
  };
  const SharedProfile profile = profile_of(options);
  if (profile.build.empty())
    return own(Error(ErrorKind::NotSupported, "The program's own file is not known."));
  const auto folder = socket_folder(environment_variable);
  if (!folder) return own(folder.error());
  Greeting greeting = greeting_of(options);
  greeting.key = key_of(profile);
  const upstream::AllowedServers others = read_upstreams(options);
  if (others.config.servers.empty() && others.config.problems.empty())
    greeting.upstream = "none";
  else
    greeting.environment = own_environment();

  const Attach attach_to = [profile, greeting, at = *folder, level = options.log_level](
                               int number, const GivenUp& given_up) {
    Greeting own_greeting = greeting;
    // The client may still answer the last questions of an earlier server: their ids must not occur again.
    own_greeting.first_request = (static_cast<std::int64_t>(number) << 32) + 1;
    const Meeting meeting{at, socket_name(profile.version, greeting.key), to_line(own_greeting),
                          [&](int listening) { return start_server(profile, level, listening); },
                          [&] { return given_up && *given_up; }};
    return attach(meeting, std::chrono::steady_clock::now() + kAttachLimit);
  };
  auto server = attach_to(0, nullptr);
  if (!server) return own(server.error());
  const StandardStream in(STDIN_FILENO, O_RDONLY), out(STDOUT_FILENO, O_WRONLY);
  if (!in.valid() || !out.valid()) return std::nullopt;
  warn_without_consent(others);
  for (const std::string& sentence : options.without_effect) log::warn("{}", sentence);
  say_that_it_waits();
  Relay(attach_to, std::move(*server), in, out).run();
  return 0;
}

}  // namespace leanbridge::app
