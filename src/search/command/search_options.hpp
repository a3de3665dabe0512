#pragma once
/// The options of search: its settings, and `leanbridge search` and `leanbridge index`.

#include "core/base/error.hpp"
#include "core/base/user_folders.hpp"
#include "search/sources/config.hpp"

#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace leanbridge::app {

struct Options;

/// Options of `search`.
struct QueryOptions {
  std::string text;                  ///< QUERY
  std::vector<std::string> sources;  ///< --source
  int limit = 20;                    ///< --limit
  bool limit_given = false;          ///< print them all, whatever the height of the window
  std::string verify_file;           ///< --verify
};

/// --config, and one flag for each of search::settings(). Must live as long as the app is used.
class SearchOptions {
 public:
  void add_to(CLI::App& app);
  /// Call after parsing.
  Result<search::Config> read(const EnvironmentLookup& environment) const;

 private:
  std::string file_;
  std::map<std::string, std::string> values_;
};

/// Add the commands.
void add_search(CLI::App& app, Options& options);
void add_index(CLI::App& app, Options& options);

}  // namespace leanbridge::app
