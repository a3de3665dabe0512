// lean_rename: a declaration or local variable gets another name everywhere, or nowhere.

#include "leanbridge/document/file.hpp"
#include "leanbridge/text/lean_names.hpp"
#include "leanbridge/text/lean_quoting.hpp"
#include "leanbridge/text/lines.hpp"

#include "own_file.hpp"
#include "tools/common/project_change.hpp"
#include "tools/query/source_locations.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

namespace leanbridge::tools {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr auto kRenameWriteLimit = std::chrono::minutes(1);

struct RenameParams {
  ExactPosition at;
  std::string new_name;
  bool write = false;

  static wire::Fields fields() {
    return {wire::flatten<&RenameParams::at>(),
            wire::field<&RenameParams::new_name>("new_name", "Without namespaces"),
            wire::field<&RenameParams::write>("write").with_default()};
  }
};

struct RenamedFile {
  std::string file_path;
  std::vector<int> lines;

  static wire::Fields fields() {
    return {wire::field<&RenamedFile::file_path>("file_path"), wire::field<&RenamedFile::lines>("lines")};
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
    return {wire::field<&RenameResult::written>("written"),
            wire::field<&RenameResult::reason>("reason"),
            wire::field<&RenameResult::old_name>("old_name"),
            wire::field<&RenameResult::uses>("uses"),
            wire::field<&RenameResult::files>("files"),
            wire::field<&RenameResult::index_complete>("index_complete").omit_value(true)};
  }
};

// The ranges that Lean wants to rename, by file. It answers in one of two forms.
std::map<fs::path, std::vector<text::LspRange>> ranges_of(const json& edit) {
  std::map<fs::path, std::vector<text::LspRange>> ranges;
  const auto add = [&](const json& uri, const json& edits) {
    if (!edits.is_array()) return;
    for (const json& each : edits)
      if (each.is_object())
        if (const auto place = read_place({{"uri", uri}, {"range", each.value("range", json())}}))
          ranges[place->path].push_back(place->selection);
  };
  if (!edit.is_object()) return ranges;
  const json changes = edit.value("changes", json::object());
  for (const auto& [uri, edits] : changes.items()) add(uri, edits);
  const json documents = edit.value("documentChanges", json::array());
  for (const json& each : documents)
    if (each.is_object() && each.contains("textDocument"))
      add(each["textDocument"].value("uri", json()), each.value("edits", json()));
  return ranges;
}

Error index_is_old(const std::string& name) {
  return {ErrorKind::NotSupported, "Lean's index of " + name + " is older than the file.",
          "Build the project (lean_build), then call again."};
}

// The file with the last component of the name exchanged in all ranges; `lines` become those.
Result<ChangedFile> renamed(ChangedFile file, const std::vector<text::LspRange>& ranges,
                            const std::string& old_name, const std::string& new_name,
                            std::vector<int>& lines) {
  const text::NormalisedText source = text::normalise_newlines(file.old_bytes);
  if (source.had_crlf && source.had_lone_lf)
    return fail(ErrorKind::InvalidArgument, file.name + " mixes two kinds of line endings.");
  const text::Text text(source.text);
  std::vector<std::size_t> begins;
  for (const text::LspRange& range : ranges) {
    const std::size_t begin = text.offset_at(range.start), end = text.offset_at(range.end);
    if (end < begin || text::last_part(text.str().substr(begin, end - begin)) != old_name)
      return tl::unexpected(index_is_old(file.name));
    begins.push_back(end - old_name.size());
  }
  std::sort(begins.begin(), begins.end());
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  std::string content = text.str();
  for (auto at = begins.rbegin(); at != begins.rend(); ++at) content.replace(*at, old_name.size(), new_name);
  for (const std::size_t at : begins) lines.push_back(text.position_at(at).line);
  file.new_bytes = source.had_crlf ? text::to_crlf(content) : content;
  return file;
}

asio::awaitable<Result<RenameResult>> rename_symbol(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                    RenameParams params) {
  if (!text::is_lean_name(params.new_name) || text::last_part(params.new_name) != params.new_name)
    co_return fail(ErrorKind::InvalidArgument, "new_name is not one component of a name.",
                   "Pass a name like add_comm; the namespace stays.");
  CO_TRY(const auto at, co_await open_place(environment, call, params.at.position(), ColumnDefault::LineEnd));
  const OpenFile& file = at.file;
  CO_TRY(const auto known, co_await file.wait_until_done(call->scope));
  RenameResult result;
  result.index_complete =
      known == document::WaitOutcome::Complete && co_await wait_for_index(file.handle(), call->scope);
  CO_TRY(const auto prepared, co_await file.request_at("textDocument/prepareRename", at.anchor, call->scope));
  const auto range = prepared.value.is_object()
                         ? lean::read_range(prepared.value.value("range", prepared.value))
                         : std::nullopt;
  if (!range)
    co_return fail(ErrorKind::InvalidArgument, "Lean knows no name to change at this position.",
                   "Point at the first character of a name of the project.");
  const std::size_t begin = file.text().offset_at(range->start), end = file.text().offset_at(range->end);
  result.old_name = text::last_part(file.text().str().substr(begin, end - begin));
  if (result.old_name == params.new_name)
    co_return fail(ErrorKind::InvalidArgument, "It has this name already.", "Pass another new_name.");
  CO_TRY(const auto edit, co_await file.request_at("textDocument/rename", at.anchor, call->scope,
                                                   {{"newName", params.new_name}}));
  const fs::path root = file.store()->root();
  const auto ranges = ranges_of(edit.value);
  if (ranges.empty())
    co_return fail(ErrorKind::InvalidArgument, "Lean knows no name to change at this position.",
                   "Point at the first character of a name of the project.");
  for (const auto& [path, unused] : ranges) CO_CHECK(require_own_file(*file.store(), path, path));
  const auto change =
      [ranges, root, old_name = result.old_name, new_name = params.new_name,
       write = params.write]() -> Result<std::pair<std::vector<ChangedFile>, std::vector<RenamedFile>>> {
    std::pair<std::vector<ChangedFile>, std::vector<RenamedFile>> all;
    for (const auto& [path, in_file] : ranges) {
      const std::string name = path.lexically_relative(root).string();
      TRY(std::string bytes, document::load_bytes(path, name));
      RenamedFile listed{name, {}};
      TRY(ChangedFile changed,
          renamed({path, name, std::move(bytes), {}}, in_file, old_name, new_name, listed.lines));
      all.first.push_back(std::move(changed));
      all.second.push_back(std::move(listed));
    }
    if (write) {
      TRY(all.first, with_files_above(root, std::move(all.first)));
    }
    return all;
  };
  CO_TRY(auto changed, co_await environment.pool.run(change, call->scope));
  result.files = std::move(changed.second);
  for (const RenamedFile& each : result.files) result.uses += each.lines.size();
  if (!params.write) co_return result;
  CO_TRY(std::string objection, co_await objection_to(environment, call, file.store(), changed.first));
  if (!objection.empty()) {
    result.reason = std::move(objection);
    co_return result;
  }
  if (call->scope.cancel->cancelled()) co_return call_cancelled();
  const auto write = [files = std::move(changed.first)] { return write_all_files(files); };
  const io::CancelScope write_scope(kRenameWriteLimit);
  CO_CHECK(co_await environment.pool.run(write, write_scope));
  result.written = true;
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
