#include "import_snapshots.hpp"

#include "core/base/try.hpp"
#include "core/text/lean_header.hpp"
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace leanbridge::lean {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kState = "state";
constexpr const char* kImported = "state.deps";  // the file in which Lean lists the imported files
// Saving takes as long as importing three times.
constexpr std::size_t kTextsBefore = 2;
constexpr std::size_t kMaxKinds = 256;
constexpr std::size_t kMaxSnapshots = 8;
constexpr std::uintmax_t kMaxBytes = std::uintmax_t{1} << 30U;
constexpr std::size_t kMaxList = std::size_t{64} << 20U;  // bytes

// A snapshot does not contain libraries that Lean loads into its process.
bool loads_libraries(const std::vector<std::string>& options) {
  return std::ranges::any_of(options, [](const std::string& option) {
    return option.starts_with("--load-dynlib") || option.starts_with("--plugin") ||
           option.starts_with("--setup");
  });
}

asio::awaitable<ImportSnapshots::Found> save(const ColdRun run, std::string header,
                                             ImportSnapshots::Compiler compiler, io::Pool& pool,
                                             io::CancelScope scope) {
  const auto write = [name = run.module_file,
                      header = std::move(header)]() -> Result<std::shared_ptr<const TemporaryFolder>> {
    TRY(auto folder, TemporaryFolder::create());
    TRY_DONE(write_new_file(folder->path() / "source" / name, header));
    return folder;
  };
  const auto folder = co_await pool.run(write, scope);
  if (!folder) co_return nullptr;
  const fs::path root = (*folder)->path() / "source";
  const std::int64_t begun = system_time();
  std::vector<std::string> arguments = {"-R", root.string(),
                                        "--incr-header-save=" + ((*folder)->path() / kState).string(),
                                        (root / run.module_file).string()};
  if (!co_await compiler(std::move(arguments), (*folder)->path())) co_return nullptr;
  const auto read = [folder = *folder, search_path = run.search_path, begun] {
    return ImportSnapshot::read(folder, search_path, begun);
  };
  auto saved = co_await pool.run(read, scope);
  co_return saved && (*saved)->bytes() <= kMaxBytes ? std::move(*saved) : nullptr;
}

}  // namespace

Result<std::shared_ptr<const ImportSnapshot>> ImportSnapshot::read(
    std::shared_ptr<const TemporaryFolder> folder, const std::vector<fs::path>& search_path,
    std::int64_t begun) {
  const std::shared_ptr<ImportSnapshot> saved(new ImportSnapshot());
  saved->folder_ = std::move(folder);
  saved->begun_ = begun;
  const auto text = read_regular_file(saved->folder() / kImported, kMaxList);
  if (!text) return tl::unexpected(text.error().to_error(kImported));
  const auto unknown = [] {
    return fail(ErrorKind::NotSupported, "Lean's list of imported files has a form that is not known.");
  };
  const json list = json::parse(*text, nullptr, false);
  if (!list.is_array()) return unknown();
  for (const json& module : list) {
    if (!module.is_object() || !module.contains("olean")) return unknown();
    for (const auto& [part, file] : module.items()) {
      if (!file.is_string()) return unknown();
      saved->watched_.add(file.get<std::string>());
    }
  }
  // A new file in one of these folders may provide an imported module.
  for (const fs::path& path : search_path) saved->watched_.add(path);
  if (const auto changed = saved->watched_.first_changed(begun))
    return fail(ErrorKind::NotSupported, changed->string() + " was changed meanwhile.");
  for (const char* const name : {kState, kImported}) {
    std::error_code error;
    saved->bytes_ += fs::file_size(saved->folder() / name, error);
    if (error) return fail(ErrorKind::NotSupported, "Lean has saved no state.");
    saved->own_.add(saved->folder() / name);
  }
  saved->saved_at_ = system_time();
  return saved;
}

bool ImportSnapshot::is_fresh() const {
  return !watched_.first_changed(begun_) && !own_.first_changed(saved_at_);
}

std::string ImportSnapshot::argument() const {
  return "--incr-load=" + (folder() / kState).string();
}

std::uintmax_t ImportSnapshots::bytes() const {
  std::uintmax_t bytes = 0;
  for (const auto& [key, entry] : entries_)
    if (entry.saved) bytes += entry.saved->bytes();
  return bytes;
}

// Drops the snapshots that were used least recently.
void ImportSnapshots::make_room(const Key& for_key) {
  for (;;) {
    std::size_t count = 0;
    Entry* oldest = nullptr;
    for (auto& [key, entry] : entries_) {
      if (!entry.saved) continue;
      ++count;
      if (key != for_key && (oldest == nullptr || entry.used < oldest->used)) oldest = &entry;
    }
    if (oldest == nullptr || (count <= kMaxSnapshots && bytes() <= kMaxBytes)) return;
    oldest->saved = nullptr;
  }
}

asio::awaitable<ImportSnapshots::Found> ImportSnapshots::find(ColdRun run, Compiler compiler, io::Pool& pool,
                                                              io::CancelScope scope) {
  const text::LeanHeader parsed = text::parse_lean_header(run.source);
  if (parsed.is_module || loads_libraries(run.options)) co_return nullptr;
  // Lean compares headers byte for byte.
  std::string header = run.source.substr(0, parsed.end) + "\n";
  const Key key{run.toolchain, run.search_path, run.options, run.module_file, header};
  if (entries_.size() >= kMaxKinds && !entries_.contains(key))
    std::erase_if(entries_, [](const auto& each) { return !each.second.saved && !each.second.in_work; });
  Entry& asked = entries_[key];
  if (++asked.asked <= kTextsBefore || asked.in_work || asked.refused) co_return nullptr;
  asked.used = ++clock_;
  Found found = asked.saved;
  if (!found) {
    asked.in_work = true;  // so the entry stays
    found = co_await save(std::move(run), std::move(header), std::move(compiler), pool, scope);
    asked.in_work = false;
    asked.saved = found;
    asked.refused = !found && !scope.cancel->cancelled();
    if (!found) co_return nullptr;
    ++made_;
    make_room(key);
  }
  const auto look = [found]() -> Result<bool> { return found->is_fresh(); };
  const auto fresh = co_await pool.run(look, std::move(scope));
  if (fresh && *fresh) {
    ++loaded_;
    co_return found;
  }
  const auto entry = entries_.find(key);  // it may have gone meanwhile
  if (fresh && entry != entries_.end() && entry->second.saved == found) entry->second.saved = nullptr;
  co_return nullptr;
}

}  // namespace leanbridge::lean
