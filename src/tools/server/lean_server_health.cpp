// lean_server_health: the servers, the documents, the counts of calls.

#include "leanbridge/document/scratch_pool.hpp"
#include "leanbridge/io/process_tree.hpp"
#include "leanbridge/lean/project.hpp"

#include "tools/common/open_file.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

constexpr auto kLookLimit = std::chrono::seconds(1);  // at /proc

const char* health_of(const lean::Server& server) {
  switch (server.state()) {
    case lean::Server::State::Ready:
      return "ok";
    case lean::Server::State::Starting:
      return "starting";
    case lean::Server::State::Idle:
      return "not_started";
    case lean::Server::State::Down:
      return "down";
  }
  return "down";
}

// The workers beside those of the files.
json scratch_json(const document::ScratchPool& pool) {
  json workers = json::array();
  std::int64_t bytes = 0;
  for (const auto& slot : pool.slots()) {
    workers.push_back({{"open", slot.open}, {"in_use", slot.in_use}, {"memory_bytes", slot.resident_bytes}});
    bytes += slot.resident_bytes;
  }
  return {{"workers", std::move(workers)},
          {"max_workers", pool.limits().max_workers},
          {"memory_bytes", bytes},
          {"max_memory_bytes", pool.limits().max_bytes}};
}

json project_json(document::DocumentStore& table) {
  lean::Server& server = table.server();
  json documents = json::array();
  for (const auto& document : table.documents())
    if (document->state.version() > 0)
      documents.push_back({{"file_path", document->name},
                           {"open", document->state.open()},
                           {"version", document->state.version()},
                           {"done", document->state.done()},
                           {"diagnostics", document->state.diagnostics().size()}});
  json project = {{"root", table.root().string()},
                  {"status", health_of(server)},
                  {"toolchain", lean::toolchain_of(table.root())},
                  {"server_name", server.name()},
                  {"pid", server.pid()},
                  {"starts", server.starts()},
                  {"pending_requests", server.pending_requests()},
                  {"stray_responses", server.stray_responses()},
                  {"last_error", server.last_error() ? json(server.last_error()->message) : json(nullptr)},
                  {"documents", std::move(documents)},
                  {"scratch", scratch_json(*table.scratch())}};
  return project;
}

json source_json(const search::Source& source) {
  const search::SourceHealth health = source.health();
  json failures = json::object();
  for (const auto& [kind, count] : health.failures) failures[kind] = count;
  json result = {{"status", health.status},
                 {"breaker", search::wire_name(health.breaker)},
                 {"answered", health.answered},
                 {"cached", health.cached},
                 {"refused", health.refused},
                 {"failures", std::move(failures)},
                 {"mean_ms", health.latency.mean_ms()},
                 {"histogram_ms", health.latency.histogram()},
                 {"last_error", health.last_error ? json(*health.last_error) : json()}};
  if (!health.disabled_because.empty()) result["disabled_because"] = health.disabled_because;
  return result;
}

json search_json(search::Services& services) {
  json sources = json::object();
  for (const auto& source : services.engine().sources()) sources[source->name()] = source_json(*source);
  return sources;
}

json cache_json(const search::Cache& cache) {
  const search::CacheCounts counts = cache.counts();
  json result = {{"entries", counts.entries},
                 {"hits", counts.hits},
                 {"misses", counts.misses},
                 {"evictions", counts.evictions}};
  if (const std::string problem = cache.problem(); !problem.empty()) result["problem"] = problem;
  return result;
}

Answer answer_server_health(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments) {
  const auto known = environment.workspace.projects();
  for (const auto& [root, table] : known)
    co_await table->scratch()->measure(call->scope.with_timeout(kLookLimit));
  json projects = json::array();
  bool ok = true;
  int open = 0;
  for (const auto& [root, table] : known) {
    projects.push_back(project_json(*table));
    if (const auto tagged = environment.workspace.find_with_widgets(root))
      projects.back()["interactive_server"] = {{"status", health_of(tagged->server())},
                                               {"pid", tagged->server().pid()}};
    ok = ok && table->server().state() != lean::Server::State::Down;
    open += table->open_count();
  }
  const auto lake = lean::find_lake(environment.workspace.options().lake);
  json result = {{"status", ok && lake ? "ok" : "degraded"},
                 {"version", environment.version},
                 {"memory_bytes", io::own_resident_bytes()},
                 {"lake", lake ? json(lake->string()) : json(nullptr)},
                 {"projects", std::move(projects)},
                 {"open_documents", open},
                 {"backends", search_json(environment.search)},
                 {"cache", cache_json(environment.search.cache())},
                 {"tools", environment.call_counts()}};
  if (environment.upstreams) result["upstreams"] = environment.upstreams();
  if (!lake) result["lake_error"] = lake.error().message + " " + lake.error().hint;
  co_return result;
}

}  // namespace

mcp::Tool lean_server_health(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_server_health";
  tool.title = "Health of the server";
  tool.group = "server";
  tool.description =
      "State of the Lean servers, open documents, search services, counts and times of calls. Use it when "
      "calls fail with "
      "lean_unavailable.";
  tool.output = {{"status", schema::string()},
                 {"projects", schema::list({})},
                 {"open_documents", schema::integer()},
                 {"tools", schema::object({})}};
  tool.always = {"status", "projects", "tools"};
  tool.waits = false;
  tool.handler = bind_handler(environment, answer_server_health);
  return tool;
}

}  // namespace leanbridge::tools
