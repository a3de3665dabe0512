// research: what the libraries have about a topic, before anything is written.

#include "leanbridge/prompts/prompts.hpp"

namespace leanbridge::prompts {

namespace {

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

}  // namespace

mcp::Prompt research() {
  return {"research",
          "Research a topic",
          "Find the definitions and theorems about a topic, confirm each with Lean, and plan.",
          {{"topic", "What to look for, in words or as a statement"}},
          research_text};
}

}  // namespace leanbridge::prompts
