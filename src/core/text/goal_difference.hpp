#pragma once
/// Prints goals as a difference to goals that the reader knows already. Pure functions over Lean's text of a
/// goal: a line `case tag`, hypotheses (`a b : Nat`, further lines indented), and the target after `⊢`.

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

/// The goal, with the hypotheses that it shares with the most similar goal of `known` replaced by a line that
/// counts them: "… 3 hypotheses as WHERE". Lists names that are gone: "gone: h, x". The case tag and the
/// target always stay. Returns the goal as it is if there are no known goals or if the result would not be
/// shorter.
std::string goal_difference(std::string_view goal, const std::vector<std::string>& known,
                            std::string_view where);

}  // namespace leanbridge::text
