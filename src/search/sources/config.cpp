// Reads a Config from flags, the environment and the user's file. Every setting is a row of settings() with a
// text as its value, so that all three are checked in the same way.

#include "config.hpp"

#include "core/base/ascii.hpp"
#include "core/base/files.hpp"
#include "core/base/try.hpp"
#include "http/client.hpp"
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace leanbridge::search {

namespace {

using Complaint = Setting::Complaint;

/// A service, with its variables and the path that is appended to a base URL.
struct Service {
  const char* name;
  Endpoint Config::*endpoint;
  std::string ending;
  std::vector<std::string> variables;
};

const std::vector<Service>& services() {
  static const std::vector<Service> all = {
      {"leansearch",
       &Config::leansearch,
       "/search",
       {"LEANSEARCH_URL", "LEANSEARCHCLIENT_LEANSEARCH_API_URL"}},
      {"loogle", &Config::loogle, "/json", {"LOOGLE_URL", "LEANSEARCHCLIENT_LOOGLE_API_URL"}},
      {"leanexplore", &Config::leanexplore, "/api/v2", {"LEANEXPLORE_URL"}},
      {"leanfinder", &Config::leanfinder, "", {"LEAN_FINDER_URL", "LEANFINDER_URL"}},
      {"state_search",
       &Config::state_search,
       "/api/search",
       {"LEAN_STATE_SEARCH_URL", "STATE_SEARCH_URL", "LEANSEARCHCLIENT_LEANSTATESEARCH_API_URL"}},
      {"hammer", &Config::hammer, "/retrieve", {"LEAN_HAMMER_URL", "HAMMER_PREMISE_URL"}},
  };
  return all;
}

Complaint set_url(const Service& service, Config& config, std::string value) {
  while (value.ends_with('/')) value.pop_back();
  if (!http::origin_of(value) || value.find_first_of("?#") != std::string::npos)
    return "an http or https URL without ? and #";
  Endpoint& endpoint = config.*service.endpoint;
  endpoint.url = value.ends_with(service.ending) ? value : value + service.ending;
  endpoint.is_default = endpoint.url == (Config().*service.endpoint).url;
  return std::nullopt;
}

Complaint set(std::vector<std::pair<std::string, Secret>>& headers, const std::string& value) {
  constexpr const char* kWanted = "an object of header names and texts, such as {\"X-Key\": \"...\"}";
  const auto object = nlohmann::json::parse(value, nullptr, false);
  if (!object.is_object()) return kWanted;
  headers.clear();
  for (const auto& [name, text] : object.items()) {
    const bool good_name = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
      return std::isalnum(c) || c == '-' || c == '_';
    });
    if (!good_name || !text.is_string()) return kWanted;
    const auto content = text.get<std::string>();
    if (std::ranges::any_of(content, [](unsigned char c) { return c < 32 || c == 127; }))
      return "headers without control characters";
    headers.emplace_back(name, Secret(content));
  }
  return std::nullopt;
}

Complaint set(std::chrono::milliseconds& duration, const std::string& value) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (error != std::errc() || end != value.data() + value.size() || !(seconds >= 0.1 && seconds <= 3600))
    return "a number of seconds from 0.1 to 3600";
  duration = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  return std::nullopt;
}

Complaint set(bool& on, const std::string& value) {
  const std::string word = " " + lower_case(value) + " ";
  on = std::string_view(" true 1 yes on ").find(word) != std::string_view::npos;
  const bool is_off = std::string_view(" false 0 no off ").find(word) != std::string_view::npos;
  return on || is_off ? Complaint() : "true or false";
}

// A path, or whether to use a local program at all: the one already named, or else the installed one.
Complaint set(LocalLoogle& local, const std::string& value) {
  if (!set(local.installed, value)) {
    if (!local.installed) local.program.clear();
    return std::nullopt;
  }
  if (!std::filesystem::path(value).is_absolute()) return "true, false, or an absolute path";
  local.program = value;
  return std::nullopt;
}

// Relative to the working directory, as in lean-lsp-mcp.
Complaint set_cache(Config& config, const std::string& value) {
  std::error_code error;
  config.local_loogle.cache = std::filesystem::absolute(value, error);
  return error ? Complaint("a path") : Complaint();
}

Complaint set(std::filesystem::path& path, const std::string& value) {
  path = value;
  return path.is_absolute() ? Complaint() : "an absolute path";
}

