#pragma once
/// Random texts and proofs of a login (RFC 7636). No I/O.

#include <cstddef>
#include <string>
#include <string_view>

namespace leanbridge::upstream {

/// So many bytes of the system's randomness, as base64url without padding.
std::string random_text(std::size_t bytes);
/// base64url without padding of the SHA-256: the code_challenge of a code_verifier.
std::string pkce_challenge(std::string_view verifier);
/// The SHA-256 in hexadecimal digits.
std::string sha256_hex(std::string_view text);

/// Equal in a time that does not depend on where they differ.
bool equal_secrets(std::string_view left, std::string_view right);

}  // namespace leanbridge::upstream
