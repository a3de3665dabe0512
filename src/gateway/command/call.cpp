// leanbridge mcp call: calls one tool of another server.

#include "argument_words.hpp"
#include "commands.hpp"
#include "core/base/json.hpp"
#include "core/program/output.hpp"
#include "core/rpc/message.hpp"
#include "gateway/command/gateway_options.hpp"
#include "gateway/upstream/hub.hpp"
#include "upstream_run.hpp"
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>

namespace leanbridge::app {

using nlohmann::json;
using upstream::Client;

namespace {

constexpr auto kMaxCallTime = std::chrono::hours(1);

std::string size_text(std::size_t bytes) {
  char text[32];
  if (bytes < 1024)
    std::snprintf(text, sizeof text, "%zu bytes", bytes);
  else if (bytes < 1024 * 1024)
    std::snprintf(text, sizeof text, "%.1f KiB", static_cast<double>(bytes) / 1024);
  else
    std::snprintf(text, sizeof text, "%.1f MiB", static_cast<double>(bytes) / (1024 * 1024));
  return text;
}

// Prints the text unchanged for programs; for a terminal line by line, without anything that the terminal
// would obey.
void print_text(const std::string& text, bool terminal) {
  if (!terminal) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (!text.ends_with('\n')) std::fputc('\n', stdout);
    return;
  }
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::printf("%s\n", printable_line(std::string_view(text).substr(at, end - at)).c_str());
    at = end + 1;
    if (at == text.size()) break;  // the text ends with a line ending
  }
}

std::string summary(const json& block, const upstream::SavedMedia* saved) {
  const std::string type = text_member(block, "type");
  if (type == "resource_link")
    return "[link " + text_member(block, "name") + " " + text_member(block, "uri") + "]";
  const auto media = upstream::media_of(block);
  if (!media) return "[" + type + ": " + media.error().message + "]";
  if (!*media) return "[content of type " + type + "]";
  const upstream::Media& held = **media;
  std::string text = std::string("[") + wire::name_of(held.kind) + (held.uri.empty() ? "" : " " + held.uri);
  text += " " + (held.mime_type.empty() ? "of unknown type" : held.mime_type) + ", " +
          size_text(held.bytes.size());
  if (saved && saved->problem.empty()) text += ", saved to " + saved->file.string();
  return text + "]";
}

void print_content(const json& result, const std::vector<upstream::SavedMedia>& saved) {
  const bool terminal = is_terminal(stdout);
  const json content = result.value("content", json());
  if (!content.is_array() || content.empty()) {
    if (result.contains("structuredContent")) print_json(result["structuredContent"]);
    return;
  }
  for (std::size_t i = 0; i < content.size(); ++i) {
    if (text_member(content[i], "type") == "text") {
      print_text(text_member(content[i], "text"), terminal);
      continue;
    }
    const auto file = std::ranges::find_if(saved, [&](const auto& each) { return each.block == i; });
    std::printf("%s\n", one_line(summary(content[i], file == saved.end() ? nullptr : &*file)).c_str());
  }
}

const json* find_tool(const Client& client, const std::string& name) {
  for (const json& tool : client.offer().tools) {
    const std::string own = tool["name"].get<std::string>();
    if (own == name || upstream::offered_name(client.config().name, own) == name) return &tool;
  }
  return nullptr;
}

Error no_tool(const Client& client, const std::string& name) {
  constexpr std::size_t kShown = 20;
  std::string names;
  const auto& tools = client.offer().tools;
  for (std::size_t i = 0; i < tools.size() && i < kShown; ++i)
    names += (i ? ", " : "") + tools[i]["name"].get<std::string>();
  if (tools.size() > kShown) names += ", and " + std::to_string(tools.size() - kShown) + " more";
  return Error(ErrorKind::InvalidArgument,
               "The server " + client.config().name + " has no tool " + name + ".",
               names.empty() ? "It offers no tools." : "Its tools: " + names + ".");
}

io::Progress progress_of(const json& params) {
  const json done = params.value("progress", json()), total = params.value("total", json());
  io::Progress progress{0, 0, text_member(params, "message")};
  if (done.is_number()) progress.done = done.get<double>();
  if (total.is_number()) progress.total = total.get<double>();
  if (done.is_number() && progress.total <= 0) progress.message = rpc::dump(done) + " " + progress.message;
  return progress;
}

class Call {
 public:
  Call(UpstreamRun& run, std::shared_ptr<Client> client) : run_(run), client_(std::move(client)) {}

  asio::awaitable<int> operator()(std::shared_ptr<io::CancelSource> cancel) {
    const std::vector<Attempt> attempts = co_await run_.connect({client_}, cancel);
    if (cancel->cancelled()) co_return kInterrupted;
    if (attempts.front().error) co_return failed(*attempts.front().error);
    const json* tool = find_tool(*client_, run_.options().call.tool);
    if (!tool) co_return usage(no_tool(*client_, run_.options().call.tool));
    auto arguments = arguments_from_words(tool->value("inputSchema", json()), run_.options().call.words);
    if (!arguments) co_return usage(arguments.error());
    json params = {{"name", (*tool)["name"]}, {"arguments", std::move(*arguments)}};
    const std::string source = client_->config().name + "-" + (*tool)["name"].get<std::string>();

    const auto line = std::make_shared<ProgressLine>(run_.runtime().context());
    const auto on_progress = [line](const json& told) { line->show(progress_of(told)); };
    const io::CancelScope scope(run_.options().timeout_given ? run_.connect_limit() : kMaxCallTime, cancel);
    upstream::Reply reply = co_await client_->request("tools/call", std::move(params), scope, on_progress);
    line->clear();
    if (cancel->cancelled()) co_return kInterrupted;
    if (!reply) co_return failed(reply.error().error);
    co_return show(std::move(*reply), source);
  }

 private:
  int failed(const Error& error) const {
    if (run_.options().as_json)
      print_json({{"error", error_json(error)}});
    else
      print_error(error);
    return kFailed;
  }

  int show(json result, const std::string& source) const {
    std::vector<upstream::SavedMedia> saved;
    if (!run_.options().of<UpstreamOptions>().save_media.empty() && result.contains("content"))
      saved = upstream::MediaFolder(run_.options().of<UpstreamOptions>().save_media)
                  .save(result["content"], source);
    bool failure = is_true(result, "isError");
    for (const upstream::SavedMedia& one : saved) {
      if (one.problem.empty()) continue;
      failure = true;
      print_error(Error(ErrorKind::Internal, one.problem));
    }
    if (run_.options().as_json)
      print_json(upstream::with_paths(std::move(result), saved));
    else
      print_content(result, saved);
    return failure ? kFailed : 0;
  }

  UpstreamRun& run_;
  std::shared_ptr<Client> client_;
};

}  // namespace

int mcp_call(const Options& options) {
  UpstreamRun run(options);
  auto clients = run.chosen(options.of<McpOptions>().server);
  if (!clients) return report(clients.error());
  Call call(run, clients->front());
  return run.run(std::ref(call));
}

}  // namespace leanbridge::app
