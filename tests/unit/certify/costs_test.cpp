// What declarations cost, as Lean's profiler says it.

#include "certify/verdict/costs.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::certify {

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

TEST_CASE("heartbeats are those of elaboration, by declaration", "[costs]") {
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

}  // namespace leanbridge::certify
