#pragma once
/// Creates the backends, which are in src/search/sources/backends.

#include "backend.hpp"
#include "config.hpp"
#include "core/io/pool.hpp"
#include "http/client.hpp"
#include <nlohmann/json_fwd.hpp>

#include <map>
#include <memory>

namespace leanbridge::search {

/// The services that network backends use. Both must outlive the backends.
struct Network {
  http::Client& client;
  io::Pool& pool;  ///< parses long answers
};

/// The text of a question is prose or Lean for "leansearch", "leanfinder" and "leanexplore", a Loogle query
/// for "loogle", and one or more goals in Lean's format for "state_search" and "hammer".
std::unique_ptr<Backend> make_leansearch(Network network, const Config& config);
std::unique_ptr<Backend> make_loogle(Network network, const Config& config);
std::unique_ptr<Backend> make_leanfinder(Network network, const Config& config);
std::unique_ptr<Backend> make_state_search(Network network, const Config& config);
std::unique_ptr<Backend> make_hammer(Network network, const Config& config);
std::unique_ptr<Explore> make_leanexplore_api(Network network, const Config& config);

/// Searches the words of names, docstrings and descriptions; finds statements by id and their dependencies.
/// Reads on the pool, which must outlive it. Without `leanexplore_data` it uses `home`/.lean_explore.
std::unique_ptr<Explore> make_leanexplore_local(io::Pool& pool, const Config& config,
                                                std::filesystem::path home);

/// How to start the local `loogle`.
struct LocalLoogleStart {
  std::string lake;                                ///< executable
  std::filesystem::path project;                   ///< the project whose packages it sees
  std::map<std::string, std::string> environment;  ///< the whole environment
};
/// The first question starts it. It takes minutes to load an index; until then questions fail as Unavailable
/// after `patience`.
std::unique_ptr<Backend> make_local_loogle(asio::io_context& context, const Config& config,
                                           LocalLoogleStart start,
                                           std::chrono::milliseconds patience = std::chrono::seconds(1));

/// A hit in the format of lean-lsp-mcp's tool for this backend: "leansearch", "loogle", "leanfinder",
/// "state_search" or "hammer".
nlohmann::json lean_lsp_mcp_item(std::string_view backend, const Theorem& hit);

}  // namespace leanbridge::search
