// leanbridge view: a page with a file, its goals and messages, for the user's own browser.

#include "leanbridge/base/json.hpp"
#include "leanbridge/base/secret.hpp"
#include "leanbridge/base/try.hpp"
#include "leanbridge/http/server.hpp"
#include "leanbridge/rpc/message.hpp"
#include "leanbridge/streamable/access.hpp"
#include "leanbridge/tools/pages.hpp"

#include "app/browser.hpp"
#include "app/interrupts.hpp"
#include "app/runtime.hpp"
#include "app/view/file_view.hpp"
#include "commands.hpp"
#include "output.hpp"
#include "place_word.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <map>

namespace leanbridge::app {

using nlohmann::json;

namespace {

constexpr std::size_t kMaxPages = 32;
constexpr std::size_t kMaxQuestions = 16;                    // at once
constexpr std::size_t kMaxQuestion = std::size_t{1} << 20U;  // bytes
constexpr io::Clock::duration kFlushLook = std::chrono::milliseconds(20);
constexpr io::Clock::duration kBrowserLimit = std::chrono::minutes(1);  // to come, once it is started
constexpr std::string_view kEntrance = "/open/";
// The page says the same of itself. It has no address of another machine, and no page may frame it.
constexpr const char* kViewPolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

struct Viewed {
  std::filesystem::path file;        // absolute
  std::optional<ViewedPlace> place;  // nullopt: the page chooses
};

Viewed viewed_of(const std::string& word) {
  std::error_code ignored;
  const PlaceWord place = read_place_word(word);
  Viewed viewed{std::filesystem::absolute(place.file, ignored), std::nullopt};
  if (place.line) viewed.place = ViewedPlace{*place.line, place.column};
  return viewed;
}

std::map<std::string, std::string, std::less<>> query_of(std::string_view target) {
  std::map<std::string, std::string, std::less<>> values;
  const std::size_t mark = target.find('?');
  std::string_view rest = mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    values.emplace(pair.substr(0, equals), pair.substr(std::min(equals + 1, pair.size())));
  }
  return values;
}

http::OutgoingResponse view_refusal(int status, const char* why) {
  return {.status = status, .fields = {{"content-type", "text/plain"}}, .body = std::string(why) + "\n"};
}

class ViewServer {
 public:
  ViewServer(Runtime& runtime, std::shared_ptr<FileView> view)
      : runtime_(runtime),
        view_(std::move(view)),
        interrupts_(
            runtime.context(), [this] { io::spawn(runtime_.context(), stop()); },
            [this] {
              runtime_.projects().kill();
              runtime_.context().stop();
            }) {}

  Result<void> listen(unsigned short port) {
    http::ServerLimits limits;
    limits.max_connections = limits.max_client_connections = kMaxPages;
    limits.max_body = kMaxQuestion;
    http::ServerHandlers handlers;
    handlers.check = [this](const http::IncomingRequest& head) { return refuse(head); };
    handlers.handle = [this](std::shared_ptr<http::Exchange> exchange) { handle(std::move(exchange)); };
    TRY(server_, http::Server::listen(runtime_.context(), {.host = "127.0.0.1", .port = port}, limits,
                                      std::move(handlers)));
    return {};
  }

  void run(const std::optional<ViewedPlace>& place, bool with_browser) {
    std::string at;
    if (place) at = "#" + std::to_string(place->line);
    if (place && place->column) at += ":" + std::to_string(*place->column);
    path_ = "/" + token_.reveal() + "/" + at;
    std::fprintf(stderr, "viewing %s%s\n", server_->url().c_str(), path_.c_str());
    if (with_browser) start_browser();
    if (is_terminal(stderr)) std::fputs("Ctrl-C ends it.\n", stderr);
    view_->start();
    runtime_.context().run();
  }

 private:
  // Every user of the machine can read the words that a program is started with, so the browser gets a URL
  // that works once and not for long.
  void start_browser() {
    entrance_.emplace(random_token());
    entrance_ends_ = io::Clock::now() + kBrowserLimit;
    if (!open_in_browser(server_->url() + std::string(kEntrance) + entrance_->reveal()))
      std::fputs("No browser could be started: open the URL yourself.\n", stderr);
  }

  bool is_entrance(const http::IncomingRequest& head) const {
    std::string_view path = head.path();
    if (!entrance_ || io::Clock::now() >= entrance_ends_ || !path.starts_with(kEntrance)) return false;
    path.remove_prefix(kEntrance.size());
    return equal_secrets(path, entrance_->reveal());
  }

  // The part of the path behind the token; nullopt: it has another one.
  std::optional<std::string_view> asked_for(const http::IncomingRequest& head) const {
    std::string_view path = head.path();
    if (!path.starts_with("/")) return std::nullopt;
    path.remove_prefix(1);
    const std::size_t end = path.find('/');
    if (end == std::string_view::npos || !equal_secrets(path.substr(0, end), token_.reveal()))
      return std::nullopt;
    return path.substr(end + 1);
  }

  std::optional<http::OutgoingResponse> refuse(const http::IncomingRequest& head) const {
    if (auto refused = streamable::refuse_page(head, streamable::AccessPolicy{})) return refused;
    if (is_entrance(head) && head.method == "GET") return std::nullopt;
    const auto asked = asked_for(head);
    if (!asked) return view_refusal(404, "There is nothing here. Open the whole URL, with its token.");
    if (!asked->empty() && *asked != "events" && *asked != "ask")
      return view_refusal(404, "There is nothing here.");
    const bool is_question = *asked == "ask";
    if (head.method != (is_question ? "POST" : "GET"))
      return view_refusal(405, "This method is not offered here.");
    // A page of elsewhere may send text/plain without asking the browser; application/json it may not.
    if (is_question && head.field("content-type") != "application/json")
      return view_refusal(415, "Content-Type must be application/json.");
    if (is_question && questions_ >= kMaxQuestions)
      return view_refusal(503, "Too many questions at once: ask again.");
    return std::nullopt;
  }

