#include "fill_script.hpp"

#include "core/base/ascii.hpp"
#include "core/lean/sorries.hpp"
#include "core/lean/try_this.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/lean_header.hpp"
#include "core/text/lines.hpp"
#include "core/text/proof_part.hpp"
#include "core/text/tactic_places.hpp"

#include <algorithm>
#include <charconv>
#include <set>

namespace leanbridge::ide {

namespace {

constexpr std::string_view kMark = "leanbridge fill ";
constexpr std::string_view kLeft = "left";
constexpr std::size_t kPlaceWord = 5;  // bytes of the words `sorry` and `admit`

std::string said(std::size_t place, std::string_view what) {
  return "trace \"" + std::string(kMark) + std::to_string(place) + " " + std::string(what) + "\"";
}

// Whether the message is about one of Lean's own limits: an alternative that reaches one ends the whole
// `first`.
bool is_limit(const std::string& message) {
  for (const char* const limit : {"(deterministic) timeout", "maximum recursion depth", "stack overflow"})
    if (message.find(limit) != std::string::npos) return true;
  return false;
}

struct Mark {
  std::size_t place = 0;
  std::optional<std::size_t> candidate;  ///< nullopt: a goal is left
};
std::optional<Mark> read_mark(std::string_view message) {
  if (!message.starts_with(kMark)) return std::nullopt;
  message.remove_prefix(kMark.size());
  Mark mark;
  const auto [end, error] = std::from_chars(message.data(), message.data() + message.size(), mark.place);
  if (error != std::errc() || end == message.data() + message.size() || *end != ' ') return std::nullopt;
  message.remove_prefix(static_cast<std::size_t>(end + 1 - message.data()));
  if (message == kLeft) return mark;
  std::size_t candidate = 0;
  const auto [last, wrong] = std::from_chars(message.data(), message.data() + message.size(), candidate);
  if (wrong != std::errc() || last != message.data() + message.size()) return std::nullopt;
  mark.candidate = candidate;
  return mark;
}

}  // namespace

std::vector<FillPlace> fill_places(std::string_view source) {
  std::set<std::size_t> tactics;
  for (const text::TacticPlace& place : text::tactic_places(source))
    if (place.kind != text::TacticPlace::Kind::End) tactics.insert(place.offset);
  const auto declarations = text::declarations(source);
  std::vector<FillPlace> places;
  for (const std::size_t begin : lean::sorry_words(source)) {
    const std::string_view word = source.substr(begin, kPlaceWord);
    const bool is_place = (word == "sorry" || word == "admit") &&
                          !source.substr(begin).starts_with("sorryAx") &&
                          text::enclosing_declaration(declarations, source.size(), begin) != nullptr;
    if (!is_place) continue;
    const std::size_t before = source.find_last_not_of(" \t\r\n", begin == 0 ? 0 : begin - 1);
    const bool after_assignment =
        before != std::string_view::npos && before > 0 && source.substr(before - 1, 2) == ":=";
    places.push_back({begin, begin + kPlaceWord, tactics.contains(begin), after_assignment});
  }
  return places;
}

void add_failures(const text::Text& source, const std::vector<lean::Diagnostic>& diagnostics,
                  std::vector<FillPlace>& places) {
  const std::string& text = source.str();
  const auto sites = text::declarations(text);
  text::ProofLayout layout;
  for (const lean::Diagnostic& diagnostic : diagnostics) {
    const std::size_t at = source.offset_at(diagnostic.range.start);
    const auto* site = text::enclosing_declaration(sites, text.size(), at);
    if (diagnostic.severity != lean::Severity::Error || !site) continue;
    FillPlace place{at, at, true, false, {}};
    if (diagnostic.message.starts_with("unsolved goals")) {
      const auto first = layout.first_mark(text, at + 1, site->end, text::is_tactic);
      if (!first) continue;
      const auto column = static_cast<std::size_t>(source.position_at(first->begin).column - 1);
      place.begin = place.end = text::tactic_extent(text, layout, first->begin, column).block;
      place.before = "\n" + std::string(column, ' ');
    } else {
      const auto part = text::proof_part(text, layout, at, at);
      if (!part) continue;
      const auto column = static_cast<std::size_t>(source.position_at(part->begin).column - 1);
      place.begin = part->begin;
      place.end = text::tactic_extent(text, layout, part->begin, column).item;
    }
    const bool overlaps = std::ranges::any_of(places, [&](const FillPlace& other) {
      return place.begin == other.begin || (place.begin < other.end && other.begin < place.end);
    });
    if (!overlaps) places.push_back(std::move(place));
  }
  std::ranges::stable_sort(places, [](const FillPlace& a, const FillPlace& b) { return a.begin < b.begin; });
}

WithAxiom::WithAxiom(std::string_view of, std::vector<FillPlace> at) : source(of), places(std::move(at)) {
  constexpr std::string_view kAxiom = "\naxiom leanbridge.left.{u} {α : Sort u} : α\n";
  source.insert(text::parse_lean_header(of).end, kAxiom);
  for (FillPlace& place : places) {
    place.begin += kAxiom.size();
    place.end += kAxiom.size();
  }
}

FillScript script_for(std::string_view source, const std::vector<FillPlace>& places,
                      const std::vector<Candidates>& candidates, int heartbeats) {
  FillScript script;
  std::size_t copied = 0;
  const auto sites = text::declarations(source);
  const bool can_divide = source.find("mutual") == std::string_view::npos;  // a mutual block is one command
  const text::DeclarationSite* last = nullptr;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (candidates[i].empty()) continue;
    const FillPlace& place = places[i];
    std::string& text = script.text;
    if (const auto* site = text::enclosing_declaration(sites, source.size(), place.begin);
        site && site != last && can_divide) {
      text += source.substr(copied, site->start - copied);
      copied = site->start;
      text += "set_option linter.all false in ";
      if (heartbeats > 0) text += "set_option maxHeartbeats " + std::to_string(heartbeats) + " in ";
      last = site;
    }
    text += source.substr(copied, place.begin - copied);
    copied = place.end;
    text += place.before;
    FillScript::Probe probe{i, {text.size(), 0}, {}};
    // `show` keeps data from getting an arbitrary value that happens to have its type.
    text += place.is_tactic ? "(focus (first | (show (_ : Prop); first"
                            : "(by focus (first | (show (_ : Prop); first";
    for (std::size_t k = 0; k < candidates[i].size(); ++k) {
      text += " | ((";
      const std::size_t begin = text.size();
      text += candidates[i][k];
      probe.candidates.push_back({begin, text.size()});
      text += "); done; " + said(i, std::to_string(k)) + ")";
    }
    text += ") | (" + said(i, kLeft) + "; sorry)))";
    probe.whole.end = text.size();
    script.probes.push_back(std::move(probe));
  }
  script.text += source.substr(copied, last ? last->end - copied : std::string_view::npos);
  return script;
}

