#include "summary.hpp"

#include "core/text/utf8.hpp"
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace leanbridge::batch {

using nlohmann::json;

namespace {

constexpr std::size_t kHeadBytes = 320;

double rounded(double value) {
  return static_cast<double>(static_cast<std::int64_t>(value * 100 + 0.5)) / 100;
}

// The verdicts that occur, "300 ok, 40 sorry".
std::string verdicts_of(const Summary& summary) {
  std::string text;
  for (const auto& [verdict, name] : names_of(Verdict()))
    if (summary.of(verdict) > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", summary.of(verdict), name);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

// Escapes text and attributes for XML 1.0, which cannot express most control characters.
std::string in_xml(std::string_view text) {
  std::string escaped;
  for (const char c : text::replace_invalid(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? '?' : c;
    }
  }
  return escaped;
}

std::string detail_of(const Report& report) {
  std::string text = report.reason.value_or("");
  for (const Message& message : report.diagnostics)
    text += fmt::format("{}{}:{}: {}: {}", text.empty() ? "" : "\n", message.line, message.column,
                        wire::name_of(message.severity), message.message);
  return text;
}

bool is_failure(Verdict verdict) {
  return verdict == Verdict::Sorry || verdict == Verdict::Error;
}

}  // namespace

std::size_t Summary::judged() const {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

json to_json(const Summary& summary) {
  json verdicts = json::object();
  for (const auto& [verdict, name] : names_of(Verdict())) verdicts[name] = summary.of(verdict);
  return {{"judged", summary.judged()},          {"verdicts", std::move(verdicts)},
          {"skipped", summary.skipped},          {"complete", summary.complete},
          {"seconds", rounded(summary.seconds)}, {"per_second", rounded(summary.per_second())},
          {"workers", summary.workers},          {"header_loads", summary.loads}};
}

std::string one_line_of(const Summary& summary) {
  std::string text = fmt::format("{} judged", summary.judged());
  if (summary.judged() > 0)
    text += fmt::format(": {}; {:.1f} a second", verdicts_of(summary), summary.per_second());
  if (summary.skipped > 0) text += fmt::format("; {} known from an earlier run", summary.skipped);
  return text + (summary.complete ? "" : "; not all items were judged");
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::max(0.0, seconds) + 0.5);
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

io::Progress progress_of(const Summary& summary, std::optional<std::size_t> total) {
  const std::size_t done = summary.judged() + summary.skipped;
  io::Progress progress{static_cast<double>(done), static_cast<double>(total.value_or(0)), ""};
  if (progress.total <= 0) progress.message = fmt::format("{} done  ", done);
  if (summary.judged() > 0)
    progress.message += fmt::format("{:.1f}/s  {}", summary.per_second(), verdicts_of(summary));
  if (total && done < *total && summary.per_second() > 0)
    progress.message += "  left " + clock_text(static_cast<double>(*total - done) / summary.per_second());
  return progress;
}

std::string junit_head(const Summary& summary) {
  const std::size_t failures = summary.of(Verdict::Sorry) + summary.of(Verdict::Error);
  const std::size_t errors = summary.judged() - failures - summary.of(Verdict::Ok);
  std::string head = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"leanbridge check\" tests=\"{}\" "
      "failures=\"{}\" "
      "errors=\"{}\" time=\"{:.3f}\"",
      summary.judged(), failures, errors, summary.seconds);
  head.resize(std::max(head.size(), kHeadBytes),
              ' ');  // white space between attributes and `>` has no meaning
  return head + ">\n";
}

std::string junit_case(const Report& report) {
  std::string text = fmt::format("<testcase classname=\"leanbridge\" name=\"{}\" time=\"{:.3f}\"",
                                 in_xml(report.id), static_cast<double>(report.ms) / 1000);
  if (report.verdict == Verdict::Ok) return text + "/>\n";
  const char* element = is_failure(report.verdict) ? "failure" : "error";
  const char* word = wire::name_of(report.verdict);
  return text + fmt::format("><{} type=\"{}\" message=\"{}\">{}</{}></testcase>\n", element, word, word,
                            in_xml(detail_of(report)), element);
}

std::string junit_tail() {
  return "</testsuite>\n";
}

}  // namespace leanbridge::batch
