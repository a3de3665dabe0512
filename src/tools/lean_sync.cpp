// lean_sync: bring Lean's text of a file to what is on disk, and say what that took.

#include "support.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

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
  tool.handler = handled_by(environment, answer_sync);
  return tool;
}

}  // namespace leanbridge::tools
