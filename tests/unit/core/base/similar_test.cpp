#include "core/base/similar.hpp"

#include <catch2/catch.hpp>

namespace leanbridge {

using Words = std::vector<std::string>;

TEST_CASE("similar: letters to insert, remove, replace or swap", "[similar]") {
  CHECK(edit_distance("", "", 3) == 0);
  CHECK(edit_distance("goal", "goal", 3) == 0);
  CHECK(edit_distance("gaol", "goal", 3) == 1);
  CHECK(edit_distance("goals", "goal", 3) == 1);
  CHECK(edit_distance("kitten", "sitting", 3) == 3);
  CHECK(edit_distance("kitten", "sitting", 2) == 3);
  CHECK(edit_distance("abcdefgh", "", 3) == 4);
}

TEST_CASE("similar: words that differ by about a letter in four, or by a part", "[similar]") {
  const Words tools = {"lean_goal", "lean_term_goal", "lean_check", "lean_check_all", "lean_about"};
  CHECK(closest_words("lean_gaol", tools, 2) == Words{"lean_goal"});
  CHECK(closest_words("Lean_Check", tools, 2) == Words{"lean_check", "lean_check_all"});
  CHECK(closest_words("goal", tools, 1) == Words{"lean_goal"});
  CHECK(closest_words("write_file", tools, 3).empty());
  CHECK(closest_words("", tools, 3).empty());
  CHECK(closest_words(std::string(100'000, 'x'), tools, 3).empty());
}

TEST_CASE("similar: names with a letter too many, without a namespace, in another order", "[similar]") {
  const Words names = {"Int.zero_le", "Nat.zero_le", "Nat.zero_lt_one", "Tree.toList_mirror", "Nat.le_zero"};
  CHECK(closest_names("Nat.zero_leq", names, 1) == Words{"Nat.zero_le"});
  CHECK(closest_names("zero_le", names, 3) == Words{"Int.zero_le", "Nat.zero_le"});
  CHECK(closest_names("zero_leq", names, 3) == Words{"Int.zero_le", "Nat.zero_le"});
  CHECK(closest_names("toList_mirror", names, 3) == Words{"Tree.toList_mirror"});
  CHECK(closest_names("Tree.mirror_toList", names, 3) == Words{"Tree.toList_mirror"});
  CHECK(closest_names("Real.zero_lt_one", names, 3) == Words{"Nat.zero_lt_one"});
  CHECK(closest_names("Nat.zero_le", {"Nat.zero_le"}, 3).empty());
  CHECK(closest_names("Group.assoc", names, 3).empty());
}

TEST_CASE("similar: paths", "[similar]") {
  const Words files = {"Main.lean", "Scratch/Tasks/One.lean", "Scratch/Tasks/Two.lean",
                       "Scratch/Data/One.lean"};
  const auto closest = [&](const char* path) { return closest_names(path, files, 2, '/'); };
  CHECK(closest("Tasks/One.lean") == Words{"Scratch/Tasks/One.lean", "Scratch/Data/One.lean"});
  CHECK(closest("scratch/tasks/two.lean").front() == "Scratch/Tasks/Two.lean");
  CHECK(closest("Mian.lean") == Words{"Main.lean"});
  CHECK(closest("Other.lean").empty());
}

TEST_CASE("similar: a list in words", "[similar]") {
  CHECK(either_of({}).empty());
  CHECK(either_of({"a"}) == "a");
  CHECK(either_of({"a", "b"}) == "a or b");
  CHECK(either_of({"a", "b", "c"}) == "a, b or c");
}

}  // namespace leanbridge
