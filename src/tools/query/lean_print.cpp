// lean_print: a declaration as `#print` shows it.

#include "tools/common/scratch_query.hpp"

namespace leanbridge::tools {

namespace {

struct PrintResult {
  wire::Nullable<std::string> text;
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&PrintResult::text>("text"), wire::flatten<&PrintResult::file>()};
  }
};

asio::awaitable<Result<PrintResult>> print_declaration(Environment& environment,
                                                       std::shared_ptr<mcp::Call> call, NameParams params) {
  CO_TRY(const auto file, co_await open_file(environment, call, params.file_path));
  std::vector<std::string> commands(1, "#print ");
  const auto asked = co_await ask_about_name(file, std::move(params), std::move(commands), call->scope);
  const bool timed_out = !asked && asked.error().kind == ErrorKind::Timeout;
  if (!asked && !timed_out) co_return tl::unexpected(asked.error());
  PrintResult result;
  if (asked) result.text = (*asked)->message(0, lean::Severity::Information);
  result.file = status_of(file, late_if(timed_out));
  co_return result;
}

}  // namespace

mcp::Tool lean_print(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_print",
                    .title = "Print a declaration",
                    .group = "query",
                    .description = "A declaration as Lean prints it: type and value of a definition, fields "
                                   "of a structure, constructors of an inductive type."},
                   print_declaration);
}

}  // namespace leanbridge::tools