Complaint set(std::string& text, const std::string& value) {
  text = value;
  const bool is_word = std::ranges::all_of(text, [](unsigned char c) { return c > 32 && c != 127; });
  return is_word && !text.empty() ? Complaint() : "a word";
}

Complaint set(ExploreBackend& backend, const std::string& value) {
  for (const auto& [each, name] : names_of(backend)) {
    if (value != name) continue;
    backend = each;
    return std::nullopt;
  }
  return "auto, api or local";
}

Complaint set(Secret& secret, const std::string& value) {
  std::string text;
  const auto complaint = set(text, value);
  secret = Secret(text);
  return complaint;
}

// A setter for a member, possibly of another member.
template <class... Path>
Setting::Setter to(Path... path) {
  return [=](Config& config, const std::string& value) { return set((config.*....*path), value); };
}

Complaint set_timeouts(Config& config, const std::string& value) {
  Complaint complaint;
  for (const Service& service : services()) complaint = set((config.*service.endpoint).timeout, value);
  return complaint;
}

std::vector<Setting> make_settings() {
  std::vector<Setting> all;
  const auto add = [&](std::string key, Setting::Setter setter, std::string help,
                       std::vector<std::string> variables = {}) -> Setting& {
    return all.emplace_back(
        Setting{std::move(key), std::move(variables), std::move(help), std::move(setter)});
  };
  add("offline", to(&Config::offline), "Contact nothing beyond this machine", {"LEANBRIDGE_OFFLINE"}).value =
      Setting::Value::None;
  add("timeout_s", set_timeouts, "Timeout in seconds of search services (default: 10)");
  for (const Service& service : services()) {
    const std::string name = std::string(service.name) + ".";
    const auto url = [&service](Config& config, const std::string& value) {
      return set_url(service, config, value);
    };
    add(name + "url", url, "URL of the service", service.variables);
    add(name + "headers", to(service.endpoint, &Endpoint::headers),
        "JSON object of headers to send; other users can see command lines",
        name == "loogle." ? std::vector<std::string>{"LOOGLE_HEADERS"} : std::vector<std::string>());
    add(name + "timeout_s", to(service.endpoint, &Endpoint::timeout), "Timeout in seconds");
    add(name + "enabled", to(service.endpoint, &Endpoint::enabled), "true or false: use this service");
  }
  add("leanexplore.key", to(&Config::leanexplore_key),
      "LeanExplore API key; other users can see command lines", {"LEANEXPLORE_API_KEY"});
  add("leanexplore.backend", to(&Config::leanexplore_backend),
      "auto, api or local: ask the service, or LeanExplore data on this disk (default: auto)")
      .alias = "--backend";
  add("leanexplore.data", to(&Config::leanexplore_data), "LeanExplore data: a folder or a database",
      {"LEAN_EXPLORE_DATA_DIR", "LEAN_EXPLORE_CACHE_DIR"});
  add("leanexplore.data_version", to(&Config::leanexplore_data_version), "Version of that data",
      {"LEAN_EXPLORE_VERSION"});
  add("leanfinder.version", to(&Config::leanfinder_version),
      "Mathlib version for Lean Finder (default: v4.28.0)", {"LEAN_FINDER_VERSION"});
  add("patience_s", to(&Config::patience), "Seconds that a silent service holds up an answer (default: 3)");
  add("state_search.rev", to(&Config::state_search_rev), "Revision for State Search (default: v4.22.0)",
      {"LEAN_STATE_SEARCH_REV"});
  constexpr auto kLoogle = &Config::local_loogle;
  add("loogle.local", to(kLoogle),
      "loogle executable, built with the project's toolchain; without a value: the installed one",
      {"LEANBRIDGE_LOOGLE", "LEAN_LOOGLE_LOCAL"})
      .value = Setting::Value::Optional;
  add("loogle.cache_dir", set_cache, "Folder of installed loogles (default: ~/.cache/lean-lsp-mcp/loogle)",
      {"LEAN_LOOGLE_CACHE_DIR"});
  add("loogle.local_index", to(kLoogle, &LocalLoogle::index), "Its index file", {"LEANBRIDGE_LOOGLE_INDEX"});
  add("loogle.local_module", to(kLoogle, &LocalLoogle::module), "Module it imports (default: Mathlib)");
  add("loogle.local_timeout_s", to(kLoogle, &LocalLoogle::timeout),
      "Timeout in seconds per query (default: 30)");
  add("loogle.local_start_timeout_s", to(kLoogle, &LocalLoogle::start_timeout),
      "Start timeout in seconds (default: 300)");
  return all;
}

// --- the file

