#include "builder.hpp"

#include "core/base/log.hpp"
#include "module_reader.hpp"
#include "search/index/query/search.hpp"
#include "search/index/store/cache_files.hpp"
#include <unistd.h>

#include <chrono>

namespace leanbridge::index {

namespace fs = std::filesystem;
using sqlite::Database;

namespace {

// Declarations per transaction. Large transactions are faster, small ones lose less if the process dies.
constexpr std::size_t kBatchSize = 8'000;
constexpr auto kMaxBatchTime = std::chrono::seconds(2);

class Build {
 public:
  Build(const BuildJob& job, Store& store) : job_(job), store_(store) {}

  enum class End {
    Done,
    Stopped,
    /// There is no module where there must be many: the folder is missing or unreadable. An empty index would
    /// pass for a complete one.
    NothingFound,
  };

  End run() {
    find_changes();
    // An interrupted walk has not seen everything.
    if (*job_.stop) return End::Stopped;
    if (progress_.modules_total == 0 && !job_.may_be_empty) return End::NothingFound;
    progress_.declarations = store_.declarations();
    report();
    if (!touched_.empty()) store_.touch(touched_);
    if (to_read_.empty() && gone_.empty() && store_.complete()) return *job_.stop ? End::Stopped : End::Done;
    changed_ = true;
    if (!read_all_binders()) return End::Stopped;
    for (const Pending& pending : to_read_) {
      if (*job_.stop) return End::Stopped;
      read(pending);
    }
    write_batch();
    if (*job_.stop) return End::Stopped;
    store_.finish();
    return End::Done;
  }
  BuildProgress progress() const { return progress_; }
  bool changed() const { return changed_; }
  const std::vector<fs::path>& left_out() const { return left_out_; }

 private:
  struct Pending {
    ModuleFiles files;
    ModuleRecord record;
  };

  void find_changes() {
    FoundModules found = find_modules(job_.layout, *job_.stop);
    if (*job_.stop) return;
    left_out_ = std::move(found.left_out);
    auto known = store_.modules();
    progress_.modules_total = found.modules.size();
    for (ModuleFiles& files : found.modules) {
      if (*job_.stop) return;
      ModuleRecord record{stamp_of(files), ""};
      const auto old = known.find(files.name);
      const bool is_known = old != known.end();
      if (is_known && old->second.stamp == record.stamp) {
        ++progress_.modules;
      } else {
        record.hash = hash_of(files);
        if (is_known && !record.hash.empty() && old->second.hash == record.hash) {
          touched_[files.name] = record.stamp;
          ++progress_.modules;
        } else {
          to_read_.push_back({std::move(files), std::move(record)});
        }
      }
      if (is_known) known.erase(old);
    }
    for (const auto& [name, record] : known) gone_.push_back(name);
  }

  // The type printer must know the binders of all constants before it prints the first type. Modules with a
  // source show its text instead and do not need the binders.
  bool read_all_binders() {
    const auto prints = [](const Pending& pending) {
      return !pending.files.olean.empty() && pending.files.source.empty();
    };
    if (std::ranges::none_of(to_read_, prints)) return true;
    const FoundModules found = find_modules(job_.layout, *job_.stop);
    for (const ModuleFiles& files : found.modules) {
      if (*job_.stop) return false;
      if (files.olean.empty()) continue;
      if (const auto read = load_binders(files.olean, binders_); !read)
        log::debug("{}", read.error().message);
    }
    return true;
  }

  void read(const Pending& pending) {
    Module module = read_module(pending.files, binders_);
    module.record = pending.record;
    waiting_ += module.declarations.size();
    batch_.push_back(std::move(module));
    if (waiting_ >= kBatchSize || io::Clock::now() - batch_begun_ >= kMaxBatchTime) write_batch();
  }

  void write_batch() {
    if (!batch_.empty() || !gone_.empty()) {
      const std::size_t modules = batch_.size();
      store_.write(std::exchange(batch_, {}), std::exchange(gone_, {}));
      progress_.modules += modules;
      progress_.declarations = store_.declarations();
      waiting_ = 0;
      report();
    }
    batch_begun_ = io::Clock::now();
  }

  void report() const {
    if (job_.on_progress) job_.on_progress(progress_);
  }

