// Reads a Config from flags, the environment and the user's file. Every setting is a row of settings(), with
// a text as value wherever it comes from, so that all three are checked in the same way.

#include "leanbridge/search/config.hpp"

#include "leanbridge/base/ascii.hpp"
#include "leanbridge/base/error.hpp"
#include "leanbridge/base/files.hpp"
#include "leanbridge/http/client.hpp"

#include <nlohmann/json.hpp>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace leanbridge::search {

namespace {

using Complaint = std::optional<std::string>;  // what the value must be

/// A service, and the possible endings of its URL; a base URL gets the first.
struct Service {
  const char* name;
  Endpoint Config::*endpoint;
  std::vector<std::string> endings;
};

const std::vector<Service>& services() {
  static const std::vector<Service> all = {
      {"leansearch", &Config::leansearch, {"/search"}},
      {"loogle", &Config::loogle, {"/json"}},
      {"leanexplore", &Config::leanexplore, {"/api/v2", "/v1", "/v2"}},
      {"leanfinder", &Config::leanfinder, {""}},
      {"state_search", &Config::state_search, {"/api/search"}},
      {"hammer", &Config::hammer, {"/retrieve"}},
  };
  return all;
}

Complaint set_url(const Service& service, Config& config, std::string value) {
  while (value.ends_with('/')) value.pop_back();
  if (!http::origin_of(value) || value.find_first_of("?#") != std::string::npos)
    return "an http or https URL without ? and #";
  const bool whole = std::any_of(service.endings.begin(), service.endings.end(),
                                 [&](const std::string& ending) { return value.ends_with(ending); });
  Endpoint& endpoint = config.*service.endpoint;
  endpoint.url = whole ? value : value + service.endings.front();
  endpoint.is_default = endpoint.url == (Config().*service.endpoint).url;
  return std::nullopt;
}

Complaint set_headers(Endpoint& endpoint, const std::string& value) {
  constexpr const char* kWanted = "an object of header names and texts, such as {\"X-Key\": \"...\"}";
  const auto object = nlohmann::json::parse(value, nullptr, false);
  if (!object.is_object()) return kWanted;
  endpoint.headers.clear();
  for (const auto& [name, text] : object.items()) {
    const bool good_name = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
      return std::isalnum(c) || c == '-' || c == '_';
    });
    if (!good_name || !text.is_string()) return kWanted;
    const auto content = text.get<std::string>();
    if (std::any_of(content.begin(), content.end(), [](unsigned char c) { return c < 32 || c == 127; }))
      return "headers without control characters";
    endpoint.headers.emplace_back(name, Secret(content));
  }
  return std::nullopt;
}

Complaint set_duration(std::chrono::milliseconds& duration, const std::string& value) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (error != std::errc() || end != value.data() + value.size() || !(seconds >= 0.1 && seconds <= 3600))
    return "a number of seconds from 0.1 to 3600";
  duration = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  return std::nullopt;
}

Complaint set_switch(bool& on, std::string value) {
  value = lower_case(std::move(value));
  if (value == "true" || value == "1" || value == "yes" || value == "on")
    on = true;
  else if (value == "false" || value == "0" || value == "no" || value == "off")
    on = false;
  else
    return "true or false";
  return std::nullopt;
}

// A path, or whether to use a local one at all: the one already named, else the installed one.
Complaint set_local_loogle(LocalLoogle& local, const std::string& value) {
  if (!set_switch(local.installed, value)) {
    if (!local.installed) local.program.clear();
    return std::nullopt;
  }
  if (!std::filesystem::path(value).is_absolute()) return "true, false, or an absolute path";
  local.program = value;
  return std::nullopt;
}

// Relative to the working directory, as in lean-lsp-mcp.
Complaint set_folder(std::filesystem::path& folder, const std::string& value) {
  std::error_code error;
  folder = std::filesystem::absolute(value, error);
  return error ? Complaint("a path") : Complaint();
}

