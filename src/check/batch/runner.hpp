#pragma once
/// Checks items on warm scratch workers of one project: items in, reports out, in bounded memory. A worker
/// takes the next item as an edit below the same header, so the imports stay loaded; the edit also cancels
/// the remains of an item that ran out of time.
///
/// A worker is replaced if it died, is stuck or is too large, and after an item that ran programs of its own
/// (`#eval`, `run_cmd`, `elab`, ...), which could have changed the process for later items.

#include "core/document/scratch_pool.hpp"
#include "core/io/task_group.hpp"
#include "core/platform/processes.hpp"
#include "schedule.hpp"
#include "verdict.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::batch {

/// A closer look at a text without errors, beyond Lean's messages.
struct Scrutiny {
  enum class Finding {
    Nothing,  ///< it really has no sorry
    Sorry,
    Unknown,  ///< it is unknown whether it has a sorry, or whether it is checked at all
  };
  Finding finding = Finding::Nothing;
  std::string reason;            ///< set unless Nothing
  bool timed_out = false;        ///< it is Unknown because time ran out
  bool commands_suffice = true;  ///< `#print axioms` below the text is reliable and complete
};

/// Examinations by the layers above. Called on the loop.
struct Examiners {
  /// Looks for sorries that Lean does not report. The document has the item's text, elaborated.
  std::function<asio::awaitable<Result<Scrutiny>>(document::DocumentHandle, Item, io::CancelScope)>
      scrutinise;
  struct Axioms {
    std::optional<std::vector<std::string>> names;
    std::string why_not;
  };
  /// Reads the axioms of the item's `theorem`, or of all its theorems, from the compiled terms.
  std::function<asio::awaitable<Result<Axioms>>(std::shared_ptr<document::DocumentStore>, Item,
                                                io::CancelScope)>
      compiled_axioms;
};

struct RunnerOptions {
  /// 0: one worker at first, and after measuring it as many as `workers_for` allows.
  std::size_t workers = 0;
  std::function<std::size_t(std::int64_t worker_bytes)> workers_for;
  /// The limit of resident memory for each of this many workers; 0: no limit. Empty: the pool is shared, and
  /// has limits of its own.
  std::function<std::int64_t(std::size_t workers)> worker_limit;
  io::Clock::duration timeout = std::chrono::seconds(60);  ///< for an item, once its imports are loaded
  bool goals = false;
  bool axioms = false;
  ScheduleLimits schedule;
  io::Clock::duration header_limit = std::chrono::minutes(15);  ///< Lake may have to build the imports
  /// How long to wait for a scratch document that other calls use.
  io::Clock::duration patience = std::chrono::minutes(15);
  /// How long a scratch document is kept before other calls may have it and its imports are checked again.
  io::Clock::duration lease = std::chrono::seconds(2);
  /// How long a worker may go on computing for an item that was given up. Lean checks for cancellation
  /// between steps, some of which are long, and then frees the item's memory.
  io::Clock::duration quiet_limit = std::chrono::seconds(3);
  std::function<int(int server, const std::string& uri)> worker_of = lean::worker_of;
  std::function<double(int pid)> cpu_seconds = platform::cpu_seconds;
  io::Clock::duration cpu_window = platform::cpu_window();  ///< the time between two measurements of it
};

/// Belongs to the loop's thread. Owned by shared_ptr: its coroutines keep it alive.
class Runner : public std::enable_shared_from_this<Runner> {
 public:
  /// Suspends while the receiver of the reports lags behind.
  using OnReport = std::function<asio::awaitable<void>(Report)>;

  Runner(io::Pool& pool, std::shared_ptr<document::DocumentStore> store, RunnerOptions options,
         Examiners examiners, OnReport on_report);

  /// Suspends until there is room for another item. False: the runner takes no more.
  asio::awaitable<bool> wait_for_room(io::CancelScope scope);
  void add(Item item);
  /// Tells that no more items will be added.
  void close();

  /// Judges items until close() was called and all are judged, or until stop() was called and the running
  /// ones are judged; at once if the source cancels. LeanUnavailable if Lean does not start, or has not run
  /// for two minutes.
  asio::awaitable<Result<void>> run(std::shared_ptr<io::CancelSource> cancel);
  /// Begins no further item.
  void stop();

  std::size_t workers() const { return lanes_.size(); }
  std::size_t judged() const { return judged_; }
  /// How often workers have loaded a header.
  std::size_t loads() const { return loads_; }
  bool stopped() const { return stopped_; }

