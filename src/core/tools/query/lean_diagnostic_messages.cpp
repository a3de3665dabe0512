// lean_diagnostic_messages: the messages of a file, a range of lines or a declaration.

#include "core/ide/line_messages.hpp"
#include "core/tools/common/typed_tool.hpp"

namespace leanbridge::tools {

mcp::Tool lean_diagnostic_messages(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_diagnostic_messages",
       .title = "Errors and warnings",
       .group = "query",
       .description =
           "Lean's messages for a file, some lines or one declaration; waits only for those. partial: "
           "true: not all yet. For a verdict on the file: lean_check_all.",
       .shows_timeout = true},
      messages_about, compiled_messages_about);
}

}  // namespace leanbridge::tools