Complaint set_path(std::filesystem::path& path, const std::string& value) {
  path = value;
  return path.is_absolute() ? Complaint() : "an absolute path";
}

Complaint set_text(std::string& text, const std::string& value) {
  if (value.empty() ||
      std::any_of(value.begin(), value.end(), [](unsigned char c) { return c <= 32 || c == 127; }))
    return "a word";
  text = value;
  return std::nullopt;
}

Complaint set_explore_backend(ExploreBackend& backend, const std::string& value) {
  for (const auto& [each, name] : names_of(backend)) {
    if (value != name) continue;
    backend = each;
    return std::nullopt;
  }
  return "auto, api or local";
}

Complaint set_service(Config& config, const Service& service, const std::string& what,
                      const std::string& value) {
  Endpoint& endpoint = config.*service.endpoint;
  if (what == "url") return set_url(service, config, value);
  if (what == "headers") return set_headers(endpoint, value);
  if (what == "timeout_s") return set_duration(endpoint.timeout, value);
  return set_switch(endpoint.enabled, value);
}

Complaint set(Config& config, const std::string& key, const std::string& value) {
  if (key == "offline") return set_switch(config.offline, value);
  if (key == "leanexplore.key") {
    std::string text;
    const auto complaint = set_text(text, value);
    config.leanexplore_key = Secret(text);
    return complaint;
  }
  if (key == "patience_s") return set_duration(config.patience, value);
  if (key == "leanexplore.backend") return set_explore_backend(config.leanexplore_backend, value);
  if (key == "leanexplore.data") return set_path(config.leanexplore_data, value);
  if (key == "leanexplore.data_version") return set_text(config.leanexplore_data_version, value);
  if (key == "leanfinder.version") return set_text(config.leanfinder_version, value);
  if (key == "state_search.rev") return set_text(config.state_search_rev, value);
  if (key == "loogle.local_module") return set_text(config.local_loogle.module, value);
  if (key == "loogle.local_index") return set_path(config.local_loogle.index, value);
  if (key == "loogle.local_old_flags") return set_switch(config.local_loogle.old_flags, value);
  if (key == "loogle.local_timeout_s") return set_duration(config.local_loogle.timeout, value);
  if (key == "loogle.local_start_timeout_s") return set_duration(config.local_loogle.start_timeout, value);
  if (key == "loogle.local") return set_local_loogle(config.local_loogle, value);
  if (key == "loogle.cache_dir") return set_folder(config.local_loogle.cache, value);
  if (key == "timeout_s") {
    Complaint complaint;
    for (const Service& service : services())
      complaint = set_duration((config.*service.endpoint).timeout, value);
    return complaint;
  }
  const std::size_t dot = key.find('.');
  for (const Service& service : services())
    if (key.substr(0, dot) == service.name) return set_service(config, service, key.substr(dot + 1), value);
  return "a known setting";
}

