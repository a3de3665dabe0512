#pragma once
/// SHA-256 (FIPS 180-4), for names and checks that others compute too. For secrets use libcrypto.

#include <string>
#include <string_view>

namespace leanbridge {

/// The 32 bytes of the digest.
std::string sha256(std::string_view bytes);
/// The digest in 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace leanbridge
