#include "certify/verdict/receipt.hpp"

#include "certify/command/certify_options.hpp"
#include "certify/command/requests.hpp"
#include "certify/verdict/page.hpp"
#include "modules.hpp"

namespace leanbridge::test {

using certify::Fingerprints;
using certify::Receipt;

namespace {

/// The fingerprint of `goal` in a module. Nothing of an import is the project's.
std::string fingerprint(const ModuleFolder& folder, const MakeModule& make) {
  auto set = folder.open(make);
  REQUIRE(set);
  Fingerprints fingerprints(*set, [](const olean::SetModule& module) { return module.file.empty(); });
  const auto found = fingerprints.of(set->find(olean::key_of("goal")).value());
  REQUIRE(found);
  return *found;
}

struct StatementParts {
  std::string_view proof = "sorryAx";
  int limit = 7;
  const char* variable = "n";
  bool has_more = false;  ///< a constant that the statement does not mention
};

/// theorem goal : ∀ n, Holds limit, where limit is the module's own.
MakeModule statement_of(const StatementParts& parts) {
  return [parts](ModuleMaker& m) {
    m.definition("limit", m.constant("Nat"), m.w.natural(static_cast<std::size_t>(parts.limit)));
    if (parts.has_more) m.definition("more", m.constant("Nat"), m.w.natural(1));
    m.theorem("goal", m.w.forall(parts.variable, m.constant("Nat"), m.apply("Holds", {m.constant("limit")})),
              m.constant(parts.proof));
  };
}

Receipt sample() {
  Receipt receipt;
  receipt.leanbridge = "1.0";
  receipt.question.challenge = "/project/Asked.lean";
  receipt.question.solution = "/project/Given.lean";
  receipt.question.terms.options = {"a=b"};
  receipt.question.terms.memory_mb = 1000;
  receipt.verdict = certify::Outcome::Certified;
  receipt.theorems = {{"goal", certify::Outcome::Certified, "True", "f00d", {{"propext"}}}};
  receipt.challenge_sha256 = "aa";
  receipt.solution_sha256 = "bb";
  receipt.toolchain.version = "4.35.0";
  receipt.toolchain.sha256 = "cc";
  receipt.modules = {{"Defs", "dd", certify::ModuleOrigin::Rebuilt}};
  receipt.packages = {{"mathlib", "v1", 3, "ee", false}};
  receipt.exported = certify::ExportFacts{"3.1.0", "ab", 10, 2};
  receipt.kernels = {{"/bin/leanchecker", "ff", "4.35.0", certify::KernelAnswer::Accepted, {}}};
  receipt.sandbox = certify::Sandbox::Bubblewrap;
  return receipt;
}

std::vector<std::string> after(const std::function<void(Receipt&)>& edit) {
  Receipt now = sample();
  edit(now);
  return certify::differences(sample(), now);
}

}  // namespace

TEST_CASE("a fingerprint changes with what the statement means, and with nothing else") {
  const ModuleFolder folder;
  const std::string same = fingerprint(folder, statement_of({}));
  CHECK(same.size() == 64);
  CHECK(fingerprint(folder, statement_of({})) == same);
  CHECK(fingerprint(folder, statement_of({.proof = "True.intro"})) == same);
  CHECK(fingerprint(folder, statement_of({.variable = "m"})) == same);
  CHECK(fingerprint(folder, statement_of({.has_more = true})) == same);
  CHECK(fingerprint(folder, statement_of({.limit = 8})) != same);
}

TEST_CASE("a receipt is read as it was written") {
  const auto read = certify::read_receipt(certify::to_json(sample()).dump(2), "r.json");
  REQUIRE(read);
  CHECK(certify::to_json(*read) == certify::to_json(sample()));
  CHECK(certify::differences(sample(), *read).empty());
}

TEST_CASE("what is no receipt, or was changed, is refused") {
  nlohmann::json value = certify::to_json(sample());
  const auto problem = [](const std::string& text) {
    const auto read = certify::read_receipt(text, "r.json");
    return read ? "" : read.error().message;
  };
  CHECK(problem("") == "r.json is no receipt.");
  CHECK(problem("{}") == "r.json is no receipt.");
  CHECK(problem(R"({"leanbridge_receipt": 2})") == "r.json is a receipt of another version of leanbridge.");
  value["verdict"] = "refused";
  CHECK(problem(value.dump()) == "r.json is not as it was written: its hash is another.");
}

TEST_CASE("a receipt names each difference") {
  using Words = std::vector<std::string>;
  CHECK(after([](Receipt&) {}).empty());
  CHECK(after([](Receipt& r) { r.challenge_sha256 = "xx"; }) ==
        Words{"The challenge /project/Asked.lean has another text."});
  CHECK(after([](Receipt& r) { r.solution_sha256 = "xx"; }) ==
        Words{"The solution /project/Given.lean has another text."});
  CHECK(after([](Receipt& r) { r.question.baseline_sha256 = "xx"; }).size() == 1);
  CHECK(after([](Receipt& r) { r.theorems[0].statement = "False"; }) ==
        Words{"The statement of goal is False instead of True."});
  CHECK(after([](Receipt& r) { r.theorems[0].statement_sha256 = "xx"; }) ==
        Words{"Something of the project below the statement of goal has another meaning."});
  CHECK(after([](Receipt& r) { r.theorems[0].axioms->clear(); }) ==
        Words{"What the proof of goal rests on is none instead of propext."});
  CHECK(after([](Receipt& r) { r.theorems.clear(); }) == Words{"The theorem goal is not there any more."});
  CHECK(after([](Receipt& r) { r.toolchain.version = "4.36.0"; }) ==
        Words{"Lean is 4.36.0 instead of 4.35.0."});
  CHECK(after([](Receipt& r) { r.toolchain.sha256 = "xx"; }).size() == 1);
  CHECK(after([](Receipt& r) { r.modules[0].sha256 = "xx"; }) ==
        Words{"The module Defs is compiled to another file."});
  CHECK(after([](Receipt& r) { r.packages[0].revision = "v2"; }) ==
        Words{"The revision of mathlib is v2 instead of v1."});
  CHECK(after([](Receipt& r) { r.packages[0].sha256 = "xx"; }) ==
        Words{"The package mathlib has other compiled files."});
  CHECK(after([](Receipt& r) {
          r.packages.push_back({"aesop", "v1", 1, "yy", false});
        }) == Words{"The package aesop is new."});
  CHECK(after([](Receipt& r) { r.exported->sha256 = "00"; }) ==
        Words{"The export of the theorems with everything below them is another."});
  CHECK(after([](Receipt& r) { r.kernels[0].answer = certify::KernelAnswer::Rejected; }) ==
        Words{"The answer of /bin/leanchecker is rejected instead of accepted."});
  CHECK(after([](Receipt& r) { r.sandbox = certify::Sandbox::None; }) ==
        Words{"The sandbox is none instead of bubblewrap."});
  CHECK(after([](Receipt& r) { r.verdict = certify::Outcome::Refused; }) ==
        Words{"The verdict is refused instead of certified."});
}

TEST_CASE("an export that is checked again is compared with its receipt") {
  using Words = std::vector<std::string>;
  const auto kernel = [](const std::string& program, certify::KernelAnswer answer) {
    certify::KernelResult result;
    result.program = program;
    result.sha256 = "ff";
    result.answer = answer;
    return result;
  };
  const auto after = [&](const std::function<void(certify::StoredExport&)>& edit) {
    certify::StoredExport now{"ab", {kernel("/bin/leanchecker", certify::KernelAnswer::Accepted)}};
    edit(now);
    return certify::differences(sample(), now);
  };
  CHECK(after([](auto&) {}).empty());
  CHECK(after([](auto& now) { now.sha256 = "cd"; }) == Words{"The export is not the one of the receipt."});
  CHECK(after([](auto& now) { now.kernels.clear(); }) == Words{"No kernel accepts the export."});
  CHECK(after([](auto& now) { now.kernels[0].answer = certify::KernelAnswer::Rejected; }) ==
        Words{"The answer of /bin/leanchecker is rejected instead of accepted.",
              "No kernel accepts the export."});
  CHECK(after([](auto& now) { now.kernels[0].sha256 = "00"; }) ==
        Words{"The kernel /bin/leanchecker is another program."});
  CHECK(after([&](auto& now) {
          now.kernels.push_back(kernel("/bin/new", certify::KernelAnswer::Rejected));
        }) == Words{"/bin/new, which the receipt does not name, rejects the export."});
  certify::Receipt without = sample();
  without.exported.reset();
  CHECK_FALSE(certify::differences(without, certify::StoredExport{"ab", {}}).empty());
}

TEST_CASE("the question of a receipt becomes the command line that asks it") {
  certify::ReceiptQuestion question = sample().question;
  question.names = {"goal"};
  question.terms.kernel = "checker";
  question.terms.without_replay = true;
  app::Options given;  // grants what the receipt was given
  given.lake = question.lake;
  given.of<app::CertifyOptions>().kernel = question.terms.kernel;
  given.of<app::CertifyOptions>().without_replay = true;
  given.of<app::CertifyOptions>().trust_packages = question.terms.trust_packages;
  given.of<app::CertifyOptions>().allowed_axioms = question.terms.allowed_axioms;
  given.of<app::CertifyOptions>().options = question.terms.options;
  given.of<app::CertifyOptions>().baseline = question.terms.baseline;
  given.of<app::CertifyOptions>().memory_mb = question.terms.memory_mb;
  const auto again = app::question_of(app::options_of(question, given));
  REQUIRE(again);
  CHECK(wire::write(*again) == wire::write(question));
  question.challenge.reset();
  question.revision = "abc";
  CHECK(wire::write(app::question_of(app::options_of(question, given)).value()) == wire::write(question));
}

TEST_CASE("a receipt of an earlier version can be read") {
  const auto question = wire::read<certify::ReceiptQuestion>(nlohmann::json::parse(
      R"({"allowed_axioms": ["cheat"], "baseline": "/b.json", "baseline_sha256": "ab", "challenge": "/A.lean",
          "holes": ["h"], "kernel": "k", "lake": "lake", "memory_mb": 512, "names": ["goal"],
          "options": ["a=b"], "project_root": "/p", "solution": "/B.lean", "trust_packages": true,
          "without_replay": true})"));
  CHECK(question.terms.allowed_axioms == std::vector<std::string>{"cheat"});
  CHECK(question.terms.holes == std::vector<std::string>{"h"});
  CHECK(question.terms.memory_mb == 512);
  CHECK(question.terms.baseline == "/b.json");
  CHECK((question.terms.trust_packages && question.terms.without_replay));
  CHECK(wire::write(question).size() == 14);  // and has no other members
}

TEST_CASE("a receipt chooses no program, and grants itself nothing") {
  certify::ReceiptQuestion question = sample().question;
  question.lake = "/tmp/lake";
  question.terms.kernel = "/tmp/kernel";
  question.terms.without_replay = question.terms.trust_packages = true;
  question.terms.allowed_axioms = {"cheat"};
  question.terms.options = {"debug.skipKernelTC=true"};
  question.terms.baseline = "/tmp/baseline";
  question.terms.memory_mb = 1 << 20;
  const app::Options given;
  const app::Options asked = app::options_of(question, given);
  CHECK(asked.of<app::CertifyOptions>().files == std::vector{*question.challenge, question.solution});
  CHECK(asked.lake == given.lake);
  CHECK(asked.of<app::CertifyOptions>().kernel == given.of<app::CertifyOptions>().kernel);
  CHECK_FALSE(asked.of<app::CertifyOptions>().without_replay);
  CHECK_FALSE(asked.of<app::CertifyOptions>().trust_packages);
  CHECK(asked.of<app::CertifyOptions>().allowed_axioms.empty());
  CHECK(asked.of<app::CertifyOptions>().options.empty());
  CHECK_FALSE(asked.of<app::CertifyOptions>().baseline);
  CHECK(asked.of<app::CertifyOptions>().memory_mb == given.of<app::CertifyOptions>().memory_mb);
  // It is said what was granted then, and is not now; and the other way round.
  certify::Receipt then = sample(), now = sample();
  then.question.terms.allowed_axioms = {"cheat"};
  CHECK(certify::differences(then, now).size() == 1);
  CHECK(certify::differences(now, then).size() == 1);
}

}  // namespace leanbridge::test
