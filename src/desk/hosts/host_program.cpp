#include "host_program.hpp"

#include <string_view>

namespace leanbridge::app::hosts {

using nlohmann::json;

namespace {

const char* word_of(Scope scope) {
  return scope == Scope::User ? "user" : "project";
}

void append(HostCommand& command, const std::vector<std::string>& words) {
  command.insert(command.end(), words.begin(), words.end());
}

std::vector<std::string> variables_of(const json& entry) {
  std::vector<std::string> words;
  if (const auto variables = entry.find("env"); variables != entry.end())
    for (const auto& [name, value] : variables->items())
      words.insert(words.end(), {"--env", name + "=" + value.get<std::string>()});
  return words;
}

std::string command_of(const json& entry) {
  return entry.at("command").get<std::string>();
}

std::vector<std::string> arguments_of(const json& entry) {
  return entry.at("args").get<std::vector<std::string>>();
}

// --env takes all words up to the next option.
HostCommand add_to_claude_code(Scope scope, const std::string& name, const json& entry) {
  HostCommand command = {"claude", "mcp", "add"};
  append(command, variables_of(entry));
  append(command, {"--scope", word_of(scope), name, "--", command_of(entry)});
  append(command, arguments_of(entry));
  return command;
}

HostCommand add_to_codex(const std::string& name, const json& entry) {
  HostCommand command = {"codex", "mcp", "add", name};
  append(command, variables_of(entry));
  append(command, {"--", command_of(entry)});
  append(command, arguments_of(entry));
  return command;
}

HostCommand add_to_gemini(Scope scope, const std::string& name, const json& entry) {
  HostCommand command = {"gemini", "mcp", "add", "--scope", word_of(scope)};
  append(command, variables_of(entry));
  append(command, {name, command_of(entry)});
  const auto arguments = arguments_of(entry);
  if (!arguments.empty()) command.emplace_back("--");
  append(command, arguments);
  return command;
}

HostCommand add_to_vscode(const std::string& name, json entry) {
  entry["name"] = name;
  return {"code", "--add-mcp", entry.dump(-1, ' ', false, json::error_handler_t::replace)};
}

}  // namespace

std::vector<HostCommand> commands_to_add(const Host& host, Scope scope, const std::string& name,
                                         const json& entry, bool exists) {
  std::vector<HostCommand> commands;
  if (host.word == "claude-code") {
    if (exists) commands = commands_to_remove(host, scope, name);  // `add` refuses a name that is taken
    commands.push_back(add_to_claude_code(scope, name, entry));
  }
  if (host.word == "gemini") commands.push_back(add_to_gemini(scope, name, entry));
  if (host.word == "codex" && scope == Scope::User) commands.push_back(add_to_codex(name, entry));
  if (host.word == "vscode" && scope == Scope::User) commands.push_back(add_to_vscode(name, entry));
  return commands;
}

std::vector<HostCommand> commands_to_remove(const Host& host, Scope scope, const std::string& name) {
  if (host.word == "claude-code") return {{"claude", "mcp", "remove", "--scope", word_of(scope), name}};
  if (host.word == "gemini") return {{"gemini", "mcp", "remove", "--scope", word_of(scope), name}};
  if (host.word == "codex" && scope == Scope::User) return {{"codex", "mcp", "remove", name}};
  return {};
}

std::string shell_line(const HostCommand& command) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./@%";
  std::string line;
  for (const std::string& word : command) {
    std::string shown;
    for (const char c : word) shown += c == '\'' ? std::string("'\\''") : std::string(1, c);
    const bool is_plain = !word.empty() && word.find_first_not_of(kPlain) == std::string::npos;
    line += (line.empty() ? "" : " ") + (is_plain ? word : "'" + shown + "'");
  }
  return line;
}

}  // namespace leanbridge::app::hosts
