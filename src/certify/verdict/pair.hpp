#pragma once
/// Batches of certify: reads a line of JSON per pair of challenge and solution, and writes a line with its
/// verdict. Pure, no I/O.

#include "core/base/json_struct.hpp"
#include "question.hpp"
#include "verdict.hpp"
#include <tl/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace leanbridge::certify {

struct Pair {
  std::string id;
  Texts texts;
  std::optional<std::vector<std::string>> allowed_axioms;  ///< instead of the standard axioms
  std::vector<std::string> options;                        ///< in addition to those of the run
  std::optional<double> timeout_s;                         ///< instead of the run's own limit

  static wire::Fields fields();  ///< without the id
};

/// A line that is not a pair.
struct BadPair {
  std::string id;  ///< the id if it could be read, otherwise the place of the line
  std::string why;
};

/// An id is a string or an integer; `place` ("pairs.jsonl:3") stands in for one that is missing. Members of
/// other names are ignored.
tl::expected<Pair, BadPair> read_pair(std::string_view line, const std::string& place);

/// A line of the output about a pair that was judged.
struct JudgedPair {
  std::string id;
  /// The hash of the whole question: the texts, and how they are judged. Absent if it could mean something
  /// else later.
  std::optional<std::string> asked_sha256;
  Certificate certificate;

  static wire::Fields fields();
};

enum class PairProblem { Invalid };
wire::Names<PairProblem> names_of(PairProblem);

/// A line of the output about a line that is not a pair, or whose challenge is invalid.
struct InvalidPair {
  std::string id;
  PairProblem verdict = PairProblem::Invalid;
  std::string reason;
  std::optional<std::string> hint;
  std::int64_t line = 0;  ///< the line's number in the input

  static wire::Fields fields();
};

/// One line of JSON with its line ending.
std::string to_line(const JudgedPair& pair);
std::string to_line(const InvalidPair& pair);

/// The answers of earlier runs.
class EarlierVerdicts {
 public:
  /// Reads a line of the output; false if it is none. A later line about an id replaces an earlier one.
  bool add(std::string_view line);
  /// The verdict on exactly this question, if it was decided. An incomplete verdict is not one: ask again.
  std::optional<Outcome> find(const std::string& id, const std::string& asked_sha256) const;

 private:
  struct Answer {
    std::string asked_sha256;
    Outcome verdict = Outcome::Incomplete;
  };
  std::unordered_map<std::string, Answer> answers_;
};

/// The costs of the solutions of an earlier run.
class EarlierCosts {
 public:
  /// Reads a line of the output; false if it has no costs. A later line about an id replaces an earlier one.
  bool add(std::string_view line);
  /// Records the earlier cost in each declaration whose cost has grown by more than `limit` percent. Returns
  /// their number.
  std::size_t compare(const std::string& id, double limit, CostFacts& now) const;

 private:
  std::unordered_map<std::string, std::unordered_map<std::string, double>> heartbeats_;  // by id and name
};

struct PairCounts {
  std::size_t certified = 0, refused = 0, incomplete = 0, refuted = 0, filled = 0, invalid = 0;
  std::size_t skipped = 0;  ///< judged in an earlier run, and included in the counts of verdicts

  void add(Outcome verdict);
  std::size_t judged() const {
    return certified + refused + incomplete + refuted + filled + invalid - skipped;
  }
};

/// "12 judged: 9 certified, 2 refused, 1 incomplete".
std::string one_line_of(const PairCounts& counts);

}  // namespace leanbridge::certify
