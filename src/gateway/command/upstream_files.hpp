#pragma once
/// The other servers that this command line refers to: the places of their files, and consent.

#include "core/program/options.hpp"
#include "gateway/upstream/trust.hpp"

namespace leanbridge::app {

/// The --project-root, or else the project directory that the host reports, or else the current directory.
std::filesystem::path upstream_workspace(const Options& options);

/// The user's file of consents.
upstream::TrustFile trust_file();

/// Reads the configured servers, with the consent given by --upstream or the file of consents.
upstream::AllowedServers read_upstreams(const Options& options);
/// Does the same with `selection` in place of --upstream.
upstream::AllowedServers read_upstreams(const Options& options, const upstream::Selection& selection);

/// Logs which servers are not connected for lack of consent, and how to consent.
void warn_without_consent(const upstream::AllowedServers& found);

/// The effect of an entry on this program, as written there: without expanding variables, and without the
/// values of env and headers.
struct EntryLine {
  std::string what;  ///< "command", "url", "env", "headers", "cwd"
  std::string text;  ///< on one line
};
std::vector<EntryLine> lines_of(const upstream::ServerConfig& server);
/// Everything in the entry, including values and unknown members: the user consents to this. Characters that
/// could hide something are escaped.
std::vector<EntryLine> all_lines_of(const upstream::ServerConfig& server);

}  // namespace leanbridge::app
