// Claims: who gets a declaration, and when a claim ends.

#include "together/claims/claims.hpp"

#include "support/test_folder.hpp"
#include <catch2/catch.hpp>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

namespace leanbridge::together {

namespace {

Holder client(std::string connection, std::string name = "agent") {
  Holder holder = own_process();
  holder.name = std::move(name);
  holder.connection = std::move(connection);
  return holder;
}

Claim of(std::string declaration, Holder holder, std::string why = "") {
  return {std::move(declaration), "A.lean", std::move(why), std::move(holder)};
}

struct ClaimsFixture {
  std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const Claim& each : claims.list()) all.push_back(each.declaration + " " + each.holder.connection);
    return all;
  }

  leanbridge::test::TestFolder folder;
  std::int64_t now = 1'000'000;
  Claims claims{folder / "cache", [this] { return now; }};
};

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE_METHOD(ClaimsFixture, "a claimed declaration is refused to others, with who and since when",
                 "[together]") {
  REQUIRE(claims.take(of("A.b", client("1", "prover"), "by induction")));
  now += 60;
  const auto refused = claims.take(of("A.b", client("2")));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::InvalidArgument);
  CHECK(refused.error().message ==
        "A.b in A.lean is held by prover (connection 1 of process " + std::to_string(::getpid()) +
            ") since 1970-01-12T13:46:40Z, who says: by induction. The claim ends at 1970-01-12T14:16:40Z "
            "unless work on it goes on; take another declaration.");
  CHECK(claims.take(of("A.c", client("2"))));
  CHECK(names() == Names{"A.b 1", "A.c 2"});
  Claim elsewhere = of("A.b", client("2"));
  elsewhere.file = "B.lean";  // a private namesake
  CHECK(claims.take(elsewhere));
}

TEST_CASE_METHOD(ClaimsFixture, "a claim ends after 30 minutes without work on it", "[together]") {
  REQUIRE(claims.take(of("a", client("1"), "mine")));
  now += kClaimSeconds - 1;
  CHECK_FALSE(claims.take(of("a", client("2"))));
  CHECK(claims.take(of("a", client("1"))));
  now += kClaimSeconds - 1;
  CHECK(names() == Names{"a 1"});
  const auto again = claims.take(of("a", client("1")));
  REQUIRE(again);
  CHECK(again->since == 1'000'000);
  CHECK(again->why == "mine");
  now += kClaimSeconds;
  CHECK(names().empty());
  CHECK(claims.take(of("a", client("2"))));
}

TEST_CASE_METHOD(ClaimsFixture, "one that has ended while its holder worked does not come back",
                 "[together]") {
  REQUIRE(claims.take(of("A.b", client("1"))));
  REQUIRE(claims.take(of("A.c", client("1"))));
  const std::vector<Claim> held = claims.list();
  REQUIRE(claims.end([](const Claim& each) { return each.declaration == "A.b"; }));
  now += 60;
  for (const Claim& each : held) CHECK(claims.take(each));
  CHECK(names() == Names{"A.c 1"});
  CHECK(claims.list().front().until == now + kClaimSeconds);
  REQUIRE(claims.take(of("A.b", client("2"))));
  CHECK_FALSE(claims.take(held.front()));
}

TEST_CASE_METHOD(ClaimsFixture, "the claims of a dead process end, also if its id is used again",
                 "[together]") {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  Holder dead = client("1");
  dead.pid = child;
  siginfo_t ended{};
  REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) == 0);
  CHECK_FALSE(is_alive(dead));  // dead, and not yet waited for
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  Holder before = client("1");
  before.started -= 1;
  CHECK_FALSE(is_alive(before));
  CHECK(is_alive(client("1")));
  REQUIRE(claims.take(of("a", dead)));
  REQUIRE(claims.take(of("b", before)));
  CHECK(names().empty());
  CHECK(claims.take(of("a", client("2"))));
}

TEST_CASE_METHOD(ClaimsFixture, "of many that take one at the same time, one gets it", "[together]") {
  std::atomic<int> got = 0;
  std::vector<std::thread> all;
  for (int i = 0; i < 8; ++i)
    all.emplace_back([&, i] {
      for (const char* name : {"a", "b", "c"})
        if (claims.take(of(name, client(std::to_string(i))))) ++got;
    });
  for (std::thread& each : all) each.join();
  CHECK(got == 3);
  CHECK(names().size() == 3);
}

TEST_CASE_METHOD(ClaimsFixture, "a damaged file holds nothing, and is written anew", "[together]") {
  for (const char* text : {"", "{", "[1, {\"declaration\": 5}, {\"declaration\": \"a\", \"pid\": \"x\"}]"}) {
    folder.write("cache/claims.json", text);
    CHECK(names().empty());
  }
  REQUIRE(claims.take(of("a", client("1"))));
  CHECK(names() == Names{"a 1"});
  struct stat status {};
  REQUIRE(::stat((folder / "cache" / "claims.json").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600);
  // No file makes a claim hold for longer than one can be taken.
  now -= 10;
  CHECK(names().empty());
}

}  // namespace leanbridge::together
