#include "commit.hpp"

#include <algorithm>

namespace leanbridge::together {

namespace {

// Whether a command may put other words in the place of those that are read.
bool may_rewrite(const std::string& command) {
  for (const char* word : {"macro", "elab", "syntax", "notation", "infix", "prefix", "postfix"})
    if (command.find(word) != command.npos) return true;
  return false;
}

}  // namespace

CommitVerdict judge_commit(const Approvals& approved, const Approvals& after,
                           const text::SourceChanges& changes) {
  CommitVerdict verdict{touched(approved, changes), {}};
  const auto place = [](const auto& each) { return each.file + ":" + std::to_string(each.line) + ": "; };
  for (const text::DeclarationChange& each : changes.declarations)
    if (each.change != text::Change::Added && each.sorries_before == 0 && each.sorries_after > 0)
      verdict.refused.push_back(place(each) + each.name + " was proved, and has a sorry now.");
  for (const text::NewGap& each : changes.new_axioms)
    verdict.refused.push_back(place(each) + "a new axiom" +
                              (each.name.empty() ? "." : ", " + each.name + "."));
  for (const ApprovedStatement& each : approved)
    if (std::ranges::find(after, each) == after.end())
      verdict.refused.push_back("The approval of " + each.declaration + " is removed or changed.");
  for (const text::CommandChange& each : changes.commands)
    if (!approved.empty() || may_rewrite(each.text))
      verdict.undecided.push_back(place(each) + (each.added ? "new: " : "gone: ") + each.text);
  return verdict;
}

}  // namespace leanbridge::together
