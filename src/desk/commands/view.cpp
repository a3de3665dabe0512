// leanbridge view: a page with a file, its goals and messages, for the user's own browser.

#include "commands.hpp"
#include "core/base/json.hpp"
#include "core/base/secret.hpp"
#include "core/base/try.hpp"
#include "core/lean/project.hpp"
#include "core/mcp/tool_result.hpp"
#include "core/program/interrupts.hpp"
#include "core/program/output.hpp"
#include "core/program/place_word.hpp"
#include "core/program/runtime.hpp"
#include "core/rpc/message.hpp"
#include "core/tools/pages.hpp"
#include "desk/desk_options.hpp"
#include "desk/shared/meeting.hpp"
#include "desk/view/file_view.hpp"
#include "desk/view/open_work.hpp"
#include "desk/view/work_log.hpp"
#include "gateway/command/browser.hpp"
#include "gateway/command/upstream_files.hpp"
#include "gateway/streamable/access.hpp"
#include "http/server.hpp"
#include "together/claims/claim_guard.hpp"
#include "together/together_part.hpp"

#include <cstdio>
#include <filesystem>
#include <map>
#include <vector>

namespace leanbridge::app {

using nlohmann::json;

namespace {

constexpr std::size_t kMaxPages = 32;
constexpr std::size_t kMaxQuestions = 16;                    // concurrent questions
constexpr std::size_t kMaxQuestion = std::size_t{1} << 20U;  // bytes
constexpr std::size_t kMaxFiles = 20'000;                    // of a project, to choose from
constexpr io::Clock::duration kFilesLimit = std::chrono::seconds(30);
constexpr io::Clock::duration kFlushLook = std::chrono::milliseconds(20);
constexpr io::Clock::duration kBrowserLimit = std::chrono::minutes(1);       // for the browser to come, once
                                                                             // it is started
constexpr io::Clock::duration kCallsPause = std::chrono::milliseconds(100);  // for collecting news of calls
constexpr io::Clock::duration kOpenWorkPause = std::chrono::seconds(2);
constexpr std::string_view kEntrance = "/open/";
// The page sets the same policy itself. It uses no address of another machine, and must not be framed.
constexpr const char* kViewPolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

// The file that is asked about, as view_of() takes it: a name, or the digits of a number.
std::string file_in(const json& asked) {
  const json& file = member(asked, "file");
  return file.is_number_integer() ? file.dump() : text_member(asked, "file");
}

// A whole number; 0 for anything else.
std::int64_t whole_number(const std::string& text) {
  const json number = read_json(text);
  return number.is_number_integer() ? number.get<std::int64_t>() : 0;
}

// No other site may read an answer, and no cache keeps one.
http::Fields guarded(const char* type) {
  return {{"content-type", type},
          {"cache-control", "no-store"},
          {"x-content-type-options", "nosniff"},
          {"cross-origin-resource-policy", "same-origin"}};
}

http::OutgoingResponse view_refusal(int status, const char* why) {
  return {.status = status, .fields = {{"content-type", "text/plain"}}, .body = std::string(why) + "\n"};
}

class ViewServer {
 public:
  /// `view`: of the named file; null: there is none. `work`: the calls of agents; null: they are not watched.
  ViewServer(Runtime& runtime, std::shared_ptr<FileView> view, std::shared_ptr<WorkLog> work)
      : runtime_(runtime),
        view_(std::move(view)),
        work_(std::move(work)),
        interrupts_(
            runtime.context(), [this](const std::string&) { interrupts_.drain(stop()); },
            [this] { runtime_.kill(); }) {}

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
    if (view_) view_->start();
    interrupts_.serve();
  }

 private:
  // Every user of the machine can read the arguments of a program, so the browser gets a URL that works only
  // once and only for a short time.
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

  // The part of the path behind the token; nullopt: the path has another token.
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
    if (!asked->empty() && *asked != "events" && *asked != "ask" && *asked != "files")
      return view_refusal(404, "There is nothing here.");
    const bool is_question = *asked == "ask";
    if (head.method != (is_question ? "POST" : "GET"))
      return view_refusal(405, "This method is not offered here.");
    // A foreign page may send text/plain without asking the browser, but not application/json.
    if (is_question && head.field("content-type") != "application/json")
      return view_refusal(415, "Content-Type must be application/json.");
    if (is_question && questions_ >= kMaxQuestions)
      return view_refusal(503, "Too many questions at once: ask again.");
    return std::nullopt;
  }

