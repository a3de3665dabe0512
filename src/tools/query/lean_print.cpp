// lean_print: a declaration as `#print` shows it.

#include "tools/common/scratch_query.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

Answer answer_print(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments arguments) {
  const auto file = co_await open_file(environment, call, arguments);
  if (!file) co_return tl::unexpected(file.error());
  std::vector<std::string> commands(1, "#print ");
  const auto asked = co_await ask_about_name(*file, arguments, std::move(commands), call->scope);
  json result = {{"text", nullptr}};
  if (!asked && asked.error().kind == ErrorKind::Timeout)
    co_return finish(std::move(result), *file, true, true);
  if (!asked) co_return tl::unexpected(asked.error());
  if (const auto text = (*asked)->message(0, lean::Severity::Information)) result["text"] = *text;
  co_return finish(std::move(result), *file, false, false);
}

}  // namespace

mcp::Tool lean_print(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_print";
  tool.title = "Print a declaration";
  tool.group = "query";
  tool.description =
      "A declaration as Lean prints it: type and value of a definition, fields of a structure, constructors "
      "of an "
      "inductive type.";
  tool.arguments = with_position({file_argument(), name_argument()});
  answers(tool, {{"text", schema::nullable(schema::string())}}, {"text"});
  tool.handler = bind_handler(environment, answer_print);
  return tool;
}

}  // namespace leanbridge::tools
