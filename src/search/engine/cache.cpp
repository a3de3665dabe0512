#include "leanbridge/search/cache.hpp"

#include "leanbridge/base/files.hpp"
#include "leanbridge/base/json.hpp"
#include "leanbridge/base/log.hpp"
#include "leanbridge/index/sqlite.hpp"
#include "leanbridge/io/one_shot.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include <exception>
#include <memory>
#include <optional>
#include <string>

namespace leanbridge::search {

using nlohmann::json;
namespace sqlite = index::sqlite;

namespace {

constexpr const char* kSchema =
    "PRAGMA synchronous=NORMAL;"
    "CREATE TABLE IF NOT EXISTS entry (key TEXT PRIMARY KEY, value TEXT NOT NULL, until INTEGER NOT NULL,"
    " used INTEGER NOT NULL) WITHOUT ROWID;";
constexpr std::size_t kPutsBetweenSweeps = 50;

}  // namespace

/// The cache on disk, one table in SQLite. Belongs to one thread and never throws; problem() reports errors.
/// A damaged file is replaced; an unwritable one is not used any more.
class CacheFile {
 public:
  CacheFile(std::filesystem::path file, std::size_t max_entries)
      : file_(std::move(file)), max_entries_(max_entries) {}

  struct Kept {
    std::string value;
    std::int64_t until = 0;  ///< seconds since 1970
  };

  std::optional<Kept> get(const std::string& key, std::int64_t now) {
    std::optional<Kept> kept;
    guarded([&](sqlite::Database& database) {
      sqlite::Statement select(database, "SELECT value, until FROM entry WHERE key = ?1 AND until > ?2");
      select.bind(1, key).bind(2, now);
      if (!select.step()) return;
      kept = Kept{std::string(select.text(0)), select.integer(1)};
      sqlite::Statement(database, "UPDATE entry SET used = ?2 WHERE key = ?1")
          .bind(1, key)
          .bind(2, now)
          .run();
    });
    return kept;
  }

  void put(const std::string& key, const std::string& value, std::int64_t until, std::int64_t now) {
    guarded([&](sqlite::Database& database) {
      sqlite::Statement insert(database, "INSERT OR REPLACE INTO entry VALUES (?1, ?2, ?3, ?4)");
      insert.bind(1, key).bind(2, value).bind(3, until).bind(4, now).run();
      if (puts_++ % kPutsBetweenSweeps != 0) return;
      sqlite::Statement(database, "DELETE FROM entry WHERE until <= ?1").bind(1, now).run();
      sqlite::Statement least_used(
          database,
          "DELETE FROM entry WHERE key IN (SELECT key FROM entry ORDER BY used DESC LIMIT -1 OFFSET ?1)");
      least_used.bind(1, static_cast<std::int64_t>(max_entries_)).run();
    });
  }

  /// Returns the number of removed entries; nullopt: failed.
  std::optional<std::size_t> clear() {
    std::optional<std::size_t> removed;
    guarded([&](sqlite::Database& database) {
      sqlite::Statement count(database, "SELECT count(*) FROM entry");
      count.step();
      const auto entries = static_cast<std::size_t>(count.integer(0));
      database.run("DELETE FROM entry");
      removed = entries;
    });
    return removed;
  }

  const std::string& problem() const { return problem_; }

 private:
  void open() {
    if (database_) return;
    // Creates the file with a private mode before SQLite would create it with the umask's.
    make_private_folder(file_.parent_path());
    { const Descriptor made(::open(file_.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600)); }
    auto opened = std::make_unique<sqlite::Database>(file_, sqlite::Database::Mode::ReadWrite, nullptr);
    opened->run(kSchema);
    database_ = std::move(opened);
  }

  // Other processes that have the file open continue with the unlinked one.
  void start_over() {
    database_.reset();
    std::error_code ignored;
    for (const char* suffix : {"", "-journal", "-wal", "-shm"})
      std::filesystem::remove(std::filesystem::path(file_.string() + suffix), ignored);
  }

  template <class Work>
  void guarded(Work work) {
    for (bool again = false; !given_up_; again = true) {
      try {
        open();
        return work(*database_);
      } catch (const sqlite::Failure& failure) {
        problem_ = file_.string() + ": " + failure.what();
        if (failure.damaged() && !again) {
          log::warn("search cache: {}; replacing it", problem_);
          start_over();
          continue;
        }
        given_up_ = failure.damaged() || failure.unwritable();
      } catch (const std::exception& error) {
        problem_ = file_.string() + ": " + error.what();
      }
      if (given_up_) log::warn("search cache: {}; not caching on disk", problem_);
      return;
    }
  }

  std::filesystem::path file_;
  std::size_t max_entries_;
  std::unique_ptr<sqlite::Database> database_;
  std::string problem_;
  bool given_up_ = false;
  std::size_t puts_ = 0;
};

/// The thread that uses the file. Its destructor finishes all pending work.
class Cache::Disk : public std::enable_shared_from_this<Cache::Disk> {
 public:
  Disk(asio::io_context& context, const CacheOptions& options)
      : context_(context), file_(options.file, options.max_entries) {}
  ~Disk() { thread_.join(); }

