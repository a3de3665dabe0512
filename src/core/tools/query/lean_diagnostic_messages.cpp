// lean_diagnostic_messages: the messages of a file, a range of lines or a declaration.

#include "core/base/json.hpp"
#include "core/base/try.hpp"
#include "core/ide/compiler_fallback.hpp"
#include "core/ide/hidden_sorries.hpp"
#include "core/ide/symbols.hpp"
#include "core/tools/common/typed_tool.hpp"

#include <set>

namespace leanbridge::tools {

using nlohmann::json;

namespace {

struct DiagnosticMessagesParams {
  FileParams file;
  int start_line = 1;
  std::optional<int> end_line;  ///< absent: to the end of the file
  std::optional<std::string> declaration_name;
  std::optional<lean::Severity> severity;
  bool interactive = false;

  static wire::Fields fields() {
    return {
        wire::flatten<&DiagnosticMessagesParams::file>(),
        wire::field<&DiagnosticMessagesParams::start_line>().with_default().at_least(1),
        wire::field<&DiagnosticMessagesParams::end_line>().at_least(1),
        wire::field<&DiagnosticMessagesParams::declaration_name>(),
        wire::field<&DiagnosticMessagesParams::severity>(),
        wire::field<&DiagnosticMessagesParams::interactive>("Also Lean's tagged messages").with_default()};
  }
};

/// These fields are in every answer, brief or not: callers written for lean-lsp-mcp read them by name.
struct WholeFileStatus : FileStatus {
  static wire::Fields fields() {
    wire::Fields all = FileStatus::fields();
    for (wire::Field& field : all)
      if (field.name == "partial" || field.name == "timed_out" || field.name == "still_elaborating_lines")
        field.in_brief = wire::InBrief::Always;
    return all;
  }
};

struct DiagnosticMessagesResult {
  bool success = false;
  DiagnosticList messages;
  std::vector<std::string> failed_dependencies;  ///< the source files of imports that failed to build
  std::optional<std::string> reason;             ///< why success is false without an error
  std::optional<std::vector<json>> diagnostics;  ///< Lean's tagged messages
  WholeFileStatus file;

