#include "upstream_files.hpp"

#include "search_sources.hpp"
#include "table.hpp"

#include <algorithm>

namespace leanbridge::app {

using nlohmann::json;

namespace {

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain = "_./:=@%+,-{}$";
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kPlain.find(c) != std::string_view::npos;
  });
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string words_of(const json& value) {
  std::string text;
  for (const json& each : value.is_array() ? value : json::array({value}))
    if (each.is_string()) text += (text.empty() ? "" : " ") + shell_word(each.get<std::string>());
  return text;
}

std::string names_of(const json& object) {
  std::string text;
  if (object.is_object())
    for (const auto& [name, value] : object.items()) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

std::filesystem::path upstream_workspace(const Options& options) {
  std::filesystem::path workspace = options.project_root;
  if (workspace.empty()) workspace = upstream::environment_variable("CLAUDE_PROJECT_DIR").value_or("");
  std::error_code ignored;
  if (workspace.empty()) workspace = std::filesystem::current_path(ignored);
  const std::filesystem::path real = std::filesystem::canonical(workspace, ignored);
  return real.empty() ? workspace : real;
}

upstream::TrustFile trust_file() {
  return upstream::TrustFile(upstream::TrustFile::default_path());
}

upstream::Allowed read_upstreams(const Options& options) {
  return read_upstreams(options, upstream::Selection::parse(options.upstream));
}

upstream::Allowed read_upstreams(const Options& options, const upstream::Selection& selection) {
  upstream::Allowed found =
      upstream::load_allowed(upstream_workspace(options), upstream::environment_variable("HOME").value_or(""),
                             selection, trust_file());
  check_search_sources(found.config);
  return found;
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

}  // namespace leanbridge::app
