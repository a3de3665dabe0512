#include "search/sources/answer.hpp"

#include "core/base/counted.hpp"
#include "core/base/joined.hpp"
#include "core/lean/project.hpp"
#include "search/index/absent_if_empty.hpp"

#include <algorithm>
#include <cmath>

namespace leanbridge::search {

namespace {

constexpr std::size_t kMaxPhrasings = 8;
constexpr std::size_t kMaxSuggestions = 5;

TheoremItem item_of(const Theorem& hit, const std::filesystem::path& root) {
  TheoremItem item;
  item.name = hit.name;
  item.type = absent_if_empty(as_type(hit.signature));
  item.module = absent_if_empty(hit.module);
  if (!hit.file.empty()) item.location = TheoremLocation{shown_path(hit.file, root), {}};
  if (!hit.file.empty() && hit.line > 0) item.location->line = hit.line;
  for (const auto& [source, rank] : hit.ranks) item.sources.push_back(source);
  item.confidence = std::round(hit.confidence * 1000) / 1000;
  item.kind = absent_if_empty(hit.kind);
  item.docstring = absent_if_empty(hit.docstring);
  item.informal = absent_if_empty(hit.informal);
  item.score = absent_if_empty(hit.why);
  if (hit.type_from == Trust::Printed) item.type_is_printed = true;
  item.in_environment = hit.in_environment;
  item.found_by = absent_if_empty(hit.found_by);
  return item;
}

}  // namespace

wire::Fields SearchQuestion::fields() {
  return {wire::field<&SearchQuestion::query>().with_default(),
          wire::field<&SearchQuestion::queries>("Up to 7").with_default(),
          wire::field<&SearchQuestion::type_pattern>("?a + ?b = ?b + ?a"),
          wire::field<&SearchQuestion::sources>("Default: all").with_default(),
          wire::field<&SearchQuestion::packages>("Mathlib, Init.Data").with_default(),
          wire::field<&SearchQuestion::limit>().with_default().at_least(1)};
}

wire::Fields SourceReport::fields() {
  using S = SourceReport;
  return wire::fields<&S::source, &S::status, &S::count, &S::ms, &S::cached, &S::form, &S::fallback_for,
                      &S::error, &S::suggestions, &S::note>();
}

wire::Fields TheoremItem::fields() {
  return {wire::field<&TheoremItem::name>(),
          wire::field<&TheoremItem::type>().omit_empty(),
          wire::field<&TheoremItem::module>().omit_empty(),
          wire::field<&TheoremItem::kind>().omit_value("theorem"),
          wire::field<&TheoremItem::in_environment>(),
          wire::field<&TheoremItem::found_by>(),
          wire::field<&TheoremItem::location>().only_full(),
          wire::field<&TheoremItem::sources>().only_full(),
          wire::field<&TheoremItem::confidence>().only_full(),
          wire::field<&TheoremItem::docstring>().only_full(),
          wire::field<&TheoremItem::informal>().only_full(),
          wire::field<&TheoremItem::score>().unlisted().only_full(),
          wire::field<&TheoremItem::type_is_printed>().only_full()};
}

wire::Fields ShownAnswer::fields() {
  return {wire::field<&ShownAnswer::results>(),
          wire::field<&ShownAnswer::searched>(),
          wire::field<&ShownAnswer::total>().unlisted().only_if<&ShownAnswer::truncated>(),
          wire::field<&ShownAnswer::truncated>().unlisted().omit_empty(),
          wire::field<&ShownAnswer::try_this>(),
          wire::field<&ShownAnswer::note>(),
          wire::field<&ShownAnswer::suggestions>()};
}

Result<std::vector<SearchRequest>> requests_for(SearchQuestion asked, std::optional<AskedGoal> goal,
                                                const std::filesystem::path& project) {
  // If there are several phrasings, none of them need be called the query.
  if (asked.query.empty() && !asked.queries.empty() && !goal && !asked.type_pattern) {
    asked.query = std::move(asked.queries.front());
    asked.queries.erase(asked.queries.begin());
  }
  if (asked.queries.size() >= kMaxPhrasings)
    return fail(ErrorKind::InvalidArgument,
                fmt::format("There are {} queries beside the first.", asked.queries.size()),
                fmt::format("Pass at most {} in 'queries'.", kMaxPhrasings - 1));
  SearchRequest request;
  request.query = analyse(asked.query);
  if (goal) {
    const Query of_goal = analyse(goal->text);
    request.excluded = std::move(goal->not_before);
    if (request.query.text.empty()) request.query = of_goal;
    if (!request.query.type) request.query.type = of_goal.type;
    request.goal = goal_form(of_goal);
  }
  if (asked.type_pattern) {
    auto type = read_type_pattern(*asked.type_pattern);
    if (!type)
      return fail(ErrorKind::InvalidArgument, "The type_pattern contains no constant or operator.",
                  "Pass a statement such as ?a + ?b = ?b + ?a, or |- _ < _.");
    request.query.type = std::move(type);
    request.query.type_filters = true;
  }
  if (request.query.text.empty() && !request.query.type)
    return fail(ErrorKind::InvalidArgument, "The query is empty.",
                "Pass a name, words, a statement, or a goal with goal_at.");
  request.sources = std::move(asked.sources);
  request.packages = std::move(asked.packages);
  request.limit = asked.limit;
  request.project = project;
  std::vector<SearchRequest> requests{request};
  request.goal.clear();
  for (const std::string& text : asked.queries) {
    request.query = analyse(text);
    if (!request.query.text.empty()) requests.push_back(request);
  }
  return requests;
}

ShownAnswer shown(const SearchAnswer& answer, const std::filesystem::path& root, std::size_t unusable) {
  ShownAnswer shown;
  for (const Theorem& theorem : answer.results) shown.results.push_back(item_of(theorem, root));
  shown.searched = searched_line(answer.sources);
  shown.total = answer.total - unusable;
  shown.truncated = shown.total > answer.results.size();
  std::string note;
  std::vector<std::string> suggestions;
  for (const SourceReport& report : answer.sources) {
    if (report.source == kProofSearch && !shown.try_this) shown.try_this = report.note;
    if (report.source == kLocal && report.note && note.find(*report.note) == std::string::npos)
      join(note, *report.note, " ");
    for (const std::string& one : report.suggestions.value_or(std::vector<std::string>()))
      if (suggestions.size() < kMaxSuggestions && std::ranges::find(suggestions, one) == suggestions.end())
        suggestions.push_back(one);
  }
  if (unusable > 0) join(note, counted(unusable, "hit") + " that Lean cannot use here: left out.", " ");
  shown.note = absent_if_empty(std::move(note));
  shown.suggestions = absent_if_empty(std::move(suggestions));
  return shown;
}

std::string shown_path(const std::string& file, const std::filesystem::path& root) {
  if (file.empty() || root.empty() || !lean::is_within(file, root)) return file;
  return std::filesystem::path(file).lexically_relative(root).string();
}

}  // namespace leanbridge::search
