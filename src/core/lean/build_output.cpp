#include "build_output.hpp"

#include "core/base/ascii.hpp"
#include "core/base/counted.hpp"
#include "core/base/json.hpp"
#include "core/text/lean_names.hpp"
#include "core/text/utf8.hpp"
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <limits>

namespace leanbridge::lean {

namespace {

std::optional<int> number(std::string_view& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

bool skip(std::string_view& text, std::string_view what) {
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

// `A/B.lean:3:2: message`. In Lean's own output the position comes first: `A/B.lean:3:2: error: message`.
bool read_place(std::string_view& text, BuildMessage& message) {
  constexpr std::string_view kExtension = ".lean:";
  const std::size_t at = text.find(kExtension);
  if (at == std::string_view::npos || text.substr(0, at).find(": ") != std::string_view::npos) return false;
  std::string_view rest = text.substr(at + kExtension.size());
  const auto line = number(rest);
  if (!line || !skip(rest, ":")) return false;
  const auto column = number(rest);
  if (!column || !skip(rest, ":")) return false;
  message.file_path = text.substr(0, at + kExtension.size() - 1);
  message.line = *line;
  message.column = *column + 1;
  skip(rest, " ");
  text = rest;
  return true;
}

std::optional<BuildMessage> read_head(std::string_view line) {
  BuildMessage message;
  const bool place_first = read_place(line, message);
  static const wire::Names<BuildSeverity> severities = names_of(BuildSeverity());
  const auto severity = std::ranges::find_if(severities, [&](const auto& known) {
    const std::string_view word = known.second;
    return line.starts_with(word) && line.substr(word.size()).starts_with(":");
  });
  if (severity == severities.end()) return std::nullopt;
  message.severity = severity->first;
  line.remove_prefix(std::string_view(severity->second).size() + 1);
  skip(line, " ");
  skip(line, "././.");  // older versions: `error: ././././A.lean:1:2: ...`
  while (skip(line, "/./") || skip(line, "./")) {
  }
  if (!place_first) read_place(line, message);
  message.message = line;
  return message;
}

// Job headlines and the ends of builds: the text behind them does not belong to the message before.
bool ends_message(std::string_view line) {
  return read_build_step(line) || line.starts_with("Some required ") ||
         line.starts_with("Some builds logged") || line.starts_with("Build completed");
}

// The message only says that there were errors.
bool is_summary(const BuildMessage& message) {
  return message.severity == BuildSeverity::Error && message.line == 0 &&
         (message.message == "build failed" || message.message.starts_with("Lean exited with code"));
}

}  // namespace

wire::Names<BuildSeverity> names_of(BuildSeverity) {
  return {{BuildSeverity::Error, "error"},
          {BuildSeverity::Warning, "warning"},
          {BuildSeverity::Information, "info"},
          {BuildSeverity::Trace, "trace"}};
}

std::string without_colours(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\x1b')
      at = end_of_escape_sequence(text, at);
    else
      plain += text[at++];
  }
  return plain;
}

std::optional<BuildStep> read_build_step(std::string_view line) {
  // At most one symbol may precede the bracket; npos is greater.
  const std::size_t open = line.find('[');
  if (open > 8) return std::nullopt;
  line.remove_prefix(open + 1);
  BuildStep step;
  const auto done = number(line);
  if (!done || !skip(line, "/")) return std::nullopt;
  skip(line, "?");
  const auto total = number(line);
  if (!skip(line, "]")) return std::nullopt;
  step.done = *done;
  step.total = total.value_or(0);
  return step;
}

std::vector<BuildMessage> read_build_messages(std::string_view output) {
  const std::string plain = without_colours(output);
  std::vector<BuildMessage> messages;
  bool inside = false;
  for (std::string_view rest = plain; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (auto head = read_head(line)) {
      messages.push_back(std::move(*head));
      inside = true;
    } else if (ends_message(line)) {
      inside = false;
    } else if (inside) {
      messages.back().message += "\n" + std::string(line);
    }
  }
  for (BuildMessage& message : messages)
    while (message.message.ends_with('\n')) message.message.pop_back();
  const bool has_other = std::ranges::any_of(messages, [](const BuildMessage& message) {
    return message.severity == BuildSeverity::Error && !is_summary(message);
  });
  if (has_other) std::erase_if(messages, is_summary);
  return messages;
}

std::optional<std::string> import_failure_in(std::string_view log) {
  const std::vector<BuildMessage> messages = read_build_messages(log);
  const auto has_place = [](const BuildMessage& message) {
    return message.severity == BuildSeverity::Error && message.line > 0 &&
           message.file_path.ends_with(".lean");
  };
  const auto first = std::ranges::find_if(messages, has_place);
  if (first == messages.end()) return std::nullopt;
  std::string failure = "`" + text::module_of_path(first->file_path) +
                        "`, which this file imports, does not compile: line " + std::to_string(first->line) +
                        ": " + first->message;
  if (const auto others = std::count_if(std::next(first), messages.end(), has_place); others > 0)
    failure +=
        "\n[" + counted(static_cast<std::size_t>(others), "more error") + ": lean_build shows Lake's log]";
  return failure;
}

// --- lean --json

using nlohmann::json;

namespace {

std::optional<int> number(const json& object, const char* name) {
  const json& found = member(object, name);
  if (!found.is_number_integer()) return std::nullopt;
  const auto value = found.get<std::int64_t>();
  if (value < 0 || value >= std::numeric_limits<int>::max()) return std::nullopt;
  return static_cast<int>(value);
}

std::optional<text::Position> position(const json& message, const char* name) {
  const json& found = member(message, name);
  const auto line = number(found, "line"), column = number(found, "column");
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
  const auto known = severity(text_member(object, "severity"));
  const auto start = position(object, "pos");
  const json& data = member(object, "data");
  if (!known || !start || !data.is_string()) return std::nullopt;
  CompilerMessage message;
  message.severity = *known;
  message.start = *start;
  message.end = position(object, "endPos");
  message.message = text::without_struck_letters(data.get<std::string>());
  // Lean shows the caption as a headline.
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
