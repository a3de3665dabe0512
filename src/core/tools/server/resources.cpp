#include "core/base/try.hpp"
#include "core/ide/open_file.hpp"
#include "core/lean/project.hpp"
#include "core/text/lean_names.hpp"
#include "core/tools/common/typed_tool.hpp"
#include "core/tools/pages.hpp"
#include "core/tools/tools.hpp"

#include <algorithm>

namespace leanbridge::tools {

using nlohmann::json;

namespace {

using Reader = std::function<asio::awaitable<Result<json>>(std::shared_ptr<mcp::Call>, std::string)>;

constexpr std::size_t kMaxModules = 1000;

// A client that reads a resource wants the present state soon, not a complete answer later.
constexpr auto kReadLimit = std::chrono::seconds(10);

asio::awaitable<Result<json>> ask_tool(mcp::Tool tool, std::shared_ptr<mcp::Call> call, json given) {
  CO_TRY(auto arguments, check_arguments(tool, std::move(given)));
  co_return co_await tool.handler(call, std::move(arguments));
}

// Reads a resource by the tool's answer for the path, within kReadLimit.
Reader read_by(const mcp::Tool& tool) {
  return [tool](std::shared_ptr<mcp::Call> call, std::string path) {
    call->scope = call->scope.with_timeout(kReadLimit);
    json given = json::object();
    if (!path.empty()) given["file_path"] = std::move(path);
    return ask_tool(tool, std::move(call), std::move(given));
  };
}

// --- lean://project ---

// The modules below `root`, where `Foo/Bar.lean` is Foo.Bar.
json modules_of(const std::filesystem::path& root) {
  std::vector<std::string> modules = lean::lean_files_below(root, kMaxModules);
  const bool truncated = modules.size() == kMaxModules;
  for (std::string& name : modules) name = text::module_of_path(name);
  std::erase(modules, "lakefile");
  std::ranges::sort(modules);
  json described = {{"modules", modules}, {"modules_truncated", truncated}};
  return described;
}

asio::awaitable<Result<json>> read_project(Environment& environment, std::shared_ptr<mcp::Call> call) {
  std::vector<std::filesystem::path> roots;
  if (const auto known = environment.workspace.project("")) roots.push_back((*known)->root());
  for (const auto& [root, store] : environment.workspace.projects())
    if (std::ranges::find(roots, root) == roots.end()) roots.push_back(root);
  json projects = json::array();
  for (const std::filesystem::path& root : roots) {
    const auto look = [root]() -> Result<json> { return modules_of(root); };
    CO_TRY(auto project, co_await environment.pool.run(look, call->scope));
    project["root"] = root.string();
    project["toolchain"] = lean::toolchain_of(root);
    projects.push_back(std::move(project));
  }
  json result = {{"projects", std::move(projects)}};
  co_return result;
}

// --- ui://leanbridge/goal ---

asio::awaitable<Result<json>> read_goal_page(std::shared_ptr<mcp::Call>, std::string) {
  co_return json(kGoalPage);
}

// --- changes of lean://file/{path}/diagnostics ---

// Distinguishes states of the resource's content. Ignores the lines still elaborating, which change all the
// time.
std::size_t fingerprint(const document::DocumentState& state) {
  std::size_t hash = state.done() + 2U * state.open() + 4U * state.crashed();
  const auto mix = [&](std::size_t value) {
    hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6U) + (hash >> 2U);
  };
  for (const lean::Diagnostic* each : Messages(state).shown().list()) {
    mix(each->range.start.line);
    mix(each->range.start.character);
    mix(static_cast<std::size_t>(each->severity));
    mix(std::hash<std::string>{}(each->message));
  }
  return hash;
}

asio::awaitable<void> watch_document(std::shared_ptr<document::Document> document, io::CancelScope scope,
                                     std::function<void()> changed) {
  std::size_t last = fingerprint(document->state);
  for (;;) {
    const auto differs = [&] { return fingerprint(document->state) != last; };
    if (co_await io::wait_until(document->changed, scope, differs) != io::WaitStatus::Ready) co_return;
    last = fingerprint(document->state);
    changed();
  }
}

Result<mcp::Watch> watch_diagnostics(Environment& environment, const std::string& path) {
  TRY(const auto location, environment.workspace.locate(path));
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(location.path, ignored))
    return fail(ErrorKind::FileNotFound, "File not found: " + location.path.string() + ".");
  return mcp::Watch([document = location.project->document(location.path)](io::CancelScope scope,
                                                                           std::function<void()> changed) {
    return watch_document(document, std::move(scope), std::move(changed));
  });
}

}  // namespace

std::vector<mcp::Resource> all_resources(Environment& environment, const std::vector<mcp::Tool>& all) {
  const auto reader = [&](const char* name) {
    return read_by(*std::ranges::find_if(all, [&](const auto& tool) { return tool.name == name; }));
  };
  const auto resource = [](auto... members) { return mcp::Resource{std::move(members)...}; };
  return {
      resource(
          "lean://project", "project", "Project", "The Lean projects served: roots, toolchains and modules",
          [&environment](auto call, auto) { return read_project(environment, std::move(call)); }, nullptr),
      resource("lean://health", "health", "Health", "State of the Lean servers, open documents, call counts",
               reader("lean_server_health"), nullptr),
      resource("lean://file/{path}/outline", "outline", "Outline of a file",
               "Imports and declarations of a file. path: percent-encoded, absolute or in the project",
               reader("lean_file_outline"), nullptr),
      resource("lean://file/{path}/diagnostics", "diagnostics", "Messages of a file",
               "Errors, warnings and infos of a file, as far as known after 10 s. Subscribe to hear when "
               "those of the open file change",
               reader("lean_diagnostic_messages"),
               [&environment](const std::string& path) { return watch_diagnostics(environment, path); }),
      resource(kGoalPageUri, "goal", "Goals", "A page that shows the answers of lean_goal", read_goal_page,
               nullptr, mcp::kAppMimeType)};
}

}  // namespace leanbridge::tools