  void handle(std::shared_ptr<http::Exchange> exchange) {
    if (asked_for(exchange->request()) == "events") return stream(exchange);
    if (asked_for(exchange->request()) == "ask") return ask(exchange);
    if (asked_for(exchange->request()) == "files")
      return io::spawn(runtime_.context(), list_files(std::move(exchange)));
    if (!asked_for(exchange->request())) {
      // Two requests may have passed the check at the same time.
      if (!entrance_) return exchange->respond(view_refusal(404, "This URL has been used."));
      entrance_.reset();
      return exchange->respond(
          {.status = 303,
           .fields = {
               {"location", path_}, {"cache-control", "no-store"}, {"referrer-policy", "no-referrer"}}});
    }
    http::Fields fields = guarded("text/html; charset=utf-8");
    fields.insert(fields.end(), {{"content-security-policy", kViewPolicy},
                                 {"referrer-policy", "no-referrer"},
                                 {"cross-origin-opener-policy", "same-origin"}});
    exchange->respond({.fields = std::move(fields), .body = tools::kGoalPage});
  }

  // Handles events?line=7&column=3&version=2, for a page that shows that place and has that version of the
  // text. `file=` names another file (view_of). With --watch also seen=N, the revision of the calls that the
  // page has.
  void stream(const std::shared_ptr<http::Exchange>& exchange) {
    auto query = exchange->request().query().value_or(std::map<std::string, std::string>());
    const auto line = place_number(query["line"]), column = place_number(query["column"]);
    if (!line || (!column && !query["column"].empty()))
      return exchange->respond(view_refusal(400, "Pass line, and perhaps column, as numbers from 1."));
    const auto view = view_of(query["file"]);
    exchange->begin({.fields = guarded("text/event-stream")});
    const SendEvent send = [exchange](const char* event, const json& data) {
      const std::string text = std::string("event: ") + event + "\ndata: " + rpc::dump(data) + "\n\n";
      const bool sent = exchange->write(text);
      if (std::string_view(event) == "end") exchange->end();
      return sent;
    };
    const auto gone = std::make_shared<io::CancelSource>();
    std::shared_ptr<FileView::Reader> reader;
    if (view && *view) reader = (*view)->tell({*line, column}, whole_number(query["version"]), send);
    if (!view) send("goals", {{"line", *line}, {"result", mcp::to_tool_error(view.error())}});
    exchange->on_closed = [reader, gone, own = view ? *view : nullptr] {
      gone->cancel();
      if (reader) own->leave(reader);
    };
    const std::uint64_t shown = view && *view && work_ ? work_->add_file((*view)->path()) : 0;
    if (work_)
      io::spawn(runtime_.context(), tell_calls(send, static_cast<std::uint64_t>(whole_number(query["seen"])),
                                               shown, reader != nullptr, gone));
    if (auto open = open_work_of(view ? *view : nullptr))
      io::spawn(runtime_.context(), tell_open_work(send, std::move(open), gone));
  }

  // Null: it is not watched, there is no project, or no record is kept.
  std::shared_ptr<OpenWork> open_work_of(const std::shared_ptr<FileView>& view) {
    if (!work_ || runtime_.options().of<TogetherOptions>().no_record) return nullptr;
    const auto of = view ? view->project() : project();
    if (!of) return nullptr;
    const auto folder = together::ClaimGuard(runtime_.environment().cache, "").folder_of((*of)->root());
    if (!folder) return nullptr;
    std::shared_ptr<OpenWork>& known = open_work_[(*of)->root()];
    if (!known) known = std::make_shared<OpenWork>(runtime_.environment(), *of, *folder);
    return known;
  }

