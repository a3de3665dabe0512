#include "cache_disk.hpp"

#include "leanbridge/base/files.hpp"
#include "leanbridge/base/log.hpp"
#include "leanbridge/index/sqlite.hpp"
#include "leanbridge/io/one_shot.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <exception>

namespace leanbridge::search {

namespace sqlite = index::sqlite;

namespace {

constexpr const char* kSchema =
    "PRAGMA synchronous=NORMAL;"
    "CREATE TABLE IF NOT EXISTS entry (key TEXT PRIMARY KEY, value TEXT NOT NULL, until INTEGER NOT NULL,"
    " used INTEGER NOT NULL) WITHOUT ROWID;";
constexpr std::size_t kPutsBetweenSweeps = 50;

// Made before SQLite opens it, which would give it the mode that the umask leaves.
void make_private(const std::filesystem::path& file) {
  make_private_folder(file.parent_path());
  const Descriptor made(::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600));
}

}  // namespace

struct CacheFile::Connection {
  explicit Connection(const std::filesystem::path& file)
      : database(file, sqlite::Database::Mode::ReadWrite, nullptr) {
    database.run(kSchema);
  }
  sqlite::Database database;
};

CacheFile::CacheFile(std::filesystem::path file, std::size_t max_entries)
    : file_(std::move(file)), max_entries_(max_entries) {}
CacheFile::~CacheFile() = default;

void CacheFile::open() {
  if (connection_) return;
  make_private(file_);
  connection_ = std::make_unique<Connection>(file_);
}

// The other processes that have the file open go on with what has no name any more.
void CacheFile::begin_anew() {
  connection_.reset();
  std::error_code ignored;
  for (const char* suffix : {"", "-journal", "-wal", "-shm"})
    std::filesystem::remove(std::filesystem::path(file_.string() + suffix), ignored);
}

template <class Work>
void CacheFile::guarded(Work work) {
  if (given_up_) return;
  for (bool again = false;; again = true) {
    try {
      open();
      work(connection_->database);
      return;
    } catch (const sqlite::Failure& failure) {
      problem_ = file_.string() + ": " + failure.what();
      if (failure.damaged() && !again) {
        log::warn("search cache: {}; it is begun anew", problem_);
        begin_anew();
        continue;
      }
      given_up_ = failure.damaged() || failure.unwritable();
    } catch (const std::exception& error) {
      problem_ = file_.string() + ": " + error.what();
    }
    if (given_up_) log::warn("search cache: {}; nothing is kept on disk", problem_);
    return;
  }
}

std::optional<CacheFile::Kept> CacheFile::get(const std::string& key, std::int64_t now) {
  std::optional<Kept> kept;
  guarded([&](sqlite::Database& database) {
    sqlite::Statement select(database, "SELECT value, until FROM entry WHERE key = ?1 AND until > ?2");
    select.bind(1, key).bind(2, now);
    if (!select.step()) return;
    kept = Kept{std::string(select.text(0)), select.integer(1)};
    sqlite::Statement(database, "UPDATE entry SET used = ?2 WHERE key = ?1").bind(1, key).bind(2, now).run();
  });
  return kept;
}

void CacheFile::put(const std::string& key, const std::string& value, std::int64_t until, std::int64_t now) {
  guarded([&](sqlite::Database& database) {
    sqlite::Statement(database, "INSERT OR REPLACE INTO entry VALUES (?1, ?2, ?3, ?4)")
        .bind(1, key)
        .bind(2, value)
        .bind(3, until)
        .bind(4, now)
        .run();
    if (puts_++ % kPutsBetweenSweeps != 0) return;
    sqlite::Statement(database, "DELETE FROM entry WHERE until <= ?1").bind(1, now).run();
    sqlite::Statement(
        database,
        "DELETE FROM entry WHERE key IN (SELECT key FROM entry ORDER BY used DESC LIMIT -1 OFFSET ?1)")
        .bind(1, static_cast<std::int64_t>(max_entries_))
        .run();
  });
}

std::optional<std::size_t> CacheFile::clear() {
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

asio::awaitable<std::optional<CacheFile::Kept>> Cache::Disk::get(std::string key, std::int64_t now,
                                                                 io::CancelScope scope) {
  auto result = std::make_shared<io::OneShot<std::optional<CacheFile::Kept>>>();
  // The thread ends before this object does, and never owns it: it could not join itself.
  auto work = [this, weak = weak_from_this(), result, key = std::move(key), now] {
    auto kept = std::make_shared<std::optional<CacheFile::Kept>>(file_.get(key, now));
    asio::post(context_, [weak, result, kept, problem = file_.problem()] {
      if (const auto disk = weak.lock()) disk->problem_ = problem;
      result->set(std::move(*kept));
    });
  };
  asio::post(thread_, std::move(work));
  if (co_await result->wait(scope) != io::WaitStatus::Ready) co_return std::nullopt;
  co_return result->take();
}

void Cache::Disk::put(std::string key, nlohmann::json value, std::int64_t until, std::int64_t now) {
  asio::post(thread_, [this, key = std::move(key), value = std::move(value), until, now] {
    const std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    if (text.size() <= kMaxValueBytes) file_.put(key, text, until, now);
  });
}

using nlohmann::json;

namespace {

constexpr std::pair<const char*, std::string Hit::*> kTexts[] = {
    {"name", &Hit::name},         {"kind", &Hit::kind},           {"type", &Hit::type},
    {"module", &Hit::module},     {"docstring", &Hit::docstring}, {"informal_name", &Hit::informal_name},
    {"informal", &Hit::informal}, {"file", &Hit::file},           {"id", &Hit::id}};

json to_json(const Hit& hit) {
  json value = json::object();
  for (const auto& [name, member] : kTexts)
    if (!(hit.*member).empty()) value[name] = hit.*member;
  if (hit.line > 0) value["line"] = hit.line;
  if (hit.score) value["score"] = *hit.score;
  return value;
}

}  // namespace

json to_json(const Found& found) {
  json hits = json::array();
  for (const Hit& hit : found.hits) hits.push_back(to_json(hit));
  json value = {{"hits", std::move(hits)}, {"suggestions", found.suggestions}, {"note", found.note}};
  if (found.total) value["total"] = *found.total;
  return value;
}

std::optional<Found> found_from_json(const json& value) {
  try {
    Found found;
    for (const json& item : value.at("hits")) {
      Hit hit;
      for (const auto& [name, member] : kTexts) hit.*member = item.value(name, std::string());
      hit.line = item.value("line", 0u);
      if (const auto score = item.find("score"); score != item.end()) hit.score = score->get<double>();
      found.hits.push_back(std::move(hit));
    }
    found.suggestions = value.at("suggestions").get<std::vector<std::string>>();
    found.note = value.at("note").get<std::string>();
    if (const auto total = value.find("total"); total != value.end()) found.total = total->get<std::size_t>();
    return found;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

}  // namespace leanbridge::search
