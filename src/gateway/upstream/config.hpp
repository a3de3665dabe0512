#pragma once
/// The configuration of other MCP servers: read from files, checked, merged. Blocking reads of small files;
/// no network, no processes. Formats and keys: docs/upstream.md.

#include "core/base/enum_names.hpp"
#include "core/base/error.hpp"
#include "core/base/secret.hpp"
#include "core/base/user_folders.hpp"
#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::upstream {

enum class TransportKind { Stdio, Http, Sse };
wire::Names<TransportKind> names_of(TransportKind);

/// The origin of an entry. Entries of a workspace need the user's consent (trust.hpp): they name programs to
/// run, and anybody may have written them.
enum class Origin { Workspace, User, Extension };

/// The kind of authorization for requests to a remote server.
enum class AuthKind {
  OAuth,
  Bearer,  ///< a configured token
  None,
  Header,  ///< the server's own Authorization header, whatever its `auth` block says
};
wire::Names<AuthKind> names_of(AuthKind);

/// The `auth` block of a remote server.
struct AuthConfig {
  AuthKind kind = AuthKind::OAuth;  ///< never Header
  std::string token_url;            ///< empty: found by metadata
  std::string client_id;
  Secret client_secret;
  Secret token;                                   ///< sent where `kind` is Bearer
  std::map<std::string, std::string> parameters;  ///< further string members: scope, grant_type, ...
};

/// One server, ready to connect, with its variables expanded; or, until somebody consents to it, as written
/// (`as_written`).
struct ServerConfig {
  std::string name;  ///< unique in a Config; passes text::is_clean()
  TransportKind transport = TransportKind::Stdio;
  std::string command;                         ///< stdio: a path, or a name to find on PATH
  std::vector<std::string> args;               ///< stdio
  std::map<std::string, Secret> env;           ///< stdio: added to the minimal environment
  std::filesystem::path directory;             ///< stdio: working directory
  std::string url;                             ///< http, sse
  std::map<std::string, Secret> headers;       ///< http, sse
  std::optional<AuthConfig> auth;              ///< http, sse
  std::chrono::milliseconds timeout{120'000};  ///< for a request without progress
  std::vector<std::string> tools;              ///< tools to offer; empty: all
  std::string search;       ///< the service it provides to lean_theorem_search ("loogle", ...), or ""
  std::string search_tool;  ///< that service's tool, or "" for the usual name

  Origin origin = Origin::User;
  std::filesystem::path file;  ///< where it is configured
  int line = 0;                ///< 1-based
  /// The entry as written, with unexpanded variables: consent refers to this.
  nlohmann::json definition;
  bool as_written = false;  ///< variables are not expanded: do not connect
  /// Values of expanded variables, each with its text `${NAME}`.
  std::vector<std::pair<Secret, std::string>> expansions;

  /// Replaces values of variables by their text in the file, for messages that may quote the server. Values
  /// of one or two characters stay, since they occur everywhere.
  std::string in_written_form(std::string text) const;
  /// The first of these members of `definition` that is a text, or "".
  std::string written(std::initializer_list<const char*> names) const;
  /// A parameter of the `auth` block, or "".
  std::string auth_parameter(const std::string& parameter) const;
  /// Whether tokens are requested with the client's own credentials, without a user's login.
  bool by_client_credentials() const { return auth_parameter("grant_type") == "client_credentials"; }
};

/// An entry or a file that cannot be used; it does not affect others. Quotes the text as written, never the
/// value of a variable.
struct ConfigProblem {
  std::string server;  ///< its name, or ""
  std::filesystem::path file;
  int line = 0;  ///< 1-based; 0 if unknown
  std::string message;
  std::string fix;

  std::string describe() const;  ///< one line: `FILE:LINE: server NAME: message Fix`
};

struct Config {
  std::vector<ServerConfig> servers;  ///< by name
  std::vector<ConfigProblem> problems;

  const ServerConfig* find(const std::string& name) const;
};

using Lookup = EnvironmentLookup;

struct ConfigSources {
  std::filesystem::path workspace;  ///< empty: none
  std::filesystem::path user_home;  ///< empty: none; normally $HOME
  Lookup variables = environment_variable;
  /// Whether a workspace entry, as written, may be used; empty: all may. A refused entry is not expanded,
  /// does not count as a problem, and does not hide an entry of the same name of the user's or an extension;
  /// it is passed to `refused`.
  std::function<bool(const ServerConfig&)> allowed;
  std::function<void(ServerConfig)> refused;
};

/// Reads these files, if they exist, in order of precedence: in the workspace `.leanbridge/mcp-servers.toml`,
/// `.radium/mcp-servers.toml`, `.mcp.json`; in the user's home `.leanbridge/mcp-servers.toml`,
/// `.radium/mcp-servers.toml`; `.leanbridge/extensions/*/mcp/*.json`, `.radium/extensions/*/mcp/*.json` of
/// the workspace, then of the home. The first entry with a name wins. Missing files are not problems.
Config load_config(const ConfigSources& sources);

/// Parses one file, for tests and tools. The file's name decides the format (`.toml`, else JSON). `directory`
/// becomes the working directory of stdio servers. Without `variables`, no variables are expanded.
Config parse_config(const std::string& text, const std::filesystem::path& file, Origin origin,
                    const std::filesystem::path& directory, const Lookup& variables);

/// Where a text cannot be parsed, and why.
struct TextProblem {
  std::size_t line = 0;    ///< 1-based
  std::size_t column = 0;  ///< 1-based, in characters
  std::string what;
};

/// A TOML text as JSON; dates become null.
tl::expected<nlohmann::json, TextProblem> read_toml(const std::string& text);

/// Expands an entry that parse_config() read without variables.
tl::expected<ServerConfig, ConfigProblem> expand(const ServerConfig& server,
                                                 const std::filesystem::path& directory,
                                                 const Lookup& variables);

/// Expands `${VAR}` and `${VAR:-default}`; `$VAR` and `$$` stay as they are. InvalidArgument, naming the
/// variable, if one is not set and has no default, or if a `${` is not closed. `on_value` receives each value
/// taken from the environment, and its text in the file.
using OnValue = std::function<void(const std::string& value, const std::string& written)>;
Result<std::string> expand_variables(const std::string& text, const Lookup& variables,
                                     const OnValue& on_value = {});

}  // namespace leanbridge::upstream
