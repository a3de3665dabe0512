// Which writes touch what another client holds, whichever tool writes.

#include "together/claims/claim_guard.hpp"

#include "core/ide/ide_fixture.hpp"
#include "core/ide/proof_writing.hpp"
#include "together/statements/approvals.hpp"
#include "together/tools/together_environment.hpp"

namespace leanbridge::tools {
mcp::Tool lean_claim(TogetherEnvironment& environment);
}

namespace leanbridge::together {

using namespace ide::test;

namespace {

using Names = std::vector<std::string>;
constexpr const char* kTwo =
    "namespace N\n\n/-- Of a. -/\ntheorem a : True := by\n  sorry\n\n-- Of b.\ntheorem b : True := by\n  "
    "sorry\n\nend N\n";

std::string with(std::string text, const std::string& old_part, const std::string& new_part) {
  return text.replace(text.find(old_part), old_part.size(), new_part);
}

struct GuardFixture : IdeFixture {
  GuardFixture() { write("A.lean", kTwo); }
  Result<Claim> take(const ClaimGuard& guard, const std::string& declaration) {
    return guard.take(store->root(), {declaration, "A.lean", "", guard.holder(0, "agent")});
  }
  Names held() {
    Names all;
    for (const Claim& each : first->claims_of(store->root())->list())
      all.push_back(each.declaration + " " + each.holder.connection);
    return all;
  }
  Result<void> write_as(const std::shared_ptr<ClaimGuard>& guard, const std::string& after) {
    environment.guard = guard;
    std::vector<ide::ChangedFile> files = {
        {project / "A.lean", "A.lean", leanbridge::test::content_of(project / "A.lean"), after}};
    auto planned = ide::planned_write(*store, *operation(), std::move(files));
    return loop.run(ide::write_files(environment, std::move(planned)));
  }

  leanbridge::test::TestFolder cache;
  std::shared_ptr<ClaimGuard> first = std::make_shared<ClaimGuard>(cache.path(), "1");
  std::shared_ptr<ClaimGuard> second = std::make_shared<ClaimGuard>(cache.path(), "2");
};

}  // namespace

TEST_CASE("a change touches the declarations whose words it changes", "[together]") {
  const std::string two = kTwo;
  CHECK(changed_declarations(two, two).empty());
  CHECK(changed_declarations(two, with(two, "sorry", "trivial")) == Names{"N.a"});
  CHECK(changed_declarations(two, with(two, "Of a.", "For a.")) == Names{"N.a"});
  CHECK(changed_declarations(two, with(two, "-- Of b.", "-- For b, at length.\n")).empty());
  CHECK(changed_declarations(two, with(two, "theorem b", "theorem c")) == Names{"N.b", "N.c"});
  CHECK(changed_declarations(two, with(two, "namespace N", "namespace M")) ==
        Names{"N.a", "N.b", "M.a", "M.b"});
  CHECK(changed_declarations(two, with(two, "-- Of b.", "/- ")) == Names{"N.b"});
  CHECK(changed_declarations(two, "") == Names{"N.a", "N.b"});
  CHECK(changed_declarations(with(two, "sorry\n", "sorry\r\n"), two).empty());
}

TEST_CASE_METHOD(GuardFixture, "what another client holds is not written, and what nobody holds is",
                 "[together]") {
  REQUIRE(take(*first, "N.a"));
  const auto refused = write_as(second, with(kTwo, "sorry", "trivial"));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.starts_with("N.a in A.lean is held by agent (connection 1 of process "));
  CHECK(leanbridge::test::content_of(project / "A.lean") == kTwo);
  // Beside it, and by its holder.
  const std::string beside = with(kTwo, "theorem b : True := by\n  sorry", "theorem b : True := trivial");
  CHECK(write_as(second, beside));
  CHECK(write_as(first, with(beside, "sorry", "trivial")));
  CHECK_FALSE(write_as(second, ""));
}

TEST_CASE_METHOD(GuardFixture, "a write of its holder renews a claim, and one beside it does not",
                 "[together]") {
  const std::int64_t begun = Claims::seconds_now() - kClaimSeconds / 2;
  for (const char* name : {"N.a", "N.b"}) REQUIRE(take(*first, name));
  const auto until = [&](std::size_t i) { return first->claims_of(store->root())->list().at(i).until; };
  const auto file =
      cache.path() / std::filesystem::directory_iterator(cache.path())->path().filename() / "claims.json";
  auto all = nlohmann::json::parse(leanbridge::test::content_of(file));
  for (auto& each : all) each["until"] = begun + kClaimSeconds;
  std::ofstream(file) << all;
  REQUIRE(write_as(first, with(kTwo, "sorry", "trivial")));
  CHECK(until(0) > begun + kClaimSeconds);
  CHECK(until(1) == begun + kClaimSeconds);
}

TEST_CASE_METHOD(GuardFixture, "what changes an approved statement is not written, and a proof is",
                 "[together]") {
  const std::string text = "def two := 2\n\ntheorem a : two = 2 := by\n  sorry\n";
  write("A.lean", text);
  write(kApprovalsName, written(Approvals{{"a", "hash", {"two"}}}));
  const auto refused = write_as(first, with(text, "two = 2 :=", "2 = 2 :="));
  REQUIRE_FALSE(refused);
  CHECK(contains(refused.error().message, "The statement of a is approved, and would be another: "));
  const auto below = write_as(first, with(text, "two := 2", "two := 3"));
  REQUIRE_FALSE(below);
  CHECK(contains(below.error().message, "The statement of a is approved, and it means two"));
  CHECK_FALSE(write_as(first, ""));
  CHECK(write_as(first, with(text, "sorry", "rfl")));
  write(kApprovalsName, "{}");  // whoever can damage it must not unlock anything
  CHECK_FALSE(write_as(first, text));
}

