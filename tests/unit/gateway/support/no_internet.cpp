// No test reaches the internet: this program has its own getaddrinfo, which everything in it uses, libcurl
// included. It knows only this machine. A look-up of `hanging.invalid` does not return, as with a dead name
// server.

#include "fake_http.hpp"
#include <dlfcn.h>
#include <netdb.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

namespace {
std::atomic<std::size_t> hanging{0};
}

namespace leanbridge::test {
std::size_t hanging_lookups() {
  return hanging;
}
}  // namespace leanbridge::test

extern "C" int getaddrinfo(const char* name, const char* service, const addrinfo* hints, addrinfo** result) {
  using Function = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
  static const auto real = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "getaddrinfo"));
  if (name && std::strcmp(name, "hanging.invalid") == 0) {
    ++hanging;
    for (;;) ::pause();
  }
  if (name && std::strncmp(name, "127.", 4) != 0 && std::strcmp(name, "localhost") != 0) return EAI_NONAME;
  return real(name, service, hints, result);
}
