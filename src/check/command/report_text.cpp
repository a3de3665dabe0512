#include "report_text.hpp"

#include "core/lean/project.hpp"
#include "core/terminal/cells.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/text.hpp"
#include <fmt/format.h>

#include <algorithm>

namespace leanbridge::app {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kIndent = 4;
constexpr std::size_t kMaxMessage = 400;  // cells; the fault is at the beginning of a message

// The message that caused the verdict; null: it has another cause.
const batch::Message* cause_of(const batch::Report& report) {
  const auto rests_on = [&](const batch::Message& message) {
    if (report.verdict == batch::Verdict::Error) return message.severity == lean::Severity::Error;
    return report.verdict == batch::Verdict::Sorry && message.message.find("sorry") != std::string::npos;
  };
  const auto found = std::ranges::find_if(report.diagnostics, rests_on);
  return found == report.diagnostics.end() ? nullptr : &*found;
}

std::string declaration_at(const std::string& source, const batch::Message& message) {
  const text::Text text(source);
  const auto offset = text.offset_of({message.line, message.column}, "");
  if (!offset) return "";
  for (const text::NamedDeclaration& each : text::named_declarations(source))
    if (each.site.start <= *offset && *offset < each.site.end) return each.full_name;
  return "";
}

std::string axioms_text(const batch::Report& report) {
  if (!report.axioms) return "";
  if (!*report.axioms) return "axioms unknown: " + report.axioms_reason.value_or("");
  return (*report.axioms)->empty() ? "no axioms" : fmt::format("axioms {}", fmt::join(**report.axioms, ", "));
}

// The text in the form that GitHub's runner reads (actions/toolkit, packages/core/src/command.ts).
std::string escaped(std::string_view text, std::string_view more = "") {
  std::string all;
  for (const char c : text) {
    const bool is_plain =
        std::string_view("%\r\n").find(c) == std::string_view::npos && more.find(c) == more.npos;
    all += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return all;
}

std::string name_from_root(const std::string& id, const fs::path& workspace) {
  std::error_code error, ignored;
  const fs::path file = fs::canonical(id, error);
  if (error || !id.ends_with(".lean")) return id;  // an id of a line of JSON
  fs::path root = fs::canonical(workspace, error);
  if (error || !lean::is_within(file, root))
    for (root = file.parent_path(); root.has_relative_path() && !fs::exists(root / ".git", ignored);)
      root = root.parent_path();
  return root.has_relative_path() ? file.lexically_relative(root).string() : id;
}

Style style_of(batch::Verdict verdict) {
  if (verdict == batch::Verdict::Ok) return Style::Ok;
  const bool is_worse = verdict != batch::Verdict::Sorry && verdict != batch::Verdict::NotReached;
  return is_worse ? Style::Error : Style::Warning;
}

}  // namespace

std::string report_text(const batch::Report& report, const std::optional<std::string>& source,
                        std::size_t width, const Paint& paint) {
  const batch::Message* cause = cause_of(report);
  std::string place = one_line(report.id);
  if (cause) place += fmt::format(":{}:{}", cause->line, cause->column);
  std::string verdict = wire::name_of(report.verdict);
  std::replace(verdict.begin(), verdict.end(), '_', ' ');
  std::string message;
  if (cause && source)
    if (const std::string name = one_line(declaration_at(*source, *cause)); !name.empty())
      message = name + ": ";
  message += one_line(cause ? cause->message : report.reason.value_or(axioms_text(report)));
  if (cells_of(message) > kMaxMessage) message = fitted(message, kMaxMessage);
  const auto is_as_bad = [&](const batch::Message& each) {
    return cause && each.severity == cause->severity;
  };
  const auto others = std::ranges::count_if(report.diagnostics, is_as_bad) - 1;
  if (others > 0) message += fmt::format(" (and {} more)", others);
  const std::string head = paint(Style::Name, place) + ": " + paint(style_of(report.verdict), verdict) +
                           (message.empty() ? "" : ":");
  const std::size_t used = cells_of(place) + 2 + verdict.size() + 1;
  if (used + 1 + cells_of(message) <= width) return head + (message.empty() ? "" : " " + message) + "\n";
  return head + "\n" + wrapped_block(message, width, kIndent);
}

std::string annotations(const batch::Report& report, const fs::path& workspace) {
  const std::string head =
      fmt::format("::{} file={}", style_of(report.verdict) == Style::Error ? "error" : "warning",
                  escaped(name_from_root(report.id, workspace), ":,"));
  const batch::Message* const cause = cause_of(report);
  std::string text;
  for (const batch::Message& each : report.diagnostics)
    if (cause && each.severity == cause->severity)
      text += fmt::format("{},line={},col={}::{}\n", head, each.line, each.column, escaped(each.message));
  const std::string reason = report.reason.value_or(wire::name_of(report.verdict));
  return text.empty() ? fmt::format("{}::{}\n", head, escaped(reason)) : text;
}

}  // namespace leanbridge::app
