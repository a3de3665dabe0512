// Reads a Config from flags, the environment and the user's file. Every setting is a row of settings(), with
// a text as value wherever it comes from, so that all three are checked in the same way.

#include "leanbridge/search/config.hpp"

#include "leanbridge/base/ascii.hpp"
#include "leanbridge/base/error.hpp"
#include "leanbridge/base/files.hpp"
#include "leanbridge/base/try.hpp"
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

using Complaint = Setting::Complaint;

/// A service, the possible endings of its URL, of which a base URL gets the first, and its variables.
struct Service {
  const char* name;
  Endpoint Config::*endpoint;
  std::vector<std::string> endings;
  std::vector<std::string> variables;
};

const std::vector<Service>& services() {
  static const std::vector<Service> all = {
      {"leansearch",
       &Config::leansearch,
       {"/search"},
       {"LEANSEARCH_URL", "LEANSEARCHCLIENT_LEANSEARCH_API_URL"}},
      {"loogle", &Config::loogle, {"/json"}, {"LOOGLE_URL", "LEANSEARCHCLIENT_LOOGLE_API_URL"}},
      {"leanexplore", &Config::leanexplore, {"/api/v2", "/v1", "/v2"}, {"LEANEXPLORE_URL"}},
      {"leanfinder", &Config::leanfinder, {""}, {"LEAN_FINDER_URL", "LEANFINDER_URL"}},
      {"state_search",
       &Config::state_search,
       {"/api/search"},
       {"LEAN_STATE_SEARCH_URL", "STATE_SEARCH_URL", "LEANSEARCHCLIENT_LEANSTATESEARCH_API_URL"}},
      {"hammer", &Config::hammer, {"/retrieve"}, {"LEAN_HAMMER_URL", "HAMMER_PREMISE_URL"}},
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

Complaint set(std::vector<std::pair<std::string, Secret>>& headers, const std::string& value) {
  constexpr const char* kWanted = "an object of header names and texts, such as {\"X-Key\": \"...\"}";
  const auto object = nlohmann::json::parse(value, nullptr, false);
  if (!object.is_object()) return kWanted;
  headers.clear();
  for (const auto& [name, text] : object.items()) {
    const bool good_name = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
      return std::isalnum(c) || c == '-' || c == '_';
    });
    if (!good_name || !text.is_string()) return kWanted;
    const auto content = text.get<std::string>();
    if (std::any_of(content.begin(), content.end(), [](unsigned char c) { return c < 32 || c == 127; }))
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

Complaint set(bool& on, std::string value) {
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
Complaint set_folder(std::filesystem::path& folder, const std::string& value) {
  std::error_code error;
  folder = std::filesystem::absolute(value, error);
  return error ? Complaint("a path") : Complaint();
}

Complaint set(std::filesystem::path& path, const std::string& value) {
  path = value;
  return path.is_absolute() ? Complaint() : "an absolute path";
}

Complaint set(std::string& text, const std::string& value) {
  if (value.empty() ||
      std::any_of(value.begin(), value.end(), [](unsigned char c) { return c <= 32 || c == 127; }))
    return "a word";
  text = value;
  return std::nullopt;
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

template <class T>
Setting::Setter to(T Config::*member) {
  return [member](Config& config, const std::string& value) { return set(config.*member, value); };
}
template <class T>
Setting::Setter to(T LocalLoogle::*member) {
  return
      [member](Config& config, const std::string& value) { return set(config.local_loogle.*member, value); };
}

std::vector<Setting> make_settings() {
  using Value = Setting::Value;
  using Variables = std::vector<std::string>;
  std::vector<Setting> all;
  const auto add = [&](std::string key, Setting::Setter setter, std::string help, Variables variables = {},
                       Value value = Value::Required, std::string alias = {}) {
    all.push_back(
        {std::move(key), std::move(variables), std::move(help), std::move(setter), value, std::move(alias)});
  };
  add("offline", to(&Config::offline), "Contact nothing beyond this machine", {"LEANBRIDGE_OFFLINE"},
      Value::None);
  const auto set_timeouts = [](Config& config, const std::string& value) {
    Complaint complaint;
    for (const Service& service : services()) complaint = set((config.*service.endpoint).timeout, value);
    return complaint;
  };
  add("timeout_s", set_timeouts, "Timeout in seconds of search services (default: 10)");
  for (const Service& service : services()) {
    const std::string name = std::string(service.name) + ".";
    const auto of = [endpoint = service.endpoint](auto part) -> Setting::Setter {
      return [=](Config& config, const std::string& value) { return set((config.*endpoint).*part, value); };
    };
    const auto url = [&service](Config& config, const std::string& value) {
      return set_url(service, config, value);
    };
    add(name + "url", url, "URL of the service", service.variables);
    add(name + "headers", of(&Endpoint::headers),
        "JSON object of headers to send; other users can see command lines",
        name == "loogle." ? Variables{"LOOGLE_HEADERS"} : Variables{});
    add(name + "timeout_s", of(&Endpoint::timeout), "Timeout in seconds");
    add(name + "enabled", of(&Endpoint::enabled), "true or false: use this service");
  }
  add("leanexplore.key", to(&Config::leanexplore_key),
      "LeanExplore API key; other users can see command lines", {"LEANEXPLORE_API_KEY"});
  add("leanexplore.backend", to(&Config::leanexplore_backend),
      "auto, api or local: ask the service, or LeanExplore data on this disk (default: auto)", {},
      Value::Required, "--backend");
  add("leanexplore.data", to(&Config::leanexplore_data), "LeanExplore data: a folder or a database",
      {"LEAN_EXPLORE_DATA_DIR", "LEAN_EXPLORE_CACHE_DIR"});
  add("leanexplore.data_version", to(&Config::leanexplore_data_version), "Version of that data",
      {"LEAN_EXPLORE_VERSION"});
  add("leanfinder.version", to(&Config::leanfinder_version),
      "Mathlib version for Lean Finder (default: v4.28.0)", {"LEAN_FINDER_VERSION"});
  add("patience_s", to(&Config::patience), "Seconds that a silent service holds up an answer (default: 3)");
  add("state_search.rev", to(&Config::state_search_rev), "Revision for State Search (default: v4.22.0)",
      {"LEAN_STATE_SEARCH_REV"});
  add("loogle.local", to(&Config::local_loogle),
      "loogle executable, built with the project's toolchain; without a value: the installed one",
      {"LEANBRIDGE_LOOGLE", "LEAN_LOOGLE_LOCAL"}, Value::Optional);
  const auto set_cache = [](Config& config, const std::string& value) {
    return set_folder(config.local_loogle.cache, value);
  };
  add("loogle.cache_dir", set_cache, "Folder of installed loogles (default: ~/.cache/lean-lsp-mcp/loogle)",
      {"LEAN_LOOGLE_CACHE_DIR"});
  add("loogle.local_index", to(&LocalLoogle::index), "Its index file", {"LEANBRIDGE_LOOGLE_INDEX"});
  add("loogle.local_module", to(&LocalLoogle::module), "Module it imports (default: Mathlib)");
  add("loogle.local_old_flags", to(&LocalLoogle::old_flags), "true for a loogle before 2026-05-24");
  add("loogle.local_timeout_s", to(&LocalLoogle::timeout), "Timeout in seconds per query (default: 30)");
  add("loogle.local_start_timeout_s", to(&LocalLoogle::start_timeout),
      "Start timeout in seconds (default: 300)");
  return all;
}

// --- the file

struct ConfigEntry {
  std::string place;  ///< "FILE:LINE: search.loogle.url", for messages
  const Setting* setting;
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
      const auto known =
          std::find_if(all.begin(), all.end(), [&](const Setting& setting) { return setting.key == key; });
      const auto in_table = [&](const Setting& setting) { return setting.key.starts_with(key + "."); };
      if (known != all.end()) {
        auto value = text_of(node);
        if (!value) return complain(node, key, "has a value of an unsupported type");
        entries.push_back({place(node, key), &*known, std::move(*value)});
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
  const auto take = [&](const std::string& place, const Setting& setting,
                        const std::string& value) -> Result<void> {
    const auto complaint = setting.set(config, value);
    if (!complaint) return {};
    return fail(ErrorKind::InvalidArgument, place + " must be " + *complaint + ".");
  };
  if (!sources.file.empty()) {
    TRY(auto entries, read_config_file(sources.file, sources.file_required));
    // Settings for all services first, so that those for one service win wherever they stand.
    std::stable_partition(entries.begin(), entries.end(),
                          [](const ConfigEntry& entry) { return entry.setting->key == "timeout_s"; });
    for (const ConfigEntry& entry : entries)
      if (auto done = take(entry.place, *entry.setting, entry.value); !done)
        return tl::unexpected(done.error());
  }
  for (const Setting& setting : settings())
    for (const std::string& variable : setting.variables) {
      const auto value = sources.environment ? sources.environment(variable) : std::nullopt;
      if (!value || value->empty()) continue;
      if (auto done = take("The environment variable " + variable, setting, *value); !done)
        return tl::unexpected(done.error());
      break;
    }
  for (const Setting& setting : settings())
    if (const auto flag = sources.flags.find(setting.key); flag != sources.flags.end())
      if (auto done = take(flag_of(setting), setting, flag->second); !done)
        return tl::unexpected(done.error());
  return config;
}

}  // namespace leanbridge::search
