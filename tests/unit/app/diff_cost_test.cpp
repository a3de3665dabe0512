// What declarations cost, as Lean's profiler says it, and which of them have become dearer.

#include "app/commands/diff_cost.hpp"

#include "leanbridge/lean/build_output.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::app {

namespace {

constexpr const char* kSource =
    "namespace N\n"
    "theorem one : 1 = 1 := by\n"
    "  rfl\n"
    "instance : Inhabited Nat := ⟨3⟩\n"
    "end N\n";

lean::CompilerMessage trace(int line, std::string text) {
  lean::CompilerMessage message;
  message.severity = lean::Severity::Information;
  message.start = {line, 1};
  message.message = std::move(text);
  return message;
}

}  // namespace

TEST_CASE("heartbeats are those of elaboration, by declaration", "[diff]") {
  const auto costs = read_costs(
      kSource,
      {trace(1, "[Elab.command] [614000.000000] ✅️ namespace N"),
       trace(2, "[Elab.command] [18000.000000] ✅️ theorem one\n  [Elab.step] [9000.000000] ✅️ 1 = 1"),
       trace(3, "[Elab.async] [7000.000000] elaborating proof of N.one"),
       trace(3, "[Meta.whnf] [50000.000000] ✅️ counted with what contains it"),
       trace(2, "[Elab.async] [90000.000000] ✅️ Lean.Elab.Command.runLintersAsync"),
       trace(4, "[Elab.command] [4500.000000] ✅️ instance"), trace(4, "unused variable")});
  REQUIRE(costs.size() == 2);
  CHECK(costs.at("N.one").line == 2);
  CHECK(costs.at("N.one").heartbeats == Approx(25));
  CHECK(costs.at("instance 1").heartbeats == Approx(4.5));
  CHECK(read_costs(kSource, {trace(2, "unused variable")}).empty());  // nothing was measured
}

TEST_CASE("only what was there before can become dearer, and by more than the limit", "[diff]") {
  const auto found = compare_costs("A.lean", {{"same", {1, 10}}, {"more", {2, 10}}, {"gone", {3, 10}}},
                                   {{"same", {1, 10.5}}, {"more", {2, 13}}, {"new", {4, 1000}}});
  REQUIRE(found.size() == 3);
  CHECK(found[0].name == "more");
  CHECK(found[1].name == "gone");
  CHECK_FALSE(found[1].after);
  CHECK(found[2].name == "new");
  CHECK_FALSE(found[2].before);
  CostReport report{20, found, {}};
  CHECK(report.is_dearer(found[0]));
  CHECK_FALSE(report.is_dearer(found[1]));
  CHECK_FALSE(report.is_dearer(found[2]));
  CHECK(report.any_dearer());
  report.limit = 30;
  CHECK_FALSE(report.any_dearer());
  report.limit = 0;
  CHECK_FALSE(report.is_dearer({"A.lean", "tiny", 1, 0.5, 1.4}));
}

}  // namespace leanbridge::app
