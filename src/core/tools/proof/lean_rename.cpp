// lean_rename: renames a declaration or local variable everywhere, or nowhere.

#include "core/document/file.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/text/lean_names.hpp"
#include "core/text/lean_quoting.hpp"
#include "core/text/lines.hpp"
#include "core/tools/common/project_change.hpp"
#include "core/tools/query/source_locations.hpp"
#include "own_file.hpp"

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
    return {wire::flatten<&RenameParams::at>(), wire::field<&RenameParams::new_name>("Without namespaces"),
            wire::field<&RenameParams::write>().with_default()};
  }
};

struct RenamedFile {
  std::string file_path;
  std::vector<int> lines;

  static wire::Fields fields() { return wire::fields<&RenamedFile::file_path, &RenamedFile::lines>(); }
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

// Where the name begins in a range of Lean's: at the last component of the word in the range. Lean's range of
// a term may include brackets around it.
std::optional<std::size_t> name_within(std::string_view source, std::size_t begin, std::size_t end,
                                       std::string_view name) {
  std::optional<std::size_t> found;
  text::LeanLexer lexer(source.substr(begin, end - begin));
  while (const auto token = lexer.next()) {
    const std::string_view word = source.substr(begin + token->begin, token->end - token->begin);
    if (text::is_remark(token->kind) || word == "(" || word == ")") continue;
    if (found || token->kind != text::LeanTokenKind::Word || text::last_part(word) != name)
      return std::nullopt;
    found = begin + token->end - name.size();
  }
  return found;
}

// The file with the name's last component replaced in all ranges; `lines` receives the lines of the changes.
Result<ChangedFile> renamed(ChangedFile file, const std::vector<text::LspRange>& ranges,
                            const std::string& old_name, const std::string& new_name,
                            std::vector<int>& lines) {
  const text::NormalisedText source = text::normalise_newlines(file.old_bytes);
  const text::Text text(source.text);
  std::vector<std::size_t> begins;
  for (const text::LspRange& range : ranges) {
    const std::size_t begin = text.offset_at(range.start), end = text.offset_at(range.end);
    const auto at = end < begin ? std::nullopt : name_within(text.str(), begin, end, old_name);
    if (!at) return tl::unexpected(index_is_old(file.name));
    begins.push_back(*at);
  }
  std::sort(begins.begin(), begins.end());
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  std::string content = text.str();
  for (auto at = begins.rbegin(); at != begins.rend(); ++at) content.replace(*at, old_name.size(), new_name);
  for (const std::size_t at : begins) lines.push_back(text.position_at(at).line);
  file.new_bytes = text::with_line_endings_of(file.old_bytes, content);
  return file;
}

// The full name of the constant at a position; "": the position has a local variable.
asio::awaitable<std::string> declared_name_at(const OpenFile& file, document::TextAnchor anchor,
                                              io::CancelScope scope) {
  const auto hover = co_await file.request_at("textDocument/hover", anchor, scope);
  if (!hover) co_return "";
  const std::string name = split_signature(read_hover(hover->value).signature).name;
  const std::vector<std::string> own = text::names_declared_in(file.text().str());
  const bool is_own = std::find(own.begin(), own.end(), name) != own.end();
  co_return is_own || text::parts_of(name).size() > 1 ? name : "";
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
  Renaming renaming;
  if (auto full_name = co_await declared_name_at(file, at.anchor, call->scope); !full_name.empty()) {
    const std::size_t part = full_name.size() - text::last_part(full_name).size();
    renaming.names.emplace(full_name, full_name.substr(0, part) + params.new_name);
  }
  CO_TRY(std::string objection,
         co_await objection_to(environment, call, file.store(), changed.first, std::move(renaming)));
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
