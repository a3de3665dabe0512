#pragma once
/// Whether an answer of the bridge is right: for a content that its file had at some moment between the call
/// and the answer, and for nothing older; whole, or called partial; or an error that can be true.

#include "leanbridge/text/attempt_text.hpp"

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

/// The mirror of the file when the answer was sent.
struct Mirror {
  std::string text;
  std::int64_t version = 0;
};

class Judge {
 public:
  Judge(const Disk& disk, const Faults& faults) : disk_(disk), faults_(faults) {}

  /// nullopt: right. Else what is wrong with the result of tools/call. `prompt`: Lean has had the time.
  std::optional<std::string> check(const CallRecord& call, const nlohmann::json& result,
                                   const std::optional<Mirror>& mirror) const;
  /// No more faults: errors are wrong from now on.
  void heal() { healed_ = true; }
  /// What X.lean has said at some moment of the call: all that a worker may have loaded.
  std::vector<ModelText> truths(const CallRecord& call, const std::string& text) const;

 private:
  using Problem = std::optional<std::string>;
  Problem check_error(const CallRecord& call, const nlohmann::json& error) const;
  /// Of a tool that is not known well: no message of ours, no goal of another text.
  Problem check_any(const CallRecord& call, const nlohmann::json& answer) const;
  Problem check_against(const CallRecord& call, const nlohmann::json& answer, const ModelText& truth) const;
  Problem check_goals(const CallRecord& call, const nlohmann::json& answer, const ModelText& truth) const;
  Problem check_items(const CallRecord& call, const nlohmann::json& answer, const ModelText& truth) const;
  Problem check_hover(const CallRecord& call, const nlohmann::json& answer, const ModelText& truth) const;
  /// The texts that the call's attempts are made of, in that content of the file; none where it has no such
  /// place.
  std::vector<text::AttemptText> attempts_in(const CallRecord& call, const std::string& content) const;
  Problem check_attempts(const CallRecord& call, const nlohmann::json& answer, const ModelText& truth) const;
  Problem check_attempt(const CallRecord& call, const nlohmann::json& item, const text::AttemptText& placed,
                        const ModelText& tried) const;
  bool moved(const CallRecord& call) const;
  std::vector<Disk::Content> window(const CallRecord& call) const;

  const Disk& disk_;
  const Faults& faults_;
  bool healed_ = false;
};

}  // namespace leanbridge::faults
