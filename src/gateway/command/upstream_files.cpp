#include "upstream_files.hpp"

#include "core/base/joined.hpp"
#include "core/base/log.hpp"
#include "core/program/output.hpp"
#include "core/text/untrusted.hpp"
#include "gateway/command/gateway_options.hpp"
#include "search/sources/upstream_backend.hpp"

#include <algorithm>

namespace leanbridge::app {

using nlohmann::json;

namespace {

// Quotes a word, unless it is just a variable: no shell runs this text.
std::string word_of(const std::string& word) {
  const bool variable = word.starts_with("${") && word.find('}') == word.size() - 1 &&
                        text::shell_word(word.substr(2, word.size() - 3)).front() != '\'';
  return variable ? word : text::shell_word(word);
}

std::string words_of(const json& value) {
  std::string text;
  for (const json& each : value.is_array() ? value : json::array({value}))
    if (each.is_string()) text += (text.empty() ? "" : " ") + word_of(each.get<std::string>());
  return text;
}

// A string as a word, any other value as JSON.
std::string value_of(const json& value) {
  if (value.is_string()) return word_of(value.get<std::string>());
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string names_of(const json& object) {
  std::string text;
  if (object.is_object())
    for (const auto& [name, value] : object.items()) join(text, name);
  return text;
}

// Reports entries whose `search` names an unknown service as problems of the configuration.
void check_search_sources(upstream::Config& config) {
  const std::vector<std::string>& known = search::upstream_services();
  for (upstream::ServerConfig& server : config.servers) {
    if (server.search.empty() || std::ranges::find(known, server.search) != known.end()) continue;
    config.problems.push_back({server.name, server.file, server.line,
                               "There is no search service '" + server.search + "'.",
                               "Use one of " + joined(known) + "."});
    server.search.clear();
  }
}

// The client's variables if another process serves the client, otherwise this process's.
upstream::Lookup variables_of(const Options& options) {
  if (!options.environment) return environment_variable;
  return [&all = *options.environment](const std::string& name) -> std::optional<std::string> {
    const auto found = all.find(name);
    // An unexpanded `${NAME}` counts as not set, as in environment_variable().
    if (found == all.end() || found->second.starts_with("${")) return std::nullopt;
    return found->second;
  };
}

}  // namespace

std::filesystem::path upstream_workspace(const Options& options) {
  std::filesystem::path workspace = options.project_root;
  if (workspace.empty()) workspace = variables_of(options)("CLAUDE_PROJECT_DIR").value_or("");
  if (workspace.empty()) workspace = options.directory;
  std::error_code ignored;
  if (workspace.empty()) workspace = std::filesystem::current_path(ignored);
  const std::filesystem::path real = std::filesystem::canonical(workspace, ignored);
  return real.empty() ? workspace : real;
}

upstream::TrustFile trust_file() {
  return upstream::TrustFile(upstream::TrustFile::default_path());
}

upstream::AllowedServers read_upstreams(const Options& options) {
  return read_upstreams(options, upstream::Selection::parse(options.of<UpstreamOptions>().names));
}

upstream::AllowedServers read_upstreams(const Options& options, const upstream::Selection& selection) {
  const upstream::Lookup variables = variables_of(options);
  upstream::AllowedServers found = upstream::load_allowed(
      upstream_workspace(options), variables("HOME").value_or(""), selection, trust_file(), variables);
  check_search_sources(found.config);
  return found;
}

void warn_without_consent(const upstream::AllowedServers& found) {
  for (const upstream::ServerConfig& server : found.without_consent)
    log::warn(
        "{}:{}: server {} is not connected: servers in workspace files need consent. Start leanbridge with "
        "--upstream {}, or run `leanbridge mcp trust {}` once.",
        text::cleaned_line(server.file.string()), server.line, server.name, text::shell_word(server.name),
        text::shell_word(server.name));
}

std::vector<EntryLine> lines_of(const upstream::ServerConfig& server) {
  const json& entry = server.definition;
  std::vector<EntryLine> lines;
  const auto add = [&](const char* what, const std::string& text) {
    if (!text.empty()) lines.push_back({what, one_line(text)});
  };
  const auto member = [&](const char* name) { return entry.value(name, json()); };
  if (server.transport == upstream::TransportKind::Stdio) {
    const std::string arguments = words_of(member("args"));
    add("command", words_of(member("command")) + (arguments.empty() ? "" : " " + arguments));
    for (const char* name : {"cwd", "directory"}) add("cwd", words_of(member(name)));
    for (const char* name : {"env", "environment"}) add("env", names_of(member(name)));
  } else {
    add("url", words_of(member("url")));
    add("headers", names_of(member("headers")));
    add("auth", names_of(member("auth")));
  }
  return lines;
}

std::vector<EntryLine> all_lines_of(const upstream::ServerConfig& server) {
  const json& entry = server.definition;
  std::vector<EntryLine> lines;
  const auto add = [&](const std::string& what, const std::string& text) {
    lines.push_back({text::escaped(what), text::escaped(text)});
  };
  const auto member = [&](const char* name) { return entry.value(name, json()); };
  if (entry.contains("command")) {
    const std::string arguments = words_of(member("args"));
    add("command", words_of(member("command")) + (arguments.empty() ? "" : " " + arguments));
  }
  for (const auto& [name, value] : entry.items()) {
    const bool shown = name == "command" || (name == "args" && entry.contains("command"));
    if (shown || (name == "name" && value == server.name)) continue;
    if (!value.is_object()) {
      add(name, value_of(value));
      continue;
    }
    for (const auto& [inner, each] : value.items()) add(name, inner + "=" + value_of(each));
  }
  return lines;
}

}  // namespace leanbridge::app
