// lean_rename: a declaration or local variable gets another name everywhere, or nowhere.

#include "leanbridge/base/files.hpp"
#include "leanbridge/document/file.hpp"
#include "leanbridge/ide/lake_run.hpp"
#include "leanbridge/lean/imports.hpp"
#include "leanbridge/lean/project.hpp"
#include "leanbridge/text/lean_header.hpp"
#include "leanbridge/text/lean_quoting.hpp"
#include "leanbridge/text/utf8.hpp"

#include "own_file.hpp"
#include "tools/query/source_locations.hpp"
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>

namespace leanbridge::tools {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::size_t kMaxProjectFiles = 5000;
constexpr std::uintmax_t kMaxCopiedBytes = std::uintmax_t{2} << 30;
constexpr std::size_t kCopiedPiece = std::size_t{1} << 20;
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

/// A file of the project, before and after. Where no name stands in it, both are the same.
struct ChangedFile {
  fs::path path;
  std::string name;  ///< relative to the project
  std::string old_bytes, new_bytes;
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

std::string_view last_component(std::string_view name) {
  const auto quoted = name.ends_with("»") ? name.rfind("«") : std::string_view::npos;
  if (quoted != std::string_view::npos) return name.substr(quoted);
  return name.substr(name.rfind('.') + 1);
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
    if (end < begin || last_component(text.str().substr(begin, end - begin)) != old_name)
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

// --- whether everything still compiles: in a copy of the project

// Adds the files of the project that import one that changes, directly or not; all in the order of imports.
std::vector<ChangedFile> with_files_above(const fs::path& root, std::vector<ChangedFile> changed) {
  lean::ImportWatch watch(root);
  std::vector<std::pair<std::size_t, ChangedFile>> found;
  const auto imports_of = [&](const std::string& bytes) {
    return watch.state_of(text::parse_lean_header(bytes).imported_modules());
  };
  for (const std::string& name : lean::lean_files_below(root, kMaxProjectFiles)) {
    const fs::path path = root / name;
    auto own =
        std::find_if(changed.begin(), changed.end(), [&](const auto& each) { return each.path == path; });
    if (own != changed.end()) {
      const std::size_t depth = imports_of(own->old_bytes).size();
      found.emplace_back(depth, *own);
      continue;
    }
    const auto bytes = document::load_bytes(path, name);
    if (!bytes) continue;
    const auto imports = imports_of(*bytes);
    if (std::any_of(changed.begin(), changed.end(),
                    [&](const auto& each) { return imports.contains(each.path); }))
      found.emplace_back(imports.size(), ChangedFile{path, name, *bytes, *bytes});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ChangedFile> all;
  for (auto& [depth, file] : found) all.push_back(std::move(file));
  return all;
}

// In pieces: a compiled module may be large.
Result<void> copy_bytes(const fs::path& from, const fs::path& to) {
  const auto source = RegularFile::open(from);
  if (!source) return tl::unexpected(source.error().to_error(from.string()));
  const Descriptor target(::open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  std::string piece(kCopiedPiece, '\0');
  for (bool more = static_cast<bool>(target); more;) {
    const auto size = source->read_some(piece.data(), piece.size());
    if (!size) return tl::unexpected(size.error().to_error(from.string()));
    if (*size == 0) return {};
    more = write_all(target.get(), std::string_view(piece).substr(0, *size));
  }
  return fail(ErrorKind::Internal, to.string() + " cannot be written: " + std::strerror(errno) + ".",
              "Free space on its disk.");
}

// Copies the project without version control, and links its packages.
Result<void> copy_project(const fs::path& from, const fs::path& to) {
  std::uintmax_t bytes = 0;
  std::error_code error;
  fs::recursive_directory_iterator entry(from, error), end;
  for (; !error && entry != end; entry.increment(error)) {
    const fs::path relative = entry->path().lexically_relative(from);
    std::error_code ignored;
    if (relative == ".git" || relative == ".lake/packages") entry.disable_recursion_pending();
    if (relative == ".git") continue;
    if (relative == ".lake/packages" || entry->is_symlink(ignored)) {
      fs::create_symlink(
          relative == ".lake/packages" ? entry->path() : fs::read_symlink(entry->path(), ignored),
          to / relative, ignored);
    } else if (entry->is_directory(ignored)) {
      fs::create_directories(to / relative, ignored);
    } else if (entry->is_regular_file(ignored)) {
      bytes += entry->file_size(ignored);
      if (bytes > kMaxCopiedBytes)
        return fail(ErrorKind::NotSupported, "The project is too large to be compiled in a copy.",
                    "Rename without write, and make the edits yourself.");
      if (auto copied = copy_bytes(entry->path(), to / relative); !copied) return copied;
      fs::last_write_time(to / relative, entry->last_write_time(ignored), ignored);
      fs::permissions(to / relative, entry->status(ignored).permissions() | fs::perms::owner_write, ignored);
    }
  }
  if (error)
    return fail(ErrorKind::Internal, "The project cannot be copied: " + error.message() + ".",
                "Free space in the folder for temporary files.");
  return {};
}

asio::awaitable<Result<bool>> compiles(LakeCommand lake, fs::path folder, std::string name, std::string& said,
                                       io::CancelScope scope) {
  lake.root = folder;
  lake.arguments = {"lean", name};
  said.clear();
  LakeOutput output;
  output.on_stdout = output.on_stderr = [&](std::string_view lines) {
    if (said.size() < kMaxReasonBytes && (lines.find("error") != lines.npos || !said.empty())) said += lines;
  };
  CO_TRY(const LakeEnd end, co_await run_lake(std::move(lake), std::move(output), scope));
  if (end.how == LakeEnd::How::Cancelled) co_return call_cancelled();
  if (end.how == LakeEnd::How::TimedOut)
    co_return fail(ErrorKind::Timeout, "Compiling " + name + " had not finished by the call's deadline.",
                   "Nothing is written; pass a longer timeout_s.");
  co_return end.exit_code == 0;
}

// Why the files do not compile as they would be; "": they do. A file that does not compile now is not asked.
asio::awaitable<Result<std::string>> objection_to(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                  std::shared_ptr<document::DocumentStore> store,
                                                  std::vector<ChangedFile> files) {
  const lean::ServerOptions& server = store->server().options();
  CO_TRY(const fs::path program, lean::find_lake(server.lake));
  LakeCommand lake{program, store->root(), {}, server.spawn, server.environment};
  const auto copy = [root = store->root(), files]() -> Result<std::shared_ptr<const TemporaryFolder>> {
    TRY(auto folder, TemporaryFolder::create());
    TRY_DONE(copy_project(root, folder->path()));
    for (const ChangedFile& file : files) {
      if (file.old_bytes == file.new_bytes) continue;
      const fs::path copied = folder->path() / file.name;
      std::error_code ignored;
      fs::remove(copied, ignored);
      TRY_DONE(write_new_file(copied, file.new_bytes));
    }
    return folder;
  };
  CO_TRY(const auto folder, co_await environment.pool.run(copy, call->scope));
  lake.held = std::make_shared<std::shared_ptr<const TemporaryFolder>>(folder);  // lake may still write to it
  std::size_t done = 0;
  for (const ChangedFile& file : files) {
    call->progress = [name = file.name, done, all = files.size()]() -> std::optional<mcp::Progress> {
      return mcp::Progress{static_cast<double>(done), static_cast<double>(all), "compiling " + name};
    };
    std::string said, before;
    CO_TRY(const bool fine, co_await compiles(lake, folder->path(), file.name, said, call->scope));
    ++done;
    if (fine) continue;
    CO_TRY(const bool was_fine, co_await compiles(lake, store->root(), file.name, before, call->scope));
    if (was_fine)
      co_return file.name + " would not compile: " + std::string(text::beginning_of(said, kMaxReasonBytes));
  }
  call->progress = {};
  co_return "";
}

// All of them or none. Blocking.
Result<void> write_all_files(const std::vector<ChangedFile>& files) {
  std::vector<document::FileReplacement> replacements;
  for (const ChangedFile& file : files)
    if (file.old_bytes != file.new_bytes)
      replacements.push_back({file.path, file.name, file.old_bytes, file.new_bytes});
  TRY(auto prepared, document::PreparedReplacements::prepare(std::move(replacements)));
  for (const ChangedFile& file : files) {
    TRY(const std::string now, document::load_bytes(file.path, file.name));
    if (now != file.old_bytes)
      return fail(ErrorKind::InvalidArgument, file.name + " was changed meanwhile.",
                  "Nothing is written; call again.");
  }
  return prepared.put_in_place();
}

asio::awaitable<Result<RenameResult>> rename_symbol(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                    RenameParams params) {
  if (!text::is_lean_name(params.new_name) || last_component(params.new_name) != params.new_name)
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
  result.old_name = last_component(file.text().str().substr(begin, end - begin));
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
    if (write) all.first = with_files_above(root, std::move(all.first));
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
