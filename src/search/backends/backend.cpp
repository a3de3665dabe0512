#include "leanbridge/search/backend.hpp"

#include <nlohmann/json.hpp>

namespace leanbridge::search {

using nlohmann::json;

namespace {

ErrorKind kind_of(const Problem& problem) {
  if (problem.rate_limited) return ErrorKind::RateLimited;
  switch (problem.failure) {
    case Failure::Timeout:
      return ErrorKind::Timeout;
    case Failure::Unavailable:
      return ErrorKind::BackendUnavailable;
    case Failure::Invalid:
      return ErrorKind::InvalidArgument;
    case Failure::Cancelled:
      return ErrorKind::Cancelled;
    case Failure::ServerError:
    case Failure::Auth:
      return ErrorKind::BackendError;
  }
  return ErrorKind::BackendError;
}

}  // namespace

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
  return {{Failure::Timeout, "timeout"}, {Failure::Unavailable, "unavailable"},
          {Failure::Invalid, "invalid"}, {Failure::ServerError, "server_error"},
          {Failure::Auth, "auth"},       {Failure::Cancelled, "cancelled"}};
}

Error to_error(const Problem& problem) {
  std::string hint = problem.hint;
  if (!problem.suggestions.empty()) {
    hint += hint.empty() ? "Try: " : " Try: ";
    for (std::size_t i = 0; i < problem.suggestions.size(); ++i)
      hint += (i ? ", " : "") + problem.suggestions[i];
  }
  return Error(kind_of(problem), problem.message, std::move(hint));
}

namespace {

constexpr std::pair<const char*, std::string Hit::*> kTexts[] = {{"name", &Hit::name},
                                                                 {"kind", &Hit::kind},
                                                                 {"type", &Hit::type},
                                                                 {"module", &Hit::module},
                                                                 {"docstring", &Hit::docstring},
                                                                 {"informal_name", &Hit::informal_name},
                                                                 {"informal", &Hit::informal},
                                                                 {"file", &Hit::file},
                                                                 {"id", &Hit::id},
                                                                 {"why", &Hit::why}};

json to_json(const Hit& hit) {
  json value = json::object();
  for (const auto& [name, member] : kTexts)
    if (!(hit.*member).empty()) value[name] = hit.*member;
  if (hit.line > 0) value["line"] = hit.line;
  if (hit.score) value["score"] = *hit.score;
  if (hit.printed) value["printed"] = true;
  if (hit.fit > 0) value["fit"] = hit.fit;
  return value;
}

}  // namespace

json to_json(const Found& found) {
  json hits = json::array();
  for (const Hit& hit : found.hits) hits.push_back(to_json(hit));
  json value = {{"hits", std::move(hits)}, {"suggestions", found.suggestions}, {"note", found.note}};
  if (found.total) value["total"] = *found.total;
  if (found.partial) value["partial"] = true;
  return value;
}

std::optional<Found> found_from_json(const json& value) {
  try {
    Found found;
    for (const json& item : value.at("hits")) {
      Hit hit;
      for (const auto& [name, member] : kTexts) hit.*member = item.value(name, std::string());
      hit.line = item.value("line", 0u);
      if (const auto score = item.find("score"); score != item.end()) hit.score = score->get<double>();
      hit.printed = item.value("printed", false);
      hit.fit = item.value("fit", 0.0);
      found.hits.push_back(std::move(hit));
    }
    found.suggestions = value.at("suggestions").get<std::vector<std::string>>();
    found.note = value.at("note").get<std::string>();
    if (const auto total = value.find("total"); total != value.end()) found.total = total->get<std::size_t>();
    found.partial = value.value("partial", false);
    return found;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

}  // namespace leanbridge::search
