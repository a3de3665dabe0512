#include "renaming.hpp"

#include "core/document/file.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/text/lean_names.hpp"
#include "core/text/lines.hpp"
#include "source_locations.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

namespace leanbridge::ide {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

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

// Where the name begins in a range of Lean's: the last component of the word that the range is, maybe in
// brackets, which Lean's range of the same term can have around it.
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

// The file with the last component of the name exchanged in all ranges; `lines` become those.
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
  std::ranges::sort(begins);
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  std::string content = text.str();
  for (auto at = begins.rbegin(); at != begins.rend(); ++at) content.replace(*at, old_name.size(), new_name);
  for (const std::size_t at : begins) lines.push_back(text.position_at(at).line);
  return with_new_text(std::move(file.path), std::move(file.name), std::move(file.old_bytes), content);
}

tl::unexpected<Error> no_name_here() {
  return fail(ErrorKind::InvalidArgument, "Lean knows no name to change at this position.",
              "Point at the first character of a name of the project.");
}

}  // namespace

std::size_t Renaming::uses() const {
  std::size_t count = 0;
  for (const RenamedFile& each : files_) count += each.lines.size();
  return count;
}

asio::awaitable<Result<void>> Renaming::find(document::TextAnchor at, std::string new_name) {
  at_ = at;
  new_name_ = std::move(new_name);
  const io::CancelScope& scope = operation_->scope;
  CO_TRY(const auto known, co_await file_.wait_until_done(scope));
  index_complete_ =
      known == document::WaitOutcome::Complete && co_await wait_for_index(file_.handle(), scope);
  CO_CHECK(co_await find_old_name());
  CO_TRY(auto edit, co_await file_.request_at("textDocument/rename", at_, scope, {{"newName", new_name_}}));
  co_return co_await read_files(std::move(edit.value));
}

asio::awaitable<Result<void>> Renaming::find_old_name() {
  CO_TRY(const auto prepared,
         co_await file_.request_at("textDocument/prepareRename", at_, operation_->scope));
  const auto range = prepared.value.is_object()
                         ? lean::read_range(prepared.value.value("range", prepared.value))
                         : std::nullopt;
  if (!range) co_return no_name_here();
  const std::size_t begin = file_.text().offset_at(range->start), end = file_.text().offset_at(range->end);
  old_name_ = text::last_part(file_.text().str().substr(begin, end - begin));
  if (old_name_ == new_name_)
    co_return fail(ErrorKind::InvalidArgument, "It has this name already.", "Pass another new_name.");
  co_return Result<void>();
}

asio::awaitable<Result<void>> Renaming::read_files(json edit) {
  const auto ranges = ranges_of(edit);
  if (ranges.empty()) co_return no_name_here();
  for (const auto& [path, unused] : ranges) CO_CHECK(require_own_file(*file_.store(), path, path));
  using Files = std::pair<std::vector<ChangedFile>, std::vector<RenamedFile>>;
  const auto read = [ranges, root = file_.store()->root(), old_name = old_name_,
                     new_name = new_name_]() -> Result<Files> {
    Files all;
    for (const auto& [path, in_file] : ranges) {
      const std::string name = path.lexically_relative(root).string();
      TRY(std::string bytes, document::load_bytes(path, name));
      RenamedFile listed{name, {}};
      TRY(ChangedFile changed,
          renamed({path, name, std::move(bytes), {}}, in_file, old_name, new_name, listed.lines));
      all.first.push_back(std::move(changed));
      all.second.push_back(std::move(listed));
    }
    return all;
  };
  CO_TRY(std::tie(changed_, files_), co_await lean_.pool.run(read, operation_->scope));
  co_return Result<void>();
}

// Of the constant at the place; "": there is none, but a local variable.
asio::awaitable<std::string> Renaming::full_name() const {
  const auto hover = co_await file_.request_at("textDocument/hover", at_, operation_->scope);
  if (!hover) co_return "";
  const std::string name = split_signature(read_hover(hover->value).signature).name;
  const std::vector<std::string> own = text::names_declared_in(file_.text().str());
  const bool is_own = std::ranges::find(own, name) != own.end();
  co_return is_own || text::parts_of(name).size() > 1 ? name : "";
}

asio::awaitable<Result<std::string>> Renaming::write() {
  const auto add_importers = [root = file_.store()->root(), changed = changed_] {
    return with_files_above(root, changed);
  };
  CO_TRY(auto files, co_await lean_.pool.run(add_importers, operation_->scope));
  NewNames names;
  if (auto full = co_await full_name(); !full.empty()) {
    const std::size_t part = full.size() - text::last_part(full).size();
    names.emplace(full, full.substr(0, part) + new_name_);
  }
  CO_TRY(std::string objection,
         co_await objection_to(lean_, operation_, file_.store(), files, std::move(names)));
  if (!objection.empty()) co_return objection;
  if (operation_->scope.cancel->cancelled()) co_return call_cancelled();
  PlannedWrite write = planned_write(*file_.store(), *operation_, std::move(files));
  CO_CHECK(co_await write_files(lean_, std::move(write)));
  co_return "";
}

}  // namespace leanbridge::ide
