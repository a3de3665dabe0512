// Edits as callers give them.

#include "core/text/proof_layout.hpp"
#include "core/text/signature.hpp"
#include "core/text/tactic_lines.hpp"
#include "proof_writing.hpp"

#include <algorithm>
#include <numeric>

namespace leanbridge::ide {

wire::Fields GivenEdit::fields() {
  return {wire::field<&GivenEdit::start_line>().at_least(1),
          wire::field<&GivenEdit::end_line>("Inclusive; start_line - 1 inserts").at_least(0),
          wire::field<&GivenEdit::declaration>("Its proof is replaced, instead of lines"),
          wire::field<&GivenEdit::new_text>("Whole lines; of a proof: tactics, or := and a term"),
          wire::field<&GivenEdit::expected>("The old lines, or sha256:HEX")};
}

wire::Fields EditOutcome::fields() {
  return wire::fields<&EditOutcome::written, &EditOutcome::reason, &EditOutcome::start_line,
                      &EditOutcome::end_line, &EditOutcome::current_text, &EditOutcome::diagnostics>();
}

wire::Fields WrittenEdits::fields() {
  return {wire::flatten<&WrittenEdits::all>(), wire::field<&WrittenEdits::edits>().unlisted()};
}

namespace {

constexpr std::string_view kAssignment = ":=";

// --- what a new text may mean

void add_reading(std::vector<std::string>& readings, std::string text) {
  if (std::ranges::find(readings, text) == readings.end()) readings.push_back(std::move(text));
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
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
      return readings[a].front().stands_before(readings[b].front());
    });
    const auto is_at_fault = [&](const std::array<int, 2>& place) {
      const auto& shown = refused.messages.items;
      return std::ranges::any_of(shown, [&](const DiagnosticItem& each) {
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
  if (!result.messages.items.empty()) outcome.diagnostics = result.messages.items;
  return outcome;
}

}  // namespace

asio::awaitable<Result<std::vector<Result<Readings>>>> EditWriting::read(std::vector<GivenEdit> edits) {
  CO_TRY(const auto file, co_await open_file(lean_, operation_, how_.file_path));
  std::vector<Result<Readings>> all;
  for (const GivenEdit& each : edits) all.push_back(readings_of(file, each));
  co_return all;
}

asio::awaitable<Result<WriteProofResult>> EditWriting::write_readings(std::vector<Readings> readings) {
  constexpr int kMaxTries = 6;
  // Of several readings that fail, the one that goes wrong last is what was meant.
  std::optional<WriteProofResult> refused;
  const auto first_error = [](const WriteProofResult& result) {
    const auto& shown = result.messages.items;
    return shown.empty() ? std::pair(0, 0) : std::pair(shown.front().line, shown.front().column);
  };
  ReadingChoice choice{readings};
  for (int tries = 0; tries < kMaxTries; ++tries) {
    WriteProofParams edit = how_;
    for (std::size_t i = 0; i < readings.size(); ++i) edit.edits.push_back(readings[i][choice.at[i]]);
    CO_TRY(WriteProofResult result, co_await write_proof(lean_, operation_, std::move(edit)));
    if (result.written && tries > 0 && !result.reason)
      result.reason = "Its lines were moved to the columns where Lean takes them.";
    if (result.written || (tries == 0 && !result.has_new_error)) co_return result;
    const bool has_other = choice.advance(result);
    if (!refused || first_error(result) > first_error(*refused)) refused = std::move(result);
    if (!has_other) break;
  }
  co_return std::move(*refused);
}

asio::awaitable<Result<WrittenEdits>> EditWriting::write_all(std::vector<GivenEdit> edits) {
  CO_TRY(auto all, co_await read(std::move(edits)));
  std::vector<Readings> readings;
  for (Result<Readings>& each : all) {
    CO_TRY(Readings of_edit, std::move(each));
    readings.push_back(std::move(of_edit));
  }
  WrittenEdits result;
  CO_TRY(result.all, co_await write_readings(std::move(readings)));
  if (!result.all.written) co_return result;
  result.edits.emplace();
  for (const auto& [first, last] : result.all.places)
    result.edits->push_back({true, {}, first, last, {}, {}});
  co_return result;
}

asio::awaitable<Result<WrittenEdits>> EditWriting::write_each(std::vector<GivenEdit> edits) {
  CO_TRY(const std::vector<Result<Readings>> all, co_await read(std::move(edits)));
  WrittenEdits result;
  std::vector<EditOutcome> outcomes(all.size());
  std::vector<WrittenEdit> written;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i]) {
      outcomes[i].reason = all[i].error().message;
      continue;
    }
    Readings readings = *all[i];
    const ProofEdit edit = readings.front();
    const auto other =
        std::ranges::find_if(written, [&](const WrittenEdit& each) { return each.overlaps(edit); });
    if (other != written.end()) {
      outcomes[i].reason = "An earlier edit of this call replaces line " +
                           std::to_string(std::max(other->first, edit.start_line)) + ".";
      continue;
    }
    for (const WrittenEdit& each : written)
      if (each.is_above(edit))
        for (ProofEdit& reading : readings) reading.start_line += each.shift, reading.end_line += each.shift;
    auto done = co_await write_readings({std::move(readings)});
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

}  // namespace leanbridge::ide
