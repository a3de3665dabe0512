#include "leanbridge/mcp/tool_result.hpp"

#include "leanbridge/rpc/message.hpp"

namespace leanbridge::mcp {

using nlohmann::json;

namespace {
json text_content(const json& value) {
  return json::array({{{"type", "text"}, {"text", rpc::dump(value)}}});
}
}  // namespace

json to_tool_result(const json& answer) {
  return {{"content", text_content(answer)}, {"structuredContent", answer}, {"isError", false}};
}

json to_tool_error(const Error& error) {
  const json body = {
      {"error", {{"kind", wire_name(error.kind)}, {"message", error.message}, {"hint", error.hint}}}};
  return {{"content", text_content(body)}, {"isError", true}};
}

}  // namespace leanbridge::mcp
