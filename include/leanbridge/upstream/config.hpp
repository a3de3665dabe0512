#pragma once
/// Which other MCP servers there are, and how they are reached: read from files, checked, merged. Blocking
/// reads of small files; no network, no processes. Forms and keys: docs/upstream.md.

#include "leanbridge/base/enum_names.hpp"
#include "leanbridge/base/error.hpp"
#include "leanbridge/base/secret.hpp"
#include "leanbridge/base/user_folders.hpp"

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

/// Who wrote the entry. What a workspace says needs the user's consent (trust.hpp), since anybody may have
/// written it: it names programs to run.
enum class Origin { Workspace, User, Extension };

/// What authorizes requests to a remote server.
enum class AuthKind {
  OAuth,
  Bearer,  ///< a configured token
  None,
  Header,  ///< the server's own Authorization header, whatever its `auth` block says
};
wire::Names<AuthKind> names_of(AuthKind);

/// The `auth` block of a remote server.
struct AuthConfig {
  AuthKind kind = AuthKind::OAuth;  ///< not Header
  std::string token_url;            ///< empty: found by metadata
  std::string client_id;
  Secret client_secret;
  Secret token;                                   ///< sent where `kind` is Bearer
  std::map<std::string, std::string> parameters;  ///< other string keys: scope, grant_type, ...
};

/// One server as it is to be connected, its variables expanded; or, as long as nobody has agreed to it, as it
/// is written (`as_written`).
struct ServerConfig {
  std::string name;  ///< unique in a Config; any text that is_clean()
  TransportKind transport = TransportKind::Stdio;
  std::string command;                         ///< stdio: a path, or a name to look up on PATH
  std::vector<std::string> args;               ///< stdio
  std::map<std::string, Secret> env;           ///< stdio: beside the minimal environment
  std::filesystem::path directory;             ///< stdio: working directory
  std::string url;                             ///< http, sse
  std::map<std::string, Secret> headers;       ///< http, sse
  std::optional<AuthConfig> auth;              ///< http, sse
  std::chrono::milliseconds timeout{120'000};  ///< of a request without progress
  std::vector<std::string> tools;              ///< the only tools to offer; empty: all
  std::string search;       ///< the service that it is for lean_theorem_search ("loogle", ...); empty: none
  std::string search_tool;  ///< its own name of the tool to ask; empty: the usual one

  Origin origin = Origin::User;
  std::filesystem::path file;  ///< where it is configured
  int line = 0;                ///< 1-based
  /// The entry as it is written, before variables are expanded: what consent is given to.
  nlohmann::json definition;
  bool as_written = false;  ///< no variable is expanded yet: not to be connected
  /// What variables have become, with what is written for it: (value, `${NAME}`). Never shown.
  std::vector<std::pair<Secret, std::string>> expansions;

  /// The text with every value of a variable put back to what is written: for messages, which may quote what
  /// the server was given. Values of one or two characters stay: they stand everywhere.
  std::string in_written_form(std::string text) const;
  /// A text member of `definition`, the first of these that is there; "" where there is none.
  std::string written(std::initializer_list<const char*> names) const;
  /// A parameter of the `auth` block; "" where there is none.
  std::string auth_parameter(const std::string& parameter) const;
  /// Tokens are asked for with the client's own credentials, and nobody logs in.
  bool by_client_credentials() const { return auth_parameter("grant_type") == "client_credentials"; }
};

/// An entry, or a file, that cannot be used. The others are not concerned. Quotes what is written, never what
/// a variable stands for.
struct ConfigProblem {
  std::string server;  ///< its name where it has one, else empty
  std::filesystem::path file;
  int line = 0;  ///< 1-based; 0 where it is not known
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
/// The one of this process.
std::optional<std::string> environment_variable(const std::string& name);

struct ConfigSources {
  std::filesystem::path workspace;  ///< empty: none
  std::filesystem::path user_home;  ///< empty: none; normally $HOME
  Lookup variables = environment_variable;
  /// Whether a workspace entry, as it is written, may be used: of others nothing is expanded. Empty: all may.
  /// One that may not is left out without a problem, and does not hide a user's or an extension's entry of
  /// the same name; it is given to `refused`.
  std::function<bool(const ServerConfig&)> allowed;
  std::function<void(ServerConfig)> refused;
};

/// Reads, in this order of precedence, what exists of: in the workspace `.leanbridge/mcp-servers.toml`,
/// `.radium/mcp-servers.toml`, `.mcp.json`; in the user's home `.leanbridge/mcp-servers.toml`,
/// `.radium/mcp-servers.toml`; `.leanbridge/extensions/*/mcp/*.json`, `.radium/extensions/*/mcp/*.json` of
/// the workspace, then of the home. The first entry of a name wins. A missing file is no problem.
Config load_config(const ConfigSources& sources);

/// One file's text, for tests and tools; the form is chosen by the file's name (`.toml`, else JSON).
/// `directory` becomes the working directory of stdio servers. Without `variables` nothing is expanded.
Config parse_config(const std::string& text, const std::filesystem::path& file, Origin origin,
                    const std::filesystem::path& directory, const Lookup& variables);

/// An entry that parse_config() has read without variables, with them.
tl::expected<ServerConfig, ConfigProblem> expand(const ServerConfig& server,
                                                 const std::filesystem::path& directory,
                                                 const Lookup& variables);

/// `${VAR}` and `${VAR:-default}`. InvalidArgument that names the variable where one is not set and has no
/// default, or where a `${` is not closed; `$VAR` and `$$` stay as they are.
/// `on_value` hears what the environment has given, with what is written for it.
using OnValue = std::function<void(const std::string& value, const std::string& written)>;
Result<std::string> expand_variables(const std::string& text, const Lookup& variables,
                                     const OnValue& on_value = {});

}  // namespace leanbridge::upstream
