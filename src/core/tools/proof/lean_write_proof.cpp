// lean_write_proof: replaces lines, or the proofs of declarations, if Lean accepts the resulting file.

#include "core/base/try.hpp"
#include "core/ide/proof_writing.hpp"
#include "core/text/proof_layout.hpp"
#include "core/text/signature.hpp"
#include "core/text/tactic_lines.hpp"
#include "core/tools/common/typed_tool.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace leanbridge::tools {

namespace {

constexpr std::size_t kMaxEdits = 64;
constexpr std::string_view kAssignment = ":=";

/// An edit as it is passed: lines, or a declaration whose proof is replaced.
struct GivenEdit {
  std::optional<int> start_line, end_line;
  std::optional<std::string> declaration, new_text, expected;

  static wire::Fields fields() {
    return {wire::field<&GivenEdit::start_line>().at_least(1),
            wire::field<&GivenEdit::end_line>("Inclusive; start_line - 1 inserts").at_least(0),
            wire::field<&GivenEdit::declaration>("Its proof is replaced, instead of lines"),
            wire::field<&GivenEdit::new_text>("Whole lines; of a proof: tactics, or := and a term"),
            wire::field<&GivenEdit::expected>("The old lines, or sha256:HEX")};
  }
};

struct WriteToolParams {
  FileParams file;
  GivenEdit one;
  std::optional<std::vector<std::map<std::string, nlohmann::json>>> edits;
  bool each = false;
  bool allow_sorry = false;
  bool allow_statement_change = false;

  static wire::Fields fields() {
    return {wire::flatten<&WriteToolParams::file>(),
            wire::flatten<&WriteToolParams::one>(),
            wire::field<&WriteToolParams::edits>("Several such, instead: all or none"),
            wire::field<&WriteToolParams::each>("Of edits: any that Lean accepts").with_default(),
            wire::field<&WriteToolParams::allow_sorry>().with_default(),
            wire::field<&WriteToolParams::allow_statement_change>().with_default()};
  }
};

/// The outcome of one of several edits.
struct EditOutcome {
  bool written = false;
  std::optional<std::string> reason;
  std::optional<int> start_line, end_line;
  std::optional<std::string> current_text;
  std::optional<std::vector<DiagnosticItem>> diagnostics;

  static wire::Fields fields() {
    return wire::fields<&EditOutcome::written, &EditOutcome::reason, &EditOutcome::start_line,
                        &EditOutcome::end_line, &EditOutcome::current_text, &EditOutcome::diagnostics>();
  }
};

struct WriteToolResult {
  WriteProofResult all;
  std::optional<std::vector<EditOutcome>> edits;  ///< of several

