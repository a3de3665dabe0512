#include "core/lean/profile.hpp"

#include <catch2/catch.hpp>

using namespace leanbridge::lean;

TEST_CASE("times by category", "[profile]") {
  std::map<std::string, double> ms;
  add_categories("tactic execution of Lean.Parser.Tactic.sleep took 200ms\ntactic execution of x took 1.5s\n",
                 ms);
  add_categories("elaboration took 5.01ms\nnonsense took a while\n", ms);
  CHECK(ms.size() == 2);
  CHECK(ms["tactic execution"] == Approx(1700));
  CHECK(ms["elaboration"] == Approx(5.01));
}

TEST_CASE("tactics of a trace are put to their lines", "[profile]") {
  const auto nodes = read_trace(
      "[Elab.async] [0.238443] elaborating proof of b\n"
      "  [Elab.step] [0.235909] \n"
      "        constructor\n"
      "        · rfl\n"
      "    [Elab.step] [0.019637] constructor\n"
      "      [Meta.isDefEq] [0.018434] ✅️ ?a ∧ ?b =?= q ∧ p\n"
      "    [Elab.step] [0.012095] · rfl\n"
      "      [Elab.step] [0.003384] rfl\n"
      "    [Elab.step] [0.200] · rfl\n"
      "      [Elab.step] [0.199] rfl\n"
      "        [Elab.step] [0.198] rfl\n");
  REQUIRE(nodes.size() == 9);
  CHECK(nodes[0].depth == 0);
  CHECK(nodes[0].ms == Approx(238.443));
  CHECK(nodes[2].text == "constructor");
  const auto times = time_lines(nodes, {"theorem b : P ∧ Q := by", "  constructor", "  · rfl", "  · rfl"});
  REQUIRE(times.size() == 3);
  CHECK(times[0].line == 4);
  CHECK(times[0].ms == Approx(200));
  CHECK(times[1].line == 2);
  CHECK(times[2].line == 3);
  CHECK(times[2].text == "· rfl");
  CHECK(time_lines({}, {"theorem"}).empty());
}

// As `lean` 4.35 writes it.
TEST_CASE("the outcome of a step is no part of its text", "[profile]") {
  const auto nodes = read_trace(
      "[Elab.step] [0.301902] ✅️ \n"
      "      sleep 300\n"
      "  [Elab.step] [0.300192] ✅️ sleep 300\n"
      "  [Elab.step] [0.010] ❌️ rfl\n"
      "  [Elab.step] [0.020] 💥️ omega\n");
  REQUIRE(nodes.size() == 4);
  CHECK(nodes[0].text.empty());
  CHECK(nodes[1].text == "sleep 300");
  CHECK(nodes[2].text == "rfl");
  CHECK(nodes[3].text == "omega");
  const auto times = time_lines(nodes, {"theorem a : True := by", "  sleep 300"});
  REQUIRE(times.size() == 1);
  CHECK(times[0].line == 2);
}
