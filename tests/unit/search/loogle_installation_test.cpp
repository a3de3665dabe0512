// The steps that install a local Loogle, and what they leave on disk.

#include "leanbridge/search/loogle_installation.hpp"

#include "leanbridge/search/installed_loogle.hpp"

#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

#include <algorithm>

namespace leanbridge::search {

namespace {

using Strings = std::vector<std::string>;

const std::string kRevision = "9f11169aaebf1ed1e7dcc4077f2aafe0fcf66fd0";

InstallationRequest request_in(const std::filesystem::path& folder) {
  InstallationRequest request;
  request.folder = folder;
  request.toolchain = "leanprover/lean4:v4.28.0";
  request.git = "/usr/bin/git";
  request.lake = "/opt/lake";
  return request;
}

}  // namespace

TEST_CASE("Installing Loogle: clone one revision aside, then build it", "[search][loogle]") {
  const leanbridge::test::TestFolder folder;
  const auto plan = plan_installation(request_in(folder.path()));
  REQUIRE(plan);
  CHECK(plan->repository == folder.path() / "repo-9f11169aaebf-26df5f74b79a");  // as lean-lsp-mcp names it
  CHECK(plan->program == plan->repository / ".lake/build/bin/loogle");
  CHECK_FALSE(plan->is_done());
  REQUIRE(plan->download.size() == 3);
  CHECK(plan->download[0].argv == Strings{"/usr/bin/git", "clone", "--progress", "--depth", "1",
                                          "--no-checkout", "--", "https://github.com/nomeata/loogle.git",
                                          plan->unfinished.string()});
  CHECK(plan->download[1].argv.back() == kRevision);
  CHECK(plan->download[2].argv == Strings{"/usr/bin/git", "checkout", "--quiet", "--detach", kRevision});
  CHECK(plan->download[2].directory == plan->unfinished);
  CHECK(plan->unfinished != plan->repository);
  REQUIRE(plan->build.size() == 1);
  CHECK(plan->build[0].argv == Strings{"/opt/lake", "build", "loogle"});
  CHECK(plan->build[0].directory == plan->repository);
  CHECK(plan->environment.at("ELAN_TOOLCHAIN") == "leanprover/lean4:v4.28.0");
  CHECK(plan->environment.at("GIT_TERMINAL_PROMPT") == "0");
}

TEST_CASE("Installing Loogle goes on where it stopped", "[search][loogle]") {
  const leanbridge::test::TestFolder folder;
  const InstallationRequest request = request_in(folder.path());
  folder.write("unfinished-repo-9f11169aaebf-26df5f74b79a/.git/HEAD", "");
  CHECK(plan_installation(request)->download.size() == 3);
  folder.write("repo-9f11169aaebf-26df5f74b79a/lakefile.toml", "");
  CHECK(plan_installation(request)->download.empty());
  CHECK(plan_installation(request)->build.size() == 1);
  folder.write("repo-9f11169aaebf-26df5f74b79a/.lake/build/bin/loogle", "");
  const auto done = plan_installation(request);
  CHECK(done->is_done());
  // The session finds exactly that.
  CHECK(find_installed_loogle(folder.path(), "/p", request.toolchain)->program == done->program);
}

TEST_CASE("Installing Loogle: what is no source, and what is missing", "[search][loogle]") {
  const leanbridge::test::TestFolder folder;
  const auto complaint = [&](auto change) {
    InstallationRequest request = request_in(folder.path());
    change(request);
    const auto plan = plan_installation(request);
    REQUIRE_FALSE(plan);
    CHECK(plan.error().kind == ErrorKind::InvalidArgument);
    CHECK_FALSE(plan.error().hint.empty());
    return plan.error().message;
  };
  for (const char* revision :
       {"", "main", "9f11169", "--upload-pack=evil", "9F11169AAEBF1ED1E7DCC4077F2AAFE0FCF66FD0"})
    CHECK(complaint([&](auto& request) { request.source.revision = revision; }).find("full hash") !=
          std::string::npos);
  for (const char* repository : {"", "--upload-pack=evil", "a b", "a\nb"})
    CHECK(complaint([&](auto& request) { request.source.repository = repository; }).find("git repository") !=
          std::string::npos);
  CHECK(complaint([](auto& request) { request.toolchain.clear(); }).find("lean-toolchain") !=
        std::string::npos);
  CHECK(complaint([](auto& request) { request.folder.clear(); }).find("HOME") != std::string::npos);
}

}  // namespace leanbridge::search
