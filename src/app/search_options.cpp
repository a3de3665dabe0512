#include "search_options.hpp"

#include <CLI/CLI.hpp>

namespace leanbridge::app {

namespace {

// Those that --help shows; the others are in docs/search.md.
bool is_common(const search::Setting& setting) {
  return setting.is_switch || setting.key.ends_with(".url") || setting.key == "loogle.local";
}

}  // namespace

void SearchOptions::add_to(CLI::App& app) {
  constexpr const char* kGroup = "Search (all settings: docs/search.md)";
  app.add_option("--config", file_,
                 "Settings (default: leanbridge/config.toml in $XDG_CONFIG_HOME or ~/.config)")
      ->group(kGroup);
  for (const search::Setting& setting : search::settings()) {
    const std::string flag = search::flag_of(setting);
    const auto take = [this, key = setting.key](const std::string& value) { values_[key] = value; };
    CLI::Option* option = setting.is_switch ? app.add_flag_callback(
                                                  flag, [take] { take("true"); }, setting.help)
                                            : app.add_option_function<std::string>(flag, take, setting.help);
    option->group(is_common(setting) ? kGroup : "");
  }
}

Result<search::Config> SearchOptions::read(
    const std::function<std::optional<std::string>(const std::string&)>& environment) const {
  search::ConfigSources sources;
  sources.flags = values_;
  sources.environment = environment;
  sources.file_required = !file_.empty();
  sources.file = file_.empty() ? search::default_config_file(environment) : std::filesystem::path(file_);
  return search::read_config(sources);
}

}  // namespace leanbridge::app
