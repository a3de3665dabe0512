// The files of tokens: modes, keys, broken content, and whose turn it is.
#include "gateway/upstream/token_store.hpp"
#include "support/loop.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace leanbridge::upstream {

namespace fs = std::filesystem;

namespace {

Token token(const std::string& server = "docs", const std::string& url = "https://h/mcp") {
  Token made;
  made.server = server;
  made.url = canonical_url(url);
  made.issuer = "https://i";
  made.resource = "https://h/mcp";
  made.scope = "a b";
  made.access = Secret("access-1");
  made.refresh = Secret("refresh-1");
  made.issued_at = 100;
  made.expires_at = 3700;
  made.token_endpoint = "https://i/token";
  made.client.issuer = "https://i";
  made.client.id = "c";
  made.client.secret = Secret("s");
  made.client.auth_method = ClientAuthMethod::SecretBasic;
  return made;
}

unsigned store_mode(const fs::path& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777U;
}

fs::path only_file(const fs::path& folder, const std::string& extension = ".json") {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == extension) files.push_back(entry.path());
  REQUIRE(files.size() == 1);
  return files.front();
}

}  // namespace

TEST_CASE("A token comes back as it was saved, for its server at its address only", "[upstream][oauth]") {
  const test::TestFolder folder;
  const TokenStore store(folder / "leanbridge/tokens");
  CHECK_FALSE(store.load("docs", "https://h/mcp")->has_value());
  CHECK(store.all().empty());
  REQUIRE(store.save(token()));
  const auto loaded = store.load("docs", "HTTPS://H:443/mcp#x");
  REQUIRE(loaded);
  REQUIRE(*loaded);
  CHECK((*loaded)->access.reveal() == "access-1");
  CHECK((*loaded)->refresh.reveal() == "refresh-1");
  CHECK((*loaded)->scope == "a b");
  CHECK((*loaded)->expires_at == 3700);
  CHECK((*loaded)->client.secret.reveal() == "s");
  for (const auto& [server, url] :
       {std::pair("docs", "https://h/mcp2"), std::pair("docs", "https://h:8443/mcp"),
        std::pair("docs", "https://h/mcp?x"), std::pair("other", "https://h/mcp")})
    CHECK_FALSE(store.load(server, url)->has_value());
  REQUIRE(store.save(token("a/b «ö»")));
  CHECK(store.all().size() == 2);
  CHECK(*store.remove("docs", "https://h/mcp"));
  CHECK_FALSE(*store.remove("docs", "https://h/mcp"));
  CHECK(store.all().size() == 1);
}

TEST_CASE("Folder and files are the user's alone", "[upstream][oauth]") {
  const test::TestFolder folder;
  const TokenStore store(folder / "tokens");
  const mode_t mask = ::umask(0);
  const auto saved = store.save(token());
  ::umask(mask);
  REQUIRE(saved);
  const fs::path file = only_file(store.folder());
  CHECK(store_mode(store.folder()) == 0700);
  CHECK(store_mode(file) == 0600);

  ::chmod(file.c_str(), 0664);
  ::chmod(store.folder().c_str(), 0777);
  CHECK(store.load("docs", "https://h/mcp")->has_value());
  CHECK(store_mode(store.folder()) == 0700);
  CHECK(store_mode(file) == 0600);
}

TEST_CASE("A file that is no token is refused, and its content not shown", "[upstream][oauth]") {
  const test::TestFolder folder;
  const TokenStore store(folder / "tokens");
  REQUIRE(store.save(token()));
  const fs::path file = only_file(store.folder());
  for (const char* content : {"", "{", "[\"access-1\"]", "{\"access_token\": \"access-1\"}",
                              R"({"server": "docs", "url": "https://other", "access_token": "access-1"})"}) {
    INFO(content);
    std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
    const auto loaded = store.load("docs", "https://h/mcp");
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().kind == ErrorKind::InvalidArgument);
    CHECK((loaded.error().message + loaded.error().hint).find("access-1") == std::string::npos);
  }
  fs::remove(file);
  fs::create_symlink(folder.write("elsewhere", "{}"), file);
  CHECK_FALSE(store.load("docs", "https://h/mcp"));
  fs::remove(file);
  ::mkfifo(file.c_str(), 0600);
  CHECK_FALSE(store.load("docs", "https://h/mcp"));

  const TokenStore blocked(folder.write("a-file", "x") / "tokens");
  CHECK_FALSE(blocked.save(token()));
  CHECK_FALSE(TokenStore("").save(token()));
  CHECK_FALSE(TokenStore("").load("docs", "https://h/mcp")->has_value());
}

