#pragma once
/// The cost of a change: Lean elaborates both texts of each changed file, and counts heartbeats.

#include "certify/git/changed_files.hpp"
#include "certify/verdict/costs.hpp"
#include "core/base/json_struct.hpp"
#include "core/io/child_process.hpp"
#include "core/io/pool.hpp"

#include <optional>
#include <string>
#include <vector>

namespace leanbridge::app {

/// A declaration of a changed file whose cost has changed. Heartbeats as `maxHeartbeats` counts them.
struct DeclarationCost {
  std::string file;
  std::string name;              ///< with its namespaces; without a name, its keyword and number in the file
  int line = 1;                  ///< 1-based, in the new file if it still exists
  std::optional<double> before;  ///< absent: it did not exist
  std::optional<double> after;

  static wire::Fields fields();
};

/// A file with a side that could not be measured.
struct UnmeasuredFile {
  std::string file;
  std::string why;  ///< a clause

  static wire::Fields fields();
};

struct CostReport {
  double limit = 0;                           ///< percent
  std::vector<DeclarationCost> declarations;  ///< by file and line
  std::vector<UnmeasuredFile> unmeasured;

  /// Whether the cost of a declaration that existed before has grown beyond the limit.
  bool is_dearer(const DeclarationCost& each) const;
  bool any_dearer() const;
};

/// Compares two measurements of one file, `before` and `after`.
std::vector<DeclarationCost> compare_costs(const std::string& file, const certify::Costs& before,
                                           const certify::Costs& after);

/// Runs `lake env lean` on each text, in the project, with its modules as they are built now. Errors:
/// LeanUnavailable, Timeout, Cancelled. On the loop's thread.
asio::awaitable<Result<CostReport>> measure_costs(const certify::ChangeQuestion& question, std::string lake,
                                                  double limit, std::vector<certify::ChangedFile> files,
                                                  io::Pool& pool, io::CancelScope scope);

}  // namespace leanbridge::app
