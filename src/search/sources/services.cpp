#include "services.hpp"

namespace leanbridge::search {

namespace {

std::shared_ptr<Explore> make_explore(Network network, const Config& config, std::filesystem::path home) {
  std::shared_ptr<Explore> service = make_leanexplore_api(network, config);
  if (config.leanexplore_backend == ExploreBackend::Api) return service;
  std::shared_ptr<Explore> local = make_leanexplore_local(network.pool, config, std::move(home));
  if (config.leanexplore_backend == ExploreBackend::Local) return local;
  if (local->disabled_because()) return service;
  if (service->disabled_because()) return local;
  return config.leanexplore_key.empty() && config.leanexplore.is_default ? local : service;
}

}  // namespace

Services::Services(asio::io_context& context, io::Pool& pool, Config config, std::filesystem::path home,
                   LocalLoogleStart loogle, LocalSource local)
    : client_(context, http::ClientOptions{.loopback_only = config.offline}),
      explore_(make_explore({client_, pool}, config, std::move(home))) {
  const Network network{client_, pool};
  std::vector<std::shared_ptr<Source>> sources;
  const auto add = [&](std::shared_ptr<Backend> backend, std::chrono::milliseconds timeout) {
    const SourceOptions options{shared_limit(backend->name()), timeout};
    sources.push_back(std::make_shared<Source>(std::move(backend), options, cache_));
  };
  add(make_leansearch(network, config), config.leansearch.timeout);
  if (!config.local_loogle.program.empty())
    add(make_local_loogle(context, config, std::move(loogle)), config.local_loogle.timeout);
  add(make_loogle(network, config), config.loogle.timeout);
  add(explore_, config.leanexplore.timeout);
  explore_source_ = sources.back();
  add(make_leanfinder(network, config), config.leanfinder.timeout);
  add(make_state_search(network, config), config.state_search.timeout);
  add(make_hammer(network, config), config.hammer.timeout);
  local.cache = &cache_;
  engine_ = std::make_unique<Engine>(std::move(sources), std::move(local), config.patience);
}

void Services::add(UpstreamTool tool) {
  // It may have to connect first, and then asks another service.
  const SourceOptions options{{}, std::chrono::seconds(20)};
  engine_->add(std::make_shared<Source>(make_upstream_backend(std::move(tool)), options, cache_));
}

}  // namespace leanbridge::search
