#pragma once
/// All search sources, created from the configuration.

#include "backends.hpp"
#include "engine.hpp"
#include "http/client.hpp"
#include "upstream_backend.hpp"

#include <memory>

namespace leanbridge::search {

/// Belongs to the loop's thread.
class Services {
 public:
  /// `home` is the user's folder, where LeanExplore stores its data. `loogle` starts the local Loogle, if
  /// configured. `local` comes without a cache and gets this one.
  Services(asio::io_context& context, io::Pool& pool, Config config, std::filesystem::path home,
           LocalLoogleStart loogle, LocalSource local);

  /// Adds a search tool of another MCP server, which must outlive all questions.
  void add(UpstreamTool tool);

  Engine& engine() { return *engine_; }
  Cache& cache() { return cache_; }
  /// LeanExplore and the source around it. Requests other than searches use both.
  Explore& explore() { return *explore_; }
  Source& explore_source() { return *explore_source_; }

 private:
  http::Client client_;
  Cache cache_;
  std::shared_ptr<Explore> explore_;
  std::shared_ptr<Source> explore_source_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace leanbridge::search
