#include "file_view.hpp"

#include "core/base/files.hpp"
#include "core/base/try.hpp"
#include "core/ide/semantic_tokens.hpp"
#include "core/io/seconds.hpp"
#include "core/mcp/tool_result.hpp"
#include "core/program/runtime.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace leanbridge::app {

using nlohmann::json;

json as_result(Result<json> answer) {
  if (!answer) return mcp::to_tool_error(answer.error());
  mcp::bound_answer(*answer);
  json result = {{"structuredContent", std::move(*answer)}, {"isError", false}};
  return result;
}

namespace {

// How often to look at the disk while Lean works, and how long to collect Lean's messages before passing them
// on.
constexpr io::Clock::duration kLookEvery = std::chrono::milliseconds(250);
constexpr double kCollectSeconds = 0.5;
// Errors and incomplete answers are asked about again after this time.
constexpr io::Clock::duration kAskAgainAfter = std::chrono::seconds(1);
constexpr std::size_t kMaxViewedText = std::size_t{2} << 20U;  // bytes
constexpr io::Clock::duration kTokensLimit = std::chrono::seconds(5);
constexpr io::Clock::duration kTokensPause = std::chrono::seconds(2);

// The tools that a page may use, with their arguments. The only tool that writes receives the text that it
// replaces.
constexpr std::array kAskedTools = {"lean_hover_info",   "lean_declaration_file", "lean_term_goal",
                                    "lean_code_actions", "lean_check_all",        "lean_document_proofs",
                                    "lean_write_proof",  "lean_certify"};
constexpr std::array kAskedArguments = {"line",     "column",   "symbol",   "start_line",
                                        "end_line", "new_text", "expected", "names"};

bool is_set(const json& result, const char* member) {
  const json& answer = result.at("structuredContent");
  return answer.contains(member) && answer[member] == true;
}

// Whether the same question may soon have another answer, although the text has not changed.
bool is_incomplete(const json& result) {
  return result.value("isError", false) || is_set(result, "partial") || is_set(result, "timed_out");
}

// A number that tells apart the states of Lean's messages about a document.
std::size_t extent_of(const document::DocumentState& state) {
  return static_cast<std::size_t>(state.version()) * 8 + (state.done() ? 1U : 0U) + (state.open() ? 2U : 0U) +
         (state.crashed() ? 4U : 0U);
}

}  // namespace

class FileView::Reader {
 public:
  Reader(ViewedPlace at, document::Version known, SendEvent send)
      : place(at), has(known), send_(std::move(send)) {}

  void send(const char* event, const json& data) {
    if (!gone->cancelled() && !send_(event, data)) gone->cancel();
  }

  const ViewedPlace place;
  document::Version has;  // the version of the text that the page has
  const std::shared_ptr<io::CancelSource> gone = std::make_shared<io::CancelSource>();

 private:
  SendEvent send_;
};

Result<std::shared_ptr<FileView>> FileView::create(Runtime& runtime, const std::filesystem::path& file) {
  const mcp::Tool* goal = runtime.tools().find("lean_goal");
  const mcp::Tool* messages = runtime.tools().find("lean_diagnostic_messages");
  if (!goal || !messages)
    return fail(ErrorKind::InvalidArgument, "view needs lean_goal and lean_diagnostic_messages.",
                "Change --tools or --disable.");
  TRY(auto location, runtime.workspace().locate(file.string()));
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(location.path, ignored))
    return fail(ErrorKind::FileNotFound, "File not found: " + location.path.string() + ".",
                "Pass the path of a Lean file.");
  return std::shared_ptr<FileView>(new FileView(runtime, std::move(location), *goal, *messages));
}

FileView::FileView(Runtime& runtime, document::Location location, const mcp::Tool& goal,
                   const mcp::Tool& messages)
    : runtime_(runtime), location_(std::move(location)), goal_(goal), diagnostic_messages_(messages) {}

void FileView::start() {
  io::spawn(runtime_.context(), watch());
}

std::shared_ptr<FileView::Reader> FileView::tell(ViewedPlace place, document::Version known, SendEvent send) {
  auto reader = std::make_shared<Reader>(place, known, std::move(send));
  readers_.insert(reader);
  io::spawn(runtime_.context(), tell_file(reader));
  io::spawn(runtime_.context(), tell_goals(reader));
  return reader;
}

void FileView::leave(const std::shared_ptr<Reader>& reader) {
  reader->gone->cancel();
  readers_.erase(reader);
}

void FileView::stop() {
  ended_->cancel();
  for (const auto& reader : std::exchange(readers_, {})) {
    reader->send("end", json::object());
    reader->gone->cancel();
  }
  lease_.reset();
}