 private:
  /// Remains that an item that was given up may have left in a worker, which judges other items already.
  struct Remains {
    int worker = 0;
    bool computed = false;            ///< it computed, before the edit that gave it up
    io::Clock::time_point until;      ///< the worker is replaced if it still computes then
    io::Clock::time_point next_look;  ///< when to look again
  };
  /// One of the workers: its scratch document and its item.
  struct Lane {
    std::optional<document::Scratch> scratch;
    std::optional<Remains> remains;
    std::filesystem::path file;  ///< the file that it was acquired for
    io::Clock::time_point acquired{};
    std::optional<Item> given;
  };
  /// The end of an attempt at an item. WorkerDied: while it had the item's text, in a server that seemed to
  /// live. ServerDied: the server died, or a worker that had only the header. Disturbed: out of time, perhaps
  /// because of an earlier item's remains.
  enum class End { Judged, Cancelled, NoWorker, Unavailable, WorkerDied, ServerDied, TooLarge, Disturbed };
  struct Attempt {
    Report report;
    bool fresh = false;    ///< on a worker that had elaborated nothing before
    bool decided = false;  ///< the header decided, so the text itself is not tried
    bool given = false;    ///< the worker has the item's text
    int server_starts = 0;
  };
  /// Deaths while a worker had an item.
  struct Deaths {
    int with_text = 0;  ///< deaths of workers with its text, in a server that lived on
    int others = 0;
    /// The start of the server in which a worker has just died with the text. It is unknown whether the
    /// server died, too, until the header is loaded again.
    std::optional<int> unexplained;

    /// Counts the unexplained death, if any, now that a server of this start has loaded the header.
    void explain(int server_starts);
    bool prove_crash() const;
  };

  void start_lane();
  void dispatch();
  asio::awaitable<void> run_lane(std::shared_ptr<Runner> self, std::size_t index);
  asio::awaitable<void> take_items(std::size_t index);
  void limit_pool(std::size_t workers);
  void leave(Lane& lane);
  asio::awaitable<void> grow(Lane& lane);
  asio::awaitable<End> judge(Lane& lane, const Item& item, Report& report);
  asio::awaitable<End> attempt(Lane& lane, const Item& item, Attempt& attempt, Deaths& deaths);
  asio::awaitable<End> acquire(Lane& lane, const Item& item);
  asio::awaitable<End> load_header(Lane& lane, const Item& item, const std::string& header, Attempt& attempt);
  asio::awaitable<End> conclude(Lane& lane, const Item& item, Attempt& attempt, io::CancelScope scope);
  asio::awaitable<End> scrutinise(Lane& lane, const Item& item, Attempt& attempt);
  asio::awaitable<End> probe(Lane& lane, const Item& item, Attempt& attempt, io::CancelScope scope);
  asio::awaitable<std::vector<std::string>> goals_of(Lane& lane, io::CancelScope scope);
  asio::awaitable<void> recover(Lane& lane, const Item& item, const std::string& header);
  asio::awaitable<void> look_at_remains(Lane& lane);
  asio::awaitable<void> settle(Lane& lane);
  void renew(Lane& lane);
  enum class Computing { Yes, No, Unknown };
  asio::awaitable<int> find_worker(const Lane& lane);
  struct CpuTime {
    double seconds = 0;  ///< of a process so far
    io::Clock::time_point at;
  };
  asio::awaitable<std::optional<CpuTime>> cpu_time(int worker);
  static double cores_used(const CpuTime& before, const CpuTime& after);
  asio::awaitable<Computing> is_computing(int worker);
  End how_lost(const Lane& lane, const Attempt& attempt, const Error& error) const;
  void describe(const Lane& lane, Report& report) const;
  io::Clock::duration time_of(const Item& item) const;
  void fail_with(Error error);

  io::Pool& pool_;
  std::shared_ptr<document::DocumentStore> store_;
  RunnerOptions options_;
  Examiners examiners_;
  OnReport on_report_;
  Schedule schedule_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  io::TaskGroup tasks_;
  io::Condition changed_;
  std::shared_ptr<io::CancelSource> cancel_ = std::make_shared<io::CancelSource>();
  std::optional<asio::any_io_executor> executor_;
  std::optional<Error> failure_;
  std::optional<io::Clock::time_point> down_since_;
  bool was_ready_ = false;
  bool stopped_ = false;
  bool measured_ = false;
  int measurements_ = 0;
  std::size_t judged_ = 0;
  std::size_t loads_ = 0;
};

/// Judges these items and no others. After the end of the scope, workers have a little time to stop; what is
/// not judged by then has no report. The errors of Runner::run(), and Cancelled.
asio::awaitable<Result<void>> judge(std::shared_ptr<Runner> runner, std::vector<Item> items,
                                    io::CancelScope scope);

}  // namespace leanbridge::batch
