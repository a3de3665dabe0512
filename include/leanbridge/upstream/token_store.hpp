#pragma once
/// What authorization has brought: tokens, one file per server, and what authorization servers know us by,
/// one file per issuer. All in a folder of mode 0700, files 0600, each replaced as a whole. Small files, read
/// and written on the caller's thread; only the wait for a lock suspends.

#include "leanbridge/base/enum_names.hpp"
#include "leanbridge/base/error.hpp"
#include "leanbridge/base/secret.hpp"
#include "leanbridge/io/condition.hpp"
#include "leanbridge/upstream/config.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::upstream {

/// How a client shows its credentials at the token endpoint.
enum class ClientAuthMethod { None, SecretBasic, SecretPost };
wire::Names<ClientAuthMethod> names_of(ClientAuthMethod);
/// None for any other word.
ClientAuthMethod auth_method_named(const std::string& word);

/// What an authorization server knows this program by. Never sent to another issuer.
struct ClientCredentials {
  std::string issuer;
  std::string id;
  Secret secret;  ///< empty: a public client
  ClientAuthMethod auth_method = ClientAuthMethod::None;
  std::string redirect_uri;     ///< what was registered; "": not registered by us
  std::int64_t expires_at = 0;  ///< of the secret, Unix seconds; 0: never
};

/// A token of one server, and all that renewing it needs: nothing of that is taken from configuration, which
/// may have changed since.
struct Token {
  std::string server;  ///< the configured name
  std::string url;     ///< canonical: canonical_url()
  std::string issuer;
  std::string resource;
  std::string scope;  ///< granted, as far as known; separated by blanks
  Secret access;
  Secret refresh;               ///< may be empty
  std::int64_t issued_at = 0;   ///< Unix seconds
  std::int64_t expires_at = 0;  ///< Unix seconds; 0: not said
  std::string token_endpoint;
  std::string revocation_endpoint;  ///< "": none
  ClientCredentials client;

  bool expired(std::int64_t now) const { return expires_at != 0 && now >= expires_at; }
  /// Expired, or so soon that a request might not arrive before: in the last tenth of its time, at most 60 s.
  bool expires_soon(std::int64_t now) const;
};

/// The address by which tokens are kept: scheme and host in lower case, no default port, no fragment.
std::string canonical_url(const std::string& url);

class TokenStore {
 public:
  explicit TokenStore(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// `leanbridge/tokens` in $XDG_CONFIG_HOME, else in ~/.config; empty where there is no home.
  static std::filesystem::path default_folder(const Lookup& variables = environment_variable);

  /// Nothing where there is none. InvalidArgument where the file is broken, or belongs to another user; modes
  /// that are too wide are mended, with a warning in the log.
  Result<std::optional<Token>> load(const std::string& server, const std::string& url) const;
  Result<void> save(const Token& token) const;
  /// False: there was none.
  Result<bool> remove(const std::string& server, const std::string& url) const;
  /// Those that can be read, by server.
  std::vector<Token> all() const;

  Result<std::optional<ClientCredentials>> client(const std::string& issuer) const;
  Result<void> save_client(const ClientCredentials& client) const;
  Result<void> remove_client(const std::string& issuer) const;

  /// Changes whenever the file of this token changes; "" where there is none. One look at the file system.
  std::string state_of(const std::string& server, const std::string& url) const;

  /// Held by one of all processes, and by one coroutine of this one, until it is destroyed.
  class Lock {
   public:
    explicit Lock(int fd) : fd_(fd) {}
    Lock(Lock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Lock& operator=(Lock&&) = delete;
    ~Lock();
    int fd() const { return fd_; }

   private:
    int fd_;
  };
  /// Waits for its turn. Timeout, Cancelled by the scope.
  asio::awaitable<Result<Lock>> lock(std::string server, std::string url, io::CancelScope scope) const;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  Result<void> prepare() const;
  std::filesystem::path token_file(const std::string& server, const std::string& url) const;
  std::filesystem::path client_file(const std::string& issuer) const;

  std::filesystem::path folder_;
};

/// Unix seconds.
std::int64_t unix_now();

}  // namespace leanbridge::upstream
