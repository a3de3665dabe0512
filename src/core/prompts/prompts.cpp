// The prompts, each made by a function below. Add new ones to all_prompts().

#include "prompts.hpp"

namespace leanbridge::prompts {

namespace {

// --- explore

std::string explore_text(const mcp::Prompt::Values& values) {
  return "Explore the namespace " + values.at("namespace") + R"( and map it. Do not change any file.

1. lean_theorem_search with its name: which modules contain it. lean_local_search with its name: what this
   project adds.
2. lean_file_outline of the important modules, at most three at first: structures, definitions, main
   theorems.
3. lean_about for the central declarations: exact types, implicit arguments, where they are defined.
4. lean_references for one or two of them: how they are used. lean_declaration_file if a definition surprises
   you.
5. lean_run_code with a few `#check`s and `example`s: show that the basic operations work as you describe.

Report its purpose; the central definitions with their types; the theorems needed first, by task; the naming
conventions (such as the name of a lemma about its addition); what seems to be missing; and three short
examples that compile.)";
}

mcp::Prompt explore() {
  return {"explore",
          "Explore a namespace",
          "Map a namespace: its definitions, main theorems and conventions, with examples that compile.",
          {{"namespace", "The namespace or module, such as List or Mathlib.Order", true,
            mcp::ArgumentKind::Namespace}},
          explore_text};
}

// --- implement

std::string implement_text(const mcp::Prompt::Values& values) {
  return "Carry out this plan in " + values.at("file") + ":\n\n" + values.at("plan") + R"(

1. Look. Read the file with lean_file_outline, and its state before you begin with lean_check_all. Errors
   that are already there are not yours, but mention them.
2. Order. List the declarations of the plan so that each uses only earlier ones. Confirm every library name
   that the plan relies on with lean_about; if a name does not exist, look for it with lean_theorem_search.
3. Skeleton. Write every statement with `sorry`, with your own tools; lean_check_all must show no error.
   lean_fill with write: true then closes what needs no thought, at every `sorry` at once, and names values
   for which a statement is false.
4. What is left. Read the goal with lean_goal, try candidates with lean_multi_attempt, write the proofs into
   the file, and ask lean_check_all once for all that you changed. Where others work in the file too, write
   with lean_write_proof, which changes it only if Lean accepts the whole file. A `sorry` that the plan
   leaves open needs a line in your report.
5. Finish. lean_check_all must return success, or the sorry_count you announced and no error. Run lean_build
   if other files import this one.

If the plan turns out to be wrong (a false lemma, a missing name), stop there, show the goal or the message,
and propose a change. Do not replace a statement with an easier one.)";
}

mcp::Prompt implement() {
  return {"implement",
          "Carry out a plan",
          "Turn a plan into declarations in a file, one checked step at a time.",
          {{"plan", "The lemmas and definitions to write, in order"},
           {"file", "The .lean file to write in", true, mcp::ArgumentKind::File}},
          implement_text};
}

// --- prove

std::string prove_text(const mcp::Prompt::Values& values) {
  const auto file = values.find("file");
  const bool in_file = file != values.end();
  const std::string destination =
      in_file ? "Write it in " + file->second +
                    ". First read the file's outline with lean_file_outline: the statement may already be "
                    "there with `sorry`, and lemmas above it may help.\n"
              : "Choose a file of the project for it, and name that file. While you look for the proof, "
                "lean_run_code runs whole snippets without a file.\n";
  return "Prove this in Lean 4, in the project that the Lean tools serve:\n\n" + values.at("statement") +
         "\n\n" + destination + R"(
1. Statement. Write it in Lean with `:= by sorry` until lean_check_all says state `sorry`: no error.
   Compare it with the text above: every hypothesis is there, nothing is weaker, and no type makes it
   trivial.
2. Research. Search for known results with lean_theorem_search and lean_local_search, and confirm each name
   and type with lean_about or lean_check_type. Use no name that Lean has not confirmed.
3. Plan. Describe the proof in a few steps, then write the skeleton as `have` steps, each with `sorry`, and
   check it. lean_fill with write: true closes what needs no thought, and names values for which a step is
   false: change such a step first.
4. What is left. Read the goal with lean_goal, and try several candidates at once with lean_multi_attempt.
   After three failures at the same goal, go back to step 2 or 3.
5. Write the proofs with your own tools, then ask lean_check_all once for all that you changed, and read what
   is left. Where others work on the project too, lean_todo shows who holds what: lean_claim the declaration,
   write it with lean_write_proof, do not get around a refusal, and lean_release it.
6. Final check. lean_check_all: success, nothing partial. lean_verify on the theorem: trusted, no sorryAx,
   no axiom beyond propext, Classical.choice and Quot.sound.
7. Verdict. lean_certify with the statement and its imports, ending in `sorry`, as the challenge and the file
   as the solution: report its verdict and reason as they are. incomplete is not certified: pass on
   complete_with.

If it cannot be proved, explain why: give a counterexample, or the goal where you are stuck. Do not change
the statement silently, and do not report success before steps 6 and 7 have passed.)";
}

