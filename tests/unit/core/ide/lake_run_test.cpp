// What a compiler's output says, and how a run of lake ends.

#include "core/ide/lake_run.hpp"

#include "support/loop.hpp"
#include "support/processes.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::ide {

using namespace leanbridge::test;

namespace {

constexpr const char* kErrorLine =
    R"({"severity":"error","pos":{"line":1,"column":0},"data":"bad","kind":""})";
constexpr const char* kWarningLine =
    R"({"severity":"warning","pos":{"line":1,"column":0},"data":"hm","kind":""})";

struct RunFixture {
  Result<CompilerRun> run(const std::string& script, io::CancelScope scope = patient()) {
    const auto lake = folder.write_program("lake", "#!/bin/sh\n" + script + "\n");
    return loop.run(run_compiler({lake, folder.path(), {"env", "lean"}}, std::move(scope)));
  }
  ~RunFixture() {
    loop.until([&] { return children().empty(); });
  }
  Loop loop;
  TestFolder folder;
};

}  // namespace

TEST_CASE("a line that is no message is kept for the reason, the messages are told apart", "[ide][lake]") {
  CompilerOutput output;
  output.add_stdout(std::string(kWarningLine) + "\nplain words\n" + kErrorLine);
  output.add_other("\x1b[31mfrom stderr\x1b[0m\n\n");
  REQUIRE(output.messages().size() == 2);
  CHECK(output.messages()[1].message == "bad");
  CHECK(output.has_error());
  CHECK(output.how_it_ended({LakeEnd::How::Exited, 7}) == "exit code 7: plain words\nfrom stderr");
  CHECK(CompilerOutput().how_it_ended({LakeEnd::How::Exited, 0}) == "exit code 0");
  CHECK(CompilerOutput().how_it_ended({LakeEnd::How::TimedOut, 0}) ==
        "it had not finished by the call's deadline");
}

TEST_CASE("a warning is no error", "[ide][lake]") {
  CompilerOutput output;
  output.add_stdout(std::string(kWarningLine) + "\n");
  CHECK_FALSE(output.has_error());
}

TEST_CASE("of long output the end is kept, of too many messages the first, and that is said", "[ide][lake]") {
  CompilerOutput output;
  for (int i = 0; i < 1000; ++i) output.add_other("line " + std::to_string(i) + "\n");
  const std::string reason = output.how_it_ended({LakeEnd::How::Exited, 1});
  CHECK(reason.size() < 4100);
  CHECK_THAT(reason, Catch::EndsWith("line 999"));
  for (int i = 0; i < 10'000; ++i) output.add_stdout(kWarningLine);
  CHECK_FALSE(output.too_many());
  output.add_stdout(kErrorLine);
  CHECK(output.too_many());
  CHECK(output.messages().size() == 10'000);
}

TEST_CASE_METHOD(RunFixture, "the last line counts without its line end, and the streams do not mix",
                 "[ide][lake]") {
  const auto run = this->run(std::string("printf '{\"sever'; printf 'on ' >&2; printf '%s' '") +
                             std::string(kErrorLine).substr(7) + "'; printf stderr >&2; exit 1");
  REQUIRE(run.has_value());
  REQUIRE(run->output.messages().size() == 1);
  CHECK(run->end.how == LakeEnd::How::Exited);
  CHECK(run->output.how_it_ended(run->end) == "exit code 1: on stderr");
}

TEST_CASE_METHOD(RunFixture, "a run beyond its deadline is a result, a cancelled one an error",
                 "[ide][lake]") {
  const auto late = run("exec sleep 600", io::CancelScope(std::chrono::milliseconds(50)));
  REQUIRE(late.has_value());
  CHECK(late->end.how == LakeEnd::How::TimedOut);
  const auto cancel = std::make_shared<io::CancelSource>();
  cancel->cancel();
  const auto cancelled = run("exec sleep 600", patient(cancel));
  REQUIRE_FALSE(cancelled.has_value());
  CHECK(cancelled.error().kind == ErrorKind::Cancelled);
  const auto killed = run("kill -9 $$");
  REQUIRE(killed.has_value());
  CHECK(killed->end.exit_code == 137);
}

TEST_CASE_METHOD(RunFixture, "a program that is none does not end well", "[ide][lake]") {
  const auto run = loop.run(run_compiler({folder / "gone", folder.path(), {}}, patient()));
  CHECK((!run || run->end.exit_code != 0));
}

}  // namespace leanbridge::ide
