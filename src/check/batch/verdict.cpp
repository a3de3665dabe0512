#include "verdict.hpp"

#include "core/base/hash.hpp"
#include "core/base/json.hpp"
#include "core/lean/sorries.hpp"
#include "core/text/utf8.hpp"

#include <algorithm>
#include <tuple>

namespace leanbridge::batch {

using nlohmann::json;

namespace {

constexpr std::size_t kMaxMessages = 100;        // of one item
constexpr std::size_t kMaxMessageBytes = 16384;  // of one message
constexpr std::size_t kMaxGoalsShown = 8;

std::string bounded(std::string text) {
  if (text.size() <= kMaxMessageBytes) return text;
  const std::size_t kept = text::beginning_of(text, kMaxMessageBytes).size();
  const std::size_t left = text.size() - kept;
  text.resize(kept);
  return text += "\n[… " + std::to_string(left) + " bytes left out …]";
}

Message message_of(const text::Text& text, const lean::Diagnostic& diagnostic) {
  const text::Position start = text.position_at(diagnostic.range.start);
  const text::Position end = text.position_at(diagnostic.range.end);
  return {diagnostic.severity, bounded(diagnostic.message), start.line, start.column, end.line, end.column};
}

// Mixes a hash further. The halves of a key begin differently and are mixed differently, so that they are
// independent.
std::uint64_t mixed(std::uint64_t hash) {
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9ULL;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebULL;
  return hash ^ (hash >> 31);
}

}  // namespace

wire::Names<Verdict> names_of(Verdict) {
  return {{Verdict::Ok, "ok"},           {Verdict::Sorry, "sorry"},
          {Verdict::Error, "error"},     {Verdict::NotReached, "not_reached"},
          {Verdict::Timeout, "timeout"}, {Verdict::Memory, "memory"},
          {Verdict::Crash, "crash"},     {Verdict::Invalid, "invalid"}};
}

wire::Fields Message::fields() {
  return wire::fields<&Message::severity, &Message::message, &Message::line, &Message::column,
                      &Message::end_line, &Message::end_column>();
}

wire::Fields Report::fields() {
  return {wire::field<&Report::id>(),
          wire::field<&Report::verdict>(),
          wire::field<&Report::reason>(),
          wire::field<&Report::diagnostics>(),
          wire::named_field<&Report::left_out>("diagnostics_left_out"),
          wire::field<&Report::goals>(),
          wire::field<&Report::axioms>(),
          wire::field<&Report::axioms_reason>(),
          wire::field<&Report::ms>(),
          wire::field<&Report::lean>(),
          wire::field<&Report::header_reused>(),
          wire::field<&Report::line>()};
}

Report invalid_report(std::string id, std::string why, std::optional<std::int64_t> line) {
  Report report;
  report.id = std::move(id);
  report.reason = std::move(why);
  report.line = line;
  return report;
}

std::string to_line(const Report& report) {
  return wire::write(report).dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

ShownMessages shown_messages(const text::Text& text, const std::vector<lean::Diagnostic>& all) {
  std::vector<const lean::Diagnostic*> shown;
  for (const lean::Diagnostic& diagnostic : all)
    if (!diagnostic.silent) shown.push_back(&diagnostic);
  std::ranges::stable_sort(shown, {}, [](const lean::Diagnostic* each) {
    return std::make_tuple(!each->is_error(), !lean::reports_sorry(*each), each->range.start);
  });
  ShownMessages result;
  result.left_out = shown.size() - std::min(shown.size(), kMaxMessages);
  shown.resize(shown.size() - result.left_out);
  for (const lean::Diagnostic* diagnostic : shown) result.messages.push_back(message_of(text, *diagnostic));
  return result;
}

std::vector<std::string> unsolved_goals(const std::vector<lean::Diagnostic>& diagnostics) {
  constexpr std::string_view kTitle = "unsolved goals";
  std::vector<std::string> goals;
  for (const lean::Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity != lean::Severity::Error || !diagnostic.message.starts_with(kTitle)) continue;
    // Goals are separated by blank lines.
    std::string_view rest = std::string_view(diagnostic.message).substr(kTitle.size());
    while (!rest.empty() && goals.size() < kMaxGoalsShown) {
      const std::size_t start = std::min(rest.find_first_not_of('\n'), rest.size());
      rest.remove_prefix(start);
      const std::size_t end = std::min(rest.find("\n\n"), rest.size());
      if (end > 0) goals.push_back(bounded(std::string(rest.substr(0, end))));
      rest.remove_prefix(end);
    }
    break;
  }
  return goals;
}

std::optional<VerdictLine> read_verdict_line(std::string_view line) {
  const json object = read_json(line);
  const std::string word = text_member(object, "verdict");
  if (!object.is_object() || !object.contains("id") || !object["id"].is_string()) return std::nullopt;
  for (const auto& [verdict, name] : names_of(Verdict()))
    if (word == name) return VerdictLine{object["id"].get<std::string>(), verdict};
  return std::nullopt;
}

KnownVerdicts::Key KnownVerdicts::key_of(std::string_view id) {
  return {mixed(fnv1a(id)), mixed(fnv1a(id, 0x9e3779b97f4a7c15ULL) + id.size())};
}

std::optional<Verdict> KnownVerdicts::find(std::string_view id) const {
  const auto found = verdicts_.find(key_of(id));
  return found == verdicts_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace leanbridge::batch
