// The tools that open, synchronise, close and reset files.

#include "tools/common/open_file.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

Answer answer_open(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments arguments) {
  const auto file = co_await open_file(environment, call, arguments);
  if (!file) co_return tl::unexpected(file.error());
  json result = {{"file_path", file->document().path.string()},
                 {"line_count", file->text().line_count()},
                 {"already_open", file->synced.was_open}};
  co_return finish(std::move(result), *file, false, false);
}

}  // namespace

mcp::Tool lean_open(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_open";
  tool.title = "Open a file";
  tool.group = "proof";
  tool.description =
      "Begins to elaborate a file and returns at once. Other tools open files by themselves: use it to have "
      "one ready early.";
  tool.arguments = {file_argument()};
  answers(tool, {{"line_count", schema::integer()}, {"already_open", schema::boolean()}},
          {"line_count", "already_open"});
  tool.handler = bind_handler(environment, answer_open);
  return tool;
}

// --- lean_sync: bring Lean's text of a file to what is on disk, and say what that took.

namespace {

json edit_json(const document::Synced& synced) {
  if (!synced.edit) return nullptr;
  return {{"start_line", synced.edit->start.line},
          {"start_column", synced.edit->start.column},
          {"end_line", synced.edit->end.line},
          {"end_column", synced.edit->end.column},
          {"new_text_length", synced.edit->new_text_length}};
}

Answer answer_sync(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments arguments) {
  const auto file = co_await open_file(environment, call, arguments);
  if (!file) co_return tl::unexpected(file.error());
  json result = {{"file_path", file->document().path.string()},
                 {"changed", file->synced.changed},
                 {"edit", edit_json(file->synced)},
                 {"restarted", file->synced.restarted.has_value()}};
  co_return finish(std::move(result), *file, false, false);
}

}  // namespace

mcp::Tool lean_sync(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_sync";
  tool.title = "Synchronise a file";
  tool.group = "proof";
  tool.description =
      "Tells Lean of your edit on disk and returns at once. Other tools do so by themselves: use it to let "
      "elaboration begin early.";
  tool.arguments = {file_argument()};
  answers(tool,
          {{"changed", schema::boolean()},
           {"edit", schema::nullable(schema::object({}))},
           {"restarted", schema::boolean()}},
          {"changed", "edit", "restarted"});
  tool.handler = bind_handler(environment, answer_sync);
  return tool;
}

// --- lean_close: end a file's worker and free its memory.

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
  tool.handler = bind_handler(environment, answer_close);
  return tool;
}

// --- lean_reset: a fresh worker, or a fresh server.

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
  tool.handler = bind_handler(environment, answer_reset);
  return tool;
}

}  // namespace leanbridge::tools
