#include "server_entry.hpp"

#include "core/base/json.hpp"
#include "core/text/lines.hpp"
#include "core/text/untrusted.hpp"
#include "http/client.hpp"
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace leanbridge::upstream {

using nlohmann::json;

namespace {

constexpr std::size_t kMaxServerName = 128;  // bytes
constexpr double kMaxTimeout = 86'400;       // seconds

/// The fault of an entry. Thrown only inside this file, so that reading a member takes just one line.
struct Wrong {
  std::string message;
  std::string fix;
};

std::string quoted(const std::string& text) {
  return "'" + text + "'";
}

// Reads the members of one entry and expands them if there are variables. Errors quote the entry as written.
class EntryReader {
 public:
  EntryReader(const json& entry, const Lookup* variables) : entry_(entry), variables_(variables) {}

  const json* find(std::initializer_list<const char*> names) const {
    for (const char* name : names)
      if (const auto found = entry_.find(name); found != entry_.end() && !found->is_null()) return &*found;
    return nullptr;
  }

  // Reads a keyword (a transport, names of tools), in which variables are not expanded.
  static std::string word(const json& value, const std::string& what) {
    if (!value.is_string()) throw Wrong{what + " is not a string.", "Put it in quotes."};
    std::string text = value.get<std::string>();
    if (text.find('\0') != std::string::npos) throw Wrong{what + " contains a NUL byte.", "Remove it."};
    return text;
  }
  std::string word(const char* name) const {
    const json* value = find({name});
    return value ? word(*value, quoted(name)) : "";
  }

  std::string text(const json& value, const std::string& what) const {
    std::string written = word(value, what);
    if (!variables_) return written;
    const auto note = [this](const std::string& from, const std::string& as) {
      if (!from.empty()) expansions_.emplace_back(Secret(from), as);
    };
    auto expanded = expand_variables(written, *variables_, note);
    if (!expanded) throw Wrong{what + ": " + expanded.error().message, expanded.error().hint};
    return std::move(*expanded);
  }
  std::string text(std::initializer_list<const char*> names) const {
    const json* value = find(names);
    return value ? text(*value, quoted(*names.begin())) : "";
  }
  // Whether the text is final; only then can its form be judged.
  bool is_final(const std::string& text) const { return variables_ || text.find("${") == std::string::npos; }

  std::vector<std::string> texts(const char* name) const {
    std::vector<std::string> all;
    for (const json* each : list(name)) all.push_back(text(*each, "A value in " + quoted(name)));
    return all;
  }
  std::vector<std::string> words(const char* name) const {
    std::vector<std::string> all;
    for (const json* each : list(name)) all.push_back(word(*each, "A value in " + quoted(name)));
    return all;
  }

  std::map<std::string, std::string> table(std::initializer_list<const char*> names) const {
    const json* value = find(names);
    if (!value) return {};
    if (!value->is_object())
      throw Wrong{quoted(*names.begin()) + " is not a table of strings.",
                  "Write it as name and value pairs."};
    std::map<std::string, std::string> all;
    const bool is_auth = std::string_view(*names.begin()) == "auth";
    for (const auto& [name, each] : value->items()) {
      const bool ours = is_auth && (name == "auth_type" || name == "type");
      all[name] = ours ? word(each, quoted(name)) : text(each, quoted(name));
    }
    return all;
  }

  std::map<std::string, Secret> secrets(std::initializer_list<const char*> names) const {
    std::map<std::string, Secret> all;
    for (auto& [name, value] : table(names)) all.emplace(name, std::move(value));
    return all;
  }

  bool flag(const char* name, bool fallback) const {
    const json* value = find({name});
    if (!value) return fallback;
    if (!value->is_boolean()) throw Wrong{quoted(name) + " is not true or false.", "Write true or false."};
    return value->get<bool>();
  }

  std::chrono::milliseconds timeout(std::chrono::milliseconds fallback) const {
    double seconds = 0;
    if (const json* value = find({"timeout_s", "tool_timeout_sec"}))
      seconds = value->is_number() ? value->get<double>() : -1;
    else if (const json* milliseconds = find({"timeout"}))
      seconds = milliseconds->is_number() ? milliseconds->get<double>() / 1000 : -1;
    else
      return fallback;
    if (!(seconds > 0) || seconds > kMaxTimeout)
      throw Wrong{"The timeout is not a number between 0 and 86400 seconds.",
                  "Write timeout_s in seconds, or timeout in milliseconds."};
    return std::chrono::milliseconds(std::lround(std::max(seconds * 1000, 1.0)));
  }

  // Longest first: of two overlapping values, the longer one is replaced.
  std::vector<std::pair<Secret, std::string>> expansions() const {
    auto all = expansions_;
    std::ranges::sort(all, [](const auto& a, const auto& b) {
      const std::string &left = a.first.reveal(), &right = b.first.reveal();
      if (left.size() != right.size()) return left.size() > right.size();
      return std::tie(left, a.second) < std::tie(right, b.second);
    });
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

 private:
  std::vector<const json*> list(const char* name) const {
    const json* value = find({name});
    if (!value) return {};
    if (!value->is_array())
      throw Wrong{quoted(name) + " is not a list.", "Write it as a list of strings, [\"a\", \"b\"]."};
    std::vector<const json*> all;
    for (const json& each : *value) all.push_back(&each);
    return all;
  }

  const json& entry_;
  const Lookup* variables_;
  mutable std::vector<std::pair<Secret, std::string>> expansions_;
};

std::optional<TransportKind> transport_named(const std::string& word) {
  if (word == "stdio" || word == "local") return TransportKind::Stdio;
  if (word == "http" || word == "remote" || word == "streamable-http" || word == "streamableHttp" ||
      word == "streamable_http")
    return TransportKind::Http;
  if (word == "sse") return TransportKind::Sse;
  return std::nullopt;
}

TransportKind transport_of(const EntryReader& reader, bool needed) {
  if (const json* word = reader.find({"transport", "type", "transportType"})) {
    const std::string text = EntryReader::word(*word, "'transport'");
    if (const auto kind = transport_named(text)) return *kind;
    throw Wrong{"Unknown transport " + quoted(text) + ".", R"(Write transport = "stdio", "http" or "sse".)"};
  }
  if (needed)
    throw Wrong{"'transport' is missing.", R"(Add transport = "stdio", or "http" or "sse" with a url.)"};
  return reader.find({"url"}) && !reader.find({"command"}) ? TransportKind::Http : TransportKind::Stdio;
}

void read_stdio(ServerConfig& server, const EntryReader& reader, const EntryContext& context) {
  const json* command = reader.find({"command"});
  if (!command) throw Wrong{"'command' is missing.", R"(Add command = "program" and args = ["..."].)"};
  server.args = reader.texts("args");
  if (command->is_array()) {  // the form of opencode
    std::vector<std::string> words = reader.texts("command");
    if (!words.empty()) {
      server.command = words.front();
      server.args.insert(server.args.begin(), words.begin() + 1, words.end());
    }
  } else {
    server.command = reader.text(*command, "'command'");
  }
  if (server.command.empty()) throw Wrong{"'command' is empty.", R"(Write command = "program".)"};
  server.env = reader.secrets({"env", "environment"});
  for (const auto& [name, value] : server.env)
    if (name.empty() || name.find('=') != std::string::npos)
      throw Wrong{quoted(name) + " is not a valid name of an environment variable.", "Correct it in env."};
  server.directory = context.directory;
  if (const std::string given = reader.text({"cwd", "directory"}); !given.empty())
    server.directory = context.directory / given;
}

bool has_control_character(const std::string& text) {
  return std::ranges::any_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  });
}

std::optional<AuthKind> auth_kind_named(const std::string& word) {
  if (word == "oauth2") return AuthKind::OAuth;
  for (const AuthKind kind : {AuthKind::OAuth, AuthKind::Bearer, AuthKind::None})
    if (word == wire::name_of(kind)) return kind;
  return std::nullopt;
}

void read_auth(ServerConfig& server, const EntryReader& reader) {
  const json* given = reader.find({"auth"});
  if (!given) return;
  if (!given->is_object()) throw Wrong{"'auth' is not a table.", "Write it as [servers.auth]."};
  AuthConfig auth;
  std::string type = "oauth", token, bearer_token;
  for (const auto& [name, value] : reader.table({"auth"})) {
    if (name == "auth_type" || name == "type")
      type = value;
    else if (name == "token_url")
      auth.token_url = value;
    else if (name == "client_id")
      auth.client_id = value;
    else if (name == "client_secret")
      auth.client_secret = Secret(value);
    else if (name == "token")
      token = value;
    else if (name == "bearer_token")
      bearer_token = value;
    else
      auth.parameters[name] = value;
  }
  const std::optional<AuthKind> kind = auth_kind_named(type);
  if (!kind)
    // Quote the entry as written: the value of a variable stays secret.
    throw Wrong{"Unknown auth_type '" + given->value("auth_type", given->value("type", "")) + "'.",
                R"(Write auth_type = "oauth", "bearer" with a token, or "none".)"};
  auth.kind = *kind;
  if (token.empty()) token = bearer_token;
  if (auth.kind == AuthKind::Bearer) {
    const bool plain = std::ranges::all_of(token, [](char c) { return c > 0x20 && c < 0x7F; });
    if (token.empty() || (!plain && reader.is_final(token)))
      throw Wrong{"'auth' has no valid token.", R"(Write token = "${NAME_OF_A_VARIABLE}".)"};
  }
  auth.token = Secret(std::move(token));
  server.auth = std::move(auth);
}

void read_remote(ServerConfig& server, const EntryReader& reader) {
  server.url = reader.text({"url"});
  if (server.url.empty())
    throw Wrong{"'url' is missing.", R"(Add url = "https://host/mcp", or use transport = "stdio".)"};
  const bool is_web = server.url.starts_with("https://") || server.url.starts_with("http://");
  if ((!is_web && reader.is_final(server.url)) || has_control_character(server.url))
    throw Wrong{"'url' is not an http or https address.", R"(Write url = "https://host/mcp".)"};
  server.headers = reader.secrets({"headers"});
  for (const auto& [name, value] : server.headers)
    if (!http::is_token(name) || has_control_character(value.reveal()))
      throw Wrong{"The header " + quoted(name) + " is not valid.",
                  "Use letters, digits and '-' in its name."};
  read_auth(server, reader);
}

ServerConfig read_entry(const EntryContext& context, const std::string& name, const json& entry) {
  const EntryReader reader(entry, context.variables);
  ServerConfig server;
  server.name = name;
  server.transport = transport_of(reader, context.needs_transport);
  if (server.transport == TransportKind::Stdio)
    read_stdio(server, reader, context);
  else
    read_remote(server, reader);
  server.timeout = reader.timeout(server.timeout);
  server.tools = reader.words("tools");
  server.search = reader.word("search");
  server.search_tool = reader.word("search_tool");
  server.origin = context.origin;
  server.file = context.file;
  server.as_written = !context.variables;
  server.expansions = reader.expansions();
  return server;
}

}  // namespace

void add_entry(Config& config, const EntryContext& context, std::string name, json entry, int line) {
  const auto problem = [&](const std::string& message, const std::string& fix) {
    config.problems.push_back(
        {text::cleaned_line(name), context.file, line, text::cleaned_line(message), text::cleaned_line(fix)});
  };
  if (!entry.is_object()) return problem("The entry is not a table.", "Write it as name and value pairs.");
  if (name.empty() || name.size() > kMaxServerName || !text::is_clean(name)) {
    const bool missing = name.empty();
    name.resize(std::min<std::size_t>(name.size(), 40));
    return problem(missing ? "'name' is missing." : "The name is too long or contains control characters.",
                   R"(Add name = "docs" to the entry.)");
  }
  if (config.find(name))
    return problem("The file has another server with this name.", "Give one of them another name.");
  try {
    const EntryReader reader(entry, nullptr);
    if (reader.flag("disabled", false) || !reader.flag("enabled", true)) return;
    ServerConfig server = read_entry(context, name, entry);
    server.line = line;
    server.definition = std::move(entry);
    config.servers.push_back(std::move(server));
  } catch (const Wrong& wrong) {
    problem(wrong.message, wrong.fix);
  }
}

tl::expected<ServerConfig, ConfigProblem> expand(const ServerConfig& server,
                                                 const std::filesystem::path& directory,
                                                 const Lookup& variables) {
  EntryContext context;
  context.file = server.file;
  context.directory = directory;
  context.origin = server.origin;
  context.variables = &variables;
  try {
    ServerConfig expanded = read_entry(context, server.name, server.definition);
    expanded.line = server.line;
    expanded.definition = server.definition;
    return expanded;
  } catch (const Wrong& wrong) {
    return tl::unexpected(ConfigProblem{server.name, server.file, server.line,
                                        text::cleaned_line(wrong.message), text::cleaned_line(wrong.fix)});
  }
}

// --- The two formats of configuration files: TOML with [[servers]], and JSON in the shapes that hosts use.

namespace {

constexpr const char* kNothingUsed = "Correct the file; until then it is ignored.";

struct TooDeep {};

// Many of these files have comments, so only the parser can count brackets.
json parse_with_comments(const std::string& text) {
  const auto keep = [](int depth, json::parse_event_t, const json&) {
    if (static_cast<std::size_t>(depth) > kMaxJsonNesting) throw TooDeep{};
    return true;
  };
  return json::parse(text, keep, true, true);
}

json as_json(const toml::node& node) {
  if (const auto* table = node.as_table()) {
    json object = json::object();
    for (const auto& [key, value] : *table) object[std::string(key.str())] = as_json(value);
    return object;
  }
  if (const auto* array = node.as_array()) {
    json list = json::array();
    for (const toml::node& value : *array) list.push_back(as_json(value));
    return list;
  }
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto flag = node.value_exact<bool>()) return *flag;
  if (const auto integer = node.value_exact<std::int64_t>()) return *integer;
  if (const auto number = node.value_exact<double>()) return *number;
  return nullptr;  // it is a date, which no member takes
}

int line_in(const toml::node& node) {
  return static_cast<int>(node.source().begin.line);
}

// The line of `"NAME":`, for messages: the JSON library does not record positions.
int line_of_key(const std::string& text, const std::string& name) {
  const std::string key = json(name).dump();
  for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1)) {
    const std::size_t next = text.find_first_not_of(" \t\r\n", at + key.size());
    if (next != std::string::npos && text[next] == ':') return text::line_number(text, at);
  }
  return 0;
}

}  // namespace