TEST_CASE("Credentials are of one issuer", "[upstream][oauth]") {
  const test::TestFolder folder;
  const TokenStore store(folder / "tokens");
  REQUIRE(store.save_client(token().client));
  CHECK((*store.client("https://i"))->id == "c");
  CHECK(store_mode(only_file(store.folder())) == 0600);
  for (const char* other : {"https://i/", "https://I", "https://j"})
    CHECK_FALSE(store.client(other)->has_value());
  REQUIRE(store.remove_client("https://i"));
  REQUIRE(store.remove_client("https://i"));
  CHECK_FALSE(store.client("https://i")->has_value());
}

TEST_CASE("When a token is expired, and when it is renewed", "[upstream][oauth]") {
  Token made = token();  // 100 to 3700
  CHECK_FALSE(made.expires_soon(3639));
  CHECK(made.expires_soon(3640));
  CHECK_FALSE(made.expired(3699));
  CHECK(made.expired(3700));
  made.expires_at = 120;  // a short one is not renewed with each request
  CHECK_FALSE(made.expires_soon(117));
  CHECK(made.expires_soon(118));
  made.expires_at = 0;
  CHECK_FALSE(made.expires_soon(1'000'000));
  CHECK_FALSE(made.expired(1'000'000));
}

TEST_CASE("The state of a token's file changes with it", "[upstream][oauth]") {
  const test::TestFolder folder;
  const TokenStore store(folder / "tokens");
  CHECK(store.state_of("docs", "https://h/mcp").empty());
  REQUIRE(store.save(token()));
  const std::string first = store.state_of("docs", "https://h/mcp");
  CHECK(first == store.state_of("docs", "https://h/mcp"));
  REQUIRE(store.save(token()));
  CHECK(first != store.state_of("docs", "https://h/mcp"));
}

TEST_CASE("The lock of a token: one at a time, in this process and others", "[upstream][oauth]") {
  const test::TestFolder folder;
  const TokenStore store(folder / "tokens");
  test::Loop loop;
  auto first = loop.run(store.lock("docs", "https://h/mcp", test::patient()));
  REQUIRE(first);
  const fs::path file = only_file(store.folder(), ".lock");
  CHECK(store_mode(file) == 0600);

  auto second = loop.start(store.lock("docs", "https://h/mcp", test::patient()));
  auto other = loop.run(store.lock("docs", "https://h/other", test::patient()));
  CHECK(other);
  loop.settle();
  CHECK_FALSE(second.done());
  const auto late = loop.run(store.lock("docs", "https://h/mcp", test::expired()));
  REQUIRE_FALSE(late);
  CHECK(late.error().kind == ErrorKind::Timeout);
  const auto cancel = std::make_shared<io::CancelSource>();
  cancel->cancel();
  CHECK(loop.run(store.lock("docs", "https://h/mcp", test::patient(cancel))).error().kind ==
        ErrorKind::Cancelled);

  // Another process sees that it is held.
  const pid_t child = ::fork();
  if (child == 0) {
    const int fd = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
    struct flock whole {};
    whole.l_type = F_WRLCK;
    ::_exit(::fcntl(fd, F_SETLK, &whole) == 0 ? 1 : 0);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);

  { const auto released = std::move(*first); }
  CHECK(loop.finish(second));
}

}  // namespace leanbridge::upstream
