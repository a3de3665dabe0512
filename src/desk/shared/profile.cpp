#include "profile.hpp"

#include "core/base/sha256.hpp"
#include "core/platform/files.hpp"
#include "core/platform/program.hpp"
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace leanbridge::app {

namespace {

constexpr std::size_t kKeyDigits = 32, kNameDigits = 16;

constexpr auto kSharedVariables = std::to_array<std::string_view>(
    {"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "LANG", "LANGUAGE", "TMPDIR", "TEMP", "TMP",
     // Folders of programs' files. XDG_SESSION_ID and the like belong to a single login.
     "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS",
     "XDG_STATE_HOME", "XDG_RUNTIME_DIR",
     // Settings for loading, compiling and running programs.
     "LD_LIBRARY_PATH", "LD_PRELOAD", "CC", "CXX", "CPP", "AR", "LD", "CFLAGS", "CXXFLAGS", "CPPFLAGS",
     "LDFLAGS", "CPATH", "LIBRARY_PATH", "C_INCLUDE_PATH", "PKG_CONFIG_PATH", "GLIBC_TUNABLES",
     "MALLOC_ARENA_MAX", "OMP_NUM_THREADS", "SOURCE_DATE_EPOCH",
     // Settings of the network.
     "http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY",
     "FTP_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "CURL_HOME",
     "LEANBRIDGE_PASS_ENV", "LEANBRIDGE_DUMPABLE"});

constexpr auto kSharedBeginnings =
    std::to_array<std::string_view>({"LC_", "ELAN_", "LAKE_", "LEAN_", "MATHLIB_", "GIT_", "NIX_", "CONDA_",
                                     "ASAN_", "UBSAN_", "TSAN_", "LSAN_", "RESERVOIR_"});

// Settings of a single client, which sends them in its greeting.
constexpr auto kOwnBeginnings = std::to_array<std::string_view>({"LEAN_MCP_", "LEAN_LSP_", "LEAN_LOG_"});
constexpr auto kOwnVariables =
    std::to_array<std::string_view>({"LEAN_PROJECT_PATH", "LEAN_BUILD_CONCURRENCY"});

template <std::size_t N>
bool is_among(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, word) != words.end();
}

template <std::size_t N>
bool begins_with_any(std::string_view word, const std::array<std::string_view, N>& beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view each) { return word.starts_with(each); });
}

// Splits a list of names at commas.
std::set<std::string, std::less<>> listed_names(std::string_view list) {
  std::set<std::string, std::less<>> names;
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(','));
    list.remove_prefix(std::min(name.size() + 1, list.size()));
    if (!name.empty()) names.emplace(name);
  }
  return names;
}

}  // namespace

std::string key_of(const SharedProfile& profile) {
  Sha256 digest;
  // Adds a text with its length, so that different lists of texts never look alike.
  const auto add = [&digest](std::string_view text) {
    digest.add(std::to_string(text.size()) + ":");
    digest.add(text);
  };
  for (const std::string* text :
       {&profile.version, &profile.build, &profile.surroundings, &profile.directory, &profile.settings})
    add(*text);
  add(std::to_string(profile.environment.size()));
  for (const auto& [name, value] : profile.environment) {
    add(name);
    add(value);
  }
  for (const std::vector<std::string>* words : {&profile.arguments, &profile.serve_args}) {
    add(std::to_string(words->size()));
    for (const std::string& word : *words) add(word);
  }
  return digest.finish().substr(0, kKeyDigits);
}

std::string socket_name(const std::string& version, const std::string& key) {
  return version + "-" + key.substr(0, kNameDigits) + ".socket";
}

Variables shared_environment(const Variables& whole, const std::vector<std::string>& further) {
  const auto passed = whole.find("LEANBRIDGE_PASS_ENV");
  const auto asked_for = listed_names(passed == whole.end() ? "" : std::string_view(passed->second));
  Variables shared;
  for (const auto& [name, value] : whole) {
    const bool own = is_among(name, kOwnVariables) || begins_with_any(name, kOwnBeginnings);
    const bool common = is_among(name, kSharedVariables) || begins_with_any(name, kSharedBeginnings) ||
                        std::ranges::find(further, name) != further.end();
    if (asked_for.contains(name) || (common && !own)) shared.emplace(name, value);
  }
  return shared;
}

Variables own_environment() {
  Variables variables;
  for (char** entry = platform::environment(); *entry; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos && equals > 0)
      variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return variables;
}

std::string build_of_this_program() {
  struct stat status {};
  if (::stat(platform::this_program().c_str(), &status) != 0) return "";
  return std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino) + ":" +
         std::to_string(status.st_size) + ":" + std::to_string(platform::modified_ns(status)) + ":" +
         std::to_string(platform::changed_ns(status));
}

std::string own_surroundings() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return platform::surroundings() + "umask=" + std::to_string(mask);
}

}  // namespace leanbridge::app