tl::expected<json, TextProblem> read_toml(const std::string& text) {
  try {
    return as_json(toml::parse(text));
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    return tl::unexpected(TextProblem{at.line, at.column, std::string(error.description())});
  }
}

void add_toml(Config& config, const EntryContext& context, const std::string& text) {
  toml::table document;
  try {
    document = toml::parse(text);
  } catch (const toml::parse_error& error) {
    config.problems.push_back({"", context.file, static_cast<int>(error.source().begin.line),
                               "Invalid TOML: " + std::string(error.description()) + ".",
                               "Correct the file; until then it is ignored."});
    return;
  }
  if (const toml::node* auth = document.get("auth"))
    config.problems.push_back({"", context.file, line_in(*auth), "[auth] outside a server is ignored.",
                               "Write [servers.auth] after the [[servers]] it belongs to."});
  const toml::node* servers = document.get("servers");
  if (!servers) return;
  const toml::array* list = servers->as_array();
  if (!list) {
    config.problems.push_back({"", context.file, line_in(*servers), "'servers' is not a list of tables.",
                               "Begin each server with [[servers]], in double brackets."});
    return;
  }
  for (const toml::node& node : *list) {
    json entry = as_json(node);
    const bool named = entry.is_object() && entry.contains("name") && entry["name"].is_string();
    const std::string name = named ? entry["name"].get<std::string>() : "";
    add_entry(config, context, name, std::move(entry), line_in(node));
  }
}

