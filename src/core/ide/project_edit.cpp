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

}  // namespace

Result<void> ProjectEdit::write_now() const {
  std::vector<document::FileReplacement> replacements;
  for (const ChangedFile& file : files_)
    if (file.changes()) replacements.push_back({file.path, file.name, file.old_bytes, file.new_bytes});
  TRY(auto prepared, document::PreparedReplacements::prepare(std::move(replacements)));
  for (const ChangedFile& file : files_) {
    TRY(const std::string now, document::load_bytes(file.path, file.name));
    if (now != file.old_bytes) return was_changed(file.name);
  }
  return prepared.put_in_place();
}

asio::awaitable<Result<void>> ProjectEdit::write(io::Pool& pool) const {
  return pool.run([edit = *this] { return edit.write_now(); }, write_scope());
}

asio::awaitable<Result<void>> write_text(io::Pool& pool, fs::path path, std::string name,
                                         std::string old_text, std::string new_text) {
  auto write = [path = std::move(path), name = std::move(name), old_text = std::move(old_text),
                new_text = std::move(new_text)]() -> Result<void> {
    TRY(std::string bytes, document::load_bytes(path, name));
    if (text::normalise_newlines(bytes).text != old_text) return was_changed(name);
    return ProjectEdit({with_new_text(path, name, std::move(bytes), new_text)}).write_now();
  };
  co_return co_await pool.run(std::move(write), write_scope());
}

}  // namespace leanbridge::ide
