#pragma once
/// The configuration of the search services. Flags override the environment, the environment the user's file,
/// and the file these defaults. Files of the workspace are never read (docs/decisions/0008-search-config.md).

#include "core/base/enum_names.hpp"
#include "core/base/error.hpp"
#include "core/base/secret.hpp"
#include "core/base/user_folders.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::search {

/// A network service.
struct Endpoint {
  std::string url;
  bool is_default = true;  ///< the public service; its rate limits apply (docs/search.md)
  bool enabled = true;
  std::vector<std::pair<std::string, Secret>> headers = {};
  std::chrono::milliseconds timeout{10'000};
};

/// A local `loogle` program.
struct LocalLoogle {
  std::string program;          ///< absolute path; empty: none, or the installed one
  bool installed = false;       ///< use what find_installed_loogle() finds, if `program` is empty
  std::filesystem::path cache;  ///< the folder of installations; empty: loogle_folder()'s default
  std::filesystem::path index;  ///< for this project and toolchain; empty: built at every start
  std::string module;           ///< the module that it imports; empty: Mathlib
  std::chrono::milliseconds start_timeout{300'000};
  std::chrono::milliseconds timeout{30'000};  ///< for one question
};

/// The origin of LeanExplore's answers.
enum class ExploreBackend {
  Automatic,  ///< with a key, the service; without one, local data if there are any, otherwise the service
  Api,
  Local,
};
wire::Names<ExploreBackend> names_of(ExploreBackend);  ///< "auto", and LeanExplore's "api" and "local"

struct Config {
  bool offline = false;  ///< do not contact other machines
  /// How long a silent service may delay an answer that the local index can give.
  std::chrono::milliseconds patience{3'000};
  Endpoint leansearch{"https://leansearch.net/search"};
  Endpoint loogle{"https://loogle.lean-lang.org/json"};
  Endpoint leanexplore{"https://www.leanexplore.com/api/v2"};
  Endpoint leanfinder{"https://lean-lsp-proxy.leanfinder.workers.dev"};
  Endpoint state_search{""};  ///< its public service has been discontinued
  Endpoint hammer{"http://leanpremise.net/retrieve"};
  LocalLoogle local_loogle;
  Secret leanexplore_key;
  std::string leanfinder_version = "v4.28.0";
  std::string state_search_rev = "v4.22.0";
  ExploreBackend leanexplore_backend = ExploreBackend::Automatic;
  std::filesystem::path leanexplore_data;  ///< a folder or database; empty: LeanExplore's own folders
  std::string leanexplore_data_version;    ///< empty: the active one
};

/// A setting. Its key names it everywhere: `loogle.url` is `[search.loogle] url` in the file and --loogle-url
/// on the command line.
struct Setting {
  using Complaint = std::optional<std::string>;  ///< the fault of a value; nullopt: it is valid
  using Setter = std::function<Complaint(Config&, const std::string& value)>;
  std::string key;
  std::vector<std::string> variables;  ///< environment variables; the first one that is set wins
  std::string help;                    ///< in one line
  Setter set;
  enum class Value { Required, Optional, None };
  Value value = Value::Required;  ///< the kind of value that its flag takes; a flag without a value sets
                                  ///< "true"
  std::string alias = {};         ///< another flag: LeanExplore's --backend
};
const std::vector<Setting>& settings();
/// "--loogle-url".
std::string flag_of(const Setting& setting);

struct ConfigSources {
  std::map<std::string, std::string> flags;  ///< by key
  EnvironmentLookup environment;
  std::filesystem::path file;  ///< may be empty; may be missing unless `file_required`
  bool file_required = false;
};

/// Error: InvalidArgument names the flag, the variable, or the file, line and key, but never a value, which
/// may be secret.
Result<Config> read_config(const ConfigSources& sources);

/// $XDG_CONFIG_HOME/leanbridge/config.toml, else ~/.config/leanbridge/config.toml; empty without a home.
std::filesystem::path default_config_file(const EnvironmentLookup& environment);

}  // namespace leanbridge::search
