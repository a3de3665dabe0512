// What `certify` is asked, from its command line and from lines of a batch.

#include "certify/command/certify_options.hpp"
#include "certify/command/requests.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

#include <functional>
#include <string>

namespace leanbridge::app {

using test::TestFolder;

namespace {

certify::Pair pair_of_texts() {
  certify::Pair pair;
  pair.texts.challenge = "theorem a : True := sorry";
  pair.texts.solution = "theorem a : True := trivial";
  return pair;
}

Options options_in(const TestFolder& folder) {
  Options options;
  options.project_root = folder.path().string();
  options.of<CertifyOptions>().input = "pairs.jsonl";
  return options;
}

std::string asked_hash(const Options& options, const certify::Pair& pair) {
  const auto asked = request_of(options, pair);
  if (!asked || !asked->asked_sha256) FAIL("it has no hash");
  return *asked->asked_sha256;
}

}  // namespace

TEST_CASE("the same question has the same hash, another one has another", "[certify]") {
  const TestFolder folder;
  const Options options = options_in(folder);
  const std::string same = asked_hash(options, pair_of_texts());
  CHECK(asked_hash(options, pair_of_texts()) == same);
  certify::Pair renamed = pair_of_texts();
  renamed.id = "b";
  renamed.timeout_s = 1;
  CHECK(asked_hash(options, renamed) == same);  // they change no verdict

  const auto with_pair = [&](const std::function<void(certify::Pair&)>& change) {
    certify::Pair pair = pair_of_texts();
    change(pair);
    return asked_hash(options, pair);
  };
  CHECK(with_pair([](certify::Pair& pair) { *pair.texts.solution += " "; }) != same);
  CHECK(with_pair([](certify::Pair& pair) { *pair.texts.challenge += " "; }) != same);
  CHECK(with_pair([](certify::Pair& pair) { pair.texts.names = {"a"}; }) != same);
  CHECK(with_pair([](certify::Pair& pair) { pair.options = {"a=b"}; }) != same);
  CHECK(with_pair([](certify::Pair& pair) { pair.allowed_axioms.emplace(); }) != same);

  const auto baseline = folder.write("baseline.json", "{}").string();
  const auto with_options = [&](const std::function<void(CertifyOptions&)>& change) {
    Options changed = options;
    change(changed.of<CertifyOptions>());
    return asked_hash(changed, pair_of_texts());
  };
  CHECK(with_options([](CertifyOptions& given) { given.jobs = 2; }) == same);
  CHECK(with_options([](CertifyOptions& given) { given.without_replay = true; }) != same);
  CHECK(with_options([](CertifyOptions& given) { given.trust_packages = true; }) != same);
  CHECK(with_options([](CertifyOptions& given) { given.kernel = "kernel"; }) != same);
  CHECK(with_options([](CertifyOptions& given) { given.allowed_axioms = {"a"}; }) != same);
  const auto against = [&] {
    return with_options([&](CertifyOptions& given) { given.baseline = baseline; });
  };
  const std::string compared = against();
  CHECK(compared != same);
  folder.write("baseline.json", "[]");
  CHECK(against() != compared);
}

TEST_CASE("texts come from files, and are read anew", "[certify]") {
  const TestFolder folder;
  const Options options = options_in(folder);
  certify::Pair pair;
  pair.texts.challenge_file = folder.write("Asked.lean", "asked").string();
  pair.texts.file_path = folder.write("Solved.lean", "one").string();
  const auto first = request_of(options, pair);
  REQUIRE(first);
  CHECK(first->request.challenge == "asked");
  CHECK(first->request.solution == "one");
  folder.write("Solved.lean", "two");
  CHECK(asked_hash(options, pair) != *first->asked_sha256);
  pair.texts.file_path = (folder / "None.lean").string();
  const auto none = request_of(options, pair);
  REQUIRE_FALSE(none);
  CHECK(none.error().kind == ErrorKind::FileNotFound);
}

TEST_CASE("only a commit stays what it was", "[certify]") {
  const TestFolder folder;
  const Options options = options_in(folder);
  certify::Pair pair;
  pair.texts.file_path = folder.write("Solved.lean", "one").string();
  pair.texts.challenge_revision = "main";
  const auto branch = request_of(options, pair);
  REQUIRE(branch);
  CHECK(branch->request.challenge_revision == "main");
  CHECK(branch->request.file_path == (folder / "Solved.lean").string());
  CHECK_FALSE(branch->asked_sha256.has_value());
  pair.texts.challenge_revision = std::string(40, 'a');
  CHECK(request_of(options, pair)->asked_sha256.has_value());
}

TEST_CASE("the command that asks again", "[certify]") {
  const TestFolder folder;
  Options options = options_in(folder);
  options.of<CertifyOptions>() = {};
  options.of<CertifyOptions>().challenge_revision = "HEAD";
  options.of<CertifyOptions>().files = {folder.write("Foo.lean", "x").string()};
  options.of<CertifyOptions>().names = {"a"};
  options.of<CertifyOptions>().without_replay = true;
  const auto request = request_of(options);
  REQUIRE(request);
  CHECK(request->command == std::vector<std::string>{"leanbridge", "certify", "--project-root",
                                                     folder.path().string(), "--git", "HEAD",
                                                     (folder / "Foo.lean").string(), "--name", "a"});
  options.of<CertifyOptions>().challenge_revision.reset();
  const auto one_file = request_of(options);
  REQUIRE_FALSE(one_file);
  CHECK(one_file.error().kind == ErrorKind::InvalidArgument);
}

TEST_CASE("an approval in the judged project is said to say nothing", "[certify]") {
  const TestFolder repository, outside;
  repository.write(".git/HEAD", "");
  Options options;
  options.project_root = (repository.path() / "project").string();
  options.of<CertifyOptions>().files = {repository.write("project/A.lean", "").string(),
                                        repository.write("project/B.lean", "").string()};
  certify::Approval approval{1, "Alice", "today", {}};
  approval.page.fingerprint = "aa";
  const std::string text = wire::write(approval).dump();
  const auto note_in = [&](const std::filesystem::path& file) {
    options.of<CertifyOptions>().approval = file.string();
    const auto request = request_of(options);
    REQUIRE(request);
    REQUIRE(request->approval);
    return request->approval_note;
  };
  const auto good = outside.write("approval.json", text);
  CHECK(note_in(good).empty());
  const std::string approval_note = note_in(repository.write("project/approval.json", text));
  CHECK(approval_note.starts_with("the approval lies in "));
  CHECK_FALSE(note_in(repository.write("above.json", text)).empty());
  std::filesystem::create_symlink(repository.path() / "above.json", outside.path() / "link.json");
  CHECK_FALSE(note_in(outside.path() / "link.json").empty());
  // The solution may lie in another repository than the project, or in a working tree that was added to one.
  const TestFolder theirs, added;
  theirs.write(".git/HEAD", "");
  options.of<CertifyOptions>().files[1] = theirs.write("deep/er/B.lean", "").string();
  CHECK(note_in(good).empty());
  CHECK_FALSE(note_in(theirs.write("approval.json", text)).empty());
  added.write(".git", "gitdir: " + (theirs / ".git/worktrees/added").string() + "\n");
  options.of<CertifyOptions>().files[1] = added.write("B.lean", "").string();
  CHECK(note_in(good).empty());
  CHECK_FALSE(note_in(theirs / "approval.json").empty());
  options.of<CertifyOptions>().approval = outside.write("none.json", "{}").string();
  CHECK_FALSE(request_of(options));
}

TEST_CASE("a configuration for comparator becomes a question, and names no program", "[certify]") {
  const TestFolder folder;
  folder.write("lakefile.toml", "");
  folder.write("A/Asked.lean", "theorem a : True := sorry");
  folder.write("Given.lean", "theorem a : True := trivial");
  const nlohmann::json whole = {{"challenge_module", "A.Asked"},
                                {"solution_module", "Given"},
                                {"theorem_names", {"a"}},
                                {"permitted_axioms", {"propext", "given"}},
                                {"definition_names", nlohmann::json::array()},
                                {"enable_nanoda", false}};
  Options options;
  const auto configured = [&](const std::string& text) {
    options.of<CertifyOptions>().files = {folder.write("comparator.json", text).string()};
    return with_comparator(options);
  };
  const auto with = [&](const char* member, nlohmann::json value) {
    nlohmann::json changed = whole;
    changed[member] = std::move(value);
    return configured(changed.dump());
  };
  const auto good = configured(whole.dump());
  REQUIRE(good);
  CHECK(good->of<CertifyOptions>().files ==
        std::vector{(folder.path() / "A/Asked.lean").string(), (folder.path() / "Given.lean").string()});
  CHECK(good->of<CertifyOptions>().names == std::vector<std::string>{"a"});
  const auto request = request_of(*good);
  REQUIRE(request);
  CHECK(request->all_axioms() == std::vector<std::string>{"propext", "given"});
  CHECK(request->kernel.empty());
  CHECK(request->kernels.empty());
  for (const char* const text : {"", "[]", "{}", "{"}) CHECK_FALSE(configured(text));
  for (const char* const module : {"", ".", "A.", "..A", "../A", "A./etc", "«A»"})
    CHECK_FALSE(with("challenge_module", module));
  CHECK_FALSE(with("solution_module", 3));
  CHECK_FALSE(with("theorem_names", nlohmann::json::array()));
  CHECK_FALSE(with("theorem_names", {1}));
  CHECK_FALSE(with("permitted_axioms", nullptr));
  CHECK(request->holes == std::vector<std::string>());  // none, whatever is a sorry
  const auto open = with("definition_names", {"hole"});
  REQUIRE(open);
  CHECK(request_of(*open)->holes == std::vector<std::string>{"hole"});
  CHECK_FALSE(with("definition_names", {1}));
  const nlohmann::json programs = {{"mine", {"/tmp/program"}}};
  CHECK_FALSE(with("external_kernels", programs));
  CHECK_FALSE(with("enable_nanoda", true));
  options.of<CertifyOptions>().kernels = {"all"};  // the caller's choice
  const auto chosen = with("external_kernels", programs);
  REQUIRE(chosen);
  CHECK(chosen->of<CertifyOptions>().kernels == std::vector<std::string>{"all"});
}

}  // namespace leanbridge::app
