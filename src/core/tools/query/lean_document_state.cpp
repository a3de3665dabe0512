// lean_document_state: the present knowledge about a file, without waiting.

#include "core/ide/open_file.hpp"
#include "core/ide/project_health.hpp"
#include "core/tools/common/typed_tool.hpp"

#include <algorithm>
#include <iterator>

namespace leanbridge::tools {

namespace {

struct DocumentMessageCounts {
  int error = 0;
  int warning = 0;
  int info = 0;
  int hint = 0;

  static wire::Fields fields() {
    return wire::fields<&DocumentMessageCounts::error, &DocumentMessageCounts::warning,
                        &DocumentMessageCounts::info, &DocumentMessageCounts::hint>();
  }
};

struct DocumentStateResult {
  std::string file_path;
  bool open = false;
  document::Version version = 0;
  LeanHealth server;
  std::vector<lean::WorkerProcess> workers;

  // The following members are absent for a file that was never opened.
  std::optional<int> line_count;
  std::optional<bool> done;
  std::optional<std::vector<std::array<int, 2>>> still_elaborating_lines;  ///< first and last, from 1
  std::optional<bool> header_failed;
  std::optional<DocumentMessageCounts> diagnostics;
  std::optional<bool> imports_stale;
  std::optional<std::vector<std::string>> changed_imports;  ///< also absent if there are none
  std::optional<int> calls_using_it;
  std::optional<int> crashes_at_this_text;
  std::optional<wire::Nullable<std::string>> last_crash;

  static wire::Fields fields() {
    return {wire::field<&DocumentStateResult::file_path>().unlisted().only_full(),
            wire::field<&DocumentStateResult::open>(),
            wire::field<&DocumentStateResult::version>(),
            wire::field<&DocumentStateResult::server>().unlisted(),
            wire::field<&DocumentStateResult::workers>(),
            wire::field<&DocumentStateResult::line_count>(),
            wire::field<&DocumentStateResult::done>(),
            wire::field<&DocumentStateResult::still_elaborating_lines>().omit_empty(),
            wire::field<&DocumentStateResult::header_failed>().omit_empty(),
            wire::field<&DocumentStateResult::diagnostics>(),
            wire::field<&DocumentStateResult::imports_stale>().omit_empty(),
            wire::field<&DocumentStateResult::changed_imports>(),
            wire::field<&DocumentStateResult::calls_using_it>().omit_empty(),
            wire::field<&DocumentStateResult::crashes_at_this_text>().omit_empty(),
            wire::field<&DocumentStateResult::last_crash>().omit_empty()};
  }
};

asio::awaitable<Result<DocumentStateResult>> document_state(Environment& environment,
                                                            std::shared_ptr<mcp::Call> call,
                                                            FileParams params) {
  CO_TRY(const auto location, environment.workspace.locate(params.file_path));
  DocumentStateResult result;
  result.file_path = location.path.string();
  result.server = co_await measured_health_of(*location.project, environment.pool, call->scope);
  const auto document = location.project->find(location.path);
  if (!document) co_return result;
  std::ranges::copy_if(result.server.workers, std::back_inserter(result.workers),
                       [&](const lean::WorkerProcess& worker) { return worker.uri == document->uri; });

  const auto look = [watch = lean::ImportWatch(location.project->root()),
                     imports = document->disk.header.imported_modules(),
                     before = document->worker.imports]() mutable -> Result<std::vector<std::string>> {
    return lean::changed_files(before, watch.state_of(imports));
  };
  const auto stale = co_await environment.pool.run(look, call->scope);

  const document::DocumentState& state = document->state;
  result.open = state.open();
  result.version = state.version();
  result.line_count = state.text().line_count();
  result.done = state.done();
  result.still_elaborating_lines.emplace();
  if (state.open())
    for (const document::LineRange& range : state.still_elaborating())
      result.still_elaborating_lines->push_back({range.start, range.end});
  result.header_failed = state.header_failed();
  const auto count = [shown = Messages(state).shown()](lean::Severity severity) {
    return static_cast<int>(shown.shown(severity).list().size());
  };
  result.diagnostics = {count(lean::Severity::Error), count(lean::Severity::Warning),
                        count(lean::Severity::Information), count(lean::Severity::Hint)};
  result.imports_stale = state.open() && stale && !stale->empty();
  if (stale && !stale->empty()) result.changed_imports = *stale;
  result.calls_using_it = document->usage.in_use;
  result.crashes_at_this_text = document->worker.crashes;
  result.last_crash = null_if_empty(document->worker.last_crash);
  co_return result;
}

}  // namespace

mcp::Tool lean_document_state(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_document_state",
                    .title = "State of a file",
                    .group = "query",
                    .description = "What is known about a file right now, without waiting: lines still "
                                   "elaborating, its worker's pid and memory, its last crash. Use it to see "
                                   "why an answer is slow.",
                    .listed = false},
                   document_state);
}

}  // namespace leanbridge::tools