  static wire::Fields fields() {
    return {wire::flatten<&WriteToolResult::all>(), wire::field<&WriteToolResult::edits>().unlisted()};
  }
};

tl::unexpected<Error> wrong_edit(const std::string& what) {
  return fail(ErrorKind::InvalidArgument, what,
              "An edit is start_line, end_line and new_text, with expected if others write here, too; or "
              "declaration and new_text.");
}

Result<void> check_edit(const GivenEdit& edit, const std::string& place) {
  if (!edit.new_text) return wrong_edit(place + "new_text is missing.");
  if (edit.declaration) {
    if (edit.start_line || edit.end_line || edit.expected)
      return wrong_edit(place + "declaration is instead of lines and expected.");
    return {};
  }
  if (!edit.start_line) return wrong_edit(place + "start_line is missing.");
  if (!edit.end_line) return wrong_edit(place + "end_line is missing.");
  return {};
}

// A member of an item of `edits`, whose type nobody has checked.
Result<void> read_member(GivenEdit& edit, const std::string& name, const nlohmann::json& value,
                         const std::string& place) {
  const auto number = [&](std::optional<int>& into, int least) -> Result<void> {
    if (!value.is_number_integer() || value < least || value > 100'000'000)
      return wrong_edit(place + name + " must be a line number.");
    into = value.get<int>();
    return {};
  };
  const auto text = [&](std::optional<std::string>& into) -> Result<void> {
    if (!value.is_string()) return wrong_edit(place + name + " must be a text.");
    into = value.get<std::string>();
    return {};
  };
  if (name == "start_line") return number(edit.start_line, 1);
  if (name == "end_line") return number(edit.end_line, 0);
  if (name == "declaration") return text(edit.declaration);
  if (name == "new_text") return text(edit.new_text);
  if (name == "expected") return text(edit.expected);
  return wrong_edit(place + "there is no member '" + name + "'.");
}

Result<std::vector<GivenEdit>> edits_of(const WriteToolParams& params) {
  const GivenEdit& one = params.one;
  if (!params.edits) {
    TRY_DONE(check_edit(one, ""));
    return std::vector{one};
  }
  if (one.start_line || one.end_line || one.declaration || one.new_text || one.expected)
    return wrong_edit("edits is instead of a single edit.");
  if (params.edits->empty() || params.edits->size() > kMaxEdits)
    return wrong_edit("edits has " + std::to_string(params.edits->size()) + " entries; 1 to " +
                      std::to_string(kMaxEdits) + " are possible.");
  std::vector<GivenEdit> edits;
  for (std::size_t i = 0; i < params.edits->size(); ++i) {
    const std::string place = "edits[" + std::to_string(i) + "]: ";
    GivenEdit edit;
    for (const auto& [name, value] : (*params.edits)[i]) TRY_DONE(read_member(edit, name, value, place));
    TRY_DONE(check_edit(edit, place));
    edits.push_back(std::move(edit));
  }
  return edits;
}

// --- what a new text may mean: Lean takes the first that it accepts

void add_reading(std::vector<std::string>& readings, std::string text) {
  if (std::find(readings.begin(), readings.end(), text) == readings.end())
    readings.push_back(std::move(text));
}

std::size_t column_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

std::string indented_lines(const std::string& tactics, std::size_t column) {
  return std::string(column, ' ') + text::moved_to(tactics, column);
}

// As it is; in the columns of what it replaces; and with its first line in those of the rest.
std::vector<std::string> readings_of_lines(const std::string& new_text, std::string_view old_first_line) {
  std::vector<std::string> readings = {new_text};
  const std::size_t column = column_of(old_first_line);
  if (column == 0 || column == old_first_line.size() || new_text.find_first_not_of(" \n") == new_text.npos)
    return readings;
  add_reading(readings, indented_lines(new_text, column) + "\n");
  if (const auto aligned = text::first_line_aligned(new_text))
    add_reading(readings, indented_lines(*aligned, column) + "\n");
  return readings;
}

// As a block of tactics, or as what follows `:=`, `|` or `where`.
std::vector<std::string> readings_of_proof(const std::string& new_text, std::size_t column,
                                           bool replaces_tactics) {
  std::vector<std::string> readings;
  const auto add_tactics = [&](const std::string& tactics) {
    add_reading(readings, ":= by\n" + indented_lines(tactics, column));
    if (const auto aligned = text::first_line_aligned(tactics))
      add_reading(readings, ":= by\n" + indented_lines(*aligned, column));
  };
  std::string text = new_text;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ' || text.back() == '\r')) text.pop_back();
  const std::size_t begin = std::min(text.find_first_not_of(" \r\n"), text.size());
  const bool is_assigned = text.compare(begin, kAssignment.size(), kAssignment) == 0;
  if (is_assigned) text.replace(begin, kAssignment.size(), kAssignment.size(), ' ');
  const auto add_term = [&] {
    const bool is_short = text.find('\n', begin) == text.npos;
    add_reading(readings, is_short ? ":= " + text::moved_to(text, 0) : ":=\n" + indented_lines(text, column));
  };
  if (const auto tactics = text::behind_by(text)) {
    add_tactics(*tactics);
  } else if (is_assigned) {
    add_term();
  } else if (text.compare(begin, 1, "|") == 0 || text.compare(begin, 5, "where") == 0) {
    add_reading(readings, "\n" + indented_lines(text, column));
  } else if (replaces_tactics) {
    add_tactics(text);
    add_term();
  } else {
    add_term();
    add_tactics(text);
  }
  return readings;
}

/// Ways to read an edit, the likeliest first. None is empty.
using Readings = std::vector<ProofEdit>;

Result<Readings> readings_of_declaration(const OpenFile& file, const GivenEdit& given) {
  const text::Text& text = file.text();
  const std::string& source = text.str();
  TRY(const auto declared, declaration_named(text, *given.declaration, file.document().name));
  const std::size_t statement = text::signature_of(source, declared.site).end;
  const auto layout = text::ProofLayout().declaration_at(source, declared.site.keyword_offset);
  const std::size_t end = layout ? layout->last_code.end : declared.site.end;
  if (statement >= end)
    return fail(ErrorKind::InvalidArgument, declared.full_name + " has no proof that could be replaced.",
                "Pass start_line and end_line.");
  const std::string old = source.substr(statement, end - statement);
  const auto old_tactics = old.starts_with(kAssignment)
                               ? text::behind_by(std::string_view(old).substr(kAssignment.size()))
                               : std::nullopt;
  std::size_t column = column_of(text.line(text.line_at(declared.site.keyword_offset))) + 2;
  if (old_tactics)
    if (const std::size_t next = old_tactics->find('\n');
        old_tactics->find_first_not_of(" \n") != old_tactics->npos &&
        old_tactics->find_first_not_of(' ') == next)
      column =
          column_of(std::string_view(*old_tactics)
                        .substr(old_tactics->find_last_of('\n', old_tactics->find_first_not_of(" \n")) + 1));

  const std::size_t first = text.line_at(statement), last = text.line_at(end - 1);
  std::string head = source.substr(text.line_start(first), statement - text.line_start(first));
  const std::size_t head_end = head.find_last_not_of(' ');
  if (head_end != head.npos) head = head.substr(0, head_end + 1) + " ";
  const std::string tail = source.substr(end, text.line_end(last) - end);
  const std::string replaced =
      source.substr(text.line_start(first), text.line_end(last) - text.line_start(first));
  Readings readings;
  for (const std::string& proof : readings_of_proof(*given.new_text, column, old_tactics.has_value())) {
    std::string lines = proof.starts_with('\n') ? head.substr(0, head_end + 1) : head;
    lines += proof + tail + "\n";
    readings.push_back({static_cast<int>(first) + 1, static_cast<int>(last) + 1, std::move(lines), replaced});
  }
  return readings;
}

Result<Readings> readings_of(const OpenFile& file, const GivenEdit& given) {
  if (given.declaration) return readings_of_declaration(file, given);
  const int start = *given.start_line, end = *given.end_line;
  std::string_view old;
  if (start <= end && static_cast<std::size_t>(start) <= file.text().addressable_lines())
    old = file.text().line(static_cast<std::size_t>(start - 1));
  Readings readings;
  for (const std::string& each : readings_of_lines(*given.new_text, old))
    readings.push_back({start, end, each, given.expected});
  return readings;
}

// --- writing

/// Which reading of each edit is tried.
struct ReadingChoice {
  const std::vector<Readings>& readings;
  std::vector<std::size_t> at = std::vector<std::size_t>(readings.size(), 0);