  // The page gets `openable` if it may open the project's files by their names (view_of).
  asio::awaitable<void> tell_open_work(SendEvent send, std::shared_ptr<OpenWork> open,
                                       std::shared_ptr<io::CancelSource> gone) {
    const auto offered = project();
    const bool is_openable = offered && *offered == open->project();
    for (json told; !gone->cancelled();) {
      co_await open->refresh(io::CancelScope(io::kNoDeadline, gone));
      json now = open->shown();
      if (!now.empty()) now["openable"] = is_openable;
      if (gone->cancelled() || (now != told && !send("open_work", now))) co_return;
      told = std::move(now);
      co_await io::sleep_for(kOpenWorkPause, io::CancelScope(2 * kOpenWorkPause, gone));
    }
  }

  // `shown`: the number of the file that the page shows; 0: there is none.
  asio::awaitable<void> tell_calls(SendEvent send, std::uint64_t seen, std::uint64_t shown, bool has_reader,
                                   std::shared_ptr<io::CancelSource> gone) {
    const auto work = work_;
    while (!gone->cancelled()) {
      json news = work->since(seen);
      seen = work->revision();
      news["shown"] = shown;
      if (!send("calls", news)) co_return;
      co_await io::sleep_for(kCallsPause, io::CancelScope(2 * kCallsPause, gone));
      const io::CancelScope scope(io::kNoDeadline, gone);
      co_await io::wait_until(work->changed, scope,
                              [&] { return work->revision() != seen || work->is_stopped(); });
      // A page about a file hears of the end from its FileView.
      if (work->is_stopped() && !has_reader && !gone->cancelled()) send("end", json::object());
      if (work->is_stopped()) co_return;
    }
  }

  // The view of a file of the project by its name, or of a file of a call by its number. Empty: of the named
  // file; null: there is none. Errors: those of FileView::create(), of project() and OwnFiles::find(),
  // and FileNotFound for an unknown number.
  Result<std::shared_ptr<FileView>> view_of(const std::string& file) {
    if (file.empty()) return view_;
    std::optional<std::filesystem::path> path;
    if (const auto number = place_number(file)) {
      path = work_ ? work_->file(static_cast<std::uint64_t>(*number)) : std::nullopt;
      if (!path)
        return fail(ErrorKind::FileNotFound, "This page may not open that file.", "Reload the page.");
    } else {
      TRY(const auto offered, project());
      TRY(path, lean::OwnFiles(offered->root()).find(file));
    }
    if (view_ && view_->path() == *path) return view_;
    for (const auto& view : others_)
      if (view->path() == *path) return view;
    // Each view keeps its file open in Lean, so drop the ones that no page shows.
    std::erase_if(others_, [](const auto& view) {
      const bool is_unused = !view->has_readers();
      if (is_unused) view->stop();
      return is_unused;
    });
    TRY(auto view, FileView::create(runtime_, *path));
    view->start();
    others_.push_back(view);
    return view;
  }

  static void respond(const std::shared_ptr<http::Exchange>& exchange, const json& result) {
    if (!exchange->closed())
      exchange->respond({.fields = guarded("application/json"), .body = rpc::dump(result)});
  }

  // The page offers the files of this project: the named file's, or the one around the working directory.
  Result<std::shared_ptr<document::DocumentStore>> project() {
    return view_ ? view_->project() : runtime_.workspace().project("");
  }

  // Answers what a call would: {project, files: [{file, age_s}], is_cut}.
  asio::awaitable<void> list_files(std::shared_ptr<http::Exchange> exchange) {
    respond(exchange, as_result(co_await found_files()));
  }

  asio::awaitable<Result<json>> found_files() {
    CO_TRY(const auto offered, project());
    const auto look = [root = offered->root()]() -> Result<json> {
      json files = json::array();
      const auto now = std::filesystem::file_time_type::clock::now();
      const std::vector<std::string> names = lean::lean_files_below(root, kMaxFiles);
      const lean::OwnFiles own(root);
      for (const std::string& name : names) {
        std::error_code error;
        const auto path = own.find(name);
        const auto changed = path ? std::filesystem::last_write_time(*path, error) : now;
        if (path && !error)
          files.push_back({{"file", name}, {"age_s", std::chrono::duration<double>(now - changed).count()}});
      }
      const bool is_cut = names.size() == kMaxFiles;
      return json{{"project", root.string()}, {"is_cut", is_cut}, {"files", std::move(files)}};
    };
    co_return co_await runtime_.pool().run(look, io::CancelScope(kFilesLimit));
  }

