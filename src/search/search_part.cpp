#include "search_part.hpp"

#include "core/base/log.hpp"
#include "core/base/try.hpp"
#include "core/lean/project.hpp"
#include "core/program/documents.hpp"
#include "core/program/runtime.hpp"
#include "core/tools/server_health.hpp"
#include "search/command/commands.hpp"
#include "search/sources/installed_loogle.hpp"

#include <algorithm>

namespace leanbridge::app {

namespace {

std::filesystem::path home_folder() {
  return environment_variable("HOME").value_or("");
}

// A local Loogle runs in the project that is known without a file. Without a project, it reports that it
// cannot start. Finds the installed program, if the configuration wants it.
search::LocalLoogleStart loogle_start(search::Config& config, const std::string& lake_command,
                                      document::Workspace& workspace) {
  search::LocalLoogleStart start;
  search::LocalLoogle& local = config.local_loogle;
  if (local.program.empty() && !local.installed) return start;
  if (const auto project = workspace.project("")) start.project = (*project)->root();
  if (local.program.empty()) {
    const auto folder = search::loogle_folder(local.cache, environment_variable);
    const std::string toolchain = start.project.empty() ? "" : lean::toolchain_of(start.project);
    const auto installed = search::find_installed_loogle(folder, start.project, toolchain);
    if (!installed) {
      log::warn("There is no loogle for {} in {}, so the service is used. {}",
                toolchain.empty() ? "this project" : toolchain, folder.string(),
                with_documents("docs/search.md says how to build one."));
      return start;
    }
    local.program = installed->program.string();
    if (local.index.empty()) {
      local.index = installed->index;
      std::error_code ignored;  // the program reports it
      std::filesystem::create_directories(local.index.parent_path(), ignored);
    }
  }
  if (const auto lake = lean::find_lake(lake_command)) start.lake = lake->string();
  start.environment = workspace.options().environment.value_or(lean::environment_for_lake());
  return start;
}

// If two Lakes load a project at the same time, one fails, or both clone into one folder. So this waits for
// other Lakes.
index::IndexOptions index_options(const std::filesystem::path& cache, const std::string& lake,
                                  const document::Projects& projects) {
  index::IndexOptions options{cache, lake};
  options.before_lake = [&projects](std::filesystem::path root, io::CancelScope scope) {
    return projects.wait_while_starting(std::move(root), std::move(scope));
  };
  return options;
}

}  // namespace

index::LocalIndex& index_of(Backend& backend, const Options& options) {
  return backend.shared<index::LocalIndex>([&] {
    return std::make_shared<index::LocalIndex>(
        backend.context(), index_options(backend.cache(), options.lake, backend.projects()));
  });
}

SearchClient::SearchClient(Runtime& runtime)
    : config_(runtime.options().of<search::Config>()),
      index_(index_of(runtime.backend(), runtime.options())),
      loogle_start_(loogle_start(config_, runtime.options().lake, runtime.workspace())),
      services_(runtime.context(), runtime.pool(), config_, home_folder(), loogle_start_,
                search::LocalSource{[this](index::Lookup lookup, io::CancelScope scope) {
                                      return look_up(std::move(lookup), scope);
                                    },
                                    [this](std::filesystem::path project, io::CancelScope scope) {
                                      return index_.generation(std::move(project), scope);
                                    },
                                    nullptr}),
      environment_{runtime.environment(), index_, services_} {
  environment_.names = this;
}

std::vector<mcp::Tool> SearchClient::tools() {
  return tools::search_tools(environment_);
}

void SearchClient::add_health(tools::ServerHealth& health) {
  for (const auto& source : services_.engine().sources())
    health.backends[source->name()] = wire::write(source->health());
  health.cache = wire::write(services_.cache().counts());
}

// Waits a little for an index that is being built and has found nothing yet. Does not wait for an index that
// cannot be built because there is neither a project nor a toolchain.
asio::awaitable<Result<index::Matches>> SearchClient::look_up(index::Lookup lookup, io::CancelScope scope) {
  constexpr auto kFirstIndexWait = std::chrono::seconds(8);
  constexpr auto kRetryInterval = std::chrono::milliseconds(500);
  const io::CancelScope patience = scope.with_timeout(kFirstIndexWait);
  for (;;) {
    auto matches = co_await index_.find(lookup, scope);
    if (!matches || !matches->growing || !matches->found.empty()) co_return matches;
    if (co_await io::sleep_for(kRetryInterval, patience) == io::WaitStatus::Cancelled ||
        io::Clock::now() >= patience.deadline)
      co_return matches;
  }
}

asio::awaitable<std::vector<tools::KnownName>> SearchClient::names_like(std::filesystem::path project,
                                                                        std::string name,
                                                                        io::CancelScope scope) {
  constexpr std::size_t kCandidates = 60;
  index::Lookup lookup;
  lookup.words = std::move(name);
  lookup.project = std::move(project);
  lookup.limit = kCandidates;
  std::vector<tools::KnownName> names;
  // A client that never searches should not pay for an index because of a misspelt name.
  const auto state = co_await index_.inspect(lookup.project, scope);
  const auto is_ready = [](const auto& part) { return part.state == index::IndexStatus::State::Ready; };
  if (!state || std::ranges::none_of(state->parts, is_ready)) co_return names;
  const auto matches = co_await index_.find(std::move(lookup), scope);
  if (!matches) co_return names;
  for (const index::Match& match : matches->found)
    names.push_back({match.name, match.module, match.is_private});
  co_return names;
}

asio::awaitable<std::vector<std::string>> SearchClient::components_below(std::filesystem::path project,
                                                                         std::string around,
                                                                         io::CancelScope scope) {
  index::Lookup anything;  // only to start the build of the index
  anything.project = project;
  anything.limit = 1;
  const auto started = co_await index_.find(anything, scope);
  std::vector<std::string> components;
  if (!started) co_return components;
  const auto take = [&](const Result<index::ModuleNode>& tree) {
    if (tree)
      for (const index::ModuleNode& child : tree->children.value_or(std::vector<index::ModuleNode>()))
        components.push_back(child.name);
  };
  for (const auto kind : {index::TreeKind::Modules, index::TreeKind::Namespaces})
    take(co_await index_.tree(kind, project, around, 1, scope));
  co_return components;
}

void SearchPart::add_options(CLI::App& app, Options& options) {
  settings_.add_to(app);
  add_search(app, options);
  add_index(app, options);
}

Result<void> SearchPart::read_options(const EnvironmentLookup& variables, Options& options) {
  TRY(options.of<search::Config>(), settings_.read(variables));
  return {};
}

std::unique_ptr<ClientPart> SearchPart::start_client(Runtime& runtime) {
  return std::make_unique<SearchClient>(runtime);
}

}  // namespace leanbridge::app
