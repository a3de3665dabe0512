// lean_check_type: the type of a term, with the names and hypotheses of a position.

#include "core/ide/term_type.hpp"
#include "core/tools/common/typed_tool.hpp"

namespace leanbridge::tools {

mcp::Tool lean_check_type(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_check_type",
       .title = "Type of an expression",
       .group = "query",
       .description = "The type of any expression as if written at a position, with the hypotheses "
                      "there; or why it has none.",
       .caller_code = true},
      type_of_term);
}

}  // namespace leanbridge::tools