// --- the file

asio::awaitable<void> FileView::watch() {
  const auto self = shared_from_this();
  while (!ended_->cancelled()) {
    json given = {{"file_path", location_.path.string()}, {"verbose", true}};
    const io::CancelScope scope(io::to_duration(runtime_.options().timeout_s), ended_);
    auto synced = co_await location_.project->sync(location_.path, scope, document::FailedHeader::Keep);
    if (ended_->cancelled()) co_return;
    if (synced) {
      lease_.emplace(std::move(synced->document));
      take_state();
      // Messages are passed on as Lean reports them. Without Lean, the compiler answers, in its own time.
      given["timeout_s"] = kCollectSeconds;
    } else {
      take_disk();
    }
    given = mcp::check_arguments(diagnostic_messages_, std::move(given)).value();
    auto call = mcp::new_call(given, runtime_.call_defaults());
    call->scope.cancel = ended_;
    // Another question would make Lake build the imports again.
    const auto failure = header_failure();
    json messages = failure ? as_result(tl::unexpected(*failure))
                            : as_result(co_await mcp::run(&diagnostic_messages_, call, std::move(given)));
    if (ended_->cancelled()) co_return;
    take_state();
    const bool failed = messages["isError"] == true;
    const bool failed_before = messages_.is_object() && messages_["isError"] == true;
    if (failed != failed_before || (failed && messages != messages_)) begin_revision();
    const bool complete = !is_incomplete(messages);
    if (messages != messages_) {
      messages_ = std::move(messages);
      changed_.notify_all();
    }
    if (synced && !reading_tokens_ &&
        (!tokens_.is_object() || tokens_["version"] != version_ || tokens_["complete"] != true)) {
      reading_tokens_ = true;
      io::spawn(runtime_.context(), read_tokens(complete));
    }
    if (synced)
      co_await await_change(complete);
    else
      co_await io::sleep_for(kAskAgainAfter, io::CancelScope(2 * kAskAgainAfter, ended_));
  }
}

// The goals refer to Lean's own copy, whoever has updated it.
void FileView::take_state() {
  if (!lease_) return;
  const document::DocumentState& state = (*lease_)->state;
  if (state.version() != version_) take_text(state.version(), state.text().str());
}

std::optional<Error> FileView::header_failure() const {
  if (!lease_ || !(*lease_)->state.gave_up_at_header()) return std::nullopt;
  return document::DocumentHandle(location_.project, lease_->share()).header_failure();
}

// Without Lean, a person still wants to see the file.
void FileView::take_disk() {
  auto text = read_regular_file(location_.path, kMaxViewedText);
  if (text && *text != text_) take_text(std::min<document::Version>(version_, 0) - 1, std::move(*text));
}

void FileView::take_text(document::Version version, std::string text) {
  version_ = version;
  text_ = std::move(text);
  begin_revision();
  changed_.notify_all();
}

void FileView::begin_revision() {
  std::exchange(revision_, std::make_shared<io::CancelSource>())->cancel();
}

// Words keep their colours where Lean has none yet. Until the file is elaborated, its beginning is sent now
// and then.
asio::awaitable<void> FileView::read_tokens(bool complete) {
  const auto self = shared_from_this();
  if (!lease_) co_return;  // the view ends
  const document::Version version = version_;
  const document::DocumentHandle document(location_.project, lease_->share());
  const auto tokens = co_await ide::semantic_tokens(document, io::CancelScope(kTokensLimit, ended_));
  if (version == document.state().version() && (tokens || complete)) {
    tokens_ = {{"version", version}, {"complete", complete}};
    tokens_["types"] = tokens ? json(tokens->types) : json::array();
    tokens_["data"] = tokens ? tokens->data : json::array();
    changed_.notify_all();
  }
  if (!complete) {
    const auto is_done = [&] { return document.state().done(); };
    co_await io::wait_until(document.document().changed, io::CancelScope(kTokensPause, ended_), is_done);
  }
  reading_tokens_ = false;
}

asio::awaitable<void> FileView::await_change(bool complete) {
  const io::CancelScope scope(kLookEvery, ended_);
  const std::shared_ptr<document::Document> document = lease_->share();
  const std::size_t extent = extent_of(document->state);
  const auto is_news = [&] { return complete && extent_of(document->state) != extent; };
  co_await io::wait_until(document->changed, scope, is_news);
}

// --- the pages