TEST_CASE_METHOD(GuardFixture, "lean_write_proof refuses with who holds it", "[together]") {
  REQUIRE(take(*first, "N.b"));
  environment.guard = second;
  ide::WriteProofParams params{"A.lean", {{9, 9, "  trivial\n", {}}}};
  const auto refused = loop.run(ide::write_proof(environment, operation(), params));
  REQUIRE(refused);
  CHECK_FALSE(refused->written);
  CHECK(contains(refused->reason.value_or(""), "N.b in A.lean is held by agent"));
}

TEST_CASE_METHOD(GuardFixture, "only its holder releases a claim", "[together]") {
  for (const char* name : {"a", "b", "c"}) REQUIRE(take(*first, name));
  const auto release = [&](const std::shared_ptr<ClaimGuard>& guard, const Names& names) {
    return guard->release(store->root(), guard->holder(0, "agent"), names);
  };
  CHECK(release(second, {})->empty());
  CHECK(release(second, {"a"})->empty());
  CHECK(release(first, {"a", "unknown"})->size() == 1);
  CHECK(held() == Names{"b 1", "c 1"});
  CHECK(release(first, {})->size() == 2);
  CHECK(held().empty());
}

TEST_CASE_METHOD(GuardFixture, "what a client holds is free when it has gone", "[together]") {
  REQUIRE(take(*first, "N.a"));
  REQUIRE_FALSE(take(*second, "N.a"));
  first->end({store->root()});
  CHECK(take(*second, "N.a"));
}

TEST_CASE_METHOD(GuardFixture, "the end of a connection ends its claims, and those of its sessions",
                 "[together]") {
  REQUIRE(take(*first, "a"));
  REQUIRE(first->take(store->root(), {"b", "A.lean", "", first->holder(0xff, "agent")}));
  const ClaimGuard eleventh(cache.path(), "11");
  REQUIRE(take(eleventh, "c"));
  first->end({store->root()});
  CHECK(held() == Names{"c 11"});
}

TEST_CASE_METHOD(GuardFixture, "what is taken while its client goes is ended with the last of its calls",
                 "[together]") {
  tools::TogetherEnvironment tool{{environment, {}, ""}, first};
  const auto call = std::make_shared<mcp::Call>(patient());
  call->scope.cancel->cancel();
  CHECK(loop.run(
      tools::lean_claim(tool).handler(call, {{"file_path", "A.lean"}, {"declaration", "N.a"}, {"why", ""}})));
  CHECK(held() == Names{"N.a 1"});
  first->end(tool.used);
  CHECK(held().empty());
}

TEST_CASE_METHOD(GuardFixture,
                 "who has claimed, written and released what, and what was refused, is recorded",
                 "[together]") {
  REQUIRE(take(*first, "N.a"));
  CHECK_FALSE(take(*second, "N.a"));
  CHECK_FALSE(write_as(second, with(kTwo, "sorry", "trivial")));
  CHECK(write_as(first, with(kTwo, "sorry", "trivial")));
  CHECK(first->release(store->root(), first->holder(0, ""), {})->size() == 1);
  REQUIRE(take(*second, "N.b"));
  second->end({store->root()});
  const auto folder = *first->folder_of(store->root());
  std::string all;
  for (const RecordLine& each : read_record(folder))
    all += each.who.substr(0, each.who.find(" of")) + " " + wire::name_of(each.did) + " " +
           each.declarations.front() + ": " + each.verdict.substr(0, 24) + "\n";
  CHECK(all ==
        "agent (connection 1 claimed N.a: \n"
        "agent (connection 2 refused N.a: N.a in A.lean is held by\n"
        "Another client (connection 2 refused N.a: N.a in A.lean is held by\n"
        "Another client (connection 1 wrote N.a: sorries 2 -> 1\n"
        "agent (connection 1 released N.a: \n"
        "agent (connection 2 claimed N.b: \n"
        "agent (connection 2 released N.b: its client has gone\n");
  ClaimGuard silent(cache.path(), "3", false);
  const auto count = read_record(folder).size();
  REQUIRE(take(silent, "N.a"));
  CHECK(read_record(folder).size() == count);
}

TEST_CASE_METHOD(GuardFixture, "clients over one HTTP server are told apart", "[together]") {
  const Holder one = first->holder(1, "a"), other = first->holder(2, "a");
  CHECK_FALSE(one.is(other));
  REQUIRE(first->take(store->root(), {"N.a", "A.lean", "", one}));
  CHECK_FALSE(first->take(store->root(), {"N.a", "A.lean", "", other}));
  first->end({store->root()});
  CHECK(first->claims_of(store->root())->list().empty());
}

TEST_CASE_METHOD(GuardFixture, "without a cache there are no claims, and nothing is refused", "[together]") {
  const auto none = std::make_shared<ClaimGuard>("", "1");
  CHECK(take(*none, "N.a").error().kind == ErrorKind::NotSupported);
  CHECK(write_as(none, with(kTwo, "sorry", "trivial")));
}

}  // namespace leanbridge::together
