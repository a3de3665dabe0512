#pragma once
/// The file of a Cache: one table in SQLite, and one thread that works on it. Private to this module.

#include "leanbridge/search/backend.hpp"
#include "leanbridge/search/cache.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <string>

namespace leanbridge::search {

/// What is on disk. Belongs to one thread; nothing here throws. What goes wrong is in problem(): a damaged
/// file is begun anew, and one that cannot be written is left alone from then on.
class CacheFile {
 public:
  CacheFile(std::filesystem::path file, std::size_t max_entries);
  ~CacheFile();

  struct Kept {
    std::string value;
    std::int64_t until = 0;  ///< seconds since 1970
  };
  std::optional<Kept> get(const std::string& key, std::int64_t now);
  void put(const std::string& key, const std::string& value, std::int64_t until, std::int64_t now);
  /// The number of entries removed; nullopt where that failed.
  std::optional<std::size_t> clear();
  const std::string& problem() const { return problem_; }

 private:
  struct Connection;
  template <class Work>
  void guarded(Work work);
  void open();
  void begin_anew();

  std::filesystem::path file_;
  std::size_t max_entries_;
  std::unique_ptr<Connection> connection_;
  std::string problem_;
  bool given_up_ = false;
  std::size_t puts_ = 0;
};

/// The thread. Ends, with all that was given to it done, when it is destroyed.
class Cache::Disk : public std::enable_shared_from_this<Cache::Disk> {
 public:
  Disk(asio::io_context& context, const CacheOptions& options)
      : context_(context), file_(options.file, options.max_entries) {}
  ~Disk() { thread_.join(); }

  asio::awaitable<std::optional<CacheFile::Kept>> get(std::string key, std::int64_t now,
                                                      io::CancelScope scope);
  void put(std::string key, nlohmann::json value, std::int64_t until, std::int64_t now);
  const std::string& problem() const { return problem_; }

 private:
  asio::io_context& context_;
  CacheFile file_;  ///< the thread's
  std::string problem_;
  asio::thread_pool thread_{1};
};

// An answer as the cache keeps it. Private to this module.

nlohmann::json to_json(const Found& found);
/// nullopt for what is none: another version has written it, or nobody of ours.
std::optional<Found> found_from_json(const nlohmann::json& value);

}  // namespace leanbridge::search
