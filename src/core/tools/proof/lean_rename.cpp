// lean_rename: renames a declaration or local variable everywhere, or nowhere.

#include "core/ide/renaming.hpp"
#include "core/text/lean_names.hpp"
#include "core/text/lean_quoting.hpp"
#include "core/tools/common/typed_tool.hpp"

namespace leanbridge::tools {

namespace {

struct RenameParams {
  ExactPosition at;
  std::string new_name;
  bool write = false;

  static wire::Fields fields() {
    return {wire::flatten<&RenameParams::at>(), wire::field<&RenameParams::new_name>("Without namespaces"),
            wire::field<&RenameParams::write>().with_default()};
  }
};

struct RenameResult {
  bool written = false;
  std::optional<std::string> reason;  ///< why nothing was written
  std::string old_name;
  std::size_t uses = 0;
  std::vector<RenamedFile> files;
  bool index_complete = true;

  static wire::Fields fields() {
    return {wire::field<&RenameResult::written>(),
            wire::field<&RenameResult::reason>(),
            wire::field<&RenameResult::old_name>(),
            wire::field<&RenameResult::uses>(),
            wire::field<&RenameResult::files>(),
            wire::field<&RenameResult::index_complete>().omit_value(true)};
  }
};

asio::awaitable<Result<RenameResult>> rename_symbol(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                    RenameParams params) {
  if (!text::is_lean_name(params.new_name) || text::last_part(params.new_name) != params.new_name)
    co_return fail(ErrorKind::InvalidArgument, "new_name is not one component of a name.",
                   "Pass a name like add_comm; the namespace stays.");
  CO_TRY(const auto at, co_await open_place(environment, call, params.at.position(), ColumnDefault::LineEnd));
  Renaming renaming(environment, call, at.file);
  CO_CHECK(co_await renaming.find(at.anchor, params.new_name));
  RenameResult result;
  result.old_name = renaming.old_name();
  result.uses = renaming.uses();
  result.files = renaming.files();
  result.index_complete = renaming.index_complete();
  if (!params.write) co_return result;
  CO_TRY(std::string objection, co_await renaming.write());
  result.written = objection.empty();
  if (!objection.empty()) result.reason = std::move(objection);
  co_return result;
}

}  // namespace

mcp::Tool lean_rename(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_rename",
       .title = "Rename everywhere",
       .group = "proof",
       .description = "Where the name at a position would change. write: true changes all files, or none if "
                      "one would no longer compile.",
       .annotations = {.read_only = false, .destructive = true, .idempotent = false, .open_world = false}},
      rename_symbol);
}

}  // namespace leanbridge::tools
