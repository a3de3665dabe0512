#pragma once
/// Search as a part of the program: its flags, commands, tools and state.

#include "leanbridge/part.hpp"

#include "command/search_options.hpp"
#include "search/index/local_index.hpp"
#include "search/sources/services.hpp"
#include "tools/search_environment.hpp"

#include <filesystem>

namespace leanbridge::app {

class Backend;

/// The index that all clients of the process share.
index::LocalIndex& index_of(Backend& backend, const Options& options);

/// One client's searches.
class SearchClient : public ClientPart, public tools::NameSource {
 public:
  explicit SearchClient(Runtime& runtime);

  index::LocalIndex& index() { return index_; }
  search::Services& services() { return services_; }

  std::vector<mcp::Tool> tools() override;
  tools::NameSource* names() override { return this; }
  void add_health(tools::ServerHealth& health) override;

  asio::awaitable<std::vector<tools::KnownName>> names_like(std::filesystem::path project, std::string name,
                                                            io::CancelScope scope) override;
  asio::awaitable<std::vector<std::string>> components_below(std::filesystem::path project,
                                                             std::string around,
                                                             io::CancelScope scope) override;

 private:
  asio::awaitable<Result<index::Matches>> look_up(index::Lookup lookup, io::CancelScope scope);

  search::Config config_;
  index::LocalIndex& index_;
  search::LocalLoogleStart loogle_start_;
  search::Services services_;
  tools::SearchEnvironment environment_;
};

class SearchPart : public Part {
 public:
  void add_options(CLI::App& app, Options& options) override;
  Result<void> read_options(const EnvironmentLookup& variables, Options& options) override;
  std::unique_ptr<ClientPart> start_client(Runtime& runtime) override;

 private:
  SearchOptions settings_;
};

}  // namespace leanbridge::app
