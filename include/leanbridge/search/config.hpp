#pragma once
/// Where the search services are and what they are given. Flags win over the environment, the environment
/// over the user's file, the file over what stands here. A file of the workspace is never read:
/// docs/decisions/0008-search-config.md.

#include "leanbridge/base/error.hpp"
#include "leanbridge/base/secret.hpp"
#include "leanbridge/base/user_folders.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::search {

/// One service on the network.
struct Endpoint {
  std::string url;
  bool is_default = true;  ///< the public service: its limits hold (docs/search.md)
  bool enabled = true;
  std::vector<std::pair<std::string, Secret>> headers = {};
  std::chrono::milliseconds timeout{10'000};
};

/// A `loogle` program of this machine.
struct LocalLoogle {
  std::string program;          ///< absolute; empty: there is none
  std::filesystem::path index;  ///< of this project and toolchain; empty: it makes its own at every start
  std::string module;           ///< what it imports; empty: its default, Mathlib
  bool old_flags = false;       ///< before 2026-05-24: --read-index
  std::chrono::milliseconds start_timeout{300'000};
  std::chrono::milliseconds timeout{30'000};  ///< of a question
};

struct Config {
  bool offline = false;  ///< nothing beyond this machine is asked
  Endpoint leansearch{"https://leansearch.net/search"};
  Endpoint loogle{"https://loogle.lean-lang.org/json"};
  Endpoint leanexplore{"https://www.leanexplore.com/api/v2"};
  Endpoint leanfinder{"https://bxrituxuhpc70w8w.us-east-1.aws.endpoints.huggingface.cloud"};
  Endpoint state_search{"https://premise-search.com/api/search"};
  Endpoint hammer{"http://leanpremise.net/retrieve"};
  LocalLoogle local_loogle;
  Secret leanexplore_key;
  std::string leanfinder_version = "v4.28.0";
  std::string state_search_rev = "v4.22.0";
  std::filesystem::path
      leanexplore_data;  ///< a folder or database; empty: LeanExplore's own folders are looked at
  std::string leanexplore_data_version;  ///< empty: the active one
};

/// One thing that can be set, under one name everywhere: `loogle.url` is `[search.loogle] url` in the file
/// and
/// --loogle-url on the command line.
struct Setting {
  std::string key;
  std::vector<std::string> variables;  ///< of the environment; the first that is set counts
  std::string help;                    ///< one line
  bool is_switch = false;              ///< as a flag it has no value
};
const std::vector<Setting>& settings();
/// "--loogle-url".
std::string flag_of(const Setting& setting);

struct ConfigSources {
  std::map<std::string, std::string> flags;  ///< by key
  EnvironmentLookup environment;
  std::filesystem::path file;  ///< empty, or missing where it is not `file_required`: none
  bool file_required = false;
};

/// InvalidArgument names the flag, the variable, or the file, line and key, and never a value that may be
/// secret.
Result<Config> read_config(const ConfigSources& sources);

/// $XDG_CONFIG_HOME/leanbridge/config.toml, else ~/.config/leanbridge/config.toml; empty without a home.
std::filesystem::path default_config_file(const EnvironmentLookup& environment);

}  // namespace leanbridge::search
