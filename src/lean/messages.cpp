#include "leanbridge/lean/messages.hpp"

#include "leanbridge/base/json.hpp"
#include "leanbridge/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace leanbridge::lean {

using nlohmann::json;

namespace {

std::optional<std::int64_t> integer(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

std::optional<text::LspPosition> read_position(const json& value) {
  if (!value.is_object()) return std::nullopt;
  const auto line = integer(value, "line"), character = integer(value, "character");
  if (!line || !character || !std::in_range<std::uint32_t>(*line) ||
      !std::in_range<std::uint32_t>(*character))
    return std::nullopt;
  return text::LspPosition{static_cast<std::uint32_t>(*line), static_cast<std::uint32_t>(*character)};
}

const json* array(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_array() ? &*found : nullptr;
}

// The worker publishes each line that lake prints as the only message, about the whole text (`fullRange`) and
// shown on its first line. Lean's own messages have a source.
constexpr text::LspRange kFirstLine{{0, 0}, {1, 0}};

bool is_setup_output(const Diagnostic& diagnostic) {
  return diagnostic.severity == Severity::Information && diagnostic.source.empty() &&
         diagnostic.code.empty() && diagnostic.lean_tags.empty() && !diagnostic.silent;
}

// A range is required: without one, whoever asks about some lines would miss the message. The rest is
// optional.
std::optional<Diagnostic> read_diagnostic(const json& value) {
  if (!value.is_object()) return std::nullopt;
  auto range = read_range(value.value("fullRange", json()));
  if (!range) range = read_range(value.value("range", json()));
  if (!range) return std::nullopt;
  const auto shown = read_range(value.value("range", json()));
  Diagnostic diagnostic;
  diagnostic.range = *range;
  if (const auto severity = integer(value, "severity"); severity && *severity >= 1 && *severity <= 4)
    diagnostic.severity = static_cast<Severity>(*severity);
  diagnostic.message = text::without_struck_letters(text_member(value, "message"));
  diagnostic.source = text_member(value, "source");
  diagnostic.code = text_member(value, "code");
  if (const auto number = integer(value, "code")) diagnostic.code = std::to_string(*number);
  diagnostic.silent = is_true(value, "isSilent");
  if (const json* tags = array(value, "leanTags"))
    for (const json& tag : *tags)
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
  if (!value.is_object() || !value.contains("start") || !value.contains("end")) return std::nullopt;
  const auto start = read_position(value["start"]), end = read_position(value["end"]);
  if (!start || !end) return std::nullopt;
  return text::LspRange{*start, *end};
}

std::optional<PublishDiagnostics> read_publish_diagnostics(const json& params) {
  if (!params.is_object()) return std::nullopt;
  PublishDiagnostics message;
  message.uri = text_member(params, "uri");
  message.version = integer(params, "version");
  message.incremental = is_true(params, "isIncremental");
  const json* items = array(params, "diagnostics");
  if (message.uri.empty() || !items) return std::nullopt;
  for (const json& item : *items) {
    auto diagnostic = read_diagnostic(item);
    if (!diagnostic) return std::nullopt;
    message.diagnostics.push_back(std::move(*diagnostic));
  }
  return message;
}

std::optional<FileProgress> read_file_progress(const json& params) {
  if (!params.is_object() || !params.contains("textDocument") || !params["textDocument"].is_object())
    return std::nullopt;
  FileProgress message;
  message.uri = text_member(params["textDocument"], "uri");
  message.version = integer(params["textDocument"], "version");
  const json* ranges = array(params, "processing");
  if (message.uri.empty() || !ranges) return std::nullopt;
  for (const json& item : *ranges) {
    const auto range = item.is_object() ? read_range(item.value("range", json())) : std::nullopt;
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
