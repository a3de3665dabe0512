#include "search_options.hpp"

#include "commands.hpp"
#include "core/program/option_readers.hpp"
#include "core/program/options.hpp"
#include <CLI/CLI.hpp>

namespace leanbridge::app {

namespace {

// Whether --help lists it. docs/search.md lists all settings.
bool is_common(const search::Setting& setting) {
  return setting.value == search::Setting::Value::None || setting.key.ends_with(".url") ||
         setting.key == "loogle.local";
}

}  // namespace

void SearchOptions::add_to(CLI::App& app) {
  constexpr const char* kGroup = "Search (all settings: docs/search.md)";
  app.add_option("--config", file_,
                 "Search settings file (default: leanbridge/config.toml in $XDG_CONFIG_HOME or ~/.config)")
      ->type_name("FILE")
      ->group(kGroup);
  for (const search::Setting& setting : search::settings()) {
    const std::string flag = search::flag_of(setting) + (setting.alias.empty() ? "" : "," + setting.alias);
    const auto take = [this, key = setting.key](const std::string& value) { values_[key] = value; };
    using Value = search::Setting::Value;
    CLI::Option* option = setting.value == Value::None
                              ? app.add_flag_callback(
                                    flag, [take] { take("true"); }, setting.help)
                              : app.add_option_function<std::string>(flag, take, setting.help);
    if (setting.value != Value::None) option->type_name(setting.key.ends_with(".url") ? "URL" : "VALUE");
    if (setting.value == Value::Optional) option->expected(0, 1)->default_str("true");
    option->group(is_common(setting) ? kGroup : "");
  }
}

Result<search::Config> SearchOptions::read(const EnvironmentLookup& environment) const {
  search::ConfigSources sources;
  sources.flags = values_;
  sources.environment = environment;
  sources.file_required = !file_.empty();
  sources.file = file_.empty() ? search::default_config_file(environment) : std::filesystem::path(file_);
  return search::read_config(sources);
}

void add_search(CLI::App& app, Options& options) {
  QueryOptions& query = options.of<QueryOptions>();
  CLI::App* search = app.add_subcommand("search", "Search all sources for theorems");
  search->footer(
      "  leanbridge search \"addition commutative natural numbers\"  words\n"
      "  leanbridge search \"a + b = b + a\"                         a statement\n"
      "  leanbridge search --verify Foo.lean Nat.add_comm           which of them Foo.lean can use\n\n"
      "Exit status: 0 if any theorem was found, 1 if not, 2 for wrong usage, 130 if interrupted.");
  search->fallthrough();
  search->add_option("QUERY", query.text, "A name, words, or a statement such as \"a + b = b + a\"")
      ->required();
  search->add_flag("--json", options.as_json, "Print the result of lean_theorem_search as JSON");
  search->add_option("--source", query.sources, "Search only this source (repeatable)")->type_name("NAME");
  add_number(*search, "--limit", query.limit, 1, 200, "Maximum number of results");
  search
      ->add_option("--verify", query.verify_file, "Check with Lean which results are available in this file")
      ->type_name("FILE");
  search->callback([&options, &query, search] {
    query.limit_given = search->count("--limit") > 0;
    options.command = app::search;
  });
}

// Adds `index build` and `index status`.
void add_index(CLI::App& app, Options& options) {
  CLI::App* index = app.add_subcommand("index", "Manage the local index of declarations");
  index->require_subcommand(1);
  index->fallthrough();
  index->footer(
      "  leanbridge index build   builds it now, not at the first search\n"
      "  leanbridge index status  where it is and what is in it");
  CLI::App* build =
      index->add_subcommand("build", "Bring the index up to date and wait until it is complete");
  build->footer("Exit status: 0 if the index is complete, 1 if not, 2 for wrong usage, 130 if interrupted.");
  CLI::App* status = index->add_subcommand("status", "Show where the index is and what it contains");
  build->callback([&options] { options.command = index_build; });
  status->callback([&options] { options.command = index_status; });
  for (CLI::App* command : {build, status}) {
    command->fallthrough();
    command->add_flag("--json", options.as_json, "Print the result as JSON");
  }
}

}  // namespace leanbridge::app
