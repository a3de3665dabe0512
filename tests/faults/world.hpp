#pragma once
/// One run: a project, the bridge, a Lean with faults, and a client that works as an agent does. The seed
/// determines everything.

#include "bench.hpp"
#include "disk.hpp"
#include "judge.hpp"
#include "model_process.hpp"
#include "network.hpp"
#include "texts.hpp"
#include "virtual_clock.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>

namespace leanbridge::faults {

/// The result of a run.
struct Tally {
  int calls = 0;
  int answers = 0;
  int partial = 0;
  int errors = 0;
  int cancelled = 0;
  int starts = 0;
  std::map<std::string, int> error_kinds;
  std::map<std::string, int> tools;  ///< how often each was called

  void add(const Tally& other);
};

class World {
 public:
  World(Bench& bench, VirtualClock& clock, Trace& trace, std::uint64_t seed);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// Plays the script of the seed; failures are in the trace.
  void run();
  const Tally& tally() const { return tally_; }

  // The steps of a script.
  void begin();
  void edit();
  void call();
  void cancel();
  void wait(io::Clock::duration time);
  /// Waits until every call has ended.
  void wait_for_calls();
  /// Stops all faults: from here on every answer has to be right.
  void heal_and_check();
  /// Checks that nothing remains.
  void end();
  void act();

  Random& random() { return random_; }

 private:
  /// Calls one of the tools without checks of their own.
  void call_any(const std::string& file, double timeout_s);
  int send_call(const std::string& tool, nlohmann::json arguments, const std::string& file, double timeout_s);
  nlohmann::json arguments_for(const std::string& tool, const std::string& file);
  void place_in(nlohmann::json& arguments, const std::string& file, bool column);
  void send(nlohmann::json message);
  void receive(const std::string& text);
  void lose(int id);
  bool is_over_http() const { return seed_ % 4 == 0; }
  std::size_t calls_under_way() const;
  void on_result(CallRecord call, const nlohmann::json& message);
  void disturb(const std::string& file);
  void look_for_overdue();
  std::optional<Mirror> mirror_of(const std::string& file) const;
  std::shared_ptr<document::DocumentStore> table() const;
  void check_idle();

  Bench& bench_;
  VirtualClock& clock_;
  Trace& trace_;
  std::uint64_t seed_;
  Random random_;
  Faults faults_;
  Disk disk_;
  Texts texts_;
  Judge judge_;
  std::optional<ProcessTable> processes_;
  /// A client on stdin and stdout has a session, one over HTTP a network.
  std::shared_ptr<mcp::Session> session_;
  std::shared_ptr<Network> network_;
  std::vector<std::string> files_;
  std::map<int, CallRecord> calls_;            ///< under way
  std::set<int> answered_;                     ///< or cancelled: no further answer may come
  std::map<std::string, std::string> former_;  ///< of a file: a text to go back to
  int next_id_ = 1;
  int right_ = 0;                   ///< whole answers
  std::vector<std::string> early_;  ///< files whose goals were told before all was known about them
  std::uint64_t next_tool_;         ///< of those that are called in turn
  Tally tally_;
};

}  // namespace leanbridge::faults
