#include "leanbridge/search/backend.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace leanbridge::search {

using nlohmann::json;

SourceKind source_kind(std::string_view source) {
  static constexpr std::pair<std::string_view, SourceKind> kKinds[] = {
      {kLocal, SourceKind::Local},
      {kProofSearch, SourceKind::ProofSearch},
      {"leansearch", SourceKind::LeanSearch},
      {"loogle", SourceKind::Loogle},
      {"loogle_local", SourceKind::Loogle},
      {"leanexplore", SourceKind::LeanExplore},
      {"leanexplore_local", SourceKind::LeanExplore},
      {"leanfinder", SourceKind::LeanFinder},
      {"state_search", SourceKind::StateSearch},
      {"hammer", SourceKind::Hammer}};
  for (const auto& [name, kind] : kKinds)
    if (source.substr(0, source.find('@')) == name) return kind;
  return SourceKind::Other;
}

QuestionForm question_form(SourceKind kind) {
  if (kind == SourceKind::Loogle) return QuestionForm::Loogle;
  return kind == SourceKind::StateSearch || kind == SourceKind::Hammer ? QuestionForm::Goal
                                                                       : QuestionForm::Phrase;
}

wire::Names<Failure> names_of(Failure) {
  return {{Failure::Timeout, "timeout"},          {Failure::Late, "late"},
          {Failure::Unavailable, "unavailable"},  {Failure::Invalid, "invalid"},
          {Failure::ServerError, "server_error"}, {Failure::Auth, "auth"},
          {Failure::Cancelled, "cancelled"},      {Failure::BackendError, "backend_error"},
          {Failure::Disabled, "disabled"},        {Failure::Offline, "disabled"},
          {Failure::Skipped, "skipped"}};
}

namespace {

ErrorKind kind_of(Failure failure) {
  switch (failure) {
    case Failure::Timeout:
    case Failure::Late:
      return ErrorKind::Timeout;
    case Failure::Unavailable:
    case Failure::Disabled:
    case Failure::Offline:
      return ErrorKind::BackendUnavailable;
    case Failure::Invalid:
      return ErrorKind::InvalidArgument;
    case Failure::Cancelled:
      return ErrorKind::Cancelled;
    default:
      return ErrorKind::BackendError;
  }
}

}  // namespace

bool falls_back(const Problem& problem) {
  const ErrorKind kind = kind_of(problem.failure);
  return kind == ErrorKind::Timeout || kind == ErrorKind::BackendUnavailable;
}

Error to_error(const Problem& problem) {
  const ErrorKind kind = problem.rate_limited ? ErrorKind::RateLimited : kind_of(problem.failure);
  std::string hint = problem.hint;
  if (!problem.suggestions.empty())
    hint += (hint.empty() ? "Try: " : " Try: ") + fmt::format("{}", fmt::join(problem.suggestions, ", "));
  return Error(kind, problem.message, std::move(hint));
}

namespace {

constexpr std::pair<const char*, std::string Theorem::*> kTexts[] = {
    {"name", &Theorem::name},
    {"kind", &Theorem::kind},
    {"type", &Theorem::signature},
    {"module", &Theorem::module},
    {"docstring", &Theorem::docstring},
    {"informal_name", &Theorem::informal_name},
    {"informal", &Theorem::informal},
    {"file", &Theorem::file},
    {"source_text", &Theorem::source_text},
    {"why", &Theorem::why}};

}  // namespace

json to_json(const Found& found) {
  json hits = json::array();
  for (const Theorem& theorem : found.hits) {
    json& value = hits.emplace_back(json::object());
    for (const auto& [name, member] : kTexts)
      if (!(theorem.*member).empty()) value[name] = theorem.*member;
    if (theorem.line > 0) value["line"] = theorem.line;
    if (theorem.id) value["id"] = *theorem.id;
    if (theorem.score > 0) value["score"] = theorem.score;
    if (theorem.fit > 0) value["fit"] = theorem.fit;
    if (theorem.approximate) value["printed"] = true;
  }
  json value = {{"hits", std::move(hits)}, {"suggestions", found.suggestions}, {"note", found.note}};
  if (found.total) value["total"] = *found.total;
  if (found.partial) value["partial"] = true;
  return value;
}

std::optional<Found> found_from_json(const json& value) try {
  Found found;
  for (const json& item : value.at("hits")) {
    Theorem& theorem = found.hits.emplace_back();
    for (const auto& [name, member] : kTexts) theorem.*member = item.value(name, std::string());
    theorem.line = item.value("line", 0u);
    if (item.contains("id")) theorem.id = item["id"].get<std::int64_t>();
    theorem.score = item.value("score", 0.0);
    theorem.fit = item.value("fit", 0.0);
    theorem.approximate = item.value("printed", false);
  }
  found.suggestions = value.at("suggestions").get<std::vector<std::string>>();
  found.note = value.at("note").get<std::string>();
  if (value.contains("total")) found.total = value["total"].get<std::size_t>();
  found.partial = value.value("partial", false);
  return found;
} catch (const json::exception&) {
  return std::nullopt;
}

}  // namespace leanbridge::search
