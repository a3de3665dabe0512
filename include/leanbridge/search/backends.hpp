#pragma once
/// Making the backends. Each file of src/search/backends is one of them.

#include "leanbridge/http/client.hpp"
#include "leanbridge/io/pool.hpp"
#include "leanbridge/search/config.hpp"
#include "leanbridge/search/backend.hpp"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <memory>

namespace leanbridge::search {

/// What the services on the network are asked with. Both must outlive the backends.
struct Network {
  http::Client& client;
  io::Pool& pool;  ///< long answers are read there
};

/// What the question's text is, by backend: prose or Lean for "leansearch", "leanfinder" and "leanexplore"; a
/// Loogle query for "loogle"; one or more goals as Lean prints them for "state_search" and "hammer".
std::unique_ptr<Backend> make_leansearch(Network network, const Config& config);
std::unique_ptr<Backend> make_loogle(Network network, const Config& config);
std::unique_ptr<Backend> make_leanfinder(Network network, const Config& config);
std::unique_ptr<Backend> make_state_search(Network network, const Config& config);
std::unique_ptr<Backend> make_hammer(Network network, const Config& config);
std::unique_ptr<Explore> make_leanexplore_api(Network network, const Config& config);

/// Words in names, docstrings and descriptions; statements by id and their dependencies. Reads on the pool,
/// which must outlive it. Without `leanexplore_data` it looks in `home`/.lean_explore.
std::unique_ptr<Explore> make_leanexplore_local(io::Pool& pool, const Config& config,
                                                std::filesystem::path home);

/// How the local `loogle` is started.
struct LocalLoogleStart {
  std::string lake;                                ///< the program
  std::filesystem::path project;                   ///< whose packages it sees
  std::map<std::string, std::string> environment;  ///< the whole of it
};
/// It is started by the first question and takes minutes to load an index: until it is ready the answer is
/// Unavailable after `patience`.
std::unique_ptr<Backend> make_local_loogle(asio::io_context& context, const Config& config,
                                           LocalLoogleStart start,
                                           std::chrono::milliseconds patience = std::chrono::seconds(1));

/// What lean-lsp-mcp's tool of this backend gives for a hit, field by field: "leansearch", "loogle",
/// "leanfinder", "state_search", "hammer".
nlohmann::json lean_lsp_mcp_item(std::string_view backend, const Hit& hit);

}  // namespace leanbridge::search
