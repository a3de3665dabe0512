#pragma once
/// Statements that a person has approved: which they are, and what a change does to them.

#include "certify/verdict/page.hpp"
#include "core/text/source_changes.hpp"
#include "together/work/survey.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::together {

/// In the root of the project, to be committed.
inline constexpr const char* kApprovalsName = "leanbridge-approved.json";

struct ApprovedStatement {
  std::string declaration;         ///< in full
  std::string sha256;              ///< of all that it means in the project (certify::Fingerprints)
  std::vector<std::string> means;  ///< the constants of the project below it

  static wire::Fields fields() {
    return wire::fields<&ApprovedStatement::declaration, &ApprovedStatement::sha256,
                        &ApprovedStatement::means>();
  }
  friend bool operator==(const ApprovedStatement&, const ApprovedStatement&) = default;
};
using Approvals = std::vector<ApprovedStatement>;

/// InvalidArgument: it is no such file.
Result<Approvals> read_approvals(std::string_view text);
/// The approvals of a project; none without the file. InvalidArgument: it cannot be read. Blocking.
Result<Approvals> approvals_of(const std::filesystem::path& root);
std::string written(const Approvals& approvals);

using Statements = std::map<std::string, Result<ApprovedStatement>>;
/// Statements as the module in that file has them. `built`: the folder of the project's compiled modules.
/// Errors: InvalidArgument, not there; those of olean::ModuleSet::open(), certify::Fingerprints. Blocking.
Statements statements_in(const std::filesystem::path& olean,
                         const std::vector<std::filesystem::path>& search_path,
                         const std::filesystem::path& built, const std::vector<std::string>& declarations);
/// The statements of these declarations, as they are compiled; an error for one whose module is not current.
/// `known`: the files, if they have been surveyed. LeanUnavailable: Lake does not say where modules are.
asio::awaitable<Result<Statements>> statements_now(ide::Lean& lean,
                                                   std::shared_ptr<document::DocumentStore> store,
                                                   std::vector<std::string> names, io::CancelScope scope,
                                                   Survey known = nullptr);

/// The approvals, and what they are compared with; nothing without approvals, or if Lake does not say where
/// modules are.
struct ApprovedNow {
  Result<Approvals> approved;
  Statements now;
};
asio::awaitable<ApprovedNow> approved_now(ide::Lean& lean, std::shared_ptr<document::DocumentStore> store,
                                          io::CancelScope scope, Survey known = nullptr);
/// The approvals in a revision of git. Errors: as approvals_of() and certify::GitRevision.
asio::awaitable<Result<Approvals>> approvals_in(std::filesystem::path root, std::string revision,
                                                io::CancelScope scope);

/// The approved statements that a change touches by its words, each as a sentence: itself, or the value or
/// statement of what it means. Pure.
std::vector<std::string> touched(const Approvals& approvals, const text::SourceChanges& changes);

/// Whether a change may be committed, by its words alone.
struct CommitVerdict {
  std::vector<std::string> refused;    ///< why not, in sentences
  std::vector<std::string> undecided;  ///< only a compiler can tell whether this is fine
};
/// `approved`: the approvals before the change, which it cannot choose; `after`: those that it brings.
/// Refuses a sorry in what had none, a new axiom, and another statement of what is approved. Pure.
CommitVerdict judge_commit(const Approvals& approved, const Approvals& after,
                           const text::SourceChanges& changes);

}  // namespace leanbridge::together
