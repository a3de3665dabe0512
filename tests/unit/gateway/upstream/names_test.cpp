#include "gateway/upstream/hub.hpp"
#include "gateway/upstream/trust.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>
#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <vector>

namespace leanbridge::upstream {

using leanbridge::test::TestFolder;

TEST_CASE("Names stay as they are where they can", "[upstream][naming]") {
  CHECK(offered_name("docs", "search") == "docs__search");
  CHECK(offered_name("my-docs", "get-sum") == "my-docs__get-sum");
  CHECK(offered_name("docs", "a__b") == "docs__a__b");
}

TEST_CASE("Names are legal, short, stable and distinct", "[upstream][naming]") {
  const std::string long_name(200, 'x');
  std::set<std::string> all;
  int count = 0;
  const std::vector<std::string> servers = {"docs", "do cs", "do_cs", "d__s", "d_s",    "_d_s_",
                                            "😀",   "x₁",    "",      "._.",  long_name};
  const std::vector<std::string> items = {"t",  "t.t", "t_t", "t/t",     "«a b»",        "😀",
                                          "🐙", "",    "_t",  long_name, long_name + "y"};
  for (const std::string& server : servers)
    for (const std::string& item : items) {
      const std::string name = offered_name(server, item);
      INFO(server << " / " << item << " -> " << name);
      CHECK(name.size() <= kMaxOfferedName);
      CHECK(std::all_of(name.begin(), name.end(),
                        [](char c) { return std::isalnum(c) || c == '_' || c == '-'; }));
      CHECK(name == offered_name(server, item));
      CHECK(name.starts_with(server_part(server) + "__"));
      CHECK(name.find("__") == server_part(server).size());
      all.insert(name);
      ++count;
    }
  CHECK(all.size() == static_cast<std::size_t>(count));
  CHECK(stable_hash("") == "4fd0bfc1");  // names must not change with a new version
}

TEST_CASE("Selection", "[upstream][trust]") {
  CHECK(Selection::parse("").names.empty());
  CHECK(Selection::parse("none").mode == Selection::Mode::None);
  CHECK(Selection::parse("all").mode == Selection::Mode::All);
  CHECK(Selection::parse("a,my server,").names == std::set<std::string>{"a", "my server"});
}

TEST_CASE("Consent is to one entry in one workspace", "[upstream][trust]") {
  const TestFolder folder;
  TrustFile trust(folder / "config/leanbridge/trusted-servers.json");
  ServerConfig server;
  server.name = "x₁";
  server.definition = {{"command", "a"}};
  CHECK_FALSE(trust.allows(server, "/w"));
  CHECK(trust.problem().empty());
  REQUIRE(trust.add(server, "/w"));
  REQUIRE(trust.add(server, "/w"));
  CHECK(trust.allows(server, "/w"));
  CHECK_FALSE(trust.allows(server, "/other"));
  struct stat status {};
  REQUIRE(::stat(trust.path().c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  REQUIRE(::stat(trust.path().parent_path().c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0700);
  ServerConfig changed = server;
  changed.definition["command"] = "b";
  CHECK_FALSE(trust.allows(changed, "/w"));
  CHECK(trust.remove("x₁", "/w").value());
  CHECK_FALSE(trust.allows(server, "/w"));
  CHECK_FALSE(trust.remove("x₁", "/w").value());
}

TEST_CASE("A broken or foreign file holds no consent", "[upstream][trust]") {
  const TestFolder folder;
  ServerConfig server;
  server.name = "a";
  const TrustFile broken(folder.write("broken.json", "{\"trusted\": 3}"));
  CHECK_FALSE(broken.allows(server, "/w"));
  CHECK_FALSE(broken.problem().empty());
  TrustFile open(folder / "open.json");
  REQUIRE(open.add(server, "/w"));
  CHECK(open.allows(server, "/w"));
  ::chmod(open.path().c_str(), 0666);
  CHECK_FALSE(open.allows(server, "/w"));
  CHECK(open.problem().find("chmod 600") != std::string::npos);
}

}  // namespace leanbridge::upstream
