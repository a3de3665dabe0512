#pragma once
/// Goals as a difference to goals that the reader knows already. Pure functions over Lean's text of a goal:
/// a line `case tag`, hypotheses (`a b : Nat`, further lines indented), and the target after `⊢`.

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

/// The goal with the hypotheses that the most similar goal of `known` has, too, replaced by a line that
/// counts them: "… 3 hypotheses as WHERE". Names that are gone are listed: "gone: h, x". The case tag and the
/// target always stay. Without known goals, or if nothing would get shorter, the goal as it is.
std::string goal_difference(std::string_view goal, const std::vector<std::string>& known,
                            std::string_view where);

}  // namespace leanbridge::text
