// What Lean sends and prints: messages pushed to a document between edits, and the output of `lake build`,
// `lean --json`, `#print axioms` and the profiler. Whatever they say, the positions that are shown lie inside
// the text.
//
// Input: a text, then parts, each of which is a message (JSON, the `params` of a recording in fixtures/lsp),
// the output of a program, or a new text.

#include "core/document/document_state.hpp"
#include "core/lean/build_output.hpp"
#include "core/lean/profile.hpp"
#include "core/text/utf8.hpp"
#include "fuzz.hpp"
#include <nlohmann/json.hpp>

namespace leanbridge::fuzz {
namespace {

using document::DocumentState;
using nlohmann::json;
using text::LspPosition;
using text::Text;

void check_range(const Text& text, const text::LspRange& range) {
  for (const LspPosition end : {range.start, range.end}) {
    const std::size_t offset = text.offset_at(end);
    const text::Position position = text.position_at(end);
    require(offset <= text.size(), "a place is in the text");
    require(position.line >= 1 && static_cast<std::size_t>(position.line) <= text.addressable_lines() &&
                position.column >= 1,
            "a position is in the text");
  }
  require(range.end < range.start || text.position_at(range.start) <= text.position_at(range.end),
          "a range stays in order");
  require(lean::read_range(lean::to_json(range)) == range, "a range is read as it was written");
}

void check_state(const DocumentState& state, Choices& choices) {
  const int last_line = std::max(1, state.text().line_count());
  int before = -1;  // at least one line lies between two ranges, or they would be one
  for (const auto& lines : state.still_elaborating()) {
    require(
        lines.start > before + 1 && lines.start >= 1 && lines.start <= lines.end && lines.end <= last_line,
        "lines at work are in the text, joined and in order");
    before = lines.end;
  }
  require(state.lines_done() >= 0 && state.lines_done() <= last_line, "so many lines can be done");
  for (const lean::Diagnostic& diagnostic : state.diagnostics()) {
    check_range(state.text(), diagnostic.range);
    (void)wire::name_of(diagnostic.severity);
  }
  const LspPosition place = state.text().lsp_position_at(choices.below(state.text().size() + 1));
  require(!state.reported_before(place) || state.reported_between({}, place), "what is before is between");
  require(!state.done() || (state.reported_before(place) && state.reported_between({}, place) &&
                            state.still_elaborating().empty()),
          "what is done is done everywhere");
}

void apply(DocumentState& state, const json& message, Choices& choices) {
  const json* params = &message;
  if (message.is_object() && message.contains("params")) params = &message["params"];
  if (const auto pushed = lean::read_publish_diagnostics(*params)) {
    const std::size_t had = state.diagnostics().size();
    if (state.apply(*pushed))
      require(state.diagnostics().size() == pushed->diagnostics.size() + (pushed->incremental ? had : 0),
              "no message is lost");
  }
  if (const auto progress = lean::read_file_progress(*params)) {
    if (state.apply(*progress) && choices.below(4) == 0) state.worker_lost();
    if (!state.open()) state.opened(state.text());
  }
}

void read_output(std::string_view output, const Text& text) {
  for (const auto& message : lean::read_build_messages(output)) {
    require(wire::name_of(message.severity) != std::string_view(), "a message has a severity");
    require(message.file_path.empty() || (message.line >= 1 && message.column >= 1), "places count from 1");
  }
  const std::string plain = lean::without_colours(output);
  require(plain.size() <= output.size() && lean::without_colours(plain).size() <= plain.size(),
          "colours are taken away");
  if (const auto step = lean::read_build_step(output)) require(step->done >= 0 && step->total >= 0, "counts");
  if (const auto message = lean::read_compiler_message(output)) {
    const lean::Diagnostic diagnostic = lean::to_diagnostic(*message, text);
    check_range(text, diagnostic.range);
    require(diagnostic.range.start <= diagnostic.range.end, "a range does not end before it begins");
  }
  std::map<std::string, double> categories;
  lean::add_categories(output, categories);
  for (const auto& [category, ms] : categories) require(ms >= 0, "a time is not negative");
  std::vector<std::string_view> lines;
  for (std::size_t i = 0; i < text.addressable_lines(); ++i) lines.push_back(text.line(i));
  for (const auto& time : lean::time_lines(lean::read_trace(output), lines))
    require(time.line >= 1 && static_cast<std::size_t>(time.line) <= lines.size(),
            "a time is that of a line");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = text_of(data, size);
  Choices choices(input);
  const auto parts = parts_of(input);
  DocumentState state;
  state.opened(Text(text::replace_invalid(parts.front())));
  check_state(state, choices);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string part = text::replace_invalid(parts[i]);
    const json message = json::parse(part, nullptr, false);
    if (message.is_structured()) {
      apply(state, message, choices);
      if (choices.below(8) == 0)
        require(state.barrier_passed(state.version()) && state.done(), "the barrier completes its version");
    } else if (choices.below(2) == 0) {
      if (const auto edit = text::smallest_edit(state.text().str(), part)) {
        state.changed(*edit);
        require(!state.done() && state.diagnostics().empty(), "nothing is known of a new version");
      }
    }
    read_output(part, state.text());
    check_state(state, choices);
  }
  return 0;
}

}  // namespace leanbridge::fuzz
