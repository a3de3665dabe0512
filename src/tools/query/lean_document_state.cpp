// lean_document_state: what is known of a file right now, without waiting for anything.

#include "leanbridge/lean/workers.hpp"

#include "tools/common/open_file.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

const char* state_name(lean::Server::State state) {
  switch (state) {
    case lean::Server::State::Idle:
      return "idle";
    case lean::Server::State::Starting:
      return "starting";
    case lean::Server::State::Ready:
      return "ready";
    case lean::Server::State::Down:
      return "down";
  }
  return "idle";
}

asio::awaitable<json> workers_of(Environment& environment, document::DocumentStore& table, std::string uri,
                                 io::CancelScope scope) {
  const auto look = [server = table.server().pid(), uri]() -> Result<json> {
    json workers = json::array();
    for (const lean::WorkerProcess& worker : lean::worker_processes(server))
      if (worker.uri == uri)
        workers.push_back({{"pid", worker.pid}, {"memory_bytes", worker.resident_bytes}});
    return workers;
  };
  const auto workers = co_await environment.pool.run(look, scope);
  co_return workers ? *workers : json::array();
}

json diagnostic_counts(const document::DocumentState& state) {
  int counts[5] = {};
  for (const lean::Diagnostic& diagnostic : state.diagnostics())
    if (is_shown(diagnostic)) ++counts[static_cast<int>(diagnostic.severity)];
  return {{"error", counts[1]}, {"warning", counts[2]}, {"info", counts[3]}, {"hint", counts[4]}};
}

Answer answer_document_state(Environment& environment, std::shared_ptr<mcp::Call> call,
                             mcp::Arguments arguments) {
  auto location = environment.workspace.locate(arguments.string("file_path"));
  if (!location) co_return tl::unexpected(location.error());
  lean::Server& server = location->project->server();
  json result = {{"file_path", location->path.string()},
                 {"open", false},
                 {"version", 0},
                 {"server",
                  {{"state", state_name(server.state())},
                   {"pid", server.pid()},
                   {"pending_requests", server.pending_requests()}}},
                 {"workers", json::array()}};
  const auto document = location->project->find(location->path);
  if (!document) co_return result;
  result["workers"] = co_await workers_of(environment, *location->project, document->uri, call->scope);

  std::string header;
  for (const std::string& name : document->disk.header.imports) header += (header.empty() ? "" : " ") + name;
  const auto look = [watch = lean::ImportWatch(location->project->root()), imports = document->disk.header.imports,
                     before = document->worker.imports]() mutable -> Result<std::vector<std::string>> {
    return lean::changed_files(before, watch.state_of(imports));
  };
  const auto stale = co_await environment.pool.run(look, call->scope);

  const document::DocumentState& state = document->state;
  json ranges = json::array();
  if (state.open())
    for (const document::LineRange& range : state.still_elaborating())
      ranges.push_back({range.start, range.end});
  result["open"] = state.open();
  result["version"] = state.version();
  result["line_count"] = state.text().line_count();
  result["done"] = state.done();
  result["still_elaborating_lines"] = std::move(ranges);
  result["header_failed"] = state.header_failed();
  result["diagnostics"] = diagnostic_counts(state);
  result["imports_stale"] = state.open() && stale && !stale->empty();
  if (stale && !stale->empty()) result["changed_imports"] = *stale;
  result["calls_using_it"] = document->usage.in_use;
  result["crashes_at_this_text"] = document->worker.crashes;
  result["last_crash"] = document->worker.last_crash.empty() ? json(nullptr) : json(document->worker.last_crash);
  co_return result;
}

}  // namespace

mcp::Tool lean_document_state(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_document_state";
  tool.title = "State of a file";
  tool.group = "query";
  tool.description =
      "What is known of a file right now, without waiting: lines still elaborating, its worker's pid and "
      "memory, its last crash. Use it to see why an answer takes long.";
  tool.arguments = {file_argument()};
  tool.output = {{"open", schema::boolean()},
                 {"version", schema::integer()},
                 {"done", schema::boolean()},
                 {"workers", schema::list({})},
                 {"still_elaborating_lines", schema::list({})}};
  tool.always = {"open", "version", "workers"};
  tool.handler = bind_handler(environment, answer_document_state);
  return tool;
}

}  // namespace leanbridge::tools