std::vector<FillOutcome> outcomes_of(const FillScript& script, const text::Text& text,
                                     const std::vector<lean::Diagnostic>& diagnostics) {
  std::vector<FillOutcome> outcomes;
  for (const FillScript::Probe& probe : script.probes) {
    FillOutcome outcome;
    outcome.place = probe.place;
    bool kernel_refused = false;
    for (const lean::Diagnostic& diagnostic : diagnostics) {
      const std::size_t start = text.offset_at(diagnostic.range.start);
      if (start < probe.whole.begin || start >= probe.whole.end) continue;
      if (diagnostic.severity == lean::Severity::Error) {
        const auto at = std::ranges::find_if(
            probe.candidates, [&](const auto& range) { return range.begin <= start && start <= range.end; });
        const auto candidate = static_cast<std::size_t>(at - probe.candidates.begin());
        if (at == probe.candidates.end())
          (diagnostic.message.starts_with("(kernel)") ? kernel_refused : outcome.broken) = true;
        else if (is_limit(diagnostic.message))
          outcome.ended = candidate;
        else
          outcome.refused.insert(candidate);
        continue;
      }
      if (!diagnostic.message.starts_with(kMark)) {
        for (std::string& tactic : lean::read_suggestions(diagnostic.message).tactics)
          outcome.suggestions.push_back(std::move(tactic));
        continue;
      }
      // Lean joins the messages at one place.
      for (const std::string_view line : text::lines_with_endings(diagnostic.message)) {
        const auto mark = read_mark(trimmed(line));
        if (!mark || mark->place != probe.place) continue;
        if (!mark->candidate)
          outcome.left = true;
        else if (*mark->candidate < probe.candidates.size() &&
                 std::ranges::count(outcome.closed, *mark->candidate) == 0)
          outcome.closed.push_back(*mark->candidate);
      }
    }
    // The kernel names no tactic: it checks the proof by the one that closed the goal.
    if (kernel_refused) outcome.refused.insert(outcome.closed.begin(), outcome.closed.end());
    if (kernel_refused && outcome.closed.empty()) outcome.left = true;
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

std::string proof_of(const Candidates& candidates, const FillOutcome& outcome) {
  constexpr std::string_view kSearch = "exact?";
  std::string proof;
  for (const std::size_t k : outcome.closed) proof += (proof.empty() ? "" : " | ") + candidates[k];
  if (outcome.closed.size() > 1) proof.insert(0, "first | ");
  const std::size_t search = proof.find(kSearch);
  if (search == std::string::npos) return proof;
  if (outcome.suggestions.size() != 1 || outcome.closed.size() != 1) return "";
  return proof.replace(search, kSearch.size(), outcome.suggestions.front());
}

std::string filled(std::string_view source, const std::vector<FillPlace>& places,
                   const std::vector<std::string>& proofs, std::vector<std::size_t>* moved) {
  std::string text;
  std::size_t copied = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const FillPlace& place = places[i];
    text += source.substr(copied, place.begin - copied);
    if (moved) moved->push_back(text.size());
    if (proofs[i].empty())
      text += source.substr(place.begin, place.end - place.begin);
    else if (place.is_tactic)
      text += place.before + proofs[i];
    else
      text += place.after_assignment ? "by " + proofs[i] : "(by " + proofs[i] + ")";
    copied = place.end;
  }
  text += source.substr(copied);
  return text;
}

}  // namespace leanbridge::ide
