#pragma once
/// LeanExplore's SQLite data, of both layouts. Blocking: on the pool. Throws what SQLite's wrapper throws.

#include "leanbridge/index/sqlite.hpp"
#include "leanbridge/search/explore.hpp"

#include <filesystem>

namespace leanbridge::search {

/// Where the data is, and its version; nothing where there is none.
struct ExploreData {
  std::filesystem::path database;
  std::string version;
};
std::optional<ExploreData> find_explore_data(const std::filesystem::path& data, const std::string& version,
                                             const std::filesystem::path& home);

/// One connection.
class ExploreReader {
 public:
  ExploreReader(const std::filesystem::path& database, std::shared_ptr<std::atomic<bool>> stop);

  /// Names are all looked at; docstrings and descriptions until `until`.
  struct Ranked {
    std::vector<std::int64_t> ids;  ///< best first, at most as many as were wanted
    std::size_t candidates = 0;
    bool complete = true;
  };
  Ranked search(const Question& question, io::Clock::time_point until);

  std::optional<ExploreItem> item(std::int64_t id);
  std::optional<std::vector<ExploreItem>> dependencies(std::int64_t id);

 private:
  index::sqlite::Database database_;
  bool first_layout_ = false;
};

}  // namespace leanbridge::search
