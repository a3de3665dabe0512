#include "leanbridge/upstream/token_store.hpp"

#include "leanbridge/base/json.hpp"
#include "leanbridge/base/log.hpp"
#include "leanbridge/base/sha256.hpp"
#include "leanbridge/base/try.hpp"

#include "metadata.hpp"
#include "private_file.hpp"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace leanbridge::upstream {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::size_t kHashDigits = 32;  // of the hash in a file name
constexpr auto kLockRetry = std::chrono::milliseconds(20);

std::int64_t number_of(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number() ? found->get<std::int64_t>() : 0;
}

json client_json(const ClientCredentials& client) {
  return {{"issuer", client.issuer},
          {"client_id", client.id},
          {"client_secret", client.secret.reveal()},
          {"token_endpoint_auth_method", wire::name_of(client.auth_method)},
          {"redirect_uri", client.redirect_uri},
          {"client_secret_expires_at", client.expires_at}};
}

ClientCredentials client_from(const json& object) {
  ClientCredentials client;
  client.issuer = text_member(object, "issuer");
  client.id = text_member(object, "client_id");
  client.secret = Secret(text_member(object, "client_secret"));
  client.auth_method = auth_method_named(text_member(object, "token_endpoint_auth_method"));
  client.redirect_uri = text_member(object, "redirect_uri");
  client.expires_at = number_of(object, "client_secret_expires_at");
  return client;
}

std::optional<Token> token_from(const json& object) {
  Token token;
  token.server = text_member(object, "server");
  token.url = text_member(object, "url");
  token.issuer = text_member(object, "issuer");
  token.resource = text_member(object, "resource");
  token.scope = text_member(object, "scope");
  token.access = Secret(text_member(object, "access_token"));
  token.refresh = Secret(text_member(object, "refresh_token"));
  token.issued_at = number_of(object, "issued_at");
  token.expires_at = number_of(object, "expires_at");
  token.token_endpoint = text_member(object, "token_endpoint");
  token.revocation_endpoint = text_member(object, "revocation_endpoint");
  const auto client = object.find("client");
  if (client != object.end() && client->is_object()) token.client = client_from(*client);
  if (token.server.empty() || token.url.empty() || token.access.empty()) return std::nullopt;
  return token;
}

// A readable part, and a hash that distinguishes what looks alike.
std::string file_name(const std::string& kind, const std::string& shown, const std::string& key) {
  constexpr std::size_t kLongest = 40;
  std::string name;
  for (const char c : shown.substr(0, kLongest)) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    name += plain ? c : '_';
  }
  return kind + "-" + name + "-" + sha256_of(key).substr(0, kHashDigits) + ".json";
}

}  // namespace

wire::Names<ClientAuthMethod> names_of(ClientAuthMethod) {
  return {{ClientAuthMethod::None, "none"},
          {ClientAuthMethod::SecretBasic, "client_secret_basic"},
          {ClientAuthMethod::SecretPost, "client_secret_post"}};
}

ClientAuthMethod auth_method_named(const std::string& word) {
  for (const auto& [method, name] : names_of(ClientAuthMethod()))
    if (word == name) return method;
  return ClientAuthMethod::None;
}

std::int64_t unix_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

bool Token::expires_soon(std::int64_t now) const {
  constexpr std::int64_t kMargin = 60;
  if (expires_at == 0) return false;
  const std::int64_t lifetime = std::max<std::int64_t>(expires_at - issued_at, 0);
  return now >= expires_at - std::min(kMargin, lifetime / 10);
}

std::string canonical_url(const std::string& url) {
  const std::size_t query = url.substr(0, url.find('#')).find('?');
  return canonical_resource(url) +
         (query == std::string::npos ? "" : url.substr(query, url.find('#') - query));
}

fs::path TokenStore::default_folder(const Lookup& variables) {
  const fs::path folder = config_folder(variables);
  return folder.empty() ? folder : folder / "tokens";
}

fs::path TokenStore::token_file(const std::string& server, const std::string& url) const {
  return folder_ / file_name("token", server, server + '\n' + canonical_url(url));
}

fs::path TokenStore::client_file(const std::string& issuer) const {
  return folder_ / file_name("client", origin_text(issuer), issuer);
}

// Reading does not create the folder but corrects its mode.
Result<void> TokenStore::prepare() const {
  std::error_code error;
  if (folder_.empty() || !fs::exists(folder_, error)) return {};
  return prepare_private_folder(folder_);
}

Result<std::optional<Token>> TokenStore::load(const std::string& server, const std::string& url) const {
  if (auto prepared = prepare(); !prepared) return tl::unexpected(prepared.error());
  if (folder_.empty()) return std::optional<Token>();
  const fs::path file = token_file(server, url);
  TRY(const auto content, read_private_file(file));
  if (!content) return std::optional<Token>();
  std::optional<Token> token = token_from(*content);
  if (!token || token->server != server || token->url != canonical_url(url))
    return fail(ErrorKind::InvalidArgument,
                file.string() + " is not used: it is not the token of " + server + ".",
                "Remove it, and run `leanbridge mcp auth login " + server + "`.");
  return token;
}