  /// Goes to the next reading of those edits whose lines have an error, or of all if none has. False: there
  /// is no other.
  bool advance(const WriteProofResult& refused) {
    std::vector<std::size_t> order(readings.size());  // that of `places`
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return readings[a].front().stands_before(readings[b].front());
    });
    const auto is_at_fault = [&](const std::array<int, 2>& place) {
      const auto& shown = refused.messages.diagnostics;
      return std::any_of(shown.begin(), shown.end(), [&](const DiagnosticItem& each) {
        return place[0] - 1 <= each.line && each.line <= place[1] + 1;  // that of a block is where it begins
      });
    };
    const auto advance_those = [&](bool only_faulty) {
      bool advanced = false;
      for (std::size_t i = 0; i < order.size(); ++i) {
        const bool is_faulty = refused.places.size() == order.size() && is_at_fault(refused.places[i]);
        std::size_t& one = at[order[i]];
        if ((only_faulty && !is_faulty) || one + 1 >= readings[order[i]].size()) continue;
        ++one;
        advanced = true;
      }
      return advanced;
    };
    return advance_those(true) || advance_those(false);
  }
};

asio::awaitable<Result<WriteProofResult>> write_readings(Environment& environment,
                                                         std::shared_ptr<mcp::Call> call,
                                                         WriteToolParams params,
                                                         std::vector<Readings> readings) {
  constexpr int kMaxTries = 6;
  // Of several readings that fail, the one that goes wrong last is what was meant.
  std::optional<WriteProofResult> refused;
  const auto first_error = [](const WriteProofResult& result) {
    const auto& shown = result.messages.diagnostics;
    return shown.empty() ? std::pair(0, 0) : std::pair(shown.front().line, shown.front().column);
  };
  ReadingChoice choice{readings};
  for (int tries = 0; tries < kMaxTries; ++tries) {
    WriteProofParams edit{params.file.file_path, {}, params.allow_sorry, params.allow_statement_change};
    edit.all_goals = call->detail == wire::Detail::Full;
    for (std::size_t i = 0; i < readings.size(); ++i) edit.edits.push_back(readings[i][choice.at[i]]);
    CO_TRY(WriteProofResult result, co_await write_proof(environment, call, std::move(edit)));
    if (result.written && tries > 0 && !result.reason)
      result.reason = "Its lines were moved to the columns where Lean takes them.";
    if (result.written || (tries == 0 && !result.has_new_error)) co_return result;
    const bool has_other = choice.advance(result);
    if (!refused || first_error(result) > first_error(*refused)) refused = std::move(result);
    if (!has_other) break;
  }
  co_return std::move(*refused);
}

