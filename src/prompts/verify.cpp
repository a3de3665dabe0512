// verify: is what a file claims really proved?

#include "leanbridge/prompts/prompts.hpp"

namespace leanbridge::prompts {

namespace {

std::string verify_text(const mcp::Prompt::Values& values) {
  return "Verify " + values.at("file") + R"(. Change nothing in it.

1. lean_check_all: wait for all of it. Anything partial or still elaborating is not verified; call again with a larger
   timeout_s. List the errors, and every entry of `unfinished`.
2. lean_document_proofs or lean_file_outline for the theorems it declares.
3. lean_verify for each theorem that others rely on: its axioms, whether it is trusted, and the patterns found in the source.
   sorryAx means not proved; any axiom beyond propext, Classical.choice and Quot.sound needs a reason.
4. Read the statements as a sceptic: hypotheses that contradict each other, types that are empty, definitions that do not
   mean their name, a conclusion weaker than its title. Try to prove `False` from the hypotheses with lean_multi_attempt where
   they look suspicious, and ask lean_minimal_hypotheses which of them are used.
5. lean_build: the project builds from its sources, not only in the editor.

Report for each theorem: proved, proved with extra axioms (which), or not proved (why, with the line), then your doubts about
the statements. Say what you did not check.)";
}

}  // namespace

mcp::Prompt verify() {
  return {
      "verify",
      "Verify a file",
      "Check that what a file claims is proved: errors, sorries, axioms, and statements that say too little.",
      {{"file", "The .lean file to verify"}},
      verify_text};
}

}  // namespace leanbridge::prompts
