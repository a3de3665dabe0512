#include "curl.hpp"

#include <dlfcn.h>

#include <string>
#include <type_traits>

namespace leanbridge::http {

namespace {

struct CurlLibrary {
  Curl functions;
  std::string problem;
};

// The library is never unloaded, since its threads and atexit handlers may outlive the caller.
CurlLibrary load() {
  CurlLibrary loaded;
  void* library = ::dlopen(LIBCURL_FILE, RTLD_NOW | RTLD_LOCAL);
  const auto find = [&](const char* name, auto& function) {
    void* address = library ? ::dlsym(library, name) : nullptr;
    if (!address && loaded.problem.empty()) {
      const char* why = ::dlerror();
      loaded.problem = why ? why : name;
    }
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(address);
  };
#define LEANBRIDGE_CURL_FIND(name) find("curl_" #name, loaded.functions.name);
  LEANBRIDGE_CURL_FUNCTIONS(LEANBRIDGE_CURL_FIND)
#undef LEANBRIDGE_CURL_FIND
  return loaded;
}

const CurlLibrary& curl_library() {
  static const CurlLibrary once = load();
  return once;
}

}  // namespace

std::optional<Failure> curl_is_missing() {
  if (curl_library().problem.empty()) return std::nullopt;
  return Failure{Failure::Kind::Other, "libcurl, needed for network requests, cannot be loaded (" +
                                           curl_library().problem + "). " LIBCURL_ADVICE};
}

const Curl& curl() {
  return curl_library().functions;
}

}  // namespace leanbridge::http
