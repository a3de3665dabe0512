// The prompts that there are. A new one is written here and listed in all_prompts().

#include "leanbridge/prompts/prompts.hpp"

namespace leanbridge::prompts {

namespace {

// --- explore: a map of a namespace.

std::string explore_text(const mcp::Prompt::Values& values) {
  return "Explore the namespace " + values.at("namespace") + R"( and draw a map of it. Change no file.

1. lean_modules with it as prefix: which modules hold it. lean_local_search with its name: what this project adds.
2. lean_file_outline of the modules that matter, at most three at first: structures, definitions, main theorems.
3. lean_about for the central declarations: exact types, implicit arguments, where they are defined.
4. lean_references on one or two of them: how they are used in practice. lean_print where a definition surprises.
5. lean_run_code with a few `#check` and `example`s: show that the basic operations work as you say.

Report: what it is for; the central definitions with their types; the theorems one needs first, by task; naming conventions
(what a lemma about addition of this would be called); what seems to be missing; and three short examples that compile.)";
}

mcp::Prompt explore() {
  return {"explore",
          "Explore a namespace",
          "Map a namespace: its definitions, its main theorems, its conventions, examples that compile.",
          {{"namespace", "The namespace or module, such as List or Mathlib.Order"}},
          explore_text};
}

// --- implement: a plan becomes declarations in a file, each checked before the next.

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

mcp::Prompt implement() {
  return {"implement",
          "Carry out a plan",
          "Turn a plan into declarations in a file, one checked step after another.",
          {{"plan", "The lemmas and definitions to write, in order"}, {"file", "The .lean file to write in"}},
          implement_text};
}

// --- prove: from a statement to a proof that Lean accepts, in a file.

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

mcp::Prompt prove() {
  return {"prove",
          "Prove a statement",
          "Prove a statement in Lean: research, plan, one validated step at a time, final check.",
          {{"statement", "What to prove, in words or in Lean"},
           {"file", "The .lean file that it belongs in", false}},
          prove_text};
}

// --- research: what the libraries have about a topic, before anything is written.

std::string research_text(const mcp::Prompt::Values& values) {
  return "Find out what Lean and the libraries of this project already have about:\n\n" + values.at("topic") +
         R"(

Write no proof and change no file.

1. Search wide. lean_theorem_search with the topic in words, then with the shape of the statement as type_pattern;
   lean_local_search for names in this project; lean_modules for where the subject lives.
2. Confirm. For each candidate lean_about: its type, its hypotheses, its module. Drop what Lean does not know.
3. Read what matters. lean_declaration_file shows a declaration in its source; lean_references shows how it is used;
   lean_print shows its definition.
4. Test the fit. With lean_check_type or lean_run_code apply the best candidates to the case at hand, as `example`s.

Report: the definitions to build on and how they are spelt here; the theorems that settle it or come near, each with full
name, type and module; what is missing; and a plan for it in steps, each small enough to be one lemma.)";
}

mcp::Prompt research() {
  return {"research",
          "Research a topic",
          "Find the definitions and theorems about a topic, confirm each with Lean, and plan.",
          {{"topic", "What to look for, in words or as a statement"}},
          research_text};
}

// --- verify: is what a file claims really proved?

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

mcp::Prompt verify() {
  return {
      "verify",
      "Verify a file",
      "Check that what a file claims is proved: errors, sorries, axioms, and statements that say too little.",
      {{"file", "The .lean file to verify"}},
      verify_text};
}

}  // namespace

std::vector<mcp::Prompt> all_prompts() {
  return {explore(), implement(), prove(), research(), verify()};
}

}  // namespace leanbridge::prompts
