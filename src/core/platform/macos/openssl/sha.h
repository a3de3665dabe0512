#pragma once
/// SHA-256 of the C library, by OpenSSL's names, which its header has, too: CC_SHA(3cc).

#define COMMON_DIGEST_FOR_OPENSSL
#include <CommonCrypto/CommonDigest.h>

#include <algorithm>
#include <cstddef>

// CommonCrypto's counts its bytes in 32 bits.
#undef SHA256_Update
inline int SHA256_Update(SHA256_CTX* context, const void* bytes, std::size_t size) {
  constexpr std::size_t kMaxPiece = std::size_t{1} << 30;
  const auto* next = static_cast<const char*>(bytes);
  for (std::size_t piece = 0; size > 0; size -= piece, next += piece) {
    piece = std::min(size, kMaxPiece);
    if (CC_SHA256_Update(context, next, static_cast<CC_LONG>(piece)) != 1) return 0;
  }
  return 1;
}
