#include "leanbridge/lean/compiler_message.hpp"

#include "leanbridge/base/json.hpp"

#include <nlohmann/json.hpp>

#include <limits>

namespace leanbridge::lean {

using nlohmann::json;

namespace {

std::optional<int> number(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number_integer()) return std::nullopt;
  const auto value = found->get<std::int64_t>();
  if (value < 0 || value >= std::numeric_limits<int>::max()) return std::nullopt;
  return static_cast<int>(value);
}

std::optional<text::Position> position(const json& message, const char* name) {
  const auto found = message.find(name);
  if (found == message.end() || !found->is_object()) return std::nullopt;
  const auto line = number(*found, "line"), column = number(*found, "column");
  if (!line || !column) return std::nullopt;
  return text::Position{*line, *column + 1};
}

std::optional<Severity> severity(const std::string& name) {
  if (name == "error") return Severity::Error;
  if (name == "warning") return Severity::Warning;
  if (name == "information") return Severity::Information;
  return std::nullopt;
}

}  // namespace

std::optional<CompilerMessage> read_compiler_message(std::string_view line) {
  if (!line.starts_with('{')) return std::nullopt;
  const json object = read_json(line);
  if (!object.is_object()) return std::nullopt;
  const auto known = severity(text_member(object, "severity"));
  const auto start = position(object, "pos");
  const auto data = object.find("data");
  if (!known || !start || data == object.end() || !data->is_string()) return std::nullopt;
  CompilerMessage message;
  message.severity = *known;
  message.start = *start;
  message.end = position(object, "endPos");
  message.message = data->get<std::string>();
  // As Lean shows it: a caption is a headline.
  if (const std::string caption = text_member(object, "caption"); !caption.empty())
    message.message = caption + ":\n" + message.message;
  message.kind = text_member(object, "kind");
  message.silent = is_true(object, "isSilent");
  return message;
}

Diagnostic to_diagnostic(const CompilerMessage& message, const text::Text& text) {
  const auto offset = [&](const text::Position& place) { return text.offset_of(place, "").value_or(0); };
  Diagnostic diagnostic;
  const std::size_t start = offset(message.start);
  const std::size_t end = message.end ? offset(*message.end) : start;
  diagnostic.range = text.lsp_range(start, std::max(start, end));
  diagnostic.severity = message.severity;
  diagnostic.message = message.message;
  diagnostic.source = "Lean 4";
  diagnostic.silent = message.silent;
  if (message.kind == "Tactic.unsolvedGoals") diagnostic.lean_tags.push_back(kTagUnsolvedGoals);
  return diagnostic;
}

}  // namespace leanbridge::lean
