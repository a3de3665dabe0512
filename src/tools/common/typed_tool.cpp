#include "typed_tool.hpp"

namespace leanbridge::tools {

mcp::Tool describe_tool(const ToolInfo& info, const wire::Fields& params, const wire::Fields& output) {
  mcp::Tool tool;
  tool.name = info.name;
  tool.title = info.title;
  tool.group = info.group;
  tool.description = info.description;
  tool.annotations = info.annotations;
  tool.caller_code = info.caller_code;
  tool.waits = info.waits;
  tool.arguments = params;
  tool.output = output;
  return tool;
}

}  // namespace leanbridge::tools
