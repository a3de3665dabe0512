// The steps of a verdict, each by itself, with programs and compiled modules that the tests have made.

#include "certify/verdict/steps.hpp"

#include "certify/verdict/receipt.hpp"
#include "core/base/sha256.hpp"
#include "modules.hpp"
#include "support/loop.hpp"

#include <future>
#include <thread>

namespace leanbridge::test {

using namespace certify;
namespace fs = std::filesystem;

namespace {

MakeModule theorem_proved_by(std::string_view proof) {
  return [proof](ModuleMaker& m) { m.theorem("goal", m.constant("True"), m.constant(proof)); };
}

std::string bytes_of(const MakeModule& make) {
  ModuleMaker maker;
  make(maker);
  return maker.bytes();
}

/// A project with a toolchain whose `lean` compiles a text with the line "-- NAME" to what compiles_to() says
/// of NAME, and fails if that is nothing.
class StepsFixture {
 public:
  StepsFixture() {
    // lake env -d EMPTY [lean [--version | --memory=M --json -R SOURCES -o OUT [-D…] FILE]]
    folder_.write_program("lake", R"lake(#!/bin/sh
here=${0%/*}
case "$# $*" in
3*)
  echo "LEAN_SYSROOT=$here/sysroot"
  echo "LEAN=$here/sysroot/bin/lean" ;;
*--version*) echo 4.35.0 ;;
*)
  while [ $# -gt 1 ]; do
    if [ "$1" = -o ]; then out=$2; fi
    shift
  done
  cp "$here/compiled/$(sed -n 's/^-- //p' "$1")" "$out" ;;
esac
)lake");
    folder_.write("sysroot/bin/lean", "not to be started by itself");
    library_.copy_to(folder_ / "sysroot/lib/lean");
    folder_.write("project/lean-toolchain", "leanprover/lean4:v4.35.0\n");
    job.request.root = folder_ / "project";
    job.request.lake = (folder_ / "lake").string();
    job.request.challenge = "prelude\nimport Base\n-- challenge\n";
    job.request.solution = "prelude\nimport Base\n-- solution\n";
    job.request.axioms = {{"True", "True.intro"}};
    compiles_to("challenge", theorem_proved_by("sorryAx"));
    compiles_to("solution", theorem_proved_by("True.intro"));
  }

  void compiles_to(const std::string& name, const MakeModule& make) {
    folder_.write("compiled/" + name, bytes_of(make));
  }
  void has_kernel(const std::string& script) {
    job.request.kernel = folder_.write_program("kernel", "#!/bin/sh\n" + script + "\n").string();
  }

  /// Besides it.
  void has_export_kernel(const std::string& script) {
    job.request.kernels = {"kernel", folder_.write_program("other", "#!/bin/sh\n" + script + "\n").string()};
  }

  /// As many, besides it, which answer at the same time.
  void has_export_kernels(std::size_t count, const std::string& script) {
    job.request.kernels = {"kernel"};
    for (std::size_t i = 0; i < count; ++i)
      job.request.kernels.push_back(folder_
                                        .write_program("panel/kernel-" + std::to_string(i),
                                                       "#!/bin/sh\ntouch \"$0.up\"\nwhile [ $(ls "
                                                       "${0%/*}/*.up | wc -l) -lt " +
                                                           std::to_string(count) +
                                                           " ]; do sleep 0.01; done\n" + script + "\n")
                                        .string());
  }

  /// It is found, and not asked for.
  void finds_export_kernel(const std::string& script) {
    job.request.path = folder_.write_program("found/nanoda_bin", "#!/bin/sh\n" + script + "\n").parent_path();
  }

  /// Both texts import the module Dep of a package, which has one constant with that value.
  void imports_package(std::size_t value) {
    folder_.write("project/lake-manifest.json",
                  R"({"packages": [{"type": "git", "name": "dep", "rev": "abc"}]})");
    ModuleMaker dep;
    dep.definition("Dep.size", dep.constant("Nat"), dep.w.natural(value));
    folder_.write("project/.lake/packages/dep/.lake/build/lib/lean/Dep.olean", dep.bytes());
    for (const auto& [name, proof] : {std::pair{"challenge", "sorryAx"}, {"solution", "True.intro"}})
      compiles_to(name, [proof = std::string_view(proof)](ModuleMaker& m) {
        m.imports = {"Base", "Dep"};
        m.theorem("goal", m.constant("True"), m.constant(proof));
      });
    job.request.challenge = "prelude\nimport Base\nimport Dep\n-- challenge\n";
    job.request.solution = "prelude\nimport Base\nimport Dep\n-- solution\n";
  }

  Result<Inputs> inputs() { return told(loop_.run(read_inputs(job))); }
  Result<Compilation> compiled(Inputs& inputs) { return told(loop_.run(compile(job, inputs))); }
  Result<SolutionFindings> compared(const Inputs& inputs, const Compilation& compiled) {
    return told(loop_.run(compare(job, inputs, compiled)));
  }
  fs::path file(const std::string& name, const std::string& text) { return folder_.write(name, text); }
  Result<StoredExport> stored_export() {
    return told(loop_.run(check_export(job.request, job.pool, job.scope)));
  }
  /// "", or the error of a step.
  std::string verdict() {
    auto inputs = this->inputs();
    if (!inputs) return inputs.error().message;
    auto compiled = this->compiled(*inputs);
    if (!compiled) return compiled.error().message;
    auto compared = this->compared(*inputs, *compiled);
    if (!compared) return compared.error().message;
    const auto done = loop_.run(conclude(job, *inputs, *compiled, std::move(*compared)));
    UNSCOPED_INFO(job.certificate.reason);
    return done ? "" : done.error().message;
  }

 private:
  /// A test that fails says why the step did.
  template <class Value>
  static Result<Value> told(Result<Value> result) {
    if (!result) UNSCOPED_INFO(result.error().message);
    return result;
  }

  TestFolder folder_;
  JudgedModules library_;
  Loop loop_;
  io::Pool pool_;

 public:
  Job job{Request(), pool_, patient(), {}};
};

}  // namespace

TEST_CASE("certify inputs: what is judged, before anything has run") {
  StepsFixture it;
  const auto inputs = it.inputs();
  REQUIRE(inputs);
  CHECK(inputs->challenge == it.job.request.challenge);
  CHECK_FALSE(inputs->files.is_revision());
  CHECK(inputs->kernel.command.empty());
  CHECK(inputs->search_path() == std::vector<fs::path>{inputs->places.toolchain});
  CHECK(inputs->lean_path() == std::vector<fs::path>{inputs->modules()});
  CHECK(it.job.certificate.challenge_sha256.size() == 64);
  CHECK(it.job.certificate.challenge_sha256 != it.job.certificate.solution_sha256);
  CHECK(it.job.certificate.names.empty());
}

TEST_CASE("certify inputs: what is wrong with the question") {
  StepsFixture it;
  SECTION("an axiom that stands for no proof") {
    it.job.request.allowed_axioms.emplace_back("«sorryAx»");
    CHECK(it.inputs().error().kind == ErrorKind::InvalidArgument);
  }
  SECTION("a kernel that is no program") {
    it.job.request.kernel = "/nowhere/kernel";
    CHECK(it.inputs().error().message.find("/nowhere/kernel") != std::string::npos);
  }
  SECTION("several solutions at once, without a sandbox") {
    it.job.request.at_once = true;
    CHECK(it.inputs().error().kind == ErrorKind::NotSupported);
  }
}

TEST_CASE("certify compile: both texts, and what they rest on") {
  StepsFixture it;
  auto inputs = it.inputs();
  REQUIRE(inputs);
  auto compiled = it.compiled(*inputs);
  REQUIRE(compiled);
  CHECK(compiled->solution.why.empty());
  CHECK(compiled->solution.parts.size() == 1);
  CHECK(compiled->solution.parts != compiled->challenge_parts);
  CHECK(compiled->challenge->modules().size() == 2);
  CHECK(compiled->watched != nullptr);
  REQUIRE(it.job.certificate.names.size() == 1);
  CHECK(it.job.certificate.names[0].name == "goal");
  CHECK(it.job.certificate.names[0].verdict == Outcome::Incomplete);
}

TEST_CASE("certify compile: a challenge must compile, a solution need not") {
  StepsFixture it;
  auto inputs = it.inputs();
  REQUIRE(inputs);
  SECTION("the challenge") {
    inputs->challenge = "prelude\nimport Base\n-- nothing\n";
    CHECK(it.compiled(*inputs).error().kind == ErrorKind::InvalidArgument);
  }
  SECTION("the solution") {
    it.job.request.solution = "prelude\nimport Base\n-- nothing\n";
    const auto compiled = it.compiled(*inputs);
    REQUIRE(compiled);
    CHECK(compiled->solution.why == "It does not compile.");
    const auto compared = it.compared(*inputs, *compiled);
    REQUIRE(compared);
    CHECK(compared->objections.refused == "The solution: It does not compile.");
    CHECK(it.job.certificate.names[0].verdict == Outcome::Refused);
  }
}

TEST_CASE("certify compare: what speaks against a certificate") {
  StepsFixture it;
  auto inputs = it.inputs();
  REQUIRE(inputs);
  SECTION("nothing") {
    const auto compiled = it.compiled(*inputs);
    REQUIRE(compiled);
    const auto compared = it.compared(*inputs, *compiled);
    REQUIRE(compared);
    CHECK(compared->objections.refused.value_or("") == "");
    CHECK(compared->objections.missing.empty());
    CHECK(it.job.certificate.names[0].verdict == Outcome::Certified);
    CHECK(it.job.certificate.toolchain.modules == 1);
  }
  SECTION("a sorry") {
    it.compiles_to("solution", theorem_proved_by("sorryAx"));
    const auto compiled = it.compiled(*inputs);
    REQUIRE(compiled);
    const auto compared = it.compared(*inputs, *compiled);
    CHECK(compared->objections.refused.value_or("").starts_with("goal: "));
  }
  SECTION("a file that is none of Lean's") {
    auto compiled = it.compiled(*inputs);
    REQUIRE(compiled);
    compiled->solution.parts[0].resize(100);
    const auto compared = it.compared(*inputs, *compiled);
    CHECK(compared->objections.refused.value_or("").starts_with("The solution's compiled file is refused"));
    CHECK_FALSE(static_cast<bool>(compared->solution));
  }
  SECTION("an import that was written while the solution was compiled") {
    auto compiled = it.compiled(*inputs);
    REQUIRE(compiled);
    compiled->before_solution = compiled->before_solutions = 0;
    const auto compared = it.compared(*inputs, *compiled);
    CHECK(
        compared->objections.refused.value_or("").ends_with("was changed while the solution was compiled."));
    CHECK(it.job.certificate.names[0].verdict == Outcome::Refused);
  }
}

TEST_CASE("certify conclude: a kernel decides, or is missing") {
  StepsFixture it;
  const Certificate& certificate = it.job.certificate;
  SECTION("it accepts") {
    it.has_kernel("exit 0");
    CHECK(it.verdict() == "");
    CHECK(certificate.verdict == Outcome::Certified);
    CHECK(certificate.kernel_replayed);
  }
  SECTION("it rejects the solution alone") {
    it.has_kernel("cmp -s \"${LEAN_PATH%%:*}/LeanbridgeCandidate.olean\" \"${0%/*}/compiled/challenge\"");
    CHECK(it.verdict() == "");
    CHECK(certificate.verdict == Outcome::Refused);
    CHECK_THAT(certificate.reason, Catch::Matchers::Contains("does not accept the solution's declarations"));
  }
  SECTION("another one rejects what it accepts") {
    it.has_kernel("exit 0");
    it.has_export_kernel("! grep -q '\"str\":\"goal\"' \"$1\"");
    CHECK(it.verdict() == "");
    CHECK(certificate.verdict == Outcome::Incomplete);
    CHECK_THAT(certificate.reason, Catch::Matchers::Contains("does not accept what kernel accepts"));
  }
  SECTION("several others reject it at the same time") {
    it.has_kernel("exit 0");
    it.has_export_kernels(6, "! grep -q '\"str\":\"goal\"' \"$1\"");
    CHECK(it.verdict() == "");
    REQUIRE(certificate.kernels.size() == 7);
    for (std::size_t i = 1; i < certificate.kernels.size(); ++i) {
      CAPTURE(certificate.kernels[i].why.value_or(""));
      CHECK(certificate.kernels[i].answer == KernelAnswer::Rejected);
    }
  }
  SECTION("it fails where another one accepts") {
    it.has_kernel("exit 3");
    it.finds_export_kernel("exit 0");
    CHECK(it.verdict() == "");
    CHECK(certificate.verdict == Outcome::Incomplete);
    CHECK_THAT(certificate.reason, Catch::Matchers::Contains("kernel failed with exit code 3"));
  }
  SECTION("another one accepts, and it is not there") {
    it.finds_export_kernel("exit 0");
    CHECK(it.verdict() == "");
    CHECK(certificate.verdict == Outcome::Certified);
  }
  SECTION("it rejects everything") {
    it.has_kernel("exit 1");
    CHECK(it.verdict() == "");
    CHECK(certificate.verdict == Outcome::Incomplete);
  }
  SECTION("it fails") {
    it.has_kernel("exit 3");
    CHECK(it.verdict() == "");
    CHECK(certificate.verdict == Outcome::Incomplete);
    CHECK_FALSE(certificate.kernel_replayed);
  }
  SECTION("there is none") {
    CHECK(it.verdict() == "");
    CHECK(certificate.verdict == Outcome::Incomplete);
    CHECK(certificate.complete_with.value_or("").find("--without-replay") != std::string::npos);
  }
  SECTION("there is none, and the solution has no program") {
    it.job.request.without_replay = true;
    CHECK(it.verdict() == "");
    CHECK(certificate.verdict == Outcome::Certified);
    CHECK_FALSE(certificate.kernel_replayed);
  }
  SECTION("there is none, and an option could have kept the kernel from checking") {
    it.job.request.without_replay = true;
    it.job.request.options = {"debug.skipKernelTC=true"};
    CHECK(it.verdict() == "");
    CHECK(certificate.verdict == Outcome::Incomplete);
    CHECK(certificate.reason.find("debug.skipKernelTC") != std::string::npos);
  }
}

TEST_CASE("functions use a compiled module in turn, also one that nobody waits for any more") {
  const SharedSet set(JudgedModules().open(theorem_proved_by("propext")).value());
  std::promise<void> begun, go;
  std::thread abandoned([&] {
    set.use([&](olean::ModuleSet&) {
      begun.set_value();
      go.get_future().wait();
    });
  });
  begun.get_future().wait();
  auto next = std::async(std::launch::async, [&] {
    return set.use([](olean::ModuleSet& own) { return own.foundations(0).axioms.size(); });
  });
  CHECK(next.wait_for(std::chrono::milliseconds(50)) == std::future_status::timeout);
  CHECK(set->own_constants() == 1);  // what stays as it is needs no turn
  go.set_value();
  CHECK(next.get() == 2);
  abandoned.join();
}

TEST_CASE("certify conclude: a receipt has the packages, the kernel's answer and the statement's hash") {
  const auto receipt_with = [](std::size_t value) {
    StepsFixture it;
    it.has_kernel("exit 0");
    it.imports_package(value);
    it.job.request.trust_packages = true;
    it.job.request.with_fingerprints = true;
    CHECK(it.verdict() == "");
    return receipt_of(it.job.certificate, {}, "1.0");
  };
  const Receipt receipt = receipt_with(1);
  CHECK(receipt.verdict == Outcome::Certified);
  REQUIRE(receipt.packages.size() == 1);
  CHECK(receipt.packages[0].package == "dep");
  CHECK(receipt.packages[0].revision == "abc");
  REQUIRE(receipt.kernels.size() == 1);
  CHECK(receipt.kernels[0].answer == KernelAnswer::Accepted);
  CHECK_FALSE(receipt.kernels[0].version.has_value());  // it lies beside the toolchain
  REQUIRE(receipt.theorems.size() == 1);
  CHECK(receipt.theorems[0].statement_sha256.value_or("").size() == 64);
  Receipt other = receipt_with(2);
  other.kernels = receipt.kernels;      // in another folder of the test
  other.toolchain = receipt.toolchain;  // the same
  CHECK(differences(receipt, other) == std::vector<std::string>{"The package dep has other compiled files."});
}

TEST_CASE("certify conclude: nothing is certified that is not as approved") {
  const auto verdict_with = [](const std::optional<Approval>& approval, std::string note = {}) {
    StepsFixture it;
    it.has_kernel("exit 0");
    it.job.request.with_page = true;
    it.job.request.approval = approval;
    it.job.request.approval_note = std::move(note);
    CHECK(it.verdict() == "");
    return it.job.certificate;
  };
  Approval approval{1, "Alice", "today", verdict_with({}).page.value()};
  const Certificate good = verdict_with(approval);
  CHECK(good.verdict == Outcome::Certified);
  CHECK(good.approval.value().holds);
  CHECK(good.reason.ends_with(" What is stated is as Alice approved it at today."));
  CHECK(verdict_with(approval, "it is the project's.").reason.ends_with(" But it is the project's."));
  approval.page.fingerprint = "00";
  const Certificate bad = verdict_with(approval);
  CHECK(bad.verdict == Outcome::Incomplete);
  CHECK_FALSE(bad.approval.value().holds);
  CHECK(bad.names[0].verdict == Outcome::Incomplete);
}

TEST_CASE("certify check_export: kernels read the very bytes that are hashed, and nothing is compiled") {
  const auto checked = [](const std::string& script) {
    StepsFixture it;
    it.has_export_kernel(script);
    it.job.request.kernels.erase(it.job.request.kernels.begin());
    it.job.request.export_file = it.file("given.ndjson", "line\n");
    return it.stored_export();
  };
  const auto good = checked("grep -q line \"$1\"");
  REQUIRE(good);
  CHECK(good->sha256 == sha256_of("line\n"));
  REQUIRE(good->kernels.size() == 1);
  CHECK(good->kernels[0].answer == KernelAnswer::Accepted);
  CHECK(checked("exit 1").value().kernels[0].answer == KernelAnswer::Rejected);
  CHECK(checked("exit 7").value().kernels[0].answer == KernelAnswer::Failed);
}

TEST_CASE("certify decide: a verdict is what its objections leave") {
  const auto certificate_of = [](std::initializer_list<Outcome> verdicts) {
    Certificate certificate;
    for (const Outcome verdict : verdicts)
      certificate.names.push_back({"a", verdict, "so", {}, {}, {}, {}, {}});
    return certificate;
  };
  SECTION("none") {
    Certificate certificate = certificate_of({Outcome::Certified, Outcome::Certified});
    decide(certificate, {}, {});
    CHECK(certificate.verdict == Outcome::Certified);
    CHECK(certificate.reason.starts_with("All 2 theorems are proved as stated"));
  }
  SECTION("a disproof and a filled hole outweigh what is certified") {
    Certificate certificate = certificate_of({Outcome::Certified, Outcome::Filled});
    decide(certificate, {}, {});
    CHECK(certificate.verdict == Outcome::Filled);
    CHECK(certificate.reason.starts_with("It is proved, about what the solution has filled in"));
    certificate = certificate_of({Outcome::Filled, Outcome::Certified, Outcome::Refuted});
    decide(certificate, {}, {});
    CHECK(certificate.verdict == Outcome::Refuted);
    CHECK(certificate.reason.starts_with("The challenge is false: the solution proves the negation of `a`"));
  }
  SECTION("and are incomplete where a check is missing, or the time was up") {
    for (const Outcome claim : {Outcome::Filled, Outcome::Refuted}) {
      Certificate certificate = certificate_of({claim});
      decide(certificate, {std::nullopt, {{"it is dark", "", "", ""}}}, {});
      CHECK(certificate.verdict == Outcome::Incomplete);
      CHECK(certificate.names[0].verdict == Outcome::Incomplete);
      certificate = certificate_of({claim});
      decide_late(certificate, "It did not end.");
      CHECK(certificate.names[0].verdict == Outcome::Incomplete);
    }
  }
  SECTION("one name is incomplete") {
    Certificate certificate = certificate_of({Outcome::Certified, Outcome::Incomplete});
    decide(certificate, {}, {});
    CHECK(certificate.verdict == Outcome::Incomplete);
    CHECK(certificate.names[0].verdict == Outcome::Incomplete);
  }
  SECTION("a check is missing") {
    Certificate certificate = certificate_of({Outcome::Certified});
    decide(certificate, {std::nullopt, {{"it is dark", "Switch on the light.", "--light", {}}}}, {"prove"});
    CHECK(certificate.verdict == Outcome::Incomplete);
    CHECK(certificate.reason == "Nothing speaks against it, but it is dark.");
    CHECK(certificate.complete_with == "Switch on the light.\nRun: prove --light");
    CHECK(certificate.names[0].verdict == Outcome::Incomplete);
  }
  SECTION("a refusal outweighs what is missing") {
    Certificate certificate = certificate_of({Outcome::Certified});
    decide(certificate, {"It is wrong.", {{"it is dark", "", "", ""}}}, {});
    CHECK(certificate.verdict == Outcome::Refused);
    CHECK(certificate.names[0].verdict == Outcome::Incomplete);
  }
  SECTION("the time was up") {
    Certificate certificate = certificate_of({Outcome::Certified, Outcome::Refused});
    decide_late(certificate, "It did not end.");
    CHECK(certificate.verdict == Outcome::Incomplete);
    CHECK(certificate.timed_out);
    CHECK(certificate.names[0].verdict == Outcome::Incomplete);
  }
}

}  // namespace leanbridge::test
