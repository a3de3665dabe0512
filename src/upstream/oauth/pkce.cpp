#include "pkce.hpp"

#include "leanbridge/base/base64.hpp"
#include "leanbridge/base/sha256.hpp"

#include "upstream/transport/http_headers.hpp"
#include <dlfcn.h>
#include <openssl/rand.h>

#include <stdexcept>

namespace leanbridge::upstream {

namespace {

// libcrypto, loaded on the first login: 1.4 MB that other sessions need not pay for.
struct Crypto {
  decltype(&::RAND_bytes) random;
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
    find(library, "RAND_bytes", functions.random);
    return functions;
  }();
  return loaded;
}

std::string base64url(std::string_view bytes) {
  std::string text = to_base64(bytes);
  for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
  while (text.ends_with('=')) text.pop_back();
  return text;
}

// Of lower-case hexadecimal digits.
std::string bytes_of(std::string_view hex) {
  const auto value = [](char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(value(hex[i]) << 4 | value(hex[i + 1]));
  return bytes;
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
  return base64url(bytes_of(sha256_of(verifier)));
}

}  // namespace leanbridge::upstream
