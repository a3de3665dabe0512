#include "judge.hpp"

#include "calls.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/text/text.hpp"

#include <algorithm>
#include <cstdio>
#include <set>

namespace leanbridge::faults {

using nlohmann::json;

namespace {

using Item = std::tuple<int, int, std::string, std::string>;  // line, column, severity, message

const char* severity_word(int severity) {
  return severity == 1 ? "error" : severity == 2 ? "warning" : "info";
}

Item item_of(const json& item) {
  return {item.value("line", 0), item.value("column", 0), item.value("severity", ""),
          item.value("message", "")};
}

// 1-based lines, both inclusive. A failed header concerns all of them.
std::vector<Item> expected_items(const ModelText& truth, int first, int last) {
  std::vector<Item> items;
  const text::Text text(truth.text());
  for (const ModelMessage& message : truth.messages()) {
    if (message.silent || message.line + 1 < first || message.line + 1 > last) continue;
    const auto place = text.position_at(text::LspPosition{static_cast<std::uint32_t>(message.line),
                                                          static_cast<std::uint32_t>(message.start)});
    items.emplace_back(place.line, place.column, severity_word(message.severity), message.text);
  }
  std::sort(items.begin(), items.end());
  return items;
}

std::vector<Item> actual_items(const json& list) {
  std::vector<Item> items;
  for (const json& item : list) items.push_back(item_of(item));
  std::sort(items.begin(), items.end());
  return items;
}

bool is_within(const std::vector<Item>& some, const std::vector<Item>& all) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

json goals_in(const ModelText& truth, int line, bool after) {
  const auto goals = truth.goals(line, after ? 1'000'000 : 0);
  return goals ? json(*goals) : json(nullptr);
}

// Structured goals have the text as their target.
json plain(const json& goals) {
  if (!goals.is_array()) return goals;
  json list = json::array();
  for (const json& goal : goals) list.push_back(goal.is_object() ? goal.value("goal", json()) : goal);
  return list;
}

}  // namespace

std::vector<Disk::Content> Judge::window(const CallRecord& call) const {
  return disk_.since(call.file, call.file_moment);
}

// If the file had several contents during the call, its line may have moved.
bool Judge::moved(const CallRecord& call) const {
  return window(call).size() > 1;
}

std::vector<ModelText> Judge::truths(const CallRecord& call, const std::string& text) const {
  std::vector<ModelText> all;
  for (const auto& base : disk_.since("Base.lean", call.base_moment)) {
    const auto read = [&](const std::string& module) { return module == "Base" ? base : std::nullopt; };
    all.emplace_back(text, load_imports(text, read));
  }
  return all;
}

std::optional<std::string> Judge::check(const CallRecord& call, const json& result,
                                        const std::optional<Mirror>& mirror) const {
  if (result.value("isError", false)) {
    const json body = json::parse(result["content"][0].value("text", ""), nullptr, false);
    if (!body.is_object() || !body.contains("error")) return "an error without a kind";
    return check_error(call, body["error"]);
  }
  if (!result.contains("structuredContent")) return "no structured content";
  const json& answer = result["structuredContent"];
  if (call.tool == "lean_close" || call.tool == "lean_reset") return std::nullopt;
  if (!is_known_well(call.tool)) return check_any(call, answer);

  for (const char* member : {"version", "partial", "timed_out", "still_elaborating_lines"})
    if (!answer.contains(member)) return std::string("the answer has no ") + member;
  if (!mirror) return "an answer about a file that the bridge does not know";
  if (answer["version"] != mirror->version) return "the answer names another version than the current one";
  const auto contents = window(call);
  if (std::find(contents.begin(), contents.end(), Disk::Content(mirror->text)) == contents.end())
    return "stale: the text that is answered about was gone before the call";
  if (answer.value("timed_out", false) && !answer.value("partial", false))
    return "timed out, and not called partial";
  if (auto wrong = check_partial(call, answer, *mirror)) return wrong;

  // Attempts are made from the text that the file had when they began.
  std::vector<std::string> texts = {mirror->text};
  if (call.tool == "lean_multi_attempt") {
    texts.clear();
    for (const auto& content : contents)
      if (content) texts.push_back(*content);
  }
  std::string problem;
  for (const std::string& text : texts)
    for (const ModelText& truth : truths(call, text)) {
      const auto wrong = check_against(call, answer, truth);
      if (!wrong) return std::nullopt;
      if (problem.find(*wrong) != std::string::npos) continue;
      problem += (problem.empty() ? "" : "\n  or, of another text: ") + *wrong;
    }
  return problem;
}

// Everything that Lean says contains a hash of the text before it.
Judge::Problem Judge::check_any(const CallRecord& call, const json& answer) const {
  if (answer.value("timed_out", false) && !answer.value("partial", false))
    return "timed out, and not called partial";
  if (tries_texts(call.tool)) return std::nullopt;
  std::set<std::string> known;
  for (const auto& content : window(call))
    for (const ModelText& truth : truths(call, content.value_or("")))
      for (int end = 0; end <= truth.line_count(); ++end) known.insert(truth.hash_of(end));
  // A broken message that ended the worker before was about an older text, and is quoted as the reason.
  json of_now = answer;
  if (answer.value("reopened", json()).dump().find("sent an invalid message") != std::string::npos)
    of_now.erase("reopened");
  const std::string said = of_now.dump();
  const std::size_t length = known.begin()->size();
  for (std::size_t at = said.find(" @"); at != std::string::npos; at = said.find(" @", at + 1)) {
    const std::string hash = said.substr(at, length);
    if (!known.contains(hash)) return "stale: it speaks of another text," + hash;
  }
  return std::nullopt;
}

// Whether Lean could finish a file whose lines take so long: twice, because an edit starts elaboration again.
bool Judge::had_time(const CallRecord& call, int slow_ms) const {
  return (faults_.strict() || healed_) && call.timeout_s >= 60 && faults_.max_delay <= 40 &&
         2 * slow_ms < call.timeout_s * 1000;
}

Judge::Problem Judge::check_error(const CallRecord& call, const json& error) const {
  const std::string kind = error.value("kind", ""), message = error.value("message", "");
  if (message.empty()) return "an error without a message";
  // About a position, a name or a text that was made up for the call.
  if (!is_known_well(call.tool) && (kind == "invalid_argument" || kind == "not_supported"))
    return std::nullopt;
  if (message.find("There is no model of it.") != std::string::npos) return std::nullopt;
  const Problem wrong = "the error " + kind + " cannot be true: " + message.substr(0, 300);
  const bool faulty = !faults_.strict() && !healed_;
  // Only the file that the call is about exists: a baseline that was made up for it does not.
  bool absent = call.arguments.contains("baseline"), crashes = false, header = false, short_file = false,
       no_declaration = false;
  int slow_ms = 0;
  for (const auto& content : window(call)) {
    absent = absent || !content;
    if (!content) continue;
    crashes = crashes || content->find("-- crash") != std::string::npos;
    for (const char* line : {"line", "start_line", "end_line"})
      short_file =
          short_file || call.arguments.value(line, 0) > static_cast<int>(split_lines(*content).size());
    const std::string name = call.arguments.value("declaration_name", "");
    no_declaration = no_declaration || (!name.empty() && content->find(name + " :") == std::string::npos);
    std::vector<std::string> texts = {*content};
    if (call.tool == "lean_multi_attempt")  // a snippet can be in the header
      for (text::AttemptText& attempt : attempts_in(call, *content)) texts.push_back(std::move(attempt.text));
    for (const std::string& text : texts)
      for (const ModelText& truth : truths(call, text)) {
        header = header || !truth.imports().problem.empty();
        slow_ms = std::max(slow_ms, truth.slow_ms());
      }
  }
  if (call.tool == "lean_multi_attempt")
    for (const json& snippet : call.arguments["snippets"])
      crashes = crashes || snippet.get<std::string>().find("-- crash") != std::string::npos;
  const bool bad_place = message.find("column") != std::string::npos || moved(call);
  if (kind == "file_not_found") return absent ? std::nullopt : wrong;
  if (kind == "invalid_argument") return short_file || no_declaration || bad_place ? std::nullopt : wrong;
  if (kind == "worker_crashed") return faulty || crashes || call.disturbed ? std::nullopt : wrong;
  const bool starting = call.timeout_s < 60 && message.find("has not answered yet") != std::string::npos;
  if (kind == "lean_unavailable")
    return faulty || header || starting || call.disturbed ? std::nullopt : wrong;
  // An edit of the file or of an import ended it. Tools with checks of their own ask again instead.
  const bool overtaken =
      !is_known_well(call.tool) && (moved(call) || disk_.since("Base.lean", call.base_moment).size() > 1);
  if (kind == "cancelled") return faulty || call.disturbed || absent || overtaken ? std::nullopt : wrong;
  if (kind == "timeout") {
    // Slow files of other calls may keep the few slots for any time.
    if (message.find(" in use until the call's deadline") != std::string::npos) return std::nullopt;
    return had_time(call, slow_ms) && !call.disturbed ? wrong : std::nullopt;
  }
  if (kind == "internal")
    return faulty && faults_.refuse > 0 && message.starts_with("Lean refused ") ? std::nullopt : wrong;
  return wrong;
}

Judge::Problem Judge::check_against(const CallRecord& call, const json& answer,
                                    const ModelText& truth) const {
  const bool partial = answer.value("partial", false);
  if (partial && had_time(call, truth.slow_ms()) && answer.value("timed_out", false))
    return "partial, though Lean has had the time";
  if (call.tool == "lean_goal") return check_goals(call, answer, truth);
  if (call.tool == "lean_hover_info") return check_hover(call, answer, truth);
  if (call.tool == "lean_multi_attempt") return check_attempts(call, answer, truth);
  if (call.tool == "lean_sync" || call.tool == "lean_open") return std::nullopt;
  if (call.tool == "lean_check")
    if (auto wrong = check_goals(call, answer, truth)) return wrong;
  return check_items(call, answer, truth);
}

// Goals that remain are told before Lean has said whether their tactic failed, with time left.
Judge::Problem Judge::check_partial(const CallRecord& call, const json& answer, const Mirror& mirror) const {
  if (!answer.value("partial", false) || answer.value("timed_out", false)) return std::nullopt;
  const bool changes = moved(call) || disk_.since("Base.lean", call.base_moment).size() > 1;
  if (call.disturbed || changes || (!faults_.strict() && !healed_)) return std::nullopt;
  if (call.tool != "lean_goal" && call.tool != "lean_check") return "partial, with time left";
  const bool reported = call.arguments.value("line", 1) < mirror.lines_reported;
  return reported ? Problem("partial, though Lean has reported what the tactic did") : std::nullopt;
}

Judge::Problem Judge::check_goals(const CallRecord& call, const json& answer, const ModelText& truth) const {
  const std::string status = answer.value("status", "");
  if (status == "still_elaborating") {
    if (!answer.value("partial", false) || !answer.value("timed_out", false))
      return "still elaborating, and not called partial";
    return std::nullopt;
  }
  if (!truth.imports().problem.empty() && is_header_told()) return "goals, though the header fails";
  std::vector<int> lines = {call.arguments.value("line", 1) - 1};
  if (moved(call)) {
    lines.clear();
    for (int i = 0; i < truth.line_count(); ++i) lines.push_back(i);
  }
  const auto is_finished = [&](int line) {
    while (line > 0 && !truth.lines()[static_cast<std::size_t>(line)].starts_with("theorem")) --line;
    return std::ranges::any_of(truth.messages(),
                               [&](const ModelMessage& each) { return each.silent && each.line == line; });
  };
  // Lean may show what it has tried inside of a last tactic; a proof that it has announced as finished has no
  // goal, also where the time is over before it is known whether Lean's messages can be trusted.
  const bool is_complete =
      status == "proof_complete" ||
      (status == "closed_here" && answer.value("partial", false) && std::ranges::any_of(lines, is_finished));
  const auto is_none_of_finished = [&](const json& goals) { return is_complete && goals.empty(); };
  const auto is_said = [&](const json& goals, std::initializer_list<bool> places) {
    if (is_none_of_finished(goals)) return true;
    for (const int line : lines)
      for (const bool after : places)
        if (plain(goals) == goals_in(truth, line, after)) return true;
    return false;
  };
  const auto unlike = [&](const char* member) {
    return std::string(member) + " of another text or place: " + answer[member].dump();
  };
  if (call.tool == "lean_check") {
    // A position in text that an edit removes moves to the start of that text.
    const bool said =
        moved(call) ? is_said(answer["goals"], {false, true}) : is_said(answer["goals"], {true});
    return said ? std::nullopt : Problem(unlike("goals"));
  }
  if (answer.contains("goals")) {
    if (!is_said(answer["goals"], {false, true})) return unlike("goals");
    return std::nullopt;
  }
  if (!is_said(answer["goals_before"], {false, true})) return unlike("goals_before");
  if (!is_said(answer["goals_after"], {true, false})) return unlike("goals_after");
  if (moved(call)) return std::nullopt;
  if (plain(answer["goals_before"]) != goals_in(truth, lines[0], false)) return unlike("goals_before");
  if (!is_none_of_finished(answer["goals_after"]) &&
      plain(answer["goals_after"]) != goals_in(truth, lines[0], true))
    return unlike("goals_after");
  return std::nullopt;
}

Judge::Problem Judge::check_items(const CallRecord& call, const json& answer, const ModelText& truth) const {
  if (answer.value("truncated", false)) return std::nullopt;
  const bool partial = answer.value("partial", false);
  const int all_lines = truth.line_count();
  const auto actual = actual_items(answer["items"]);
  const auto whole = expected_items(truth, 1, all_lines);
  if (!is_within(actual, whole)) return "messages of another text, or twice: " + answer["items"].dump();
  if (partial) {
    if (answer.value("success", false)) return "partial, and a success";
    return std::nullopt;
  }
  const bool header = !truth.imports().problem.empty();
  if (call.tool == "lean_check_all" && truth.imports().problem.ends_with("does not build")) {
    const bool is_told = answer.value("state", "") == "not_reached" && !answer.value("success", false) &&
                         answer.value("error_count", -1) == 0 && actual.empty() &&
                         answer.value("reason", "").find("does not compile") != std::string::npos;
    if (is_told) return std::nullopt;
    if (is_header_told()) return "an import that does not compile is not told as such";
  }
  auto expected = whole;
  if (call.tool == "lean_check") {
    const int line = call.arguments.value("line", 1);
    bool complete = false;
    for (int end = moved(call) ? 0 : line - 1; end <= (moved(call) ? all_lines : line); ++end)
      complete = complete || header || actual == expected_items(truth, 1, end);
    return complete ? std::nullopt : Problem("messages are missing, and not called partial");
  }
  if (call.tool == "lean_diagnostic_messages") {
    if (call.arguments.contains("declaration_name")) return std::nullopt;
    const int first = call.arguments.value("start_line", 1),
              last = call.arguments.value("end_line", all_lines);
    if (!header && !moved(call)) expected = expected_items(truth, first, last);
    if (header && first > 1) return std::nullopt;
    if (moved(call) && call.arguments.contains("start_line")) return std::nullopt;
    if (moved(call) && call.arguments.contains("end_line")) return std::nullopt;
  }
  if (actual != expected) return "messages are missing, and not called partial";
  const bool all_proved = call.tool == "lean_check_all";
  const bool clean = !header && std::none_of(expected.begin(), expected.end(), [&](const Item& item) {
    return std::get<2>(item) == "error" ||
           (all_proved && std::get<3>(item).find("declaration uses") != std::string::npos);
  });
  if (answer.value("success", false) != clean)
    return clean ? "no success of a clean file" : "a false success";
  if (call.tool != "lean_check_all") return std::nullopt;
  const auto count = [&](const char* severity) {
    return std::count_if(expected.begin(), expected.end(),
                         [&](const Item& item) { return std::get<2>(item) == severity; });
  };
  if (answer.value("error_count", -1) != count("error") ||
      answer.value("warning_count", -1) != count("warning"))
    return "wrong counts";
  return std::nullopt;
}

Judge::Problem Judge::check_hover(const CallRecord& call, const json& answer, const ModelText& truth) const {
  const auto all = expected_items(truth, 1, truth.line_count());
  std::vector<Item> items = actual_items(answer["diagnostics"]);
  if (!is_within(items, all)) return "messages of another text: " + answer["diagnostics"].dump();
  if (answer.value("partial", false)) return std::nullopt;
  const int line = call.arguments.value("line", 1) - 1;
  for (int i = moved(call) ? 0 : line; i <= (moved(call) ? truth.line_count() - 1 : line); ++i) {
    const auto hover = truth.hover(i);
    if (answer["info"] == (hover ? json(*hover) : json(nullptr))) return std::nullopt;
  }
  return "info of another text or place: " + answer["info"].dump();
}

std::vector<text::AttemptText> Judge::attempts_in(const CallRecord& call, const std::string& content,
                                                  const std::string& hint) const {
  const text::Text text(content);
  const int line = call.arguments.value("line", 1);
  if (line > static_cast<int>(split_lines(content).size())) return {};
  text::AttemptPlace place = text::attempt_place(text, line);
  if (call.arguments.contains("column")) {
    const auto offset = text.offset_of({line, call.arguments.value("column", 1)}, "");
    if (!offset) return {};
    place = {*offset, 0};
    // From inside a word an attempt moves to the beginning of its tactic, and says so.
    int from = 0, tried_line = 0, tried_column = 0;
    const bool has_moved =
        std::sscanf(hint.c_str(), "Column %d is inside a word: tried at line %d, column %d", &from,
                    &tried_line, &tried_column) == 3;
    if (has_moved) {
      const auto begin = text.offset_of({tried_line, tried_column}, "");
      if (!begin || *begin >= *offset || from != call.arguments["column"]) return {};
      place.offset = *begin;
    }
  }
  const std::string before = content.substr(0, place.offset) + std::string(place.padding, ' ');
  std::vector<text::AttemptText> all;
  for (const json& snippet : call.arguments["snippets"])
    all.push_back(text::attempt_text(before, before.size(), snippet.get<std::string>()));
  return all;
}

Judge::Problem Judge::check_attempts(const CallRecord& call, const json& answer,
                                     const ModelText& truth) const {
  const auto attempts = attempts_in(call, truth.text(), answer.value("hint", ""));
  if (attempts.empty()) return "an answer about a place that is not there";
  const json& items = answer["items"];
  if (items.size() != attempts.size()) return "not one item for each snippet";
  for (std::size_t i = 0; i < items.size(); ++i) {
    const json& item = items[i];
    if (item["timed_out"] == true) {
      if (answer["partial"] != true) return "an attempt timed out, and the answer is not called partial";
      continue;
    }
    const text::AttemptText& placed = attempts[i];
    // Each attempt has its own imports: the position may be above them, and an attempt after a crash sees
    // them as they are by then.
    Problem wrong;
    for (const ModelText& tried : truths(call, placed.text)) {
      wrong = check_attempt(call, item, placed, tried);
      if (!wrong) break;
    }
    if (wrong) return wrong;
  }
  return std::nullopt;
}

Judge::Problem Judge::check_attempt(const CallRecord& call, const json& item, const text::AttemptText& placed,
                                    const ModelText& tried) const {
  const text::Text text(placed.text);
  const auto end = text.lsp_position_at(placed.snippet_end);
  const bool in_comment = text::in_comment_or_literal(placed.text, placed.snippet_start);
  const auto goals =
      in_comment ? std::nullopt : tried.goals(static_cast<int>(end.line), static_cast<int>(end.character));
  const std::string status = item.value("proof_status", "");
  bool error = false;
  for (const ModelMessage& message : tried.messages()) {
    const std::size_t start = text.offset_at(text::LspPosition{static_cast<std::uint32_t>(message.line),
                                                               static_cast<std::uint32_t>(message.start)});
    error = error || (message.severity == 1 && start >= placed.snippet_start && !in_comment);
  }
  const bool died = status == "error" && item["diagnostics"].size() == 1 &&
                    item["diagnostics"][0].value("message", "").find("orker") != std::string::npos;
  const bool may_die =
      (!faults_.strict() && !healed_) || call.disturbed || placed.text.find("-- crash") != std::string::npos;
  if (died && may_die) return std::nullopt;
  if ((status == "error") != error) return "an attempt is judged wrongly: " + item.dump();
  if (item["goals"] != (goals && !error ? json(*goals) : json::array()))
    return "goals of another attempt: " + item.dump();
  return std::nullopt;
}

}  // namespace leanbridge::faults
