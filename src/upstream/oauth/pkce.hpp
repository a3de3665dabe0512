#pragma once
/// Random texts and proofs for logins (RFC 7636). No I/O.

#include "leanbridge/base/secret.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace leanbridge::upstream {

/// `bytes` random bytes from the system, as base64url without padding.
std::string random_text(std::size_t bytes);
/// The code_challenge of a code_verifier: its SHA-256 as base64url without padding.
std::string pkce_challenge(std::string_view verifier);

}  // namespace leanbridge::upstream