void add_json(Config& config, const EntryContext& context, const std::string& text) {
  const auto problem = [&](int line, std::string message, std::string fix) {
    config.problems.push_back({"", context.file, line, std::move(message), std::move(fix)});
  };
  json document;
  try {
    document = parse_with_comments(text);
  } catch (const TooDeep&) {
    return problem(1, "The JSON is nested too deeply.", kNothingUsed);
  } catch (const json::parse_error& error) {
    return problem(text::line_number(text, error.byte), "Invalid JSON.", kNothingUsed);
  } catch (const json::exception&) {
    return problem(1, "The JSON contains a number that is out of range.", kNothingUsed);
  }
  if (!document.is_object())
    return problem(1, "The file is not a JSON object.", R"(Write {"mcpServers": {"NAME": {...}}}.)");
  for (const char* member : {"mcpServers", "servers", "mcp"}) {
    const auto servers = document.find(member);
    if (servers == document.end()) continue;
    if (!servers->is_object())
      return problem(line_of_key(text, member), std::string("'") + member + "' is not an object.",
                     "Write it as {\"NAME\": {...}}.");
    for (const auto& [name, entry] : servers->items())
      add_entry(config, context, name, entry, line_of_key(text, name));
    return;
  }
  if (context.origin != Origin::Extension) return;  // it is another kind of file, or has no servers
  const bool named = document.contains("name") && document["name"].is_string();
  const std::string name = named ? document["name"].get<std::string>() : context.file.stem().string();
  add_entry(config, context, name, std::move(document), 1);
}

}  // namespace leanbridge::upstream
