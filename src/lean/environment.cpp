// What Lean inherits of our environment.

#include "leanbridge/base/ascii.hpp"
#include "leanbridge/lean/project.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <set>
#include <sstream>

namespace leanbridge::lean {

namespace {

// By these an outer `lake env` or elan would decide over this project's toolchain and search path.
constexpr std::array kOfAnotherLake = {"ELAN_TOOLCHAIN", "LEAN_PATH", "LEAN_SRC_PATH",       "LEAN_SYSROOT",
                                       "LEAN",           "LAKE",      "LAKE_INVALID_CONFIG", "LAKE_HOME",
                                       "LEAN_AR",        "LEAN_CC",   "LEAN_WORKER_PATH",    "LEAN_GITHASH"};

// The last word of a name says what it holds. PASSWORD and its like need no underscore before them:
// PGPASSWORD.
constexpr std::array<std::string_view, 9> kLastWords = {
    "KEY", "APIKEY", "TOKEN", "SECRET", "CREDENTIAL", "CREDENTIALS", "AUTH", "HEADERS", "COOKIE"};
constexpr std::array<std::string_view, 6> kEndings = {"PASSWORD", "PASSWD", "PASSPHRASE",
                                                      "_PAT",     "_PWD",   "_DSN"};

// `https://user:password@host`, as DATABASE_URL has it. Not of a proxy: Lake and git reach the network by
// that.
bool holds_a_password(std::string_view name, std::string_view value) {
  const std::string lower = lower_case(name);
  if (lower.ends_with("_proxy")) return false;
  const std::size_t scheme = value.find("://");
  if (scheme == std::string_view::npos) return false;
  const std::string_view rest = value.substr(scheme + 3);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  const std::size_t at = authority.rfind('@');
  return at != std::string_view::npos && authority.substr(0, at).find(':') != std::string_view::npos;
}

// Without the folders that `lake env` of another toolchain or project has put there.
std::string own_library_path(std::string_view path) {
  std::string kept;
  while (!path.empty()) {
    const std::string_view folder = path.substr(0, path.find(':'));
    path.remove_prefix(std::min(folder.size() + 1, path.size()));
    const bool of_lean = folder.ends_with("/lib/lean") || folder.find("/.lake/") != std::string_view::npos ||
                         folder.find("/.elan/") != std::string_view::npos;
    if (!folder.empty() && !of_lean) kept += (kept.empty() ? "" : ":") + std::string(folder);
  }
  return kept;
}

std::set<std::string> passed_on_request() {
  std::set<std::string> names;
  const char* list = std::getenv("LEANBRIDGE_PASS_ENV");
  std::istringstream rest(list ? list : "");
  for (std::string name; std::getline(rest, name, ',');) names.insert(name);
  return names;
}

}  // namespace

bool names_a_secret(std::string_view variable) {
  std::string name(variable);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  const std::string_view last = std::string_view(name).substr(name.rfind('_') + 1);
  return std::find(kLastWords.begin(), kLastWords.end(), last) != kLastWords.end() ||
         std::any_of(kEndings.begin(), kEndings.end(),
                     [&name](std::string_view ending) { return name.ends_with(ending); });
}

std::map<std::string, std::string> environment_for_lake() {
  const std::set<std::string> passed = passed_on_request();
  std::map<std::string, std::string> environment;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    std::string name(text.substr(0, equals));
    const std::string_view value = text.substr(equals + 1);
    if ((names_a_secret(name) || holds_a_password(name, value)) && !passed.contains(name)) continue;
    environment.emplace(std::move(name), value);
  }
  for (const char* name : kOfAnotherLake) environment.erase(name);
  if (const auto path = environment.find("LD_LIBRARY_PATH"); path != environment.end()) {
    path->second = own_library_path(path->second);
    if (path->second.empty()) environment.erase(path);
  }
  return environment;
}

}  // namespace leanbridge::lean