  static wire::Fields fields() {
    return {wire::field<&DiagnosticMessagesResult::success>(),
            wire::flatten<&DiagnosticMessagesResult::messages>(),
            wire::field<&DiagnosticMessagesResult::failed_dependencies>(),
            wire::field<&DiagnosticMessagesResult::reason>(),
            wire::field<&DiagnosticMessagesResult::diagnostics>(),
            wire::flatten<&DiagnosticMessagesResult::file>()};
  }
};

struct LineFilter {
  int first = 1;
  int last = 1;
};

Result<LineFilter> declaration_lines(const text::Text& text, const std::string& name,
                                     const std::string& file) {
  TRY(const auto declaration, declaration_named(text, name, file));
  const text::DeclarationSite& site = declaration.site;
  const std::size_t last = site.end > site.start ? site.end - 1 : site.end;
  return LineFilter{text.position_at(site.start).line, text.position_at(last).line};
}

/// The lines that the caller asked about in the file `name`.
Result<LineFilter> lines_of(const text::Text& text, const std::string& name,
                            const DiagnosticMessagesParams& params) {
  const int count = static_cast<int>(text.addressable_lines());
  const LineFilter lines{params.start_line, params.end_line.value_or(count)};
  TRY_DONE(text.require_line(lines.first, name));
  TRY_DONE(text.require_line(lines.last, name));
  if (lines.first > lines.last)
    return fail(ErrorKind::InvalidArgument, "start_line is after end_line.", "Pass start_line <= end_line.");
  if (params.declaration_name) return declaration_lines(text, *params.declaration_name, name);
  return lines;
}

// The paths in "error: A/B.lean:3:4: ..." lines of a failed build of the imports.
std::vector<std::string> failed_dependencies(const document::DocumentState& state) {
  std::set<std::string> paths;
  if (state.header_failed())
    for (const lean::Diagnostic& diagnostic : state.diagnostics()) {
      constexpr std::string_view kMark = "error: ";
      const std::string& text = diagnostic.message;
      for (std::size_t at = text.find(kMark); at != std::string::npos; at = text.find(kMark, at + 1)) {
        const std::size_t start = at + kMark.size();
        const std::size_t end = text.find(".lean:", start);
        if (end != std::string::npos && text.find('\n', start) > end)
          paths.insert(text.substr(start, end + 5 - start));
      }
    }
  return {paths.begin(), paths.end()};
}

// The tagged messages that an editor's info view gets, without silent signals. A separate server provides
// them, because a server whose client supports widgets omits traces from plain messages.
asio::awaitable<Result<std::vector<json>>> interactive(Environment& environment, const OpenFile& file,
                                                       LineFilter lines, io::CancelScope scope) {
  const auto store = environment.workspace.with_widgets(file.store()->root());
  CO_TRY(auto synced, co_await store->sync(file.document().path, scope));
  const OpenFile shown_by(store, std::move(synced));
  const text::Text& text = shown_by.text();
  if (text != file.text()) co_return changed_meanwhile(file.document().name);
  const document::TextAnchor start =
      shown_by.anchor(text.line_start(static_cast<std::size_t>(lines.first - 1)));
  const std::size_t end = text.line_end(static_cast<std::size_t>(lines.last - 1));
  CO_CHECK(co_await shown_by.wait_until_reported(end, scope));
  json range = {{"lineRange", {{"start", lines.first - 1}, {"end", lines.last}}}};
  CO_TRY(auto answer, co_await shown_by.rpc_request_at("Lean.Widget.getInteractiveDiagnostics", start, scope,
                                                       std::move(range)));
  std::vector<json> shown;
  if (answer.value.is_array())
    for (json& diagnostic : answer.value)
      if (!is_true(diagnostic, "isSilent")) shown.push_back(std::move(diagnostic));
  co_return shown;
}

/// A file's messages, from the language server or the compiler.
struct KnownMessages {
  const text::Text& text;
  const std::vector<lean::Diagnostic>& diagnostics;
  bool complete;
  bool header_failed;
};

/// The messages in these lines. Does not look for silencers.
DiagnosticMessagesResult messages_in(const KnownMessages& known, LineFilter lines,
                                     std::optional<lean::Severity> severity) {
  const auto touches = [&](const lean::Diagnostic& each) {
    return known.text.position_at(each.range.end).line >= lines.first &&
           known.text.position_at(each.range.start).line <= lines.last;
  };
  const Messages here = Messages(known.text, known.diagnostics).where(touches);
  DiagnosticMessagesResult result;
  result.success = known.complete && !known.header_failed && !here.errors().any();
  if (const auto exit = text::find_exit(known.text.str()); exit && *exit < lines.last) {
    result.success = false;
    result.reason = not_checked_below(*exit);
  }
  result.messages = list_of(here.shown(severity), noise_for(severity));
  return result;
}

asio::awaitable<Result<DiagnosticMessagesResult>> diagnostic_messages(Environment& environment,
                                                                      std::shared_ptr<mcp::Call> call,
                                                                      DiagnosticMessagesParams params) {
  CO_TRY(const auto file, co_await open_file(environment, call, params.file.file_path));
  CO_TRY(LineFilter lines, lines_of(file.text(), file.document().name, params));

  const text::Text& text = file.text();
  const document::DocumentState& state = file.document().state;
  const document::TextAnchor first = state.anchor(text.line_start(static_cast<std::size_t>(lines.first - 1)));
  const std::size_t last_byte = text.line_end(static_cast<std::size_t>(lines.last - 1));
  const document::TextAnchor last = state.anchor(last_byte);
  const bool to_the_end =
      last_byte >= text.size() || static_cast<std::size_t>(lines.last) >= text.addressable_lines();
  const auto offset_now = [&](const document::TextAnchor& anchor) { return file.resolve(anchor); };
  const auto line_now = [&](const document::TextAnchor& anchor) {
    return static_cast<int>(text.line_at(offset_now(anchor))) + 1;
  };

  DiagnosticMessagesResult result;
  bool complete = false;
  const auto pass = [&]() -> asio::awaitable<Result<AnsweredVersion>> {
    CO_TRY(const auto known, to_the_end ? co_await file.wait_until_done(call->scope)
                                        : co_await file.wait_until_reported(offset_now(last), call->scope));

    // No code below suspends, so the messages are about one version. The text may have grown.
    const document::Version version = state.version();
    complete = known == document::WaitOutcome::Complete || state.done();
    const LineFilter asked{line_now(first), line_now(last)};
    lines = LineFilter{lines.first == 1 ? 1 : asked.first,
                       to_the_end ? static_cast<int>(text.addressable_lines()) : asked.last};
    result =
        messages_in({text, state.diagnostics(), complete, state.header_failed()}, lines, params.severity);
    result.failed_dependencies = failed_dependencies(state);

    if (params.interactive) {
      CO_TRY(result.diagnostics, co_await interactive(environment, file, asked, call->scope));
    }
    if (result.success && state.done()) {
      CO_TRY(const auto unannounced, co_await unannounced_theorems(file.handle(), call->scope));
      for (const Symbol& symbol : unannounced) {
        const auto line = text.line_at(symbol.end) + 1, start = text.line_at(symbol.start) + 1;
        if (line < static_cast<std::size_t>(lines.first) || start > static_cast<std::size_t>(lines.last))
          continue;
        result.success = false;
        result.reason = unannounced_reason(symbol);
      }
    }
    co_return version;
  };
  CO_CHECK(co_await repeat_while_edited(file.handle(), pass));
  result.file = {status_of(file, late_if(!complete))};
  co_return result;
}

// The compiler has no tagged messages.
asio::awaitable<Result<DiagnosticMessagesResult>> diagnostic_messages_compiled(
    Environment& environment, std::shared_ptr<mcp::Call> call, DiagnosticMessagesParams params, Error why) {
  if (params.interactive) co_return tl::unexpected(why);
  CO_TRY(auto compiled, co_await diagnose_with_compiler(environment, call, params.file.file_path, why));
  CO_TRY(const LineFilter lines, lines_of(compiled.text, compiled.name, params));
  const bool complete = compiled.completeness == Completeness::Complete;
  DiagnosticMessagesResult result = messages_in(
      {compiled.text, compiled.diagnostics, complete, compiled.header_failed}, lines, params.severity);
  result.file = {status_of(compiled)};
  co_return result;
}

}  // namespace

mcp::Tool lean_diagnostic_messages(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_diagnostic_messages",
       .title = "Errors and warnings",
       .group = "query",
       .description =
           "Lean's messages for a file, some lines or one declaration; waits only for those. partial: "
           "true: not all yet. For a verdict on the file: lean_check_all.",
       .shows_timeout = true},
      diagnostic_messages, diagnostic_messages_compiled);
}

}  // namespace leanbridge::tools
