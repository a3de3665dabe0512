#pragma once
/// Stored authorization: tokens, one file per server, and registrations with authorization servers, one file
/// per issuer. The folder has mode 0700, files 0600; each is replaced as a whole. Small files, read and
/// written on the caller's thread; only waiting for a lock suspends.

#include "config.hpp"
#include "core/base/enum_names.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/json_struct.hpp"
#include "core/base/secret.hpp"
#include "core/io/condition.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::upstream {

/// How a client authenticates at the token endpoint.
enum class ClientAuthMethod { None, SecretBasic, SecretPost };
wire::Names<ClientAuthMethod> names_of(ClientAuthMethod);

/// This program's identity at an authorization server. Never sent to another issuer.
struct ClientCredentials {
  std::string issuer;
  std::string id;
  Secret secret;  ///< empty: a public client
  ClientAuthMethod auth_method = ClientAuthMethod::None;
  std::string redirect_uri;     ///< the registered address; "": not registered by us
  std::int64_t expires_at = 0;  ///< for the secret, in Unix seconds; 0: never

  static wire::Fields fields();
};

/// A token of one server, and everything needed to renew it. The configuration is not consulted, since it may
/// have changed.
struct Token {
  std::string server;  ///< the configured name
  std::string url;     ///< canonical: canonical_url()
  std::string issuer;
  std::string resource;
  std::string scope;  ///< as far as the granted scopes are known; separated by spaces
  Secret access;
  Secret refresh;               ///< may be empty
  std::int64_t issued_at = 0;   ///< Unix seconds
  std::int64_t expires_at = 0;  ///< Unix seconds; 0: unknown
  std::string token_endpoint;
  std::string revocation_endpoint;  ///< "": none
  ClientCredentials client;

  bool expired(std::int64_t now) const { return expires_at != 0 && now >= expires_at; }
  /// Whether it has expired, or is about to: in the last tenth of its lifetime, at most 60 s.
  bool expires_soon(std::int64_t now) const;

  static wire::Fields fields();
};

/// The key under which tokens are stored: scheme and host in lower case, no default port, no fragment.
std::string canonical_url(const std::string& url);

class TokenStore {
 public:
  explicit TokenStore(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// `leanbridge/tokens` in $XDG_CONFIG_HOME, else in ~/.config; empty without a home.
  static std::filesystem::path default_folder(const Lookup& variables = environment_variable);

  /// nullopt if there is none. InvalidArgument if the file is broken or belongs to another user. Modes that
  /// are too wide are corrected, with a warning in the log.
  Result<std::optional<Token>> load(const std::string& server, const std::string& url) const;
  Result<void> save(const Token& token) const;
  /// Returns false if there was none.
  Result<bool> remove(const std::string& server, const std::string& url) const;
  /// All readable tokens, ordered by server.
  std::vector<Token> all() const;

  Result<std::optional<ClientCredentials>> client(const std::string& issuer) const;
  Result<void> save_client(const ClientCredentials& client) const;
  Result<void> remove_client(const std::string& issuer) const;

  /// A value that changes whenever the token's file changes; "" if there is none. Takes one file system call.
  std::string state_of(const std::string& server, const std::string& url) const;

  /// Waits for the lock, held by at most one process, and one coroutine of this process, until the descriptor
  /// is closed. Timeout, Cancelled by the scope.
  asio::awaitable<Result<Descriptor>> lock(std::string server, std::string url, io::CancelScope scope) const;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path token_file(const std::string& server, const std::string& url) const;
  std::filesystem::path client_file(const std::string& issuer) const;

  std::filesystem::path folder_;
};

/// Unix seconds.
std::int64_t unix_now();

}  // namespace leanbridge::upstream
