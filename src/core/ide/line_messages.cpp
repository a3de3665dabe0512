#include "line_messages.hpp"

#include "core/base/json.hpp"
#include "core/base/try.hpp"
#include "symbols.hpp"

#include <set>

namespace leanbridge::ide {

using nlohmann::json;

namespace {

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
Result<LineFilter> lines_of(const text::Text& text, const std::string& name, const LineQuestion& question) {
  const int count = static_cast<int>(text.addressable_lines());
  const LineFilter lines{question.start_line, question.end_line.value_or(count)};
  TRY_DONE(text.require_line(lines.first, name));
  TRY_DONE(text.require_line(lines.last, name));
  if (lines.first > lines.last)
    return fail(ErrorKind::InvalidArgument, "start_line is after end_line.", "Pass start_line <= end_line.");
  if (question.declaration_name) return declaration_lines(text, *question.declaration_name, name);
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
asio::awaitable<Result<std::vector<json>>> interactive(Lean& lean, const OpenFile& file, LineFilter lines,
                                                       io::CancelScope scope) {
  const auto store = lean.workspace.with_widgets(file.store()->root());
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
LineMessages messages_in(const KnownMessages& known, LineFilter lines,
                         std::optional<lean::Severity> severity) {
  const auto touches = [&](const lean::Diagnostic& each) {
    return known.text.position_at(each.range.end).line >= lines.first &&
           known.text.position_at(each.range.start).line <= lines.last;
  };
  const Messages here = Messages(known.text, known.diagnostics).where(touches);
  LineMessages result;
  result.success = known.complete && !known.header_failed && !here.errors().any();
  if (const auto exit = text::find_exit(known.text.str()); exit && *exit < lines.last) {
    result.success = false;
    result.reason = not_checked_below(*exit);
  }
  result.messages = list_of(here.shown(severity), noise_for(severity));
  return result;
}

}  // namespace

asio::awaitable<Result<LineMessages>> messages_about(Lean& lean, std::shared_ptr<io::Operation> operation,
                                                     LineQuestion question) {
  CO_TRY(const auto file, co_await open_file(lean, operation, question.file.file_path));
  CO_TRY(LineFilter lines, lines_of(file.text(), file.document().name, question));

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

  LineMessages result;
  bool complete = false;
  const auto pass = [&]() -> asio::awaitable<Result<AnsweredVersion>> {
    CO_TRY(const auto known, to_the_end
                                 ? co_await file.wait_until_done(operation->scope)
                                 : co_await file.wait_until_reported(offset_now(last), operation->scope));

    // No code below suspends, so the messages are about one version. The text may have grown.
    const document::Version version = state.version();
    complete = known == document::WaitOutcome::Complete || state.done();
    const LineFilter asked{line_now(first), line_now(last)};
    lines = LineFilter{lines.first == 1 ? 1 : asked.first,
                       to_the_end ? static_cast<int>(text.addressable_lines()) : asked.last};
    result =
        messages_in({text, state.diagnostics(), complete, state.header_failed()}, lines, question.severity);
    result.failed_dependencies = failed_dependencies(state);

    if (question.interactive) {
      CO_TRY(result.diagnostics, co_await interactive(lean, file, asked, operation->scope));
    }
    if (result.success && state.done()) {
      CO_TRY(const auto unannounced, co_await unannounced_theorems(file.handle(), operation->scope));
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
asio::awaitable<Result<LineMessages>> compiled_messages_about(Lean& lean,
                                                              std::shared_ptr<io::Operation> operation,
                                                              LineQuestion question, Error why) {
  if (question.interactive) co_return tl::unexpected(why);
  CO_TRY(auto compiled, co_await diagnose_with_compiler(lean, operation, question.file.file_path, why));
  CO_TRY(const LineFilter lines, lines_of(compiled.text, compiled.name, question));
  const bool complete = compiled.completeness == Completeness::Complete;
  LineMessages result = messages_in({compiled.text, compiled.diagnostics, complete, compiled.header_failed},
                                    lines, question.severity);
  result.file = {status_of(compiled)};
  co_return result;
}

}  // namespace leanbridge::ide
