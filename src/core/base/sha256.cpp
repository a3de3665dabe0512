#include "sha256.hpp"

#include "ascii.hpp"

// Use the older functions for SHA-256 alone: they need five objects of libcrypto's archive, the newer ones
// most of it.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include <cstdlib>
#include <vector>

namespace leanbridge {

struct Sha256::State {
  SHA256_CTX context;
};

namespace {

// These functions fail only for lack of a provider, and they use none.
void check(int done) {
  if (done != 1) std::abort();
}

}  // namespace

Sha256::Sha256() : state_(std::make_unique<State>()) {
  check(SHA256_Init(&state_->context));
}
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;
Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  check(SHA256_Update(&state_->context, bytes.data(), bytes.size()));
}

std::string Sha256::finish_bytes() {
  std::string digest(SHA256_DIGEST_LENGTH, '\0');
  check(SHA256_Final(reinterpret_cast<unsigned char*>(digest.data()), &state_->context));
  return digest;
}

std::string Sha256::finish() {
  return hexadecimal(finish_bytes());
}

std::string sha256_of(std::string_view bytes) {
  Sha256 digest;
  digest.add(bytes);
  return digest.finish();
}

FileResult<std::string> sha256_of_file(const std::filesystem::path& path) {
  constexpr std::size_t kReadSize = std::size_t{1} << 20U;
  const auto file = RegularFile::open(path);
  if (!file) return tl::unexpected(file.error());
  Sha256 digest;
  std::vector<char> piece(kReadSize);
  for (;;) {
    const auto size = file->read_some(piece.data(), piece.size());
    if (!size) return tl::unexpected(size.error());
    digest.add({piece.data(), *size});
    if (*size < piece.size()) return digest.finish();
  }
}

}  // namespace leanbridge