/// One of several edits that is written, with its lines of the file as it was; of an insertion, last is
/// first - 1.
struct WrittenEdit {
  std::size_t number;  ///< in the call, from 0
  int first, last;
  int shift;

  bool overlaps(const ProofEdit& edit) const { return first <= edit.end_line && edit.start_line <= last; }
  bool is_above(const ProofEdit& edit) const { return last < edit.start_line; }
};

EditOutcome outcome_of(const WriteProofResult& result) {
  EditOutcome outcome{result.written,        result.reason,       result.lines.start_line,
                      result.lines.end_line, result.current_text, {}};
  if (!result.messages.diagnostics.empty()) outcome.diagnostics = result.messages.diagnostics;
  return outcome;
}

// Writes each edit by itself, in the order given, and leaves out one that overlaps another that is written.
asio::awaitable<Result<WriteToolResult>> write_each(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                    WriteToolParams params,
                                                    std::vector<Result<Readings>> all) {
  WriteToolResult result;
  std::vector<EditOutcome> outcomes(all.size());
  std::vector<WrittenEdit> written;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i]) {
      outcomes[i].reason = all[i].error().message;
      continue;
    }
    Readings readings = *all[i];
    const ProofEdit edit = readings.front();
    const auto other = std::find_if(written.begin(), written.end(),
                                    [&](const WrittenEdit& each) { return each.overlaps(edit); });
    if (other != written.end()) {
      outcomes[i].reason = "An earlier edit of this call replaces line " +
                           std::to_string(std::max(other->first, edit.start_line)) + ".";
      continue;
    }
    for (const WrittenEdit& each : written)
      if (each.is_above(edit))
        for (ProofEdit& reading : readings) reading.start_line += each.shift, reading.end_line += each.shift;
    auto done = co_await write_readings(environment, call, params, {std::move(readings)});
    if (!done && written.empty() && done.error().kind != ErrorKind::InvalidArgument)
      co_return tl::unexpected(done.error());
    if (!done) {
      outcomes[i].reason = done.error().message;
      continue;
    }
    outcomes[i] = outcome_of(*done);
    if (!done->written) continue;
    const int shift = done->lines.shift.value_or(0);
    for (const WrittenEdit& each : written)
      if (!each.is_above(edit)) {
        *outcomes[each.number].start_line += shift;
        *outcomes[each.number].end_line += shift;
      }
    written.push_back({i, edit.start_line, edit.end_line, shift});
    result.all.lines.sorry_count = done->lines.sorry_count;
    result.all.lines.sorries = done->lines.sorries;
  }
  result.all.written = written.size() == all.size();
  if (!result.all.written)
    result.all.reason =
        std::to_string(written.size()) + " of " + std::to_string(all.size()) + " edits are written.";
  result.edits = std::move(outcomes);
  co_return result;
}

asio::awaitable<Result<WriteToolResult>> write_given(Environment& environment,
                                                     std::shared_ptr<mcp::Call> call,
                                                     WriteToolParams params) {
  CO_TRY(const std::vector<GivenEdit> given, edits_of(params));
  CO_TRY(const auto file, co_await open_file(environment, call, params.file.file_path));
  std::vector<Result<Readings>> all;
  for (const GivenEdit& each : given) all.push_back(readings_of(file, each));
  if (params.each && params.edits)
    co_return co_await write_each(environment, call, std::move(params), std::move(all));
  std::vector<Readings> readings;
  for (auto& each : all) {
    CO_TRY(Readings of_edit, std::move(each));
    readings.push_back(std::move(of_edit));
  }
  WriteToolResult result;
  CO_TRY(result.all, co_await write_readings(environment, call, params, std::move(readings)));
  if (params.edits && result.all.written) {
    result.edits.emplace();
    for (const auto& [first, last] : result.all.places)
      result.edits->push_back({true, {}, first, last, {}, {}});
  }
  co_return result;
}

}  // namespace

mcp::Tool lean_write_proof(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_write_proof",
       .title = "Write a checked change",
       .group = "proof",
       .description = "Replaces lines or a declaration's proof if Lean accepts the whole file without a new "
                      "error or sorry, and no statement is lost or changed. Returns the place of the new "
                      "lines and the goals of sorries left; else writes nothing and says why.",
       .annotations = {.read_only = false, .destructive = true, .idempotent = false, .open_world = false},
       .caller_code = true},
      write_given);
}

}  // namespace leanbridge::tools
