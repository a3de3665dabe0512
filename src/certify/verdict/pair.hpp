#pragma once
/// Batches of certify: a line of JSON per pair of challenge and solution in, a line with its verdict out.
/// Pure, no I/O.

#include "core/base/json_struct.hpp"
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

/// The members have the names of lean_certify's arguments; which of them fit together is checked, too.
struct Pair {
  std::string id;
  std::optional<std::string> file_path;  ///< of the solution
  std::optional<std::string> solution;
  std::optional<std::string> challenge;
  std::optional<std::string> challenge_file;
  std::optional<std::string> challenge_revision;
  std::vector<std::string> names;
  std::optional<std::vector<std::string>> allowed_axioms;  ///< instead of the standard ones
  std::vector<std::string> options;
  std::optional<double> timeout_s;  ///< instead of the run's own

  static wire::Fields fields();  ///< without the id
};

/// A line that is no pair.
struct BadPair {
  std::string id;  ///< as far as it could be read, otherwise where the line is
  std::string why;
};

/// An id is a string or an integer; `place` ("pairs.jsonl:3") stands in for one that is missing. Members of
/// other names are ignored.
tl::expected<Pair, BadPair> read_pair(std::string_view line, const std::string& place);

/// A line of the output about a pair that was judged.
struct JudgedPair {
  std::string id;
  /// Of all that was asked: the texts and how they are judged. Absent if it could mean something else later.
  std::optional<std::string> asked_sha256;
  Certificate certificate;

  static wire::Fields fields();
};

enum class PairProblem { Invalid };
wire::Names<PairProblem> names_of(PairProblem);

/// One about a line that is no pair, or whose challenge is no challenge.
struct InvalidPair {
  std::string id;
  PairProblem verdict = PairProblem::Invalid;
  std::string reason;
  std::optional<std::string> hint;
  std::int64_t line = 0;  ///< of the input

  static wire::Fields fields();
};

/// One line of JSON with its line end.
std::string to_line(const JudgedPair& pair);
std::string to_line(const InvalidPair& pair);

/// What earlier runs have answered.
class KnownPairs {
 public:
  /// Takes a line of the output; false if it is none. Later lines about an id replace earlier ones.
  bool add(std::string_view line);
  /// The verdict on exactly this question, if it was decided: an incomplete one is to be asked again.
  std::optional<Outcome> find(const std::string& id, const std::string& asked_sha256) const;

 private:
  struct Answer {
    std::string asked_sha256;
    Outcome verdict = Outcome::Incomplete;
  };
  std::unordered_map<std::string, Answer> answers_;
};

/// What the solutions of an earlier run cost.
class EarlierCosts {
 public:
  /// Takes a line of the output; false if it tells no cost. Later lines about an id replace earlier ones.
  bool add(std::string_view line);
  /// Notes with each declaration that is dearer by more than `limit` percent what it cost then. Returns how
  /// many these are.
  std::size_t compare(const std::string& id, double limit, CostFacts& now) const;

 private:
  std::unordered_map<std::string, std::unordered_map<std::string, double>> heartbeats_;  // by id and name
};

struct PairCounts {
  std::size_t certified = 0, refused = 0, incomplete = 0, refuted = 0, filled = 0, invalid = 0;
  std::size_t skipped = 0;  ///< judged in an earlier run, and counted by their verdicts as well

  void add(Outcome verdict);
  std::size_t judged() const {
    return certified + refused + incomplete + refuted + filled + invalid - skipped;
  }
};

/// "12 judged: 9 certified, 2 refused, 1 incomplete".
std::string one_line_of(const PairCounts& counts);

}  // namespace leanbridge::certify