asio::awaitable<void> FileView::tell_file(std::shared_ptr<Reader> reader) {
  const auto self = shared_from_this();
  json told, told_tokens;
  const io::CancelScope scope(io::kNoDeadline, reader->gone);
  for (;;) {
    const auto are_tokens_news = [&] {
      return tokens_ != told_tokens && reader->has == version_ && tokens_["version"] == version_;
    };
    const auto news = [&] { return reader->has != version_ || told != messages_ || are_tokens_news(); };
    if (co_await io::wait_until(changed_, scope, news) != io::WaitStatus::Ready) co_return;
    if (reader->has != version_) {
      reader->has = version_;
      json data = {{"file", std::filesystem::proximate(path(), project()->root()).string()},
                   {"project", project()->root().string()},
                   {"version", version_}};
      if (text_.size() <= kMaxViewedText)
        data["text"] = text_;
      else
        data["too_long"] = true;
      reader->send("text", data);
    }
    if (told != messages_) {
      told = messages_;
      reader->send("messages", {{"result", told}});
    }
    if (are_tokens_news()) {
      told_tokens = tokens_;
      reader->send("tokens", told_tokens);
    }
  }
}

asio::awaitable<json> FileView::ask(std::string tool, json given, std::shared_ptr<io::CancelSource> cancel) {
  const auto self = shared_from_this();
  const mcp::Tool* asked = runtime_.tools().find(tool);
  if (!asked || std::ranges::find(kAskedTools, tool) == kAskedTools.end())
    co_return as_result(fail(ErrorKind::InvalidArgument, "This page does not ask " + tool + ".",
                             "Start leanbridge view with this tool, or do without."));
  json arguments = {{"file_path", location_.path.string()}, {"verbose", true}};
  for (const char* name : kAskedArguments)
    if (given.is_object() && given.contains(name)) arguments[name] = given[name];
  if (tool == "lean_check_all") arguments["goals"] = true;
  // The question is about the file's own statements, so the file is the challenge to itself.
  if (tool == "lean_certify")
    arguments.update({{"challenge_file", location_.path.string()}, {"page", true}, {"without_replay", true}});
  if (tool == "lean_write_proof") {
    // The reader wants the change even if it leaves a sorry.
    arguments["allow_sorry"] = true;
    if (!arguments.contains("expected"))
      co_return as_result(
          fail(ErrorKind::InvalidArgument, "The change does not say what it replaces.", "Pass expected."));
  }
  auto checked = mcp::check_arguments(*asked, std::move(arguments));
  if (!checked) co_return as_result(tl::unexpected(checked.error()));
  const auto call = mcp::new_call(*checked, runtime_.call_defaults());
  call->scope.cancel = std::move(cancel);
  co_return as_result(co_await mcp::run(asked, call, std::move(*checked)));
}

asio::awaitable<json> FileView::goals_of(const ViewedPlace& place, std::shared_ptr<io::CancelSource> cancel) {
  if (const auto failure = header_failure()) co_return as_result(tl::unexpected(*failure));
  json given = {{"file_path", location_.path.string()}, {"line", place.line}, {"verbose", true}};
  if (place.column) given["column"] = *place.column;
  given = mcp::check_arguments(goal_, std::move(given)).value();
  const auto call = mcp::new_call(given, runtime_.call_defaults());
  call->scope.cancel = std::move(cancel);
  co_return as_result(co_await mcp::run(&goal_, call, std::move(given)));
}

asio::awaitable<void> FileView::tell_goals(std::shared_ptr<Reader> reader) {
  const auto self = shared_from_this();
  const int line = reader->place.line;
  const io::CancelScope scope(io::kNoDeadline, reader->gone);
  const auto is_known = [&] { return version_ != 0 || messages_.is_object(); };
  if (co_await io::wait_until(changed_, scope, is_known) != io::WaitStatus::Ready) co_return;
  while (!reader->gone->cancelled()) {
    const std::shared_ptr<io::CancelSource> revision = revision_;
    const auto is_old = [&] { return revision->cancelled(); };
    reader->send("asking", {{"line", line}});
    json told;
    while (!is_old() && !reader->gone->cancelled()) {
      json result =
          co_await goals_of(reader->place, std::make_shared<io::CancelSource>(*reader->gone, *revision));
      if (is_old() || reader->gone->cancelled()) break;
      // The call may have read a newer text, which watch() is about to notice.
      const json version = result.contains("structuredContent")
                               ? result["structuredContent"].value("version", json(nullptr))
                               : json(nullptr);
      const bool ahead = version.is_number() && version != version_;
      const bool incomplete = ahead || is_incomplete(result);
      if (!ahead && result != told) {
        told = std::move(result);
        reader->send("goals", {{"line", line}, {"result", told}});
      }
      co_await io::wait_until(changed_, incomplete ? scope.with_timeout(kAskAgainAfter) : scope, is_old);
    }
  }
}

}  // namespace leanbridge::app
