#include "search/sources/backend.hpp"

#include "core/base/joined.hpp"

namespace leanbridge::search {

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
  if (!problem.suggestions.empty()) hint += (hint.empty() ? "Try: " : " Try: ") + joined(problem.suggestions);
  return Error(kind, problem.message, std::move(hint));
}

}  // namespace leanbridge::search
