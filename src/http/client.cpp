#include "client.hpp"

#include "core/base/ascii.hpp"
#include "core/io/one_shot.hpp"
#include "curl.hpp"
#include "transfer.hpp"
#include <boost/asio/executor_work_guard.hpp>
#include <signal.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <map>
#include <thread>

namespace leanbridge::http {

namespace {

std::string part_of(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl().url_get(url, part, &text, CURLU_DEFAULT_PORT) != CURLUE_OK) return "";
  std::string copy = text;
  curl().free(text);
  return copy;
}

std::string ca_file() {
  for (const char* name : {"CURL_CA_BUNDLE", "SSL_CERT_FILE"})
    if (const char* value = std::getenv(name); value && *value) return value;
  return "";
}

}  // namespace

// --- URLs and headers

bool is_token_char(char c) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         kMarks.find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_token_char);
}

std::string Response::header(const std::string& lower_case_name) const {
  for (const auto& [name, value] : headers)
    if (name == lower_case_name) return value;
  return "";
}

bool Origin::loopback() const {
  const bool ipv4 = host.starts_with("127.") &&
                    std::ranges::all_of(host, [](unsigned char c) { return std::isdigit(c) || c == '.'; });
  return ipv4 || host == "localhost" || host == "[::1]";
}

tl::expected<Origin, Failure> origin_of(const std::string& url) {
  if (auto missing = curl_is_missing()) return tl::unexpected(std::move(*missing));
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> parts(curl().url(), curl().url_cleanup);
  Origin origin;
  // curl stops at a NUL, while other readers of the URL go on.
  const bool whole = url.find('\0') == std::string::npos;
  if (whole && curl().url_set(parts.get(), CURLUPART_URL, url.c_str(), 0) == CURLUE_OK) {
    origin.scheme = lower_case(part_of(parts.get(), CURLUPART_SCHEME));
    origin.host = lower_case(part_of(parts.get(), CURLUPART_HOST));
    origin.port = part_of(parts.get(), CURLUPART_PORT);
  }
  if ((origin.scheme == "http" || origin.scheme == "https") && !origin.host.empty()) return origin;
  return tl::unexpected(Failure{Failure::Kind::BadUrl, "The address is not an http or https URL."});
}

std::optional<std::chrono::milliseconds> retry_after(const Response& response,
                                                     std::chrono::system_clock::time_point now) {
  constexpr std::int64_t kLongest = 86'400;  // seconds
  const std::string value = response.header("retry-after");
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (error != std::errc() || end != value.data() + value.size()) {
    const time_t date = curl().getdate(value.c_str(), nullptr);
    if (value.empty() || date < 0) return std::nullopt;
    seconds = std::int64_t{date} - std::chrono::system_clock::to_time_t(now);
  }
  return std::chrono::seconds(std::clamp<std::int64_t>(seconds, 0, kLongest));
}

// --- requests

/// One request, shared by its coroutine and the work posted to the loop. Only the loop's thread reads and
/// writes it; the HTTP thread just holds it.
struct Client::Exchange {
  io::OneShot<Outcome> outcome;
  StreamEvents events;  ///< empty once there is no listener
  bool streams = false;
};

/// The thread and its state. The loop calls the public functions, which post work to `inbox_` and wake the
/// thread; the thread polls `inbox_` and posts results to the loop.
class Client::Worker {
 public:
  using ExchangePtr = std::shared_ptr<Exchange>;

