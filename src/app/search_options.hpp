#pragma once
/// The flags of search, one for each of search::settings(), and the file.

#include "leanbridge/search/config.hpp"

#include <map>
#include <string>

namespace CLI {
class App;
}

namespace leanbridge::app {

class SearchOptions {
 public:
  /// Must live as long as `app` is used.
  void add_to(CLI::App& app);
  /// After the command line is parsed.
  Result<search::Config> read(
      const std::function<std::optional<std::string>(const std::string&)>& environment) const;

 private:
  std::string file_;
  std::map<std::string, std::string> values_;
};

}  // namespace leanbridge::app
