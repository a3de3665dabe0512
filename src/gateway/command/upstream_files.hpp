#pragma once
/// The other servers that this command line refers to: where their files are, and which have consent.

#include "core/program/options.hpp"
#include "gateway/upstream/trust.hpp"

namespace leanbridge::app {

/// The --project-root, else the project directory that the host reports, else the current directory.
std::filesystem::path upstream_workspace(const Options& options);

/// The user's file of consents.
upstream::TrustFile trust_file();

/// Reads the configured servers, with the consent given by --upstream or the file of consents.
upstream::Allowed read_upstreams(const Options& options);
/// The same, with `selection` in place of --upstream.
upstream::Allowed read_upstreams(const Options& options, const upstream::Selection& selection);

/// Logs which servers are not connected for lack of consent, and how to give it.
void warn_without_consent(const upstream::Allowed& found);

/// What an entry makes this program do, as written there: variables are not expanded, and the values of env
/// and headers are left out.
struct EntryLine {
  std::string what;  ///< "command", "url", "env", "headers", "cwd"
  std::string text;  ///< on one line
};
std::vector<EntryLine> lines_of(const upstream::ServerConfig& server);
/// Everything the entry says, including values and unknown members: this is what the user consents to.
/// Characters that could hide something are escaped.
std::vector<EntryLine> all_lines_of(const upstream::ServerConfig& server);

}  // namespace leanbridge::app
