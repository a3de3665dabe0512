#include "gateway/upstream/config.hpp"

#include "core/base/files.hpp"
#include "core/base/json.hpp"
#include "core/base/secret.hpp"
#include "core/text/untrusted.hpp"
#include "server_entry.hpp"

#include <algorithm>

namespace leanbridge::upstream {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxConfigBytes = kMaxConfigurationSize;

// The files in the folder `mcp` of each folder below `extensions`, sorted so that the same files give the
// same servers.
std::vector<fs::path> extension_files(const fs::path& extensions) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator extension(extensions, error), end; !error && extension != end;
       extension.increment(error)) {
    std::error_code inner;
    for (fs::directory_iterator file(extension->path() / "mcp", inner), last; !inner && file != last;
         file.increment(inner))
      if (file->path().extension() == ".json") files.push_back(file->path());
  }
  std::ranges::sort(files);
  return files;
}

struct Source {
  fs::path file;
  Origin origin;
  fs::path directory;
};

std::vector<Source> files_to_read(const ConfigSources& from) {
  std::vector<Source> all;
  if (!from.workspace.empty())
    for (const char* name : {".leanbridge/mcp-servers.toml", ".radium/mcp-servers.toml", ".mcp.json"})
      all.push_back({from.workspace / name, Origin::Workspace, from.workspace});
  const fs::path fallback = from.workspace.empty() ? from.user_home : from.workspace;
  if (!from.user_home.empty() && from.user_home != from.workspace)
    for (const char* name : {".leanbridge/mcp-servers.toml", ".radium/mcp-servers.toml"})
      all.push_back({from.user_home / name, Origin::User, fallback});
  for (const fs::path& base : {from.workspace, from.user_home}) {
    if (base.empty()) continue;
    // An extension in the workspace came with the workspace, like all other files there.
    const Origin origin = base == from.workspace ? Origin::Workspace : Origin::Extension;
    for (const char* name : {".leanbridge/extensions", ".radium/extensions"})
      for (fs::path& file : extension_files(base / name)) all.push_back({std::move(file), origin, fallback});
    if (from.user_home == from.workspace) break;
  }
  return all;
}

}  // namespace

wire::Names<TransportKind> names_of(TransportKind) {
  return {{TransportKind::Stdio, "stdio"}, {TransportKind::Http, "http"}, {TransportKind::Sse, "sse"}};
}

wire::Names<AuthKind> names_of(AuthKind) {
  return {{AuthKind::OAuth, "oauth"},
          {AuthKind::Bearer, "bearer"},
          {AuthKind::None, "none"},
          {AuthKind::Header, "header"}};
}

std::string ConfigProblem::describe() const {
  std::string text = file.string();
  if (line > 0) text += ":" + std::to_string(line);
  if (!server.empty()) text += ": server " + server;
  return text::cleaned_line(text + ": " + message + " " + fix);
}

std::string ServerConfig::in_written_form(std::string text) const {
  constexpr std::size_t kShortest = 3;
  for (const auto& [value, written] : expansions)
    if (value.reveal().size() >= kShortest)
      text = without_secrets(std::move(text), {value.reveal()}, written);
  return text;
}

std::string ServerConfig::written(std::initializer_list<const char*> names) const {
  for (const char* each : names)
    if (std::string text = text_member(definition, each); !text.empty()) return text;
  return "";
}

std::string ServerConfig::auth_parameter(const std::string& parameter) const {
  if (!auth) return "";
  const auto found = auth->parameters.find(parameter);
  return found == auth->parameters.end() ? "" : found->second;
}

const ServerConfig* Config::find(const std::string& name) const {
  const auto found = std::ranges::find_if(servers, [&](const ServerConfig& s) { return s.name == name; });
  return found == servers.end() ? nullptr : &*found;
}

Result<std::string> expand_variables(const std::string& text, const Lookup& variables,
                                     const OnValue& on_value) {
  std::string expanded;
  std::size_t at = 0;
  for (;;) {
    const std::size_t start = text.find("${", at);
    expanded.append(text, at, start == std::string::npos ? start : start - at);
    if (start == std::string::npos) return expanded;
    const std::size_t end = text.find('}', start);
    if (end == std::string::npos)
      return fail(ErrorKind::InvalidArgument, "a '${' is not closed.", "Write ${NAME} or ${NAME:-default}.");
    const std::string inside = text.substr(start + 2, end - start - 2);
    const std::size_t fallback = inside.find(":-");
    const std::string name = inside.substr(0, fallback);
    const auto value = variables ? variables(name) : std::nullopt;
    if (value && !(value->empty() && fallback != std::string::npos)) {
      expanded += *value;
      if (on_value) on_value(*value, "${" + name + "}");
    } else if (fallback != std::string::npos) {
      expanded += inside.substr(fallback + 2);
    } else {
      return fail(ErrorKind::InvalidArgument, "the environment variable " + name + " is not set.",
                  "Set it in leanbridge's environment, or write ${" + name + ":-default}.");
    }
    at = end + 1;
  }
}

Config parse_config(const std::string& text, const fs::path& file, Origin origin, const fs::path& directory,
                    const Lookup& variables) {
  Config config;
  EntryContext context;
  context.file = file;
  context.directory = directory;
  context.origin = origin;
  context.variables = variables ? &variables : nullptr;
  const bool is_toml = file.extension() == ".toml";
  context.needs_transport = is_toml;
  if (text.size() > kMaxConfigBytes)
    config.problems.push_back(
        {"", file, 0, "The file is larger than 1 MiB.", "Make it smaller; until then it is ignored."});
  else if (is_toml)
    add_toml(config, context, text);
  else
    add_json(config, context, text);
  return config;
}

Config load_config(const ConfigSources& sources) {
  Config merged;
  for (const Source& source : files_to_read(sources)) {
    const auto text = read_regular_file(source.file, kMaxConfigBytes);
    if (!text) {
      if (text.error().kind != FileProblem::Kind::Missing)
        merged.problems.push_back({"", source.file, 0, "The file cannot be read: " + text.error().why + ".",
                                   "Replace or remove it; until then it is ignored."});
      continue;
    }
    // A file with a single server is in the format of extensions, wherever it is.
    const bool of_extension = source.file.parent_path().filename() == "mcp";
    // Before somebody consents to a file, it must learn nothing about the environment, not even from an error
    // or its absence.
    Config one = parse_config(*text, source.file, of_extension ? Origin::Extension : source.origin,
                              source.directory, Lookup());
    for (ServerConfig& server : one.servers) {
      server.origin = source.origin;
      if (merged.find(server.name)) continue;
      const bool allowed = source.origin != Origin::Workspace || !sources.allowed || sources.allowed(server);
      if (!allowed) {
        if (sources.refused) sources.refused(std::move(server));
      } else if (auto expanded = expand(server, source.directory, sources.variables)) {
        merged.servers.push_back(std::move(*expanded));
      } else {
        one.problems.push_back(std::move(expanded.error()));
      }
    }
    for (ConfigProblem& problem : one.problems) merged.problems.push_back(std::move(problem));
  }
  std::ranges::sort(merged.servers,
                    [](const ServerConfig& a, const ServerConfig& b) { return a.name < b.name; });
  return merged;
}

}  // namespace leanbridge::upstream
