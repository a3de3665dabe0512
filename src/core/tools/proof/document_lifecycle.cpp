// The tools that open, synchronise, close and reset files.

#include "core/ide/open_file.hpp"
#include "core/tools/common/typed_tool.hpp"

namespace leanbridge::tools {

// --- lean_open: start elaborating a file.

namespace {

struct OpenFileResult {
  std::string file_path;
  int line_count = 0;
  bool already_open = false;
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&OpenFileResult::file_path>().unlisted().only_full(),
            wire::field<&OpenFileResult::line_count>(),
            wire::field<&OpenFileResult::already_open>().omit_empty(),
            wire::flatten<&OpenFileResult::file>()};
  }
};

asio::awaitable<Result<OpenFileResult>> open_ahead(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                   FileParams params) {
  CO_TRY(const auto file, co_await open_file(environment, call, params.file_path));
  co_return OpenFileResult{file.document().path.string(), file.text().line_count(), file.synced.was_open,
                           status_of(file)};
}

}  // namespace

mcp::Tool lean_open(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_open",
                    .title = "Open a file",
                    .group = "proof",
                    .description = "Starts elaborating a file and returns at once. Other tools open files "
                                   "themselves: use it to have one ready early.",
                    .listed = false},
                   open_ahead);
}

// --- lean_sync: update Lean's text of a file from disk, and report the change.

namespace {

/// The part of a document::AppliedEdit that the answer shows.
struct EditItem {
  int start_line = 1;
  int start_column = 1;
  int end_line = 1;
  int end_column = 1;
  std::size_t new_text_length = 0;

  static wire::Fields fields() {
    return wire::fields<&EditItem::start_line, &EditItem::start_column, &EditItem::end_line,
                        &EditItem::end_column, &EditItem::new_text_length>();
  }
};

struct SyncFileResult {
  std::string file_path;
  bool changed = false;
  wire::Nullable<EditItem> edit;
  bool restarted = false;
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&SyncFileResult::file_path>().unlisted().only_full(),
            wire::field<&SyncFileResult::changed>(), wire::field<&SyncFileResult::edit>().omit_empty(),
            wire::field<&SyncFileResult::restarted>().omit_empty(), wire::flatten<&SyncFileResult::file>()};
  }
};

asio::awaitable<Result<SyncFileResult>> sync_file(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                  FileParams params) {
  CO_TRY(const auto file, co_await open_file(environment, call, params.file_path));
  wire::Nullable<EditItem> edit;
  if (const auto& made = file.synced.edit)
    edit = EditItem{made->start.line, made->start.column, made->end.line, made->end.column,
                    made->new_text_length};
  co_return SyncFileResult{file.document().path.string(), file.synced.changed, edit,
                           file.synced.restarted.has_value(), status_of(file)};
}

}  // namespace

mcp::Tool lean_sync(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_sync",
                    .title = "Synchronise a file",
                    .group = "proof",
                    .description = "Tells Lean about your edit on disk and returns at once. Other tools do "
                                   "so themselves: use it to start elaboration early.",
                    .listed = false},
                   sync_file);
}

// --- lean_close: end a file's worker and free its memory.

namespace {

struct CloseFileResult {
  std::string file_path;
  bool was_open = false;

  static wire::Fields fields() {
    return {wire::field<&CloseFileResult::file_path>().only_full(),
            wire::field<&CloseFileResult::was_open>()};
  }
};

asio::awaitable<Result<CloseFileResult>> close_file(Environment& environment, std::shared_ptr<mcp::Call>,
                                                    FileParams params) {
  CO_TRY(const auto location, environment.workspace.locate(params.file_path));
  co_return CloseFileResult{location.path.string(), location.project->close(location.path)};
}

}  // namespace

mcp::Tool lean_close(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_close",
                    .title = "Close a file",
                    .group = "proof",
                    .description = "Ends a file's Lean worker, which frees 1 to 5 GB. The next question "
                                   "reopens it.",
                    .waits = false,
                    .listed = false},
                   close_file);
}

// --- lean_reset: restart a worker or the server.

namespace {

struct ResetParams {
  FileParams file;
  bool server = false;

  static wire::Fields fields() {
    return {wire::flatten<&ResetParams::file>(),
            wire::field<&ResetParams::server>("The whole server").with_default()};
  }
};

enum class ResetTarget { Worker, Server };

wire::Names<ResetTarget> names_of(ResetTarget) {
  return {{ResetTarget::Worker, "worker"}, {ResetTarget::Server, "server"}};
}

struct ResetResult {
  std::string file_path;
  bool restarted = true;
  ResetTarget what = ResetTarget::Worker;
  int reopened_documents = 1;

  static wire::Fields fields() {
    return {wire::field<&ResetResult::file_path>().unlisted().only_full(),
            wire::field<&ResetResult::restarted>(), wire::field<&ResetResult::what>().unlisted(),
            wire::field<&ResetResult::reopened_documents>().unlisted()};
  }
};

asio::awaitable<Result<ResetResult>> reset_lean(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                ResetParams params) {
  CO_TRY(const auto location, environment.workspace.locate(params.file.file_path));
  ResetResult result;
  result.file_path = location.path.string();
  if (params.server) {
    result.what = ResetTarget::Server;
    CO_TRY(result.reopened_documents, co_await location.project->reset_server(call->scope));
  } else {
    CO_CHECK(co_await location.project->reset(location.path, call->scope));
  }
  co_return result;
}

}  // namespace

mcp::Tool lean_reset(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_reset",
                    .title = "Restart Lean",
                    .group = "query",
                    .description = "Restarts a file's Lean worker, or with server: true all of lake serve. "
                                   "Use it after repeated crashes; edits and changed imports need no reset.",
                    .annotations = {.read_only = false},
                    .listed = false},
                   reset_lean);
}

}  // namespace leanbridge::tools
