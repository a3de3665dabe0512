// explore: a map of a namespace.

#include "leanbridge/prompts/prompts.hpp"

namespace leanbridge::prompts {

namespace {

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

}  // namespace

mcp::Prompt explore() {
  return {"explore",
          "Explore a namespace",
          "Map a namespace: its definitions, its main theorems, its conventions, examples that compile.",
          {{"namespace", "The namespace or module, such as List or Mathlib.Order"}},
          explore_text};
}

}  // namespace leanbridge::prompts