std::vector<Setting> make_settings() {
  std::vector<Setting> all = {
      {"offline", {"LEANBRIDGE_OFFLINE"}, "Contact nothing beyond this machine", Setting::Value::None},
      {"timeout_s", {}, "Timeout in seconds of search services (default: 10)"},
  };
  const std::map<std::string, std::vector<std::string>> variables = {
      {"leansearch.url", {"LEANSEARCH_URL", "LEANSEARCHCLIENT_LEANSEARCH_API_URL"}},
      {"loogle.url", {"LOOGLE_URL", "LEANSEARCHCLIENT_LOOGLE_API_URL"}},
      {"loogle.headers", {"LOOGLE_HEADERS"}},
      {"leanexplore.url", {"LEANEXPLORE_URL"}},
      {"leanfinder.url", {"LEAN_FINDER_URL", "LEANFINDER_URL"}},
      {"state_search.url",
       {"LEAN_STATE_SEARCH_URL", "STATE_SEARCH_URL", "LEANSEARCHCLIENT_LEANSTATESEARCH_API_URL"}},
      {"hammer.url", {"LEAN_HAMMER_URL", "HAMMER_PREMISE_URL"}},
  };
  const std::vector<std::pair<std::string, std::string>> of_each = {
      {"url", "URL of the service"},
      {"headers", "JSON object of headers to send; other users can see command lines"},
      {"timeout_s", "Timeout in seconds"},
      {"enabled", "true or false: use this service"},
  };
  for (const Service& service : services())
    for (const auto& [what, help] : of_each) {
      const std::string key = std::string(service.name) + "." + what;
      const auto found = variables.find(key);
      all.push_back({key, found == variables.end() ? std::vector<std::string>() : found->second, help});
    }
  const std::vector<Setting> others = {
      {"leanexplore.key", {"LEANEXPLORE_API_KEY"}, "LeanExplore API key; other users can see command lines"},
      {"leanexplore.backend",
       {},
       "auto, api or local: ask the service, or LeanExplore data on this disk (default: auto)",
       Setting::Value::Required,
       "--backend"},
      {"leanexplore.data",
       {"LEAN_EXPLORE_DATA_DIR", "LEAN_EXPLORE_CACHE_DIR"},
       "LeanExplore data: a folder or a database"},
      {"leanexplore.data_version", {"LEAN_EXPLORE_VERSION"}, "Version of that data"},
      {"leanfinder.version", {"LEAN_FINDER_VERSION"}, "Mathlib version for Lean Finder (default: v4.28.0)"},
      {"patience_s", {}, "Seconds that a silent service holds up an answer (default: 3)"},
      {"state_search.rev", {"LEAN_STATE_SEARCH_REV"}, "Revision for State Search (default: v4.22.0)"},
      {"loogle.local",
       {"LEANBRIDGE_LOOGLE", "LEAN_LOOGLE_LOCAL"},
       "loogle executable, built with the project's toolchain; without a value: the installed one",
       Setting::Value::Optional},
      {"loogle.cache_dir",
       {"LEAN_LOOGLE_CACHE_DIR"},
       "Folder of installed loogles (default: ~/.cache/lean-lsp-mcp/loogle)"},
      {"loogle.local_index", {"LEANBRIDGE_LOOGLE_INDEX"}, "Its index file"},
      {"loogle.local_module", {}, "Module it imports (default: Mathlib)"},
      {"loogle.local_old_flags", {}, "true for a loogle before 2026-05-24"},
      {"loogle.local_timeout_s", {}, "Timeout in seconds per query (default: 30)"},
      {"loogle.local_start_timeout_s", {}, "Start timeout in seconds (default: 300)"},
  };
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

// --- the file

struct ConfigEntry {
  std::string place;  ///< "FILE:LINE: search.loogle.url", for messages
  std::string key;    ///< of a Setting
  std::string value;  ///< tables as JSON
};

// The value as a flag would spell it; nullopt for dates and arrays.
std::optional<std::string> text_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (node.is_boolean() || node.is_number()) {
    std::ostringstream out;
    node.visit([&](const auto& value) {
      if constexpr (toml::is_boolean<decltype(value)> || toml::is_number<decltype(value)>)
        out << std::boolalpha << value.get();
    });
    return out.str();
  }
  const auto* table = node.as_table();
  if (!table) return std::nullopt;
  nlohmann::json object = nlohmann::json::object();
  for (const auto& [key, value] : *table) {
    const auto* text = value.as_string();
    if (!text) return std::nullopt;
    object[std::string(key.str())] = text->get();
  }
  return object.dump();
}

