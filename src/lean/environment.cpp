// What Lean inherits of our environment.

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
constexpr std::array<std::string_view, 4> kEndings = {"PASSWORD", "PASSWD", "PASSPHRASE", "_PAT"};

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
    if (names_a_secret(name) && !passed.contains(name)) continue;
    environment.emplace(std::move(name), text.substr(equals + 1));
  }
  for (const char* name : kOfAnotherLake) environment.erase(name);
  return environment;
}

}  // namespace leanbridge::lean
