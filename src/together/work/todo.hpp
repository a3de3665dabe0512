#pragma once
/// The open work of a project: which proofs are missing, what they wait for, and what waits for them.

#include "survey.hpp"
#include "together/claims/claims.hpp"
#include "together/statements/approvals.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::together {

struct TodoItem {
  std::string declaration;  ///< in full; "" for an example
  std::string at;           ///< "A/B.lean:12"
  bool ready = false;       ///< all that it uses is proved
  ide::ProofState state = ide::ProofState::Sorry;
  std::optional<std::string> goal = {};                ///< of Lean, or else the statement as written
  std::optional<std::vector<std::string>> needs = {};  ///< open ones that it rests on, directly or not
  std::size_t waiting = 0;                             ///< how many declarations rest on it
  std::optional<bool> approved = {};                   ///< its statement; false: it was another
  std::optional<std::string> held_by = {};

  static wire::Fields fields();
};

struct Todo {
  std::size_t open = 0, ready = 0;  ///< also of those that `items` lacks
  std::vector<TodoItem> items;      ///< ready ones first, and of these the ones for which most wait
  std::vector<std::string> changed_statements = {};  ///< approved, and another now; sentences
  bool truncated = false;
  bool partial = false;                    ///< not everything was looked at
  std::vector<std::string> not_looked_at;  ///< "A.lean: why"

  /// Names the approved statements that are others now, and those of which that is not known.
  void add_approved(const ApprovedNow& approved);

  static wire::Fields fields();
};

/// Pure. `files` have been surveyed, and what is not compiled has been asked of Lean.
Todo todo_of(const std::vector<SurveyedFile>& files, const std::vector<Claim>& claims);

/// Leaves out goals, then items, from the end, until it has at most so many bytes.
void shorten(Todo& todo, std::size_t most_bytes);

/// Surveys the project, and asks Lean about files whose compiled modules are not current, as many as time and
/// memory allow. Errors: Cancelled.
asio::awaitable<Result<Survey>> look_at_work(ide::Lean& lean, std::shared_ptr<io::Operation> operation,
                                             std::shared_ptr<document::DocumentStore> store);

}  // namespace leanbridge::together
