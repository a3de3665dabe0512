#include "watchers.hpp"

#include "core/base/json.hpp"
#include "core/program/runtime.hpp"
#include "core/rpc/message.hpp"
#include "core/text/utf8.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace leanbridge::app {

using nlohmann::json;

namespace {

constexpr std::size_t kMaxWatchers = 8;
constexpr std::size_t kMaxBacklog = std::size_t{1} << 20;    // unread bytes of a watcher
constexpr std::size_t kMaxEditText = std::size_t{16} << 10;  // bytes of each side of an edit
constexpr std::size_t kMaxReason = 400;                      // bytes

std::string shortened(const std::string& text, std::size_t limit) {
  return text.size() <= limit ? text : std::string(text::beginning_of(text, limit)) + "…";
}

bool is_digest(std::string_view expected) {
  return expected.starts_with("sha256:");
}

// Uses only the arguments about the place and the edit, and no other text of the caller's.
json beginning_of(Runtime& runtime, const mcp::Tool& tool, const json& arguments) {
  json news = {{"tool", tool.name}};
  if (const std::string file = text_member(arguments, "file_path"); !file.empty()) {
    const auto location = runtime.workspace().locate(file);
    if (location) news["file"] = location->path.string();
  }
  for (const char* name : {"line", "column"})
    if (const json& found = member(arguments, name); found.is_number_integer()) news[name] = found;
  if (tool.name != "lean_write_proof") return news;
  news["line"] = arguments.at("start_line");
  json edit = {{"start_line", arguments.at("start_line")},
               {"end_line", arguments.at("end_line")},
               {"added", shortened(text_member(arguments, "new_text"), kMaxEditText)}};
  const std::string expected = text_member(arguments, "expected");
  if (!expected.empty() && !is_digest(expected)) edit["removed"] = shortened(expected, kMaxEditText);
  news["edit"] = std::move(edit);
  return news;
}

json end_of(const mcp::CallEnd& end) {
  json news = {{"ms", end.ms}};
  if (end.cancelled) {
    news["outcome"] = "cancelled";
  } else if (!end.answer) {
    news["outcome"] = wire_name(end.answer.error().kind);
    news["reason"] = shortened(end.answer.error().message, kMaxReason);
  } else {
    const json& answer = *end.answer;
    const json& written = member(answer, "written");
    news["outcome"] = !written.is_boolean() ? "answered" : written ? "written" : "refused";
    if (const std::string reason = text_member(answer, "reason"); !reason.empty())
      news["reason"] = shortened(reason, kMaxReason);
    if (const json& count = member(answer, "sorry_count"); count.is_number_integer()) news["sorries"] = count;
  }
  return news;
}

}  // namespace

bool Watchers::is_full() {
  watchers_.remove_if(is_gone);
  return watchers_.size() >= kMaxWatchers;
}

void Watchers::add(const std::shared_ptr<io::OutgoingQueue>& output) {
  watchers_.push_back({output});
  // The queue calls this while it is working, so the watcher is removed later, at the next news.
  output->on_failure = [](const std::string&) {};
  output->watch_reader();
  tell(watchers_.back(), clients_);
}

void Watchers::set_clients(std::size_t all, std::size_t watchable) {
  json now = {{"clients", all}, {"watchable", watchable}};
  if (now == clients_) return;
  clients_ = std::move(now);
  tell(clients_);
}

void Watchers::tell(const json& news) {
  watchers_.remove_if(is_gone);
  for (Watcher& watcher : watchers_) tell(watcher, news);
}

void Watchers::tell(Watcher& watcher, const json& news) {
  const std::string line = rpc::dump(news) + "\n";
  if (watcher.output->queued_bytes() + line.size() > kMaxBacklog) {
    ++watcher.lost;
    return;
  }
  if (const std::size_t lost = std::exchange(watcher.lost, 0); lost > 0)
    watcher.output->send(rpc::dump({{"lost", lost}}) + "\n");
  watcher.output->send(line);
}

void Watchers::close() {
  for (const Watcher& watcher : watchers_) watcher.output->close();
  watchers_.clear();
}

mcp::CallObserver observer_of(std::shared_ptr<Watchers> watchers, std::shared_ptr<Runtime> runtime,
                              std::uint64_t client) {
  return [watchers = std::move(watchers), weak = std::weak_ptr(runtime), client](
             const mcp::Tool& tool, const json& arguments) -> std::function<void(const mcp::CallEnd&)> {
    const auto own = weak.lock();
    if (!own || watchers->is_empty()) return nullptr;
    json news = beginning_of(*own, tool, arguments);
    const std::uint64_t call = watchers->next_call();
    news["call"] = call;
    news["client"] = client;
    watchers->tell(news);
    return [watchers, call](const mcp::CallEnd& end) {
      json ended = end_of(end);
      ended["call"] = call;
      watchers->tell(ended);
    };
  };
}

}  // namespace leanbridge::app
