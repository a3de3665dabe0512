// lean_open: start elaborating a file, and return at once.

#include "support.hpp"

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
  tool.handler = handled_by(environment, answer_open);
  return tool;
}

}  // namespace leanbridge::tools
