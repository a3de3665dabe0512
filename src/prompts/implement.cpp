// implement: a plan becomes declarations in a file, each checked before the next.

#include "leanbridge/prompts/prompts.hpp"

namespace leanbridge::prompts {

namespace {

std::string implement_text(const mcp::Prompt::Values& values) {
  return "Carry out this plan in " + values.at("file") + ":\n\n" + values.at("plan") + R"(

1. Look. lean_file_outline for what is there, lean_check_all for its state before you begin: errors that were there already
   are not yours, but say so.
2. Order. List the declarations of the plan so that each uses only what is above it. Confirm every library name that the
   plan relies on with lean_about; look for those that do not exist with lean_theorem_search.
3. One declaration at a time. First its statement with `sorry`, accepted by lean_diagnostic_messages for that declaration.
   Then its proof: lean_goal, candidates with lean_multi_attempt, each step with lean_validate_step (valid and progress).
4. Write each finished proof with lean_write_proof: nothing is written unless Lean accepts the whole file. A `sorry` that the
   plan leaves open needs allow_sorry, and a line in your report.
5. End. lean_check_all: success, and sorry_count what you announced. lean_build when other files import this one.

Where the plan turns out wrong (a lemma false, a name missing), stop there, show the goal or the message, and propose the
change; do not replace a statement by an easier one.)";
}

}  // namespace

mcp::Prompt implement() {
  return {"implement",
          "Carry out a plan",
          "Turn a plan into declarations in a file, one checked step after another.",
          {{"plan", "The lemmas and definitions to write, in order"}, {"file", "The .lean file to write in"}},
          implement_text};
}

}  // namespace leanbridge::prompts
