// lean_close: end a file's worker and free its memory.

#include "support.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

Answer answer_close(Environment& environment, std::shared_ptr<mcp::Call>, mcp::Arguments arguments) {
  auto location = environment.workspace.locate(arguments.string("file_path"));
  if (!location) co_return tl::unexpected(location.error());
  const bool was_open = location->project->close(location->path);
  co_return json{{"file_path", location->path.string()}, {"was_open", was_open}};
}

}  // namespace

mcp::Tool lean_close(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_close";
  tool.title = "Close a file";
  tool.group = "proof";
  tool.description = "Ends a file's Lean worker, which frees 1 to 5 GB. The next question opens it again.";
  tool.arguments = {file_argument()};
  tool.output = {{"file_path", schema::string()}, {"was_open", schema::boolean()}};
  tool.always = {"file_path", "was_open"};
  tool.waits = false;
  tool.handler = handled_by(environment, answer_close);
  return tool;
}

}  // namespace leanbridge::tools
