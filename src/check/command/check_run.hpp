#pragma once
/// One run of `leanbridge check`: reads items and writes verdicts, until all are judged or the run is ended.

#include "batch_driver.hpp"
#include "check/batch/runner.hpp"
#include "check/batch/shard.hpp"
#include "check/batch/summary.hpp"
#include "check_options.hpp"
#include "core/io/capacity.hpp"
#include "core/io/fair_semaphore.hpp"
#include "core/io/task_group.hpp"
#include "core/program/interrupts.hpp"
#include "core/program/runtime.hpp"
#include "inputs.hpp"
#include "junit_file.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::app {

/// Exit code: not all items were judged.
inline constexpr int kNotAllJudged = 3;

/// Everything known before Lean starts.
struct CheckPlan {
  std::vector<CheckInput> inputs;
  batch::Shard shard;
  batch::KnownVerdicts known;        ///< from --resume
  bool cut_off = false;              ///< stdout continues a file that ends in the middle of a line
  std::shared_ptr<JUnitFile> junit;  ///< null: there is none
};

/// Prints a summary on stderr.
void print_summary(const batch::Summary& summary, SummaryFormat format);

/// Belongs to the loop's thread.
class CheckRun {
 public:
  /// `out` is stdout.
  CheckRun(Runtime& runtime, std::shared_ptr<document::DocumentStore> project, CheckPlan plan,
           const StandardStream& out);

  /// Runs the loop until the end. Returns the exit code.
  int run();

 private:
  batch::RunnerOptions runner_options() const;
  asio::awaitable<void> run_all();
  asio::awaitable<void> read_inputs();
  asio::awaitable<void> read_file(std::string name);
  asio::awaitable<Result<void>> read_lines(const CheckInput& input);
  asio::awaitable<void> take(tl::expected<batch::Item, batch::BadItem> item, std::optional<std::int64_t> line,
                             std::string place);
  /// Whether an earlier run has judged it.
  bool is_known(const std::string& id);
  asio::awaitable<void> deliver(batch::Report report);
  /// For people; empty for what is ok.
  asio::awaitable<std::string> text_of(batch::Report report);
  asio::awaitable<void> add_to_junit(batch::Report report);
  /// Begins no further items.
  void end();
  asio::awaitable<void> cancel_after_grace();
  asio::awaitable<void> show_progress();
  void update_summary();
  int conclude();

  Runtime& runtime_;
  const CheckOptions& options_;
  std::shared_ptr<document::DocumentStore> project_;
  std::shared_ptr<OptionFiles> option_files_;
  CheckPlan plan_;
  std::string toolchain_;
  io::Capacity capacity_;
  BatchDriver driver_;
  Interrupts interrupts_;
  std::shared_ptr<batch::Runner> runner_;
  std::shared_ptr<io::CancelSource> over_ = std::make_shared<io::CancelSource>();
  std::shared_ptr<io::FairSemaphore> junit_turn_ = std::make_shared<io::FairSemaphore>(1);
  io::TaskGroup tasks_;  // tasks that read and show progress
  batch::Summary summary_;
  const bool is_for_people_;  // print text instead of lines of JSON
  io::Clock::time_point started_;
  std::size_t position_ = 0;  // of the next item, counted over all inputs
  bool all_read_ = false;
  bool complete_ = false;
  bool junit_failed_ = false;
  bool known_not_ok_ = false;
  std::vector<std::string> objections_;      // of parts, to the project
  std::map<std::string, std::string> said_;  // reasons, and the first item that each was told of
};

}  // namespace leanbridge::app
