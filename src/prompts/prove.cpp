// prove: from a statement to a proof that Lean accepts, in a file.

#include "leanbridge/prompts/prompts.hpp"

namespace leanbridge::prompts {

namespace {

std::string prove_text(const mcp::Prompt::Values& values) {
  const auto file = values.find("file");
  const bool in_file = file != values.end();
  std::string place =
      in_file ? "Write it in " + file->second +
                    ". Read the file's outline with lean_file_outline first: the statement may be there "
                    "already, with `sorry`, and lemmas above it may help.\n"
              : "Choose a file of the project for it, and say which. While you look for the proof, "
                "lean_run_code tries whole snippets without any file.\n";
  return "Prove this in Lean 4, in the project that the Lean tools serve:\n\n" + values.at("statement") +
         "\n\n" + place + R"(
1. Statement. Write it in Lean with `:= by sorry` and have lean_check_all accept it: no error, one sorry. Compare it
   with the words above: every hypothesis there, nothing weaker, no type that makes it trivial.
2. Research. Ask lean_theorem_search and lean_local_search for what is known already, and confirm each name and type
   with lean_about or lean_check_type. Use no name that Lean has not confirmed.
3. Plan. Say the proof in a few steps of words, then write the skeleton as `have` steps, each `sorry`, and check it.
4. One step at a time. Read the goal with lean_goal. Try candidates together with lean_multi_attempt; before you write a
   step, lean_validate_step must say valid and progress. After three failures at one goal go back to step 2 or 3.
5. Write with lean_write_proof: it changes the file only if Lean accepts all of it. Never write around it.
6. Final check. lean_check_all: success, sorry_count 0, nothing partial. lean_verify on the theorem: trusted, no sorryAx,
   no axiom beyond propext, Classical.choice and Quot.sound.

If it cannot be proved, say why: a counterexample, or the goal where it stops. Do not change the statement silently, and
do not report success before step 6 has passed.)";
}

}  // namespace

mcp::Prompt prove() {
  return {"prove",
          "Prove a statement",
          "Prove a statement in Lean: research, plan, one validated step at a time, final check.",
          {{"statement", "What to prove, in words or in Lean"},
           {"file", "The .lean file that it belongs in", false}},
          prove_text};
}

}  // namespace leanbridge::prompts
