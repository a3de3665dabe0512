#pragma once
/// The answers of a batch about each item, and its memory of answers from earlier runs. Pure, no I/O.

#include "core/base/json_struct.hpp"
#include "core/lean/messages.hpp"
#include "core/text/text.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace leanbridge::batch {

enum class Verdict {
  Ok,     ///< no error, and no sorry in any disguise
  Sorry,  ///< no error, but a sorry, reported by Lean or found in the compiled terms
  Error,  ///< Lean reports an error, or it is not known that there is neither error nor sorry: see `reason`
  NotReached,  ///< nothing in it was looked at, and the fault is elsewhere: see `reason`
  Timeout,     ///< not elaborated in its time
  Memory,      ///< a worker of its own grew above the limit
  Crash,       ///< it ended Lean's worker each time it was tried
  Invalid,     ///< no item could be read
};
inline constexpr std::size_t kVerdicts = 8;
wire::Names<Verdict> names_of(Verdict);

/// A message of Lean's. Lines and columns from 1, columns in code points.
struct Message {
  lean::Severity severity = lean::Severity::Error;
  std::string message;
  int line = 1;
  int column = 1;
  int end_line = 1;
  int end_column = 1;

  static wire::Fields fields();
};

/// The answer about one item: a line of the output.
struct Report {
  std::string id;
  Verdict verdict = Verdict::Invalid;
  std::optional<std::string> reason;    ///< set if the verdict does not follow from the messages
  std::vector<Message> diagnostics;     ///< errors, then sorries, then others, each in the order of the text
  std::optional<std::size_t> left_out;  ///< number of further messages
  std::optional<std::vector<std::string>> goals;  ///< the first unsolved goals, if requested
  std::optional<wire::Nullable<std::vector<std::string>>>
      axioms;  ///< if requested; null: see `axioms_reason`
  std::optional<std::string> axioms_reason;
  std::int64_t ms = 0;               ///< for elaborating it, without loading its imports
  std::optional<std::string> lean;   ///< the toolchain
  bool header_reused = false;        ///< its worker had loaded its imports for an earlier item
  std::optional<std::int64_t> line;  ///< of an invalid line

  static wire::Fields fields();
};

/// The report on a line that is not an item.
Report invalid_report(std::string id, std::string why, std::optional<std::int64_t> line);

/// One line of JSON with its line ending.
std::string to_line(const Report& report);

/// Messages as a report shows them: those for users, limited in number and length.
struct ShownMessages {
  std::vector<Message> messages;
  std::size_t left_out = 0;
};
ShownMessages shown_messages(const text::Text& text, const std::vector<lean::Diagnostic>& all);

/// The goals in the first message about unsolved goals; empty if there is none.
std::vector<std::string> unsolved_goals(const std::vector<lean::Diagnostic>& diagnostics);

/// Id and verdict of a line of the output; nullopt if it is incomplete (a run was killed while it wrote).
struct VerdictLine {
  std::string id;
  Verdict verdict = Verdict::Invalid;
};
std::optional<VerdictLine> read_verdict_line(std::string_view line);

/// Verdicts by id, without the ids: about 32 bytes each, so that millions fit. Among a million ids, two are
/// confused with a probability of 10^-26.
class KnownVerdicts {
 public:
  /// False, and nothing changes, if the id was known.
  bool add(std::string_view id, Verdict verdict) { return verdicts_.emplace(key_of(id), verdict).second; }
  std::optional<Verdict> find(std::string_view id) const;
  std::size_t size() const { return verdicts_.size(); }

 private:
  using Key = std::array<std::uint64_t, 2>;
  struct Hash {
    std::size_t operator()(const Key& key) const { return static_cast<std::size_t>(key[0]); }
  };
  static Key key_of(std::string_view id);
  std::unordered_map<Key, Verdict, Hash> verdicts_;
};

}  // namespace leanbridge::batch
