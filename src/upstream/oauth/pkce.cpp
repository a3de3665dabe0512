#include "pkce.hpp"

#include "upstream/transport/http_headers.hpp"
#include <dlfcn.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <stdexcept>

namespace leanbridge::upstream {

namespace {

// libcrypto, loaded on the first login or stored token: 1.4 MB that other sessions need not pay for.
struct Crypto {
  decltype(&::EVP_Digest) digest;
  decltype(&::EVP_sha256) sha256;
  decltype(&::RAND_bytes) random;
  decltype(&::CRYPTO_memcmp) compare;
};

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(library ? ::dlsym(library, name) : nullptr);
  if (!function) {
    const char* why = ::dlerror();
    throw std::runtime_error("libcrypto, needed for authorization, cannot be loaded (" +
                             std::string(why ? why : name) + "). Install libssl3.");
  }
}

// Throws std::runtime_error if it cannot be loaded. Never unloaded, because libcurl uses it, too.
const Crypto& crypto() {
  static const Crypto loaded = [] {
    void* library = ::dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    Crypto functions{};
    find(library, "EVP_Digest", functions.digest);
    find(library, "EVP_sha256", functions.sha256);
    find(library, "RAND_bytes", functions.random);
    find(library, "CRYPTO_memcmp", functions.compare);
    return functions;
  }();
  return loaded;
}

std::string base64url(std::string_view bytes) {
  std::string text = base64(bytes);
  for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
  while (text.ends_with('=')) text.pop_back();
  return text;
}

std::string sha256(std::string_view text) {
  std::string digest(EVP_MAX_MD_SIZE, '\0');
  unsigned size = 0;
  auto* bytes = reinterpret_cast<unsigned char*>(digest.data());
  if (crypto().digest(text.data(), text.size(), bytes, &size, crypto().sha256(), nullptr) != 1)
    throw std::runtime_error("libcrypto cannot compute a SHA-256");
  digest.resize(size);
  return digest;
}

}  // namespace

std::string random_text(std::size_t bytes) {
  std::string random(bytes, '\0');
  // Without randomness there is no security.
  if (crypto().random(reinterpret_cast<unsigned char*>(random.data()), static_cast<int>(bytes)) != 1)
    throw std::runtime_error("the system provides no random bytes");
  return base64url(random);
}

std::string pkce_challenge(std::string_view verifier) {
  return base64url(sha256(verifier));
}

std::string sha256_hex(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const char c : sha256(text)) {
    const auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4U];
    hex += kDigits[byte & 15U];
  }
  return hex;
}

bool equal_secrets(std::string_view left, std::string_view right) {
  return left.size() == right.size() && crypto().compare(left.data(), right.data(), left.size()) == 0;
}

}  // namespace leanbridge::upstream
