#include "search_thread.hpp"

#include "leanbridge/base/log.hpp"

#include "index/store/cache_files.hpp"

namespace leanbridge::index {

using sqlite::Database;

std::shared_ptr<Store> open_to_read(const std::filesystem::path& folder, const std::string& stem,
                                    std::shared_ptr<std::atomic<bool>> stop) {
  const auto path = newest_database(folder, stem);
  if (!path) return nullptr;
  // A log beside it would be passed over by Immutable: then what is read is old, but whole.
  for (const auto mode : {Database::Mode::ReadOnly, Database::Mode::Immutable}) try {
      return std::make_shared<Store>(*path, mode, stop);
    } catch (const sqlite::Failure& failure) {
      log::debug("the index {} cannot be opened: {}", path->string(), failure.what());
    }
  return nullptr;
}

std::shared_ptr<Store> SearchThread::open(const Place& place) {
  if (place.memory) return place.memory;
  if (place.folder.empty()) return nullptr;
  auto& store = open_[place.stem];
  if (store && store->gone()) store.reset();
  if (store) return store;
  if (const auto bad = unreadable_.find(place.stem);
      bad != unreadable_.end() && newest_database(place.folder, place.stem) == bad->second)
    return nullptr;
  store = open_to_read(place.folder, place.stem, stop_);
  if (!store) missing_.insert(place.stem);
  refresh();
  return store;
}

bool SearchThread::leave_out(const sqlite::Failure& failure, const std::vector<const Place*>& places) {
  // A statement on a database in memory ends when a batch is rolled back beside it; the next one will not.
  if (failure.interrupted() && !*stop_) return ++retries_ % 3 != 0;
  if (!failure.damaged() && failure.code() != SQLITE_IOERR && failure.code() != SQLITE_ERROR) return false;
  // Which one it was is not said: each is asked.
  bool any = false;
  for (const Place* place : places) {
    const auto store = open_.find(place->stem);
    if (place->memory || store == open_.end() || !store->second) continue;
    try {
      store->second->check();
    } catch (const sqlite::Failure&) {
      any = true;
      damaged_.insert(place->stem);
      if (const auto path = newest_database(place->folder, place->stem)) unreadable_[place->stem] = *path;
      store->second.reset();
    }
  }
  return any;
}

}  // namespace leanbridge::index
