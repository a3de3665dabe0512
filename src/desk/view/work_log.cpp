#include "work_log.hpp"

#include "core/base/json.hpp"
#include "core/base/log.hpp"
#include "desk/shared/handshake.hpp"
#include "desk/shared/meeting.hpp"
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace leanbridge::app {

using nlohmann::json;

namespace {

constexpr std::size_t kMaxEntries = 200;
constexpr std::size_t kMaxFiles = 256;
constexpr std::size_t kMaxWatched = 16;                 // number of servers
constexpr std::size_t kMaxNews = std::size_t{1} << 20;  // bytes of a line
constexpr io::Clock::duration kLookForServers = std::chrono::seconds(1);

std::uint64_t count_in(const json& object, const char* name) {
  const json& found = member(object, name);
  return found.is_number_unsigned() ? found.get<std::uint64_t>() : 0;
}

}  // namespace

struct WorkLog::Server {
  std::filesystem::path socket;
  std::shared_ptr<asio::posix::stream_descriptor> stream;
  rpc::LineCodec lines{kMaxNews};
  bool is_welcome = false;
  std::uint64_t clients = 0, watchable = 0;
  std::map<std::uint64_t, std::uint64_t> numbers;  // our numbers of the running calls
};

void WorkLog::start(const std::filesystem::path& folder) {
  io::spawn(context_, look_for_servers(folder));
}

void WorkLog::stop() {
  ended_->cancel();
  boost::system::error_code ignored;
  for (const auto& [socket, server] : servers_) server->stream->close(ignored);
  changed.notify_all();
}

asio::awaitable<void> WorkLog::look_for_servers(std::filesystem::path folder) {
  const auto self = shared_from_this();
  while (!ended_->cancelled()) {
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
      if (entry->path().extension() == ".socket" && servers_.size() < kMaxWatched &&
          !servers_.contains(entry->path()) && !refused_.contains(entry->path()))
        attach(entry->path());
    co_await io::sleep_for(kLookForServers, io::CancelScope(2 * kLookForServers, ended_));
  }
}

void WorkLog::attach(const std::filesystem::path& socket) {
  auto connected = connect_to_server(socket);
  if (!connected) return;  // it is dead or busy, and is tried again later
  const std::string greeting = to_line(WatchGreeting{LEANBRIDGE_VERSION}) + "\n";
  // The line is short and the first on this connection, so it always fits.
  if (::send(connected->get(), greeting.data(), greeting.size(), MSG_NOSIGNAL | MSG_DONTWAIT) !=
      static_cast<ssize_t>(greeting.size()))
    return;
  const auto server = std::make_shared<Server>();
  server->socket = socket;
  server->stream = std::make_shared<asio::posix::stream_descriptor>(context_, connected->release());
  servers_[socket] = server;
  const auto on_bytes = [self = shared_from_this(), server](std::string_view bytes) {
    server->lines.feed(bytes);
    while (auto frame = server->lines.next())
      if (const auto* line = std::get_if<rpc::LineCodec::Line>(&*frame)) self->take(*server, line->text);
    return !self->ended_->cancelled();
  };
  const auto on_end = [self = shared_from_this(), server](const std::string&) {
    self->give_up(*server, "the server has ended");
    self->servers_.erase(server->socket);
    self->has_news();
  };
  io::spawn(context_, io::read_to_end(server->stream, on_bytes, on_end));
}

void WorkLog::take(Server& server, std::string_view line) {
  if (!server.is_welcome) {
    const auto welcome = read_welcome(line);
    if (!welcome || !welcome->refused.empty()) {
      log::warn("A shared server lets nobody watch. {}", welcome ? welcome->refused : "");
      refused_.insert(server.socket);
      return;
    }
    server.is_welcome = true;
    return;
  }
  const json news = read_json(line);
  if (!news.is_object()) return;
  if (news.contains("clients")) {
    server.clients = count_in(news, "clients");
    server.watchable = count_in(news, "watchable");
  } else if (news.contains("lost")) {
    lost_ += count_in(news, "lost");
    give_up(server, "not seen");
  } else {
    take_call(server, news);
  }
  has_news();
}

void WorkLog::take_call(Server& server, const json& news) {
  const std::uint64_t theirs = count_in(news, "call");
  if (news.contains("tool")) {
    json call = news;
    server.numbers[theirs] = ++calls_;
    call["call"] = calls_;
    call["at"] = std::chrono::duration_cast<std::chrono::milliseconds>(
                     std::chrono::system_clock::now().time_since_epoch())
                     .count();
    call["agent"] = std::exchange(call["client"], nullptr);
    call.erase("client");
    name_file(call);
    entries_.push_back({std::move(call), revision_ + 1});
    if (entries_.size() > kMaxEntries) entries_.pop_front();
    return;
  }
  const auto number = server.numbers.find(theirs);
  if (number == server.numbers.end()) return;
  for (Entry& entry : entries_)
    if (entry.call["call"] == number->second) {
      for (const char* name : {"ms", "outcome", "reason", "sorries"})
        if (news.contains(name)) entry.call[name] = news[name];
      entry.changed_at = revision_ + 1;
    }
  server.numbers.erase(number);
}

// A page asks by number, so that it cannot reach any other file.
void WorkLog::name_file(json& call) {
  const std::string path = text_member(call, "file");
  call.erase("file");
  if (path.empty()) return;
  const auto location = workspace_.locate(path);
  call["name"] = location ? std::filesystem::proximate(location->path, location->project->root()).string()
                          : std::filesystem::path(path).filename().string();
  // A call about a folder brings no page.
  if (!location || location->path.extension() != ".lean") return;
  if (const std::uint64_t number = add_file(location->path); number > 0) call["file"] = number;
}

std::uint64_t WorkLog::add_file(const std::filesystem::path& path) {
  const auto found = std::ranges::find(files_, path);
  if (found != files_.end()) return static_cast<std::uint64_t>(found - files_.begin()) + 1;
  if (files_.size() >= kMaxFiles) return 0;
  files_.push_back(path);
  return files_.size();
}

// The end of its running calls will not be reported.
void WorkLog::give_up(Server& server, const char* outcome) {
  for (Entry& entry : entries_)
    for (const auto& [theirs, number] : server.numbers)
      if (entry.call["call"] == number) {
        entry.call["outcome"] = outcome;
        entry.changed_at = revision_ + 1;
      }
  server.numbers.clear();
}

void WorkLog::has_news() {
  ++revision_;
  changed.notify_all();
}

json WorkLog::since(std::uint64_t revision) const {
  std::uint64_t clients = 0, watchable = 0, servers = 0;
  for (const auto& [socket, server] : servers_) {
    if (server->is_welcome) ++servers;
    clients += server->clients;
    watchable += server->watchable;
  }
  json calls = json::array();
  for (const Entry& entry : entries_)
    if (entry.changed_at > revision) calls.push_back(entry.call);
  return {{"servers", servers}, {"clients", clients},    {"watchable", watchable},
          {"lost", lost_},      {"revision", revision_}, {"calls", std::move(calls)}};
}

std::optional<std::filesystem::path> WorkLog::file(std::uint64_t number) const {
  if (number < 1 || number > files_.size()) return std::nullopt;
  return files_[number - 1];
}

}  // namespace leanbridge::app
