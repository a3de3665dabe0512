#include "curl.hpp"

#include <dlfcn.h>

#include <string>
#include <type_traits>

namespace leanbridge::http {

namespace {

struct Loaded {
  Curl functions;
  std::string problem;
};

// Never unloaded, since its threads and atexit handlers may outlive the caller.
Loaded load() {
  Loaded loaded;
  void* library = ::dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
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

const Loaded& loaded() {
  static const Loaded once = load();
  return once;
}

}  // namespace

std::optional<Failure> curl_is_missing() {
  if (loaded().problem.empty()) return std::nullopt;
  return Failure{Failure::Kind::Other, "libcurl, needed for network requests, cannot be loaded (" +
                                           loaded().problem + "). Install libcurl4."};
}

const Curl& curl() {
  return loaded().functions;
}

}  // namespace leanbridge::http
