#pragma once
/// The supported protocol revisions and their differences; no other file names a revision. Legacy:
/// `initialize` handshake. Modern (2026-07-28): stateless, with `_meta` in every request.

#include <array>
#include <string_view>

namespace leanbridge::mcp {

enum class Era { Legacy, Modern };

inline constexpr std::array<std::string_view, 4> kLegacyRevisions = {"2025-11-25", "2025-06-18", "2025-03-26",
                                                                     "2024-11-05"};  // newest first
inline constexpr std::array<std::string_view, 1> kModernRevisions = {"2026-07-28"};

/// The only revision with JSON-RPC batches.
inline constexpr std::string_view kRevisionWithBatches = "2025-03-26";

/// The first revision in which `serverInfo` has a title and the first in which it has icons.
inline constexpr std::string_view kRevisionWithTitles = "2025-06-18";
inline constexpr std::string_view kRevisionWithIcons = "2025-11-25";

inline constexpr const char* kMetaProtocolVersion = "io.modelcontextprotocol/protocolVersion";
inline constexpr const char* kMetaClientCapabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr const char* kMetaClientInfo = "io.modelcontextprotocol/clientInfo";
inline constexpr const char* kMetaServerInfo = "io.modelcontextprotocol/serverInfo";
inline constexpr const char* kMetaLogLevel = "io.modelcontextprotocol/logLevel";

inline constexpr const char* kMetaSubscriptionId = "io.modelcontextprotocol/subscriptionId";

/// MCP Apps (extension of 2026-01-26): pages that a host shows with the results of tools.
inline constexpr const char* kAppsExtension = "io.modelcontextprotocol/ui";
inline constexpr const char* kAppMimeType = "text/html;profile=mcp-app";

/// Skills (SEP-2640, stable since 2026-09-13): instructions for models, as resources with digests.
inline constexpr const char* kSkillsExtension = "io.modelcontextprotocol/skills";

/// Tasks (SEP-2663): calls that outlive their request.
inline constexpr const char* kTasksExtension = "io.modelcontextprotocol/tasks";

inline constexpr int kMissingClientCapability = -32021;
inline constexpr int kUnsupportedProtocolVersion = -32022;
inline constexpr int kLegacyResourceNotFound = -32002;  ///< the modern era uses rpc::kInvalidParams

/// The answer to `initialize`: the requested revision if supported, else the newest legacy one.
constexpr std::string_view negotiate_legacy(std::string_view asked) {
  for (std::string_view revision : kLegacyRevisions)
    if (revision == asked) return revision;
  return kLegacyRevisions.front();
}

constexpr bool speaks_modern(std::string_view revision) {
  for (std::string_view known : kModernRevisions)
    if (known == revision) return true;
  return false;
}

}  // namespace leanbridge::mcp
