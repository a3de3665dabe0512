#pragma once
/// Which hypotheses of a theorem its proof does not need.

#include "open_file.hpp"

#include <memory>
#include <string>
#include <vector>

namespace leanbridge::ide {

/// Error: the trials gave no answer.
enum class HypothesisStatus { LoadBearing, Removable, Error };
wire::Names<HypothesisStatus> names_of(HypothesisStatus);

struct HypothesisVerdict {
  HypothesisStatus status = HypothesisStatus::Error;
  std::string detail;
  std::vector<std::string> tried;      ///< each attempt and its outcome, as a sentence
  std::vector<DiagnosticItem> breaks;  ///< the errors without the hypothesis

  static wire::Fields fields() {
    return wire::fields<&HypothesisVerdict::status, &HypothesisVerdict::detail, &HypothesisVerdict::tried,
                        &HypothesisVerdict::breaks>();
  }
};

struct HypothesisItem {
  std::string binder;
  std::string hypothesis;  ///< the name of the hypothesis
  std::string type;
  HypothesisVerdict verdict;

  static wire::Fields fields() {
    return {wire::field<&HypothesisItem::binder>(), wire::field<&HypothesisItem::hypothesis>(),
            wire::field<&HypothesisItem::type>(), wire::flatten<&HypothesisItem::verdict>()};
  }
};

struct HypothesisReport {
  std::string theorem_name;  ///< in full
  std::string file;
  std::vector<HypothesisItem> verdicts;  ///< in the order of the statement
  int skipped_implicit = 0;
  FileStatus status;

  static wire::Fields fields() {
    return {wire::field<&HypothesisReport::theorem_name>().unlisted(),
            wire::field<&HypothesisReport::file>().unlisted(), wire::field<&HypothesisReport::verdicts>(),
            wire::field<&HypothesisReport::skipped_implicit>(), wire::flatten<&HypothesisReport::status>()};
  }
};

/// Elaborates a theorem without each of its explicit hypotheses. `each`: the time for one trial. Errors:
/// those of open_file(), declaration_named() and elaborate_text(); Cancelled.
asio::awaitable<Result<HypothesisReport>> try_hypotheses(Lean& lean, std::shared_ptr<io::Operation> operation,
                                                         std::string file_path, std::string theorem_name,
                                                         io::Clock::duration each);

}  // namespace leanbridge::ide