/// A value, and the place where it was set.
struct ConfigEntry {
  std::string place;  ///< "FILE:LINE: search.loogle.url", for messages
  const Setting* setting;
  std::string value;  ///< as a flag would spell it; tables as JSON
};

std::string text_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  std::ostringstream out;
  out << toml::json_formatter(node);
  return out.str();
}

// Reads a table. `prefix` is the table's name below `search`, followed by a dot, or empty.
Result<void> read_table(const toml::table& table, const std::string& prefix, const std::string& file,
                        std::vector<ConfigEntry>& entries) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix + std::string(name.str());
    const std::string place = fmt::format("{}:{}: search.{}", file, node.source().begin.line, key);
    const Setting* known = nullptr;
    bool is_section = false;
    for (const Setting& setting : settings()) {
      if (setting.key == key) known = &setting;
      is_section = is_section || setting.key.starts_with(key + ".");
    }
    if (known) {
      entries.push_back({place, known, text_of(node)});
    } else if (const auto* inner = node.as_table(); inner && is_section) {
      TRY_DONE(read_table(*inner, key + ".", file, entries));
    } else {
      return fail(ErrorKind::InvalidArgument, place + " is not a setting.",
                  "docs/search.md lists all settings.");
    }
  }
  return {};
}

/// The entries in file order. Empty if the file is missing and not required.
Result<std::vector<ConfigEntry>> read_config_file(const std::filesystem::path& path, bool required) {
  const std::string file = path.string();
  std::vector<ConfigEntry> entries;
  const auto content = read_regular_file(path, kMaxConfigurationSize);
  if (!content && !required && content.error().kind == FileProblem::Kind::Missing) return entries;
  if (!content)
    return fail(ErrorKind::InvalidArgument,
                "Cannot read the configuration " + file + ": " + content.error().why + ".");
  toml::table table;
  try {
    table = toml::parse(*content, file);
  } catch (const toml::parse_error& bad) {
    return fail(ErrorKind::InvalidArgument,
                fmt::format("{}:{}: invalid TOML: {}", file, bad.source().begin.line, bad.description()));
  }
  for (const auto& [name, node] : table) {
    const auto* inner = node.as_table();
    if (name.str() != "search" || !inner)
      return fail(ErrorKind::InvalidArgument,
                  fmt::format("{}:{}: {} is not a section of the configuration.", file,
                              node.source().begin.line, name.str()),
                  "Put search settings under [search].");
    TRY_DONE(read_table(*inner, "", file, entries));
  }
  return entries;
}

}  // namespace

wire::Names<ExploreBackend> names_of(ExploreBackend) {
  return {
      {ExploreBackend::Automatic, "auto"}, {ExploreBackend::Api, "api"}, {ExploreBackend::Local, "local"}};
}

const std::vector<Setting>& settings() {
  static const std::vector<Setting> all = make_settings();
  return all;
}

std::string flag_of(const Setting& setting) {
  std::string flag = "--" + setting.key;
  std::replace_if(
      flag.begin(), flag.end(), [](char c) { return c == '.' || c == '_'; }, '-');
  return flag;
}

std::filesystem::path default_config_file(const EnvironmentLookup& environment) {
  const std::filesystem::path folder = config_folder(environment);
  return folder.empty() ? folder : folder / "config.toml";
}

Result<Config> read_config(const ConfigSources& sources) {
  std::vector<ConfigEntry> entries;
  if (!sources.file.empty()) {
    TRY(entries, read_config_file(sources.file, sources.file_required));
    // Settings for all services come first, so that settings for one service override them, whatever their
    // order in the file.
    std::stable_partition(entries.begin(), entries.end(),
                          [](const ConfigEntry& entry) { return entry.setting->key == "timeout_s"; });
  }
  for (const Setting& setting : settings())
    for (const std::string& variable : setting.variables) {
      const auto value = sources.environment ? sources.environment(variable) : std::nullopt;
      if (!value || value->empty()) continue;
      entries.push_back({"The environment variable " + variable, &setting, *value});
      break;
    }
  for (const Setting& setting : settings())
    if (const auto flag = sources.flags.find(setting.key); flag != sources.flags.end())
      entries.push_back({flag_of(setting), &setting, flag->second});
  Config config;
  for (const ConfigEntry& entry : entries)
    if (const auto complaint = entry.setting->set(config, entry.value))
      return fail(ErrorKind::InvalidArgument, entry.place + " must be " + *complaint + ".");
  return config;
}

}  // namespace leanbridge::search
