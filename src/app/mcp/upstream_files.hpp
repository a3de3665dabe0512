#pragma once
/// Which other servers this command line means: where the files are, and who has given consent.

#include "leanbridge/upstream/trust.hpp"

#include "app/options.hpp"

namespace leanbridge::app {

/// Where the project is, or where the host says that it is, or where we were started.
std::filesystem::path upstream_workspace(const Options& options);

/// The user's list of consents.
upstream::TrustFile trust_file();

/// The configured servers, with the consent that --upstream or the list gives.
upstream::Allowed read_upstreams(const Options& options);
/// The same with another consent than that of --upstream.
upstream::Allowed read_upstreams(const Options& options, const upstream::Selection& selection);

/// What an entry makes this program do, as it is written there, variables unexpanded, values of the
/// environment and of headers left out.
struct EntryLine {
  std::string what;  ///< "command", "url", "env", "headers", "cwd"
  std::string text;  ///< on one line
};
std::vector<EntryLine> lines_of(const upstream::ServerConfig& server);
/// All that the entry says, values too, whatever its members are called: what consent is given to. Characters
/// that could hide something are escaped.
std::vector<EntryLine> all_lines_of(const upstream::ServerConfig& server);

}  // namespace leanbridge::app
