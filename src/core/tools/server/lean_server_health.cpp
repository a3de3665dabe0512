// lean_server_health: Lean servers, documents, search services, call counts.

#include "core/ide/project_health.hpp"
#include "core/lean/project.hpp"
#include "core/platform/processes.hpp"
#include "core/tools/common/typed_tool.hpp"
#include "core/tools/server_health.hpp"

#include <algorithm>

namespace leanbridge::tools {

namespace {

struct ServerHealthParams {
  static wire::Fields fields() { return {}; }
};

enum class OverallStatus { Ok, Degraded };
wire::Names<OverallStatus> names_of(OverallStatus) {
  return {{OverallStatus::Ok, "ok"}, {OverallStatus::Degraded, "degraded"}};
}

struct ServerHealthResult {
  OverallStatus status = OverallStatus::Ok;
  std::string version;
  std::int64_t memory_bytes = 0;     ///< the memory of this process
  wire::Nullable<std::string> lake;  ///< null: not found, see lake_error
  std::optional<std::string> lake_error;
  std::vector<ProjectHealth> projects;
  int open_documents = 0;
  std::map<std::string, nlohmann::json> tools;  ///< call counts and times, by name
  ServerHealth parts;

  static wire::Fields fields() {
    return {wire::field<&ServerHealthResult::status>(),
            wire::field<&ServerHealthResult::version>().unlisted(),
            wire::field<&ServerHealthResult::memory_bytes>().unlisted(),
            wire::field<&ServerHealthResult::lake>().unlisted(),
            wire::field<&ServerHealthResult::lake_error>(),
            wire::field<&ServerHealthResult::projects>(),
            wire::field<&ServerHealthResult::open_documents>().unlisted(),
            wire::field<&ServerHealthResult::tools>(),
            wire::flatten<&ServerHealthResult::parts>()};
  }
};

asio::awaitable<Result<ServerHealthResult>> server_health(Environment& environment,
                                                          std::shared_ptr<mcp::Call> call,
                                                          ServerHealthParams) {
  ServerHealthResult result;
  result.projects = co_await health_of_projects(environment, call->scope);
  bool ok = true;
  for (const ProjectHealth& project : result.projects) {
    ok = ok && project.status != wire::name_of(lean::Server::State::Down);
    result.open_documents +=
        static_cast<int>(std::ranges::count(project.documents, true, &DocumentHealth::open));
  }
  const auto lake = lean::find_lake(environment.workspace.options().lake);
  result.status = ok && lake ? OverallStatus::Ok : OverallStatus::Degraded;
  result.version = environment.version;
  result.memory_bytes = platform::own_resident_bytes();
  if (lake)
    result.lake = lake->string();
  else
    result.lake_error = lake.error().message + " " + lake.error().hint;
  for (const auto& add : environment.add_health) add(result.parts);
  result.tools = wire::read<std::map<std::string, nlohmann::json>>(environment.call_counts());
  co_return result;
}

}  // namespace

mcp::Tool lean_server_health(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_server_health",
                    .title = "Health of the server",
                    .group = "server",
                    .description = "State of the Lean servers, open documents and search services; call "
                                   "counts and times. Use it if Lean is unavailable.",
                    .waits = false,
                    .listed = false},
                   server_health);
}

}  // namespace leanbridge::tools