  void handle(std::shared_ptr<http::Exchange> exchange) {
    if (asked_for(exchange->request()) == "events") return stream(exchange);
    if (asked_for(exchange->request()) == "ask") return ask(exchange);
    if (!asked_for(exchange->request())) {
      // Two requests may have passed the check at once.
      if (!entrance_) return exchange->respond(view_refusal(404, "This URL has been used."));
      entrance_.reset();
      return exchange->respond(
          {.status = 303,
           .fields = {
               {"location", path_}, {"cache-control", "no-store"}, {"referrer-policy", "no-referrer"}}});
    }
    exchange->respond({.fields = {{"content-type", "text/html; charset=utf-8"},
                                  {"content-security-policy", kViewPolicy},
                                  {"cache-control", "no-store"},
                                  {"referrer-policy", "no-referrer"},
                                  {"x-content-type-options", "nosniff"},
                                  {"cross-origin-resource-policy", "same-origin"},
                                  {"cross-origin-opener-policy", "same-origin"}},
                       .body = tools::kGoalPage});
  }

  // events?line=7&column=3&version=2: about that place, to a page that has that version of the text.
  void stream(const std::shared_ptr<http::Exchange>& exchange) {
    const auto query = query_of(exchange->request().target);
    const auto value = [&](const char* name) {
      const auto found = query.find(name);
      return found == query.end() ? std::string() : found->second;
    };
    const auto line = place_number(value("line")), column = place_number(value("column"));
    if (!line || (!column && !value("column").empty()))
      return exchange->respond(view_refusal(400, "Pass line, and perhaps column, as numbers from 1."));
    exchange->begin({.fields = {{"content-type", "text/event-stream"},
                                {"cache-control", "no-store"},
                                {"x-content-type-options", "nosniff"},
                                {"cross-origin-resource-policy", "same-origin"}}});
    const auto reader = view_->tell({*line, column}, whole_number(value("version")).value_or(0),
                                    [exchange](const char* event, const json& data) {
                                      const std::string text = std::string("event: ") + event +
                                                               "\ndata: " + rpc::dump(data) + "\n\n";
                                      const bool sent = exchange->write(text);
                                      if (std::string_view(event) == "end") exchange->end();
                                      return sent;
                                    });
    exchange->on_closed = [view = view_, reader] { view->leave(reader); };
  }

  // {tool, arguments}: a question about the file, or a change to it (FileView::ask).
  void ask(const std::shared_ptr<http::Exchange>& exchange) {
    const json asked = read_json(exchange->request().body);
    if (!asked.is_object() || !asked.contains("arguments") || !asked["arguments"].is_object())
      return exchange->respond(view_refusal(400, "Send a JSON object with tool and arguments."));
    const auto cancel = std::make_shared<io::CancelSource>();
    exchange->on_closed = [cancel] { cancel->cancel(); };
    io::spawn(runtime_.context(), answer(exchange, text_member(asked, "tool"), asked["arguments"], cancel));
  }

  asio::awaitable<void> answer(std::shared_ptr<http::Exchange> exchange, std::string tool, json arguments,
                               std::shared_ptr<io::CancelSource> cancel) {
    ++questions_;
    const json result = co_await view_->ask(std::move(tool), std::move(arguments), std::move(cancel));
    --questions_;
    if (exchange->closed()) co_return;
    exchange->respond({.fields = {{"content-type", "application/json"},
                                  {"cache-control", "no-store"},
                                  {"x-content-type-options", "nosniff"},
                                  {"cross-origin-resource-policy", "same-origin"}},
                       .body = rpc::dump(result)});
  }

  asio::awaitable<void> stop() {
    view_->stop();
    server_->drain();
    // The pages are still being told.
    const auto told = io::Clock::now() + kStopGrace;
    while (server_->connections() > 0 && io::Clock::now() < told)
      co_await io::sleep_for(kFlushLook, io::CancelScope(2 * kFlushLook));
    server_->close();
    co_await runtime_.projects().stop(kStopGrace);
    runtime_.context().stop();
  }

  Runtime& runtime_;
  std::shared_ptr<FileView> view_;
  Interrupts interrupts_;
  Secret token_{random_token()};
  std::string path_;                // of the page, with the token and the place
  std::optional<Secret> entrance_;  // of the browser, until it is used
  io::Clock::time_point entrance_ends_;
  std::shared_ptr<http::Server> server_;
  std::size_t questions_ = 0;  // under way
};

}  // namespace

int view(const Options& options) {
  Runtime runtime(options);
  if (const auto selected = runtime.select_tools(); !selected) return usage(selected.error());
  const Viewed viewed = viewed_of(options.view.file);
  auto file = FileView::create(runtime, viewed.file);
  if (!file) return report(file.error());
  ViewServer server(runtime, std::move(*file));
  if (const auto listening = server.listen(options.view.port); !listening) return report(listening.error());
  server.run(viewed.place, !options.view.no_browser && is_terminal(stderr) && has_desktop());
  return 0;
}

}  // namespace leanbridge::app
