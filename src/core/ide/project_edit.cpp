#include "project_edit.hpp"

#include "core/base/try.hpp"
#include "core/document/file.hpp"
#include "core/lean/project.hpp"
#include "core/text/lines.hpp"

#include <algorithm>

namespace leanbridge::ide {

namespace fs = std::filesystem;

// A link may lead into another project, and a dependency must stay as its revision has it.
Result<void> require_own_file(const document::DocumentStore& store, const fs::path& path,
                              const fs::path& named) {
  const fs::path& root = store.root();
  const fs::path relative = path.lexically_relative(root);
  std::error_code error;
  const fs::path folder = fs::canonical(named.parent_path(), error);
  if (error || lean::find_project_root(folder) != root)
    return fail(ErrorKind::OutsideProject, named.string() + " is a link that leads out of its project.",
                "Pass the path of the file itself.");
  if (std::ranges::find(relative, ".lake") != relative.end() || !lean::OwnFiles(root).has(path))
    return fail(ErrorKind::OutsideProject, path.string() + " belongs to a dependency or a build.",
                "Pass one of the project's own files.");
  return {};
}

ChangedFile with_new_text(fs::path path, std::string name, std::string old_bytes, std::string_view new_text) {
  std::string new_bytes = text::with_line_endings_of(old_bytes, new_text);
  return {std::move(path), std::move(name), std::move(old_bytes), std::move(new_bytes)};
}

namespace {

tl::unexpected<Error> was_changed(const std::string& name) {
  return fail(ErrorKind::InvalidArgument, name + " was changed meanwhile.",
              "Nothing is written; call again.");
}

Result<void> write_now(WriteGuard* guard, const PlannedWrite& write) {
  std::vector<document::FileReplacement> replacements;
  for (const ChangedFile& file : write.files)
    if (file.changes()) replacements.push_back({file.path, file.name, file.old_bytes, file.new_bytes});
  TRY(auto prepared, document::PreparedReplacements::prepare(std::move(replacements)));
  if (std::string why = objection_of(guard, write); !why.empty())
    return fail(ErrorKind::InvalidArgument, std::move(why), "Nothing is written.");
  for (const ChangedFile& file : write.files) {
    TRY(const std::string now, document::load_bytes(file.path, file.name));
    if (now != file.old_bytes) return was_changed(file.name);
  }
  TRY_DONE(prepared.put_in_place());
  if (guard) guard->written(write);
  return {};
}

}  // namespace

PlannedWrite planned_write(const document::DocumentStore& store, const io::Operation& operation,
                           std::vector<ChangedFile> files) {
  return {store.root(), operation.scope.cancel->client, operation.caller, std::move(files)};
}

std::string objection_of(WriteGuard* guard, const PlannedWrite& write) {
  return guard ? guard->objection(write) : "";
}

asio::awaitable<Result<void>> write_files(Lean& lean, PlannedWrite write) {
  auto put = [guard = lean.guard, write = std::move(write)] { return write_now(guard.get(), write); };
  co_return co_await lean.pool.run(std::move(put), write_scope());
}

asio::awaitable<Result<void>> write_text(Lean& lean, PlannedWrite write) {
  auto put = [guard = lean.guard, write = std::move(write)]() -> Result<void> {
    PlannedWrite exact = write;
    ChangedFile& file = exact.files.front();
    TRY(std::string bytes, document::load_bytes(file.path, file.name));
    if (text::normalise_newlines(bytes).text != file.old_bytes) return was_changed(file.name);
    file = with_new_text(file.path, file.name, std::move(bytes), file.new_bytes);
    return write_now(guard.get(), exact);
  };
  co_return co_await lean.pool.run(std::move(put), write_scope());
}

}  // namespace leanbridge::ide
