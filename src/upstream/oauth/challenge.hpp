#pragma once
/// What a server asks for: the `WWW-Authenticate` header of a 401 or 403 (RFC 9110 11.6.1, RFC 6750 3,
/// RFC 9728 5.1). No I/O.

#include "leanbridge/http/client.hpp"

#include <optional>
#include <set>
#include <string>

namespace leanbridge::upstream {

/// Space-separated scopes, without repetition and without what RFC 6749 3.3 does not allow in one.
using Scopes = std::set<std::string>;
Scopes split_scopes(const std::string& text);
std::string join_scopes(const Scopes& scopes);

/// The parameters of a Bearer challenge that matter here; "" where one is missing.
struct BearerChallenge {
  std::string resource_metadata;  ///< the address of the protected resource's metadata
  std::string scope;
  std::string error;  ///< "invalid_token", "insufficient_scope", ...
};

/// The first Bearer challenge of the header, which may hold those of other schemes, too. Several headers are
/// joined by ", ". Nothing where there is none.
std::optional<BearerChallenge> bearer_challenge(const std::string& www_authenticate);

/// All WWW-Authenticate headers of an answer, joined by ", ".
std::string challenges_of(const http::Response& answer);

}  // namespace leanbridge::upstream
