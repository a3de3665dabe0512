#include "messages.hpp"

#include "core/base/json.hpp"
#include "core/text/utf8.hpp"
#include <nlohmann/json.hpp>

#include <utility>

namespace leanbridge::lean {

using nlohmann::json;

namespace {

std::optional<std::int64_t> integer(const json& object, const char* name) {
  const json& found = member(object, name);
  return found.is_number_integer() ? std::optional(found.get<std::int64_t>()) : std::nullopt;
}

std::optional<text::LspPosition> read_position(const json& value) {
  const auto line = integer(value, "line"), character = integer(value, "character");
  if (!line || !character || !std::in_range<std::uint32_t>(*line) ||
      !std::in_range<std::uint32_t>(*character))
    return std::nullopt;
  return text::LspPosition{static_cast<std::uint32_t>(*line), static_cast<std::uint32_t>(*character)};
}

// The worker publishes each line that lake prints as the only message, about the whole text (`fullRange`) and
// shown on its first line. Lean's own messages have a source. Only one lasting message has the same form and
// must be recognised by its severity and text: "Imports are out of date" (Lean/Server/FileWorker.lean).
constexpr text::LspRange kFirstLine{{0, 0}, {1, 0}};

bool is_setup_output(const Diagnostic& diagnostic) {
  return diagnostic.severity == Severity::Information && diagnostic.source.empty() &&
         diagnostic.code.empty() && diagnostic.lean_tags.empty() && !diagnostic.silent &&
         !diagnostic.message.starts_with("Imports are out of date");
}

// A range is required: without one, a caller who asks about some lines would miss the message. The rest is
// optional.
std::optional<Diagnostic> read_diagnostic(const json& value) {
  if (!value.is_object()) return std::nullopt;
  auto range = read_range(member(value, "fullRange"));
  const auto shown = read_range(member(value, "range"));
  if (!range) range = shown;
  if (!range) return std::nullopt;
  Diagnostic diagnostic;
  diagnostic.range = *range;
  if (const auto severity = integer(value, "severity"); severity && *severity >= 1 && *severity <= 4)
    diagnostic.severity = static_cast<Severity>(*severity);
  diagnostic.message = text::without_struck_letters(text_member(value, "message"));
  diagnostic.source = text_member(value, "source");
  diagnostic.code = text_member(value, "code");
  if (const auto number = integer(value, "code")) diagnostic.code = std::to_string(*number);
  diagnostic.silent = is_true(value, "isSilent");
  if (const json& tags = member(value, "leanTags"); tags.is_array())
    for (const json& tag : tags)
      if (tag.is_number_integer()) diagnostic.lean_tags.push_back(tag.get<int>());
  diagnostic.is_setup_output =
      is_setup_output(diagnostic) && range->start == text::LspPosition{} && shown == kFirstLine;
  return diagnostic;
}

}  // namespace

wire::Names<Severity> names_of(Severity) {
  return {{Severity::Error, "error"},
          {Severity::Warning, "warning"},
          {Severity::Information, "info"},
          {Severity::Hint, "hint"}};
}

std::optional<text::LspRange> read_range(const json& value) {
  const auto start = read_position(member(value, "start")), end = read_position(member(value, "end"));
  if (!start || !end) return std::nullopt;
  return text::LspRange{*start, *end};
}

std::optional<PublishDiagnostics> read_publish_diagnostics(const json& params) {
  PublishDiagnostics message;
  message.uri = text_member(params, "uri");
  message.version = integer(params, "version");
  message.incremental = is_true(params, "isIncremental");
  const json& items = member(params, "diagnostics");
  if (message.uri.empty() || !items.is_array()) return std::nullopt;
  for (const json& item : items) {
    auto diagnostic = read_diagnostic(item);
    if (!diagnostic) return std::nullopt;
    message.diagnostics.push_back(std::move(*diagnostic));
  }
  return message;
}

std::optional<FileProgress> read_file_progress(const json& params) {
  FileProgress message;
  const json& document = member(params, "textDocument");
  message.uri = text_member(document, "uri");
  message.version = integer(document, "version");
  const json& ranges = member(params, "processing");
  if (message.uri.empty() || !ranges.is_array()) return std::nullopt;
  for (const json& item : ranges) {
    const auto range = read_range(member(item, "range"));
    if (!range) return std::nullopt;  // skipping a range would claim that its lines are elaborated
    message.processing.push_back({*range, integer(item, "kind") == 2});
  }
  return message;
}

json to_json(text::LspPosition position) {
  return {{"line", position.line}, {"character", position.character}};
}

json to_json(const text::LspRange& range) {
  return {{"start", to_json(range.start)}, {"end", to_json(range.end)}};
}

std::size_t blamed_offset(const text::Text& text, const Diagnostic& diagnostic) {
  const std::size_t offset = text.offset_at(diagnostic.range.start);
  const std::string_view before = std::string_view(text.str()).substr(0, offset);
  const bool wants_more = diagnostic.severity == Severity::Error && diagnostic.range.start.character == 0 &&
                          diagnostic.message.starts_with("expected ") &&
                          !diagnostic.message.starts_with("expected command");
  const std::size_t end = wants_more ? before.find_last_not_of(" \t\r\n") : std::string_view::npos;
  return end == std::string_view::npos ? offset : end;
}

}  // namespace leanbridge::lean
