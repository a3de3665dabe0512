#include "leanbridge/search/cache.hpp"

#include "leanbridge/base/files.hpp"
#include "leanbridge/base/json.hpp"
#include "leanbridge/base/log.hpp"
#include "leanbridge/index/sqlite.hpp"
#include "leanbridge/io/one_shot.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <fcntl.h>

#include <algorithm>

namespace leanbridge::search {

using nlohmann::json;
namespace sqlite = index::sqlite;

namespace {

constexpr const char* kSchema =
    "PRAGMA synchronous=NORMAL;"
    "CREATE TABLE IF NOT EXISTS entry (key TEXT PRIMARY KEY, value TEXT NOT NULL, until INTEGER NOT NULL,"
    " used INTEGER NOT NULL) WITHOUT ROWID;";
constexpr std::size_t kPutsBetweenSweeps = 50;

std::chrono::seconds kept_for(CacheGroup group) {
  return group == CacheGroup::State ? std::chrono::seconds(std::chrono::minutes(5)) : std::chrono::hours(1);
}

std::int64_t seconds(WallClock::time_point time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

}  // namespace

/// The cache on disk, one table in SQLite, used by a thread of its own. Its destructor finishes all pending
/// work. A damaged file is replaced; an unwritable one is not used any more.
class Cache::Disk {
 public:
  Disk(std::filesystem::path file, std::size_t max_entries)
      : file_(std::move(file)), max_entries_(max_entries) {}
  ~Disk() { thread_.join(); }

  struct Kept {
    std::string value;       ///< "": none
    std::int64_t until = 0;  ///< seconds since 1970
    std::string problem;     ///< of the file; "": none
  };

  asio::awaitable<Kept> get(std::string key, std::int64_t now, io::CancelScope scope) {
    const auto result = std::make_shared<io::OneShot<Kept>>();
    const auto loop = co_await asio::this_coro::executor;
    asio::post(thread_, [this, result, loop, key = std::move(key), now] {
      Kept kept;
      use([&](sqlite::Database& database) {
        sqlite::Statement select(database, "SELECT value, until FROM entry WHERE key = ?1 AND until > ?2");
        if (!select.bind(1, key).bind(2, now).step()) return;
        kept = {std::string(select.text(0)), select.integer(1), ""};
        sqlite::Statement(database, "UPDATE entry SET used = ?2 WHERE key = ?1")
            .bind(1, key)
            .bind(2, now)
            .run();
      });
      kept.problem = problem_;
      asio::post(loop, [result, kept] { result->set(kept); });
    });
    co_return co_await result->wait(scope) == io::WaitStatus::Ready ? result->take() : Kept();
  }

  void put(std::string key, json value, std::int64_t until, std::int64_t now) {
    asio::post(thread_, [this, key = std::move(key), value = std::move(value), until, now] {
      const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
      if (text.size() > kMaxValueBytes) return;
      use([&](sqlite::Database& database) {
        sqlite::Statement insert(database, "INSERT OR REPLACE INTO entry VALUES (?1, ?2, ?3, ?4)");
        insert.bind(1, key).bind(2, text).bind(3, until).bind(4, now).run();
        if (puts_++ % kPutsBetweenSweeps != 0) return;
        sqlite::Statement(database, "DELETE FROM entry WHERE until <= ?1").bind(1, now).run();
        sqlite::Statement least_used(
            database,
            "DELETE FROM entry WHERE key IN (SELECT key FROM entry ORDER BY used DESC LIMIT -1 OFFSET ?1)");
        least_used.bind(1, static_cast<std::int64_t>(max_entries_)).run();
      });
    });
  }

  /// Returns the number of removed entries, on this thread, or what went wrong.
  tl::expected<std::size_t, std::string> clear() {
    std::optional<std::size_t> removed;
    use([&](sqlite::Database& database) {
      sqlite::Statement count(database, "SELECT count(*) FROM entry");
      count.step();
      const auto entries = static_cast<std::size_t>(count.integer(0));
      database.run("DELETE FROM entry");
      removed = entries;
    });
    if (removed) return *removed;
    return tl::unexpected(problem_);
  }

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

  // Runs `work` on the database, once more with a new one if it is damaged. Never throws.
  template <class Work>
  void use(Work work) {
    for (bool again = false; !given_up_; again = true) {
      try {
        open();
        return work(*database_);
      } catch (const sqlite::Failure& failure) {
        problem_ = file_.string() + ": " + failure.what();
        given_up_ = failure.unwritable() || (failure.damaged() && again);
        if (failure.damaged() && !again) {
          log::warn("search cache: {}; replacing it", problem_);
          // Other processes that have the file open continue with the unlinked one.
          database_.reset();
          std::error_code ignored;
          for (const char* suffix : {"", "-journal", "-wal", "-shm"})
            std::filesystem::remove(file_.string() + suffix, ignored);
          continue;
        }
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
  asio::thread_pool thread_{1};
};

Cache::Cache(CacheOptions options) : options_(std::move(options)) {
  if (!options_.file.empty()) disk_ = std::make_shared<Disk>(options_.file, options_.max_entries);
}

Cache::~Cache() = default;

asio::awaitable<std::optional<json>> Cache::find(CacheGroup group, std::string key, io::CancelScope scope) {
  const Key place{group, std::move(key)};
  const auto now = options_.now();
  // A clock that was set back must not extend the lifetime.
  const auto is_good = [&](WallClock::time_point until) {
    return until > now && until <= now + kept_for(group);
  };
  auto found = entries_.find(place);
  if (found != entries_.end() && !is_good(found->second.until)) {
    entries_.erase(found);
    found = entries_.end();
  }
  // Answers of other groups are valid in one process only.
  if (const auto disk = disk_; found == entries_.end() && disk && group == CacheGroup::Search) {
    const auto kept = co_await disk->get(place.second, seconds(now), scope);
    problem_ = kept.problem;
    json value = read_json(kept.value);
    const WallClock::time_point until{std::chrono::seconds(kept.until)};
    if (!value.is_discarded() && is_good(until)) found = remember(place, std::move(value), until);
  }
  ++(found == entries_.end() ? counts_.misses : counts_.hits);
  if (found == entries_.end()) co_return std::nullopt;
  found->second.used = ++uses_;
  co_return found->second.value;
}

void Cache::put(CacheGroup group, const std::string& key, json value) {
  const auto now = options_.now();
  const auto until = now + kept_for(group);
  if (disk_ && group == CacheGroup::Search) disk_->put(key, value, seconds(until), seconds(now));
  remember({group, key}, std::move(value), until);
}

Cache::Entries::iterator Cache::remember(const Key& key, json value, WallClock::time_point until) {
  if (entries_.size() >= options_.max_entries && !entries_.contains(key)) {
    entries_.erase(std::min_element(entries_.begin(), entries_.end(), [](const auto& a, const auto& b) {
      return a.second.used < b.second.used;
    }));
    ++counts_.evictions;
  }
  return entries_.insert_or_assign(key, Entry{std::move(value), until, ++uses_}).first;
}

CacheCounts Cache::counts() const {
  CacheCounts counts = counts_;
  counts.entries = entries_.size();
  return counts;
}

Result<std::size_t> Cache::clear(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return 0;
  const auto removed = Disk(file, 0).clear();
  if (removed) return *removed;
  return fail(ErrorKind::BackendError, "Cannot clear the cache: " + removed.error(),
              "Remove the file while leanbridge is not running.");
}

}  // namespace leanbridge::search