  Worker(asio::io_context& loop, TransferSettings settings, long max_connections)
      : loop_(loop.get_executor()), settings_(std::move(settings)) {
    curl().global_init(CURL_GLOBAL_DEFAULT);  // reference-counted and thread-safe in this libcurl
    multi_ = curl().multi_init();
    curl().multi_setopt(multi_, CURLMOPT_MAX_TOTAL_CONNECTIONS, max_connections);
    // Block all signals in the thread: the loop handles them. SIGPIPE, which a library may raise by writing,
    // is then never delivered.
    sigset_t all, before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this] { run(); });
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  ~Worker() { stop(); }

  std::uint64_t start(Request request, ExchangePtr exchange) {
    const std::uint64_t id = ++last_id_;
    hand_over([this, id, request = std::move(request), exchange = std::move(exchange)]() mutable {
      begin(id, std::move(request), std::move(exchange));
    });
    return id;
  }
  void abandon(std::uint64_t id) {
    hand_over([this, id] { end(id); });
  }
  void stop() {
    if (!thread_.joinable()) return;
    hand_over([this] { stopping_ = true; });
    thread_.join();
    curl().multi_cleanup(multi_);
    curl().global_cleanup();
  }

 private:
  struct Running {
    ExchangePtr exchange;
    std::unique_ptr<Transfer> transfer;
  };

  template <class Work>
  void hand_over(Work work) {
    if (!thread_.joinable()) return;
    asio::post(inbox_, std::move(work));
    curl().multi_wakeup(multi_);
  }

  // The functions from here on run on the HTTP thread.
  void run() {
    while (!stopping_) {
      int active = 0;
      curl().multi_perform(multi_, &active);
      collect();
      inbox_.poll();
      // Long, since handing over work wakes the poll and curl shortens it to its own timers. Work posted
      // after inbox_.poll() is not lost: its wake-up ends the next multi_poll at once.
      constexpr int kIdleMs = 60'000;
      if (!stopping_) curl().multi_poll(multi_, nullptr, 0, kIdleMs, nullptr);
    }
    while (!running_.empty()) {
      auto exchange = running_.begin()->second.exchange;
      end(running_.begin()->first);
      answer(std::move(exchange),
             tl::unexpected(Failure{Failure::Kind::Cancelled, "The program is shutting down."}));
    }
  }

  void begin(std::uint64_t id, Request request, ExchangePtr exchange) {
    auto transfer = std::make_unique<Transfer>(std::move(request), settings_, sink_of(id, exchange));
    if (auto refused = transfer->prepare())
      return answer(std::move(exchange), tl::unexpected(std::move(*refused)));
    curl().multi_add_handle(multi_, transfer->handle());
    ids_[transfer->handle()] = id;
    running_[id] = Running{std::move(exchange), std::move(transfer)};
  }

  // Posts the received pieces to the loop; the loop reports how much it has consumed, which bounds the bytes
  // in between.
  Sink sink_of(std::uint64_t id, const ExchangePtr& exchange) {
    Sink sink;
    if (!exchange->streams) return sink;
    sink.on_headers = [this, exchange](Response head) {
      asio::post(loop_, [exchange, head = std::move(head)] {
        if (const auto hear = exchange->events.on_headers) hear(head);
      });
    };
    sink.on_bytes = [this, id, exchange](std::string bytes) {
      asio::post(loop_, [this, id, exchange, bytes = std::move(bytes)] {
        const auto hear = exchange->events.on_bytes;
        if (!hear) return;  // there is no listener, and the worker may be gone
        hear(bytes);
        if (exchange->events.on_bytes) hand_over([this, id, size = bytes.size()] { consumed(id, size); });
      });
    };
    return sink;
  }

  void consumed(std::uint64_t id, std::size_t bytes) {
    if (const auto found = running_.find(id); found != running_.end())
      found->second.transfer->consumed(bytes);
  }

  void end(std::uint64_t id) {
    const auto found = running_.find(id);
    if (found == running_.end()) return;
    curl().multi_remove_handle(multi_, found->second.transfer->handle());
    ids_.erase(found->second.transfer->handle());
    running_.erase(found);
  }

  void collect() {
    int left = 0;
    while (CURLMsg* message = curl().multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode code = message->data.result;
      const std::uint64_t id = ids_.at(message->easy_handle);
      Running& running = running_.at(id);
      auto outcome = running.transfer->ended(code);
      if (!outcome) {
        curl().multi_remove_handle(multi_, running.transfer->handle());
        if (auto refused = running.transfer->prepare())
          outcome = tl::unexpected(std::move(*refused));
        else
          curl().multi_add_handle(multi_, running.transfer->handle());
      }
      if (!outcome) continue;
      ExchangePtr exchange = std::move(running.exchange);
      end(id);
      answer(std::move(exchange), std::move(*outcome));
    }
  }

  void answer(ExchangePtr exchange, Outcome outcome) {
    asio::post(loop_, [exchange = std::move(exchange), outcome = std::move(outcome)]() mutable {
      exchange->outcome.set(std::move(outcome));
    });
  }

  asio::io_context::executor_type loop_;
  TransferSettings settings_;
  CURLM* multi_ = nullptr;
  asio::io_context inbox_{1};
  asio::executor_work_guard<asio::io_context::executor_type> open_{inbox_.get_executor()};
  std::uint64_t last_id_ = 0;  // used on the loop's thread
  std::thread thread_;
  bool stopping_ = false;
  std::map<std::uint64_t, Running> running_;
  std::map<CURL*, std::uint64_t> ids_;
};

Client::Client(asio::io_context& context, ClientOptions options)
    : context_(context), options_(std::move(options)) {}

Client::~Client() {
  if (worker_) worker_->stop();
}

asio::awaitable<tl::expected<Response, Failure>> Client::send(Request request, io::CancelScope scope) {
  auto exchange = std::make_shared<Exchange>();
  co_return co_await run(std::move(request), std::move(exchange), std::move(scope));
}

asio::awaitable<tl::expected<Response, Failure>> Client::stream(Request request, StreamEvents events,
                                                                io::CancelScope scope) {
  auto exchange = std::make_shared<Exchange>();
  exchange->events = std::move(events);
  exchange->streams = true;
  co_return co_await run(std::move(request), std::move(exchange), std::move(scope));
}

asio::awaitable<tl::expected<Response, Failure>> Client::run(Request request,
                                                             std::shared_ptr<Exchange> exchange,
                                                             io::CancelScope scope) {
  if (auto missing = curl_is_missing()) co_return tl::unexpected(std::move(*missing));
  if (!worker_) {
    TransferSettings settings;
    settings.user_agent = options_.user_agent;
    settings.loopback_only = options_.loopback_only;
    settings.ca_file = ca_file();
    worker_ = std::make_shared<Worker>(context_, std::move(settings), options_.max_connections);
  }
  const auto origin = origin_of(request.url);
  if (!origin) co_return tl::unexpected(origin.error());
  // Ends the transfer and its callbacks, however this coroutine ends.
  struct Hold {
    std::shared_ptr<Worker> worker;
    std::shared_ptr<Exchange> exchange;
    std::uint64_t id = 0;
    ~Hold() {
      exchange->events = {};
      worker->abandon(id);
    }
  };
  Hold hold{worker_, exchange};
  hold.id = worker_->start(std::move(request), exchange);
  const io::WaitStatus end = co_await exchange->outcome.wait(scope);
  if (end == io::WaitStatus::Ready) co_return exchange->outcome.take();
  if (end == io::WaitStatus::Cancelled)
    co_return tl::unexpected(Failure{Failure::Kind::Cancelled, "The call was cancelled."});
  co_return tl::unexpected(Failure{Failure::Kind::Timeout, origin->place() + " did not answer in time."});
}

}  // namespace leanbridge::http
