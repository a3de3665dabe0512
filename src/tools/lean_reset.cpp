// lean_reset: a fresh worker, or a fresh server.

#include "support.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

Answer answer_reset(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments arguments) {
  auto location = environment.workspace.locate(arguments.string("file_path"));
  if (!location) co_return tl::unexpected(location.error());
  const auto& table = location->project;
  json result = {{"file_path", location->path.string()},
                 {"restarted", true},
                 {"what", "worker"},
                 {"reopened_documents", 1}};
  if (arguments.boolean("server", false)) {
    const auto reopened = co_await table->reset_server(call->scope);
    if (!reopened) co_return tl::unexpected(reopened.error());
    result["what"] = "server";
    result["reopened_documents"] = *reopened;
    co_return result;
  }
  const auto done = co_await table->reset(location->path, call->scope);
  if (!done) co_return tl::unexpected(done.error());
  co_return result;
}

}  // namespace

mcp::Tool lean_reset(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_reset";
  tool.title = "Restart Lean";
  tool.group = "query";
  tool.description =
      "Restarts a file's Lean worker, or with server: true all of lake serve. Use it after repeated crashes; "
      "edits and changed imports need no reset.";
  tool.arguments = {file_argument(),
                    mcp::Argument::optional_("server", mcp::ArgumentType::Boolean, "The whole server")};
  tool.output = {{"restarted", schema::boolean()},
                 {"what", schema::string()},
                 {"reopened_documents", schema::integer()}};
  tool.always = {"restarted"};
  tool.annotations.read_only = false;
  tool.handler = handled_by(environment, answer_reset);
  return tool;
}

}  // namespace leanbridge::tools