class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  /// `prefix` is the name of the table below `search`, with a dot, or empty.
  Result<void> read(const toml::table& table, const std::string& prefix) {
    for (const auto& [name, node] : table) {
      const std::string key = prefix + std::string(name.str());
      const auto& all = settings();
      const auto is_key = [&](const Setting& setting) { return setting.key == key; };
      const auto in_table = [&](const Setting& setting) { return setting.key.starts_with(key + "."); };
      if (std::any_of(all.begin(), all.end(), is_key)) {
        auto value = text_of(node);
        if (!value) return complain(node, key, "has a value of an unsupported type");
        entries.push_back({place(node, key), key, std::move(*value)});
      } else if (const auto* inner = node.as_table();
                 inner && std::any_of(all.begin(), all.end(), in_table)) {
        if (auto done = read(*inner, key + "."); !done) return done;
      } else {
        return complain(node, key, "is not a setting");
      }
    }
    return {};
  }
  tl::unexpected<Error> complain(const toml::node& node, const std::string& key,
                                 const std::string& what) const {
    return fail(ErrorKind::InvalidArgument, place(node, key) + " " + what + ".",
                "docs/search.md lists all settings.");
  }
  std::string place(const toml::node& node, const std::string& key) const {
    return file_ + ":" + std::to_string(node.source().begin.line) + ": search." + key;
  }

  std::vector<ConfigEntry> entries;

 private:
  std::string file_;
};

/// The entries in file order. Empty if the file is missing and not required.
Result<std::vector<ConfigEntry>> read_config_file(const std::filesystem::path& file, bool required) {
  const auto content = read_regular_file(file, kMaxConfigurationSize);
  if (!content && !required && content.error().kind == FileProblem::Kind::Missing)
    return std::vector<ConfigEntry>();
  if (!content)
    return fail(ErrorKind::InvalidArgument,
                "Cannot read the configuration " + file.string() + ": " + content.error().why + ".");
  toml::table table;
  try {
    table = toml::parse(*content, file.string());
  } catch (const toml::parse_error& bad) {
    return fail(ErrorKind::InvalidArgument, file.string() + ":" + std::to_string(bad.source().begin.line) +
                                                ": invalid TOML: " + std::string(bad.description()));
  }
  Reader reader(file.string());
  for (const auto& [name, node] : table) {
    const auto* inner = node.as_table();
    if (name.str() != "search" || !inner)
      return fail(ErrorKind::InvalidArgument,
                  file.string() + ":" + std::to_string(node.source().begin.line) + ": " +
                      std::string(name.str()) + " is not a section of the configuration.",
                  "Put search settings under [search].");
    if (auto done = reader.read(*inner, ""); !done) return tl::unexpected(done.error());
  }
  return std::move(reader.entries);
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
  Config config;
  const auto take = [&](const std::string& place, const std::string& key,
                        const std::string& value) -> Result<void> {
    const auto complaint = set(config, key, value);
    if (!complaint) return {};
    return fail(ErrorKind::InvalidArgument, place + " must be " + *complaint + ".");
  };
  if (!sources.file.empty()) {
    auto entries = read_config_file(sources.file, sources.file_required);
    if (!entries) return tl::unexpected(entries.error());
    // Settings for all services first, so that those for one service win wherever they stand.
    std::stable_sort(entries->begin(), entries->end(), [](const ConfigEntry& a, const ConfigEntry& b) {
      return (a.key == "timeout_s") > (b.key == "timeout_s");
    });
    for (const ConfigEntry& entry : *entries)
      if (auto done = take(entry.place, entry.key, entry.value); !done) return tl::unexpected(done.error());
  }
  for (const Setting& setting : settings())
    for (const std::string& variable : setting.variables) {
      const auto value = sources.environment ? sources.environment(variable) : std::nullopt;
      if (!value || value->empty()) continue;
      if (auto done = take("The environment variable " + variable, setting.key, *value); !done)
        return tl::unexpected(done.error());
      break;
    }
  for (const Setting& setting : settings()) {
    const auto flag = sources.flags.find(setting.key);
    if (flag == sources.flags.end()) continue;
    if (auto done = take(flag_of(setting), setting.key, flag->second); !done)
      return tl::unexpected(done.error());
  }
  return config;
}

}  // namespace leanbridge::search