mcp::Prompt prove() {
  return {"prove",
          "Prove a statement",
          "Prove a statement in Lean: research, plan, one validated step at a time, final check.",
          {{"statement", "What to prove, in words or in Lean"},
           {"file", "The .lean file to write it in", false, mcp::ArgumentKind::File}},
          prove_text};
}

// --- research

std::string research_text(const mcp::Prompt::Values& values) {
  return "Find out what Lean and the libraries of this project already have about:\n\n" + values.at("topic") +
         R"(

Do not write a proof or change any file.

1. Search broadly. lean_theorem_search with the topic in words, then with the shape of the statement as
   type_pattern; lean_local_search for names in this project.
2. Confirm. lean_about for each candidate: its type, hypotheses and module. Drop what Lean does not know.
3. Read what matters. lean_declaration_file shows a declaration in its source, lean_references how it is
   used.
4. Test the fit. Apply the best candidates to the case at hand as `example`s, with lean_check_type or
   lean_run_code.

Report the definitions to build on and how they are spelled here; the theorems that settle the topic or come
close, each with full name, type and module; what is missing; and a plan for it in steps, each small enough
to be one lemma.)";
}

mcp::Prompt research() {
  return {"research",
          "Research a topic",
          "Find the definitions and theorems about a topic, confirm each with Lean, and plan.",
          {{"topic", "What to look for, in words or as a statement"}},
          research_text};
}

// --- verify

std::string verify_text(const mcp::Prompt::Values& values) {
  return "Verify " + values.at("file") + R"(. Do not change it.

1. lean_check_all: wait for the whole file. Anything partial or still elaborating is not verified; call
   again with a larger timeout_s. List the errors and every entry of `unfinished`.
2. lean_file_outline: the theorems it declares.
3. lean_verify for each theorem that others rely on: its axioms, whether it is trusted, and the patterns
   found in the source. sorryAx means not proved; any axiom beyond propext, Classical.choice and Quot.sound
   needs a reason.
4. Read the statements as a sceptic. Look for contradictory hypotheses, empty types, definitions that do not
   match their name, and conclusions weaker than their title. Where hypotheses look suspicious, try to prove
   `False` from them with lean_multi_attempt, and use lean_minimal_hypotheses to see which of them are
   needed.
5. lean_build: the project must build from its sources, not only in the editor.
6. lean_certify, with the file before the work as the challenge (challenge_revision: "HEAD", or a text of the
   statements that end in `sorry`): its verdict and reason, as they are. incomplete is not certified: pass
   on complete_with.

Report for each theorem: proved, proved with extra axioms (which), or not proved (why, with the line). Then
list your doubts about the statements, and what you did not check.)";
}

mcp::Prompt verify() {
  return {
      "verify",
      "Verify a file",
      "Check that what a file claims is proved: errors, sorries, axioms, and statements that say too little.",
      {{"file", "The .lean file to verify", true, mcp::ArgumentKind::File}},
      verify_text};
}

}  // namespace

std::vector<mcp::Prompt> all_prompts() {
  return {explore(), implement(), prove(), research(), verify()};
}

}  // namespace leanbridge::prompts
