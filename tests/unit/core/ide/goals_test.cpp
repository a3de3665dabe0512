// The goals at a place, asked of a modelled Lean.

#include "core/ide/goals.hpp"

#include "core/document/projects.hpp"
#include "core/document/store_fixture.hpp"
#include "core/ide/goal_status.hpp"
#include "core/ide/scratch_elaboration.hpp"

namespace leanbridge::ide {

using namespace document::test;

namespace {

constexpr const char* kGoal = "$/lean/plainGoal";
constexpr const char* kTwoProofs = "theorem a : 1 = 1 := (by\n  rfl)\ntheorem b : 2 = 2 := by\n  rfl\n";

struct GoalFixture : StoreFixture {
  GoalFixture() {
    write("A.lean", kTwoProofs);
    synced.emplace(sync("A.lean"));
  }
  document::DocumentHandle handle() { return {store, synced->document.share()}; }
  /// The end of a line, from 1.
  document::TextAnchor end_of(int line) {
    const text::Text& text = handle().text();
    return handle().anchor(text.offset_of({line, text.end_column(line)}, "A.lean").value());
  }
  json goals(std::vector<std::string> texts) { return {{"rendered", ""}, {"goals", std::move(texts)}}; }

  std::optional<document::SyncReport> synced;
};

}  // namespace

TEST_CASE_METHOD(GoalFixture, "goals are Lean's own texts, and none at all is another thing than none left",
                 "[ide][goals]") {
  auto asked = loop.start(goals_at(handle(), end_of(4), GoalFormat::Text, patient()));
  lean().reply(question(kGoal, 1), goals({"⊢ 2 = 2"}));
  const Goals open = loop.finish(asked).value();
  CHECK(open.status() == GoalStatus::Goals);
  CHECK(std::get<std::string>(open.goals.at(0)) == "⊢ 2 = 2");

  auto closed = loop.start(goals_at(handle(), end_of(4), GoalFormat::Text, patient()));
  lean().reply(question(kGoal, 2), goals({}));
  CHECK(loop.finish(closed)->status() == GoalStatus::ClosedHere);

  finish("A.lean", 1);
  auto outside = loop.start(goals_at(handle(), end_of(4), GoalFormat::Text, patient()));
  lean().reply(question(kGoal, 3), nullptr);
  CHECK(loop.finish(outside)->status() == GoalStatus::NoGoalAtPosition);
}

TEST_CASE_METHOD(GoalFixture, "at the end of a line the brackets around a proof are stepped over",
                 "[ide][goals]") {
  finish("A.lean", 1);
  auto asked = loop.start(goals_at_line_end(handle(), end_of(2), GoalFormat::Text, patient()));
  const json behind = question(kGoal, 1);
  CHECK(behind["params"]["position"] == json({{"line", 1}, {"character", 6}}));
  lean().reply(behind, nullptr);
  const json within = question(kGoal, 2);
  CHECK(within["params"]["position"] == json({{"line", 1}, {"character", 5}}));
  lean().reply(within, goals({}));
  CHECK(loop.finish(asked)->none_left());
}

TEST_CASE_METHOD(GoalFixture, "the goals of an older text are asked for again", "[ide][goals]") {
  auto asked = loop.start(goals_at(handle(), end_of(4), GoalFormat::Text, patient()));
  const json old = question(kGoal, 1);
  write("A.lean", std::string("\n") + kTwoProofs);
  sync("A.lean");
  lean().reply(old, goals({"of the old text"}));
  lean().reply(question(kGoal, 2), goals({"of the new text"}));
  const Goals found = loop.finish(asked).value();
  CHECK(std::get<std::string>(found.goals.at(0)) == "of the new text");
  CHECK(found.version == 2);
}

TEST_CASE_METHOD(GoalFixture,
                 "goals are whole if their tactic is reported while those before it are asked for",
                 "[ide][goals][goal_status]") {
  write("C.lean", "theorem c : p → q := by\n  intro h\n  exact f h\n");
  const OpenFile file(store, sync("C.lean"));
  document::Projects projects(loop.context, pool);
  document::Workspace workspace(projects, {});
  Lean environment{workspace, pool};
  lean().progress(uri("C.lean"), 1, {{1, 3}});
  const std::size_t begin = file.text().offset_of({2, 3}, "C.lean").value();
  const std::size_t end = file.text().offset_of({2, file.text().end_column(2)}, "C.lean").value();
  auto asked = loop.start(goals_at(file.handle(), file.anchor(end), GoalFormat::Text, patient()));
  lean().reply(question(kGoal, 1), goals({"h : p\n⊢ q"}));
  const Goals after = loop.finish(asked).value();

  auto judging = loop.start(judge_place(environment, file, begin, end, after, patient()));
  const json before = question(kGoal, 2);
  lean().diagnostics(uri("C.lean"), 1, {});
  lean().progress(uri("C.lean"), 1, {{2, 3}});
  lean().reply(before, goals({"⊢ p → q"}));
  CHECK(loop.finish(judging)->completeness == Completeness::Complete);
}

TEST_CASE_METHOD(GoalFixture, "a worker that is late is no goal, but a timeout", "[ide][goals]") {
  auto asked = loop.start(
      goals_at(handle(), end_of(4), GoalFormat::Text, io::CancelScope(std::chrono::milliseconds(20))));
  question(kGoal, 1);
  CHECK(loop.finish(asked).error().kind == ErrorKind::Timeout);
}

TEST_CASE_METHOD(GoalFixture, "a pass is repeated until no edit came during it", "[ide][goals]") {
  int passes = 0;
  const auto pass = [&]() -> asio::awaitable<Result<AnsweredVersion>> {
    const document::Version before = handle().state().version();
    if (++passes == 1) {
      write("A.lean", "theorem c : 3 = 3 := rfl\n");
      co_await store->sync(project / "A.lean", patient());
    }
    co_return before;
  };
  CHECK(loop.run(repeat_while_edited(handle(), pass)));
  CHECK(passes == 2);
}

TEST_CASE_METHOD(GoalFixture, "a text is tried beside the file, and only its own messages count",
                 "[ide][scratch]") {
  const auto call = std::make_shared<io::Operation>(io::Operation{patient(), {}});
  auto asked = loop.start(elaborate_text(call, store, "example : 1 = 2 := rfl\n", patient()));
  REQUIRE(loop.until([&] { return lean().all(kOpen).size() == 2; }));
  const auto scratch = lean().last(kOpen)["params"]["textDocument"]["uri"].get<std::string>();
  CHECK(document::is_scratch_path(scratch));
  REQUIRE(loop.until([&] { return call->progress != nullptr; }));
  lean().progress(scratch, 1, {});
  lean().diagnostics(scratch, 1, {"not a proof"});
  lean().reply(question(kBarrier, 2), json::object());
  const Trial trial = loop.finish(asked).value();
  CHECK(trial.complete);
  CHECK_FALSE(trial.is_accepted());
  CHECK(trial.diagnostics.at(0).message == "not a proof");
  CHECK(handle().text().str() == kTwoProofs);
}

}  // namespace leanbridge::ide