  const BuildJob& job_;
  Store& store_;
  std::vector<Pending> to_read_;
  std::map<std::string, std::string> touched_;
  std::vector<std::string> gone_;
  std::vector<fs::path> left_out_;
  olean::BinderTable binders_;
  std::vector<Module> batch_;
  std::size_t waiting_ = 0;  // declarations in the batch
  io::Clock::time_point batch_begun_ = io::Clock::now();
  BuildProgress progress_;
  bool changed_ = false;
};

// Checks an index whose last build did not finish: a crash of the machine may have damaged it.
void look_for_damage(const BuildJob& job, const Store& store) {
  if (job.check || (!store.complete() && store.module_count() > 0)) store.check();
}

void run_in(const BuildJob& job, Store& store, BuildOutcome& outcome) {
  // If there are no changes, do not write: writing would invalidate what others have cached for this state.
  if (!job.layout_text.empty() &&
      (store.meta("layout_stamp") != job.layout_stamp || store.meta("layout") != job.layout_text)) {
    store.set_meta("layout", job.layout_text);
    store.set_meta("layout_stamp", job.layout_stamp);
  }
  Build build(job, store);
  switch (build.run()) {
    case Build::End::Done:
      outcome.end = BuildOutcome::End::Done;
      break;
    case Build::End::Stopped:
      outcome.end = BuildOutcome::End::Stopped;
      break;
    case Build::End::NothingFound:
      outcome.end = BuildOutcome::End::Failed;
      outcome.message = "found no modules in " + job.layout.sysroot.string();
      break;
  }
  outcome.progress = build.progress();
  outcome.changed = build.changed();
  outcome.problems = store.problems();
  for (const fs::path& link : build.left_out())
    outcome.problems.push_back(link.string() + " leads out of the project");
}

void describe(const sqlite::Failure& failure, BuildOutcome& outcome) {
  outcome.message = failure.what();
  if (failure.interrupted())
    outcome.end = BuildOutcome::End::Stopped;
  else
    outcome.end = failure.unwritable() ? BuildOutcome::End::Unwritable : BuildOutcome::End::Failed;
}

BuildOutcome build_in_memory(const BuildJob& job) {
  BuildOutcome outcome;
  try {
    outcome.memory = job.memory ? job.memory : std::make_shared<Store>("", Database::Mode::Memory, job.stop);
    run_in(job, *outcome.memory, outcome);
  } catch (const sqlite::Failure& failure) {
    describe(failure, outcome);
  }
  return outcome;
}

// One attempt. Returns true if the database is damaged and must be replaced.
bool build_on_disk(const BuildJob& job, BuildOutcome& outcome) {
  try {
    Store store(outcome.database, Database::Mode::ReadWrite, job.stop);
    look_for_damage(job, store);
    run_in(job, store, outcome);
    return false;
  } catch (const sqlite::Failure& failure) {
    describe(failure, outcome);
    return failure.damaged();
  }
}

BuildOutcome build_with_lock(const BuildJob& job) {
  BuildOutcome outcome;
  if (!make_folder(job.folder)) {
    outcome.end = BuildOutcome::End::Unwritable;
    outcome.message = job.folder.string() + " is not writable";
    return outcome;
  }
  const BuildLock lock(job.folder, job.stem);
  if (!lock.held() && lock.owner() > 0) {
    outcome.end = BuildOutcome::End::Busy;
    outcome.owner = lock.owner();
    return outcome;
  }
  // On a file system without locks, SQLite's own locks still keep writers apart.
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto existing = attempt == 0 ? newest_database(job.folder, job.stem) : std::nullopt;
    outcome.database = existing ? *existing : new_database(job.folder, job.stem);
    if (outcome.database.empty()) {
      outcome.end = BuildOutcome::End::Unwritable;
      outcome.message = "cannot create a file in " + job.folder.string();
      return outcome;
    }
    if (!build_on_disk(job, outcome)) break;
    log::warn("index {} is damaged ({}); rebuilding it", outcome.database.string(), outcome.message);
  }
  if (lock.held() && outcome.end == BuildOutcome::End::Done)
    remove_other_databases(job.folder, job.stem, outcome.database);
  return outcome;
}

}  // namespace

BuildOutcome bring_up_to_date(const BuildJob& job) {
  if (job.folder.empty()) return build_in_memory(job);
  BuildOutcome outcome = build_with_lock(job);
  if (outcome.end == BuildOutcome::End::Done) {
    outcome.complete = true;
  } else if (const auto store = open_to_read(job.folder, job.stem, job.stop)) {
    try {
      outcome.complete = store->complete();
      outcome.progress.declarations = store->declarations();
      outcome.progress.modules = store->module_count();
    } catch (const sqlite::Failure&) {  // the index stays incomplete
    }
  }
  return outcome;
}

}  // namespace leanbridge::index
