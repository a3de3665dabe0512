// What is known of the projects' health, with a scripted Lean.

#include "core/ide/project_health.hpp"

#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;

TEST_CASE_METHOD(IdeFixture, "the health of a project shows its server and the documents in it",
                 "[ide][health]") {
  CHECK(loop.run(health_of_projects(environment, patient())).empty());
  scripted.messages = {{"nonsense", "unknown tactic"}};
  write("A.lean", "theorem a : 1 = 1 := by\n  nonsense\n");
  const auto file = loop.run(open_file(environment, operation(), "A.lean"));
  REQUIRE(file);
  CHECK(loop.run(file->wait_until_done(patient())) == document::WaitOutcome::Complete);

  const std::vector<ProjectHealth> all = loop.run(health_of_projects(environment, patient()));
  REQUIRE(all.size() == 1);
  const ProjectHealth& health = all.front();
  CHECK(health.root == file->store()->root().string());
  CHECK(health.status == "ok");
  CHECK(health.pid == file->store()->server().pid());
  CHECK(health.starts == 1);
  CHECK_FALSE(health.last_error);
  REQUIRE(health.documents.size() == 1);
  CHECK(wire::write(health.documents.front()) ==
        json{{"file_path", "A.lean"}, {"open", true}, {"version", 1}, {"done", true}, {"diagnostics", 1}});
  CHECK(health.scratch.workers.empty());
  CHECK(health.scratch.max_workers == file->store()->scratch()->limits().max_workers);
  CHECK_FALSE(health.interactive_server);

  workspace.with_widgets(file->store()->root());
  const std::vector<ProjectHealth> with_widgets = loop.run(health_of_projects(environment, patient()));
  CHECK(with_widgets.front().interactive_server.value().status == "not_started");

  const LeanHealth lean = loop.run(measured_health_of(*file->store(), pool, patient()));
  CHECK(lean.open_documents == 1);
  CHECK(wire::write(lean) == json{{"state", "ready"}, {"pid", health.pid}, {"pending_requests", 0}});
}

TEST_CASE("a worker's memory has one name in all reports", "[ide][health]") {
  CHECK(wire::write(lean::WorkerProcess{"file:///p/A.lean", 7, 1024, 0.5}) ==
        json{{"pid", 7}, {"memory_bytes", 1024}});
  CHECK(wire::write(document::ScratchPool::SlotState{"Scratch.lean", true, false, 1024}) ==
        json{{"open", true}, {"in_use", false}, {"memory_bytes", 1024}});
}

}  // namespace leanbridge::ide
