#pragma once
/// Everything that searches, made from the configuration.

#include "leanbridge/http/client.hpp"
#include "leanbridge/search/backends.hpp"
#include "leanbridge/search/engine.hpp"
#include "leanbridge/search/upstream_backend.hpp"

#include <memory>
#include <string>

namespace leanbridge::search {

/// Belongs to the loop's thread.
class Services {
 public:
  /// `cache_file` empty: nothing is kept on disk. `home`: the user's folder, where LeanExplore keeps its
  /// data. `loogle`: how a local one is started, where one is configured.
  /// `local`: without its cache, which is ours.
  Services(asio::io_context& context, io::Pool& pool, Config config, std::filesystem::path cache_file,
           std::filesystem::path home, LocalLoogleStart loogle, LocalSource local);

  /// A search tool of another MCP server. The server must outlive the questions.
  void add(UpstreamTool tool);

  Engine& engine() { return *engine_; }
  Cache& cache() { return cache_; }
  /// LeanExplore and the source around it; what is asked of it besides searching goes through both.
  Explore& explore() { return *explore_; }
  Source& explore_source() { return *explore_source_; }

 private:
  http::Client client_;
  Cache cache_;
  std::shared_ptr<Explore> explore_;
  std::shared_ptr<Source> explore_source_;
  std::unique_ptr<Engine> engine_;
};

/// The file of the search cache in the cache folder; empty where there is no folder.
std::filesystem::path cache_file(const std::filesystem::path& folder);

}  // namespace leanbridge::search