Result<void> TokenStore::save(const Token& token) const {
  if (folder_.empty()) return prepare_private_folder(folder_);
  json content = {{"server", token.server},
                  {"url", token.url},
                  {"issuer", token.issuer},
                  {"resource", token.resource},
                  {"scope", token.scope},
                  {"access_token", token.access.reveal()},
                  {"refresh_token", token.refresh.reveal()},
                  {"issued_at", token.issued_at},
                  {"expires_at", token.expires_at},
                  {"token_endpoint", token.token_endpoint},
                  {"revocation_endpoint", token.revocation_endpoint},
                  {"client", client_json(token.client)}};
  return write_private_file(token_file(token.server, token.url), content);
}

Result<bool> TokenStore::remove(const std::string& server, const std::string& url) const {
  if (folder_.empty()) return false;
  const fs::path file = token_file(server, url);
  if (::unlink(file.c_str()) == 0) return true;
  if (errno == ENOENT || errno == ENOTDIR) return false;
  return fail(ErrorKind::Internal, file.string() + " could not be removed: " + std::strerror(errno) + ".",
              "Remove it manually.");
}

std::vector<Token> TokenStore::all() const {
  std::vector<Token> tokens;
  if (!prepare()) return tokens;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("token-") || !name.ends_with(".json")) continue;
    const auto content = read_private_file(entry.path());
    if (!content || !*content) continue;
    if (auto token = token_from(**content)) tokens.push_back(std::move(*token));
  }
  std::sort(tokens.begin(), tokens.end(), [](const Token& left, const Token& right) {
    return std::tie(left.server, left.url) < std::tie(right.server, right.url);
  });
  return tokens;
}

Result<std::optional<ClientCredentials>> TokenStore::client(const std::string& issuer) const {
  if (auto prepared = prepare(); !prepared) return tl::unexpected(prepared.error());
  if (folder_.empty()) return std::optional<ClientCredentials>();
  TRY(const auto content, read_private_file(client_file(issuer)));
  if (!content) return std::optional<ClientCredentials>();
  ClientCredentials client = client_from(*content);
  if (client.issuer != issuer || client.id.empty()) return std::optional<ClientCredentials>();
  return std::optional<ClientCredentials>(std::move(client));
}

Result<void> TokenStore::save_client(const ClientCredentials& client) const {
  if (folder_.empty()) return prepare_private_folder(folder_);
  return write_private_file(client_file(client.issuer), client_json(client));
}

Result<void> TokenStore::remove_client(const std::string& issuer) const {
  if (folder_.empty() || ::unlink(client_file(issuer).c_str()) == 0 || errno == ENOENT || errno == ENOTDIR)
    return {};
  return fail(ErrorKind::Internal,
              client_file(issuer).string() + " could not be removed: " + std::strerror(errno) + ".",
              "Remove it manually.");
}

std::string TokenStore::state_of(const std::string& server, const std::string& url) const {
  struct stat status {};
  if (folder_.empty() || ::lstat(token_file(server, url).c_str(), &status) != 0) return "";
  return std::to_string(status.st_ino) + ":" + std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec) + ":" + std::to_string(status.st_size) + ":" +
         std::to_string(status.st_mode);
}

TokenStore::Lock::~Lock() {
  if (fd_ >= 0) ::close(fd_);  // which releases the lock
}

asio::awaitable<Result<TokenStore::Lock>> TokenStore::lock(std::string server, std::string url,
                                                           io::CancelScope scope) const {
  CO_CHECK(prepare_private_folder(folder_));
  fs::path file = token_file(server, url);
  file.replace_extension(".lock");
  Lock lock(::open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  const int fd = lock.fd();
  if (fd < 0)
    co_return fail(ErrorKind::Internal, file.string() + " cannot be opened: " + std::strerror(errno) + ".",
                   "Check the permissions of its folder.");
  // Locks the open file, not the process, so coroutines of this process exclude each other, too. The file is
  // never removed: a lock on a removed file would exclude nobody.
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  while (::fcntl(fd, F_OFD_SETLK, &whole) != 0) {
    if (errno != EAGAIN && errno != EACCES && errno != EINTR)
      co_return fail(ErrorKind::Internal, file.string() + " cannot be locked: " + std::strerror(errno) + ".",
                     "Move the folder to a file system that supports locks.");
    const io::WaitStatus end = co_await io::sleep_for(kLockRetry, scope);
    if (end == io::WaitStatus::Cancelled) co_return call_cancelled();
    if (io::Clock::now() >= scope.deadline)
      co_return fail(ErrorKind::Timeout,
                     "Another process has been renewing the token of " + server + " for too long.",
                     "Call again.");
  }
  co_return std::move(lock);
}

}  // namespace leanbridge::upstream
