#pragma once
/// Judges whether an answer of the bridge is right: it must be about a content that the file had between the
/// call and the answer, and be complete or called partial; or be an error for which there was a reason.

#include "core/text/attempt_text.hpp"
#include "disk.hpp"
#include "faults.hpp"
#include "model_text.hpp"
#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace leanbridge::faults {

/// A call under way.
struct CallRecord {
  int id = 0;
  std::string tool;
  nlohmann::json arguments;
  std::string file;
  double timeout_s = 0;
  double start_ms = 0;
  std::size_t file_moment = 0;  ///< of Disk::now()
  std::size_t base_moment = 0;
  bool disturbed = false;  ///< another call closes or restarts what it works on
  bool cancelled = false;
};

/// Lean's text of the file when the answer was sent.
struct Mirror {
  std::string text;
  std::int64_t version = 0;
  int lines_reported = 0;  ///< from the first, about which Lean had said all a while before the answer
};

class Judge {
 public:
  Judge(const Disk& disk, const Faults& faults) : disk_(disk), faults_(faults) {}

  /// What is wrong with the result of tools/call; nullopt: nothing. `prompt`: Lean has had enough time.
  std::optional<std::string> check(const CallRecord& call, const nlohmann::json& result,
                                   const std::optional<Mirror>& mirror) const;
  /// There are no more faults: from now on errors are wrong.
  void heal() { healed_ = true; }
  /// The contents of X.lean during the call: what a worker may have loaded.
  std::vector<ModelText> truths(const CallRecord& call, const std::string& text) const;

 private:
  using Problem = std::optional<std::string>;
  bool had_time(const CallRecord& call, int slow_ms) const;
  Problem check_error(const CallRecord& call, const nlohmann::json& error) const;
  /// For a tool without checks of its own: no message of ours, no goal of another text.
  Problem check_any(const CallRecord& call, const nlohmann::json& answer) const;
  Problem check_against(const CallRecord& call, const nlohmann::json& answer, const ModelText& truth) const;
  /// Whether an answer that says so had to be partial.
  Problem check_partial(const CallRecord& call, const nlohmann::json& answer, const Mirror& mirror) const;
  Problem check_goals(const CallRecord& call, const nlohmann::json& answer, const ModelText& truth) const;
  Problem check_items(const CallRecord& call, const nlohmann::json& answer, const ModelText& truth) const;
  Problem check_hover(const CallRecord& call, const nlohmann::json& answer, const ModelText& truth) const;
  /// The texts of the call's attempts, given that content of the file; none if it has no such position.
  std::vector<text::AttemptText> attempts_in(const CallRecord& call, const std::string& content,
                                             const std::string& hint = "") const;
  Problem check_attempts(const CallRecord& call, const nlohmann::json& answer, const ModelText& truth) const;
  Problem check_attempt(const CallRecord& call, const nlohmann::json& item, const text::AttemptText& placed,
                        const ModelText& tried) const;
  bool moved(const CallRecord& call) const;
  /// Whether the client learns that a header has failed: only progress reports say so.
  bool is_header_told() const { return healed_ || faults_.drop + faults_.bad_shape == 0; }
  std::vector<Disk::Content> window(const CallRecord& call) const;

  const Disk& disk_;
  const Faults& faults_;
  bool healed_ = false;
};

}  // namespace leanbridge::faults
