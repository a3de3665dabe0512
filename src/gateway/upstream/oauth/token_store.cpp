#include "gateway/upstream/token_store.hpp"

#include "core/base/json.hpp"
#include "core/base/log.hpp"
#include "core/base/sha256.hpp"
#include "core/base/try.hpp"
#include "core/platform/files.hpp"
#include "metadata.hpp"
#include "private_file.hpp"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

// Secrets have a JSON form only here, for the files that only the user can read.
template <>
struct leanbridge::wire::detail::Traits<leanbridge::Secret> {
  static constexpr ValueType type() {
    ValueType type = kValueType<std::string>;
    type.read = [](const nlohmann::json& from, void* value) {
      *static_cast<Secret*>(value) = Secret(from.get<std::string>());
    };
    type.write = [](const void* value, Detail) {
      return nlohmann::json(static_cast<const Secret*>(value)->reveal());
    };
    return type;
  }
};

namespace leanbridge::upstream {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::size_t kHashDigits = 32;  // digits of the hash in a file name
constexpr auto kLockRetry = std::chrono::milliseconds(20);

template <class T>
T read(const json& content) {
  T value;
  wire::read_fitting(content, value);
  return value;
}

// A readable part, followed by a hash that tells similar names apart.
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

Result<bool> remove_file(const fs::path& file) {
  if (::unlink(file.c_str()) == 0) return true;
  if (errno == ENOENT || errno == ENOTDIR) return false;
  return fail(ErrorKind::Internal, file.string() + " could not be removed: " + std::strerror(errno) + ".",
              "Remove it manually.");
}

}  // namespace

wire::Names<ClientAuthMethod> names_of(ClientAuthMethod) {
  return {{ClientAuthMethod::None, "none"},
          {ClientAuthMethod::SecretBasic, "client_secret_basic"},
          {ClientAuthMethod::SecretPost, "client_secret_post"}};
}

wire::Fields ClientCredentials::fields() {
  return {wire::field<&ClientCredentials::issuer>(),
          wire::named_field<&ClientCredentials::id>("client_id"),
          wire::named_field<&ClientCredentials::secret>("client_secret"),
          wire::named_field<&ClientCredentials::auth_method>("token_endpoint_auth_method"),
          wire::field<&ClientCredentials::redirect_uri>(),
          wire::named_field<&ClientCredentials::expires_at>("client_secret_expires_at")};
}

wire::Fields Token::fields() {
  return {wire::field<&Token::server>(),
          wire::field<&Token::url>(),
          wire::field<&Token::issuer>(),
          wire::field<&Token::resource>(),
          wire::field<&Token::scope>(),
          wire::named_field<&Token::access>("access_token"),
          wire::named_field<&Token::refresh>("refresh_token"),
          wire::field<&Token::issued_at>(),
          wire::field<&Token::expires_at>(),
          wire::field<&Token::token_endpoint>(),
          wire::field<&Token::revocation_endpoint>(),
          wire::field<&Token::client>()};
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

// Without a folder there are no files, and the path is empty.
fs::path TokenStore::token_file(const std::string& server, const std::string& url) const {
  return folder_.empty() ? "" : folder_ / file_name("token", server, server + '\n' + canonical_url(url));
}

fs::path TokenStore::client_file(const std::string& issuer) const {
  return folder_.empty() ? "" : folder_ / file_name("client", origin_text(issuer), issuer);
}

Result<std::optional<Token>> TokenStore::load(const std::string& server, const std::string& url) const {
  const fs::path file = token_file(server, url);
  TRY(const auto content, read_private_file(file));
  if (!content) return std::optional<Token>();
  const auto token = read<Token>(*content);
  if (token.access.empty() || token.server != server || token.url != canonical_url(url))
    return fail(ErrorKind::InvalidArgument,
                file.string() + " is not used: it is not the token of " + server + ".",
                "Remove it, and run `leanbridge mcp auth login " + server + "`.");
  return std::optional<Token>(token);
}

Result<void> TokenStore::save(const Token& token) const {
  TRY_DONE(prepare_private_folder(folder_));
  return replace_private_file(token_file(token.server, token.url), wire::write(token));
}

Result<bool> TokenStore::remove(const std::string& server, const std::string& url) const {
  return remove_file(token_file(server, url));
}

std::vector<Token> TokenStore::all() const {
  std::vector<Token> tokens;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("token-") || !name.ends_with(".json")) continue;
    const auto content = read_private_file(entry.path());
    if (!content || !*content) continue;
    auto token = read<Token>(**content);
    if (!token.server.empty() && !token.url.empty() && !token.access.empty())
      tokens.push_back(std::move(token));
  }
  std::ranges::sort(tokens, [](const Token& left, const Token& right) {
    return std::tie(left.server, left.url) < std::tie(right.server, right.url);
  });
  return tokens;
}

Result<std::optional<ClientCredentials>> TokenStore::client(const std::string& issuer) const {
  TRY(const auto content, read_private_file(client_file(issuer)));
  auto client = read<ClientCredentials>(content.value_or(json()));
  if (client.issuer != issuer || client.id.empty()) return std::optional<ClientCredentials>();
  return std::optional<ClientCredentials>(std::move(client));
}

Result<void> TokenStore::save_client(const ClientCredentials& client) const {
  TRY_DONE(prepare_private_folder(folder_));
  return replace_private_file(client_file(client.issuer), wire::write(client));
}

Result<void> TokenStore::remove_client(const std::string& issuer) const {
  TRY_DONE(remove_file(client_file(issuer)));
  return {};
}

std::string TokenStore::state_of(const std::string& server, const std::string& url) const {
  struct stat status {};
  if (::lstat(token_file(server, url).c_str(), &status) != 0) return "";
  return std::to_string(status.st_ino) + ":" + std::to_string(platform::modified_ns(status)) + ":" +
         std::to_string(status.st_size) + ":" + std::to_string(status.st_mode);
}

asio::awaitable<Result<Descriptor>> TokenStore::lock(std::string server, std::string url,
                                                     io::CancelScope scope) const {
  CO_CHECK(prepare_private_folder(folder_));
  fs::path file = token_file(server, url);
  file.replace_extension(".lock");
  Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!lock)
    co_return fail(ErrorKind::Internal, file.string() + " cannot be opened: " + std::strerror(errno) + ".",
                   "Check the permissions of its folder.");
  // Locks the open file, not the process, so coroutines of this process exclude each other, too. The file is
  // never removed: a lock on a removed file would exclude nobody.
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  while (::fcntl(lock.get(), F_OFD_SETLK, &whole) != 0) {
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
