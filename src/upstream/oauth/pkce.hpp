#pragma once
/// Random texts and proofs for logins (RFC 7636). No I/O.

#include <cstddef>
#include <string>
#include <string_view>

namespace leanbridge::upstream {

/// `bytes` random bytes from the system, as base64url without padding.
std::string random_text(std::size_t bytes);
/// The code_challenge of a code_verifier: its SHA-256 as base64url without padding.
std::string pkce_challenge(std::string_view verifier);

/// Compares in a time that does not depend on where the texts differ.
bool equal_secrets(std::string_view left, std::string_view right);

}  // namespace leanbridge::upstream