  asio::awaitable<std::optional<CacheFile::Kept>> get(std::string key, std::int64_t now,
                                                      io::CancelScope scope) {
    auto result = std::make_shared<io::OneShot<std::optional<CacheFile::Kept>>>();
    // The thread ends before this object and must not own it, because it could not join itself.
    asio::post(thread_, [this, weak = weak_from_this(), result, key = std::move(key), now] {
      auto kept = std::make_shared<std::optional<CacheFile::Kept>>(file_.get(key, now));
      asio::post(context_, [weak, result, kept, problem = file_.problem()] {
        if (const auto disk = weak.lock()) disk->problem_ = problem;
        result->set(std::move(*kept));
      });
    });
    if (co_await result->wait(scope) != io::WaitStatus::Ready) co_return std::nullopt;
    co_return result->take();
  }

  void put(std::string key, nlohmann::json value, std::int64_t until, std::int64_t now) {
    asio::post(thread_, [this, key = std::move(key), value = std::move(value), until, now] {
      const std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
      if (text.size() <= kMaxValueBytes) file_.put(key, text, until, now);
    });
  }

  const std::string& problem() const { return problem_; }

 private:
  asio::io_context& context_;
  CacheFile file_;  ///< used by the thread only
  std::string problem_;
  asio::thread_pool thread_{1};
};

// --- the cache

namespace {

std::chrono::seconds kept_for(CacheGroup group) {
  return group == CacheGroup::State ? std::chrono::seconds(std::chrono::minutes(5)) : std::chrono::hours(1);
}

// The others are valid in one process only: they depend on its documents and its connections to the index.
bool is_for_disk(CacheGroup group) {
  return group == CacheGroup::Search;
}

std::string full_key(CacheGroup group, const std::string& key) {
  return (group == CacheGroup::Search ? "s:" : group == CacheGroup::State ? "l:" : "i:") + key;
}

std::int64_t seconds(WallClock::time_point time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

}  // namespace

Cache::Cache(asio::io_context& context, CacheOptions options) : options_(std::move(options)) {
  if (!options_.file.empty()) disk_ = std::make_shared<Disk>(context, options_);
}

Cache::~Cache() = default;

asio::awaitable<std::optional<json>> Cache::find(CacheGroup group, std::string key, io::CancelScope scope) {
  key = full_key(group, key);
  if (const json* value = remembered(key)) {
    ++counts_.hits;
    co_return *value;
  }
  if (disk_ && is_for_disk(group)) {
    const auto now = options_.now();
    const auto disk = disk_;
    const auto kept = co_await disk->get(key, seconds(now), scope);
    json value = kept ? read_json(kept->value) : json();
    const WallClock::time_point until{std::chrono::seconds(kept ? kept->until : 0)};
    // As in remembered(): a wrong clock, then or now, must not extend the lifetime.
    if (kept && !value.is_discarded() && until <= now + kept_for(group)) {
      ++counts_.hits;
      remember(key, value, until);
      co_return value;
    }
  }
  ++counts_.misses;
  co_return std::nullopt;
}

void Cache::put(CacheGroup group, const std::string& key, json value) {
  const auto now = options_.now();
  const auto until = now + kept_for(group);
  if (disk_ && is_for_disk(group)) disk_->put(full_key(group, key), value, seconds(until), seconds(now));
  remember(full_key(group, key), std::move(value), until);
}

const json* Cache::remembered(const std::string& key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  const auto now = options_.now();
  const auto longest = kept_for(key.starts_with("l:") ? CacheGroup::State : CacheGroup::Search);
  // A clock that was set back must not extend the lifetime.
  if (found->second->until <= now || found->second->until > now + longest) {
    entries_.erase(found->second);
    by_key_.erase(found);
    return nullptr;
  }
  entries_.splice(entries_.begin(), entries_, found->second);
  return &found->second->value;
}

void Cache::remember(std::string key, json value, WallClock::time_point until) {
  if (const auto found = by_key_.find(key); found != by_key_.end()) {
    entries_.erase(found->second);
    by_key_.erase(found);
  }
  entries_.push_front(Entry{key, std::move(value), until});
  by_key_.emplace(std::move(key), entries_.begin());
  if (entries_.size() <= options_.max_entries) return;
  by_key_.erase(entries_.back().key);
  entries_.pop_back();
  ++counts_.evictions;
}

CacheCounts Cache::counts() const {
  CacheCounts counts = counts_;
  counts.entries = entries_.size();
  return counts;
}

std::string Cache::problem() const {
  return disk_ ? disk_->problem() : std::string();
}

Result<std::size_t> Cache::clear(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return 0;
  CacheFile kept(file, 0);
  if (const auto removed = kept.clear()) return *removed;
  return fail(ErrorKind::BackendError, "Cannot clear the cache: " + kept.problem(),
              "Remove the file while leanbridge is not running.");
}

}  // namespace leanbridge::search