  // Handles {tool, arguments, file?}: a question about the file, or a change of it (FileView::ask).
  void ask(const std::shared_ptr<http::Exchange>& exchange) {
    const json asked = read_json(exchange->request().body);
    if (!asked.is_object() || !asked.contains("arguments") || !asked["arguments"].is_object())
      return exchange->respond(view_refusal(400, "Send a JSON object with tool and arguments."));
    const auto cancel = std::make_shared<io::CancelSource>();
    exchange->on_closed = [cancel] { cancel->cancel(); };
    const auto view = view_of(file_in(asked));
    if (!view || !*view)
      return exchange->respond(view_refusal(404, "This page may not ask about that file."));
    io::spawn(runtime_.context(),
              answer(exchange, *view, text_member(asked, "tool"), asked["arguments"], cancel));
  }

  asio::awaitable<void> answer(std::shared_ptr<http::Exchange> exchange, std::shared_ptr<FileView> view,
                               std::string tool, json arguments, std::shared_ptr<io::CancelSource> cancel) {
    ++questions_;
    const json result = co_await view->ask(std::move(tool), std::move(arguments), std::move(cancel));
    --questions_;
    respond(exchange, result);
  }

  asio::awaitable<void> stop() {
    if (view_) view_->stop();
    for (const auto& view : others_) view->stop();
    if (work_) work_->stop();
    server_->drain();
    // Pages still have to be told.
    const auto told = io::Clock::now() + kStopGrace;
    while (server_->connections() > 0 && io::Clock::now() < told)
      co_await io::sleep_for(kFlushLook, io::CancelScope(2 * kFlushLook));
    server_->close();
    co_await runtime_.projects().stop(kStopGrace);
  }

  Runtime& runtime_;
  std::shared_ptr<FileView> view_;                 // of the named file; null: there is none
  std::shared_ptr<WorkLog> work_;                  // null without --watch
  std::vector<std::shared_ptr<FileView>> others_;  // of the project, and of calls
  std::map<std::filesystem::path, std::shared_ptr<OpenWork>> open_work_;  // by the roots of projects
  Interrupts interrupts_;
  Secret token_{random_token()};
  std::string path_;                // the page's path, with the token and the place
  std::optional<Secret> entrance_;  // for the browser, until it is used
  io::Clock::time_point entrance_ends_;
  std::shared_ptr<http::Server> server_;
  std::size_t questions_ = 0;  // running questions
};

}  // namespace

int view(const Options& options) {
  if (options.of<ViewOptions>().file.empty() && !options.of<ViewOptions>().watch)
    return usage(Error(ErrorKind::InvalidArgument, "FILE is required, except with --watch.",
                       "Run `leanbridge help view`."));
  Runtime runtime(options);
  if (const auto selected = runtime.select_tools(); !selected) return usage(selected.error());
  std::shared_ptr<FileView> file;
  std::optional<ViewedPlace> place;
  if (!options.of<ViewOptions>().file.empty()) {
    std::error_code ignored;
    const PlaceWord word = read_place_word(options.of<ViewOptions>().file);
    if (!word.fault.empty()) return usage(Error(ErrorKind::InvalidArgument, word.fault));
    auto created = FileView::create(runtime, std::filesystem::absolute(word.file, ignored));
    if (!created) return report(created.error());
    file = std::move(*created);
    if (word.line) place = ViewedPlace{*word.line, word.column};
  }
  std::shared_ptr<WorkLog> work;
  if (options.of<ViewOptions>().watch) {
    const auto folder = socket_folder(environment_variable);
    if (!folder) return report(folder.error());
    work = std::make_shared<WorkLog>(runtime.context(), runtime.workspace());
    work->start(*folder);
  }
  ViewServer server(runtime, std::move(file), std::move(work));
  if (const auto listening = server.listen(options.of<ViewOptions>().port); !listening)
    return report(listening.error());
  server.run(place, !options.of<ViewOptions>().no_browser && is_terminal(stderr) && has_desktop());
  return 0;
}

}  // namespace leanbridge::app
