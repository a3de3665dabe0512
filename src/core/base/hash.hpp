#pragma once
/// FNV-1a with 64 bits, the same on every machine, for keys and changes that nobody has a reason to forge.

#include <cstdint>
#include <string_view>

namespace leanbridge {

inline constexpr std::uint64_t kHashSeed = 0xcbf29ce484222325;

constexpr std::uint64_t fnv1a(std::string_view bytes, std::uint64_t seed = kHashSeed) {
  for (const char c : bytes) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return seed;
}

}  // namespace leanbridge
