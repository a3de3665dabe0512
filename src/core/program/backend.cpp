#include "backend.hpp"

#include "core/base/files.hpp"
#include "core/base/log.hpp"
#include "core/base/user_folders.hpp"
#include "core/io/capacity.hpp"
#include <signal.h>
#include <unistd.h>

#include <algorithm>

namespace leanbridge::app {

namespace {

constexpr std::int64_t kMinFree = std::int64_t{512} << 20;
constexpr std::int64_t kFreeShare = 20;  // one twentieth
constexpr io::Clock::duration kMemoryLook = std::chrono::seconds(1);
constexpr io::Clock::duration kMinIdle = std::chrono::seconds(5);
constexpr std::size_t kMaxServers = 12;  // unless more are in use

// The log is configured first: members that are constructed after it may write to it.
const Options& with_log(const Options& options) {
  log::configure(options.log_level, options.log_file, options.max_log_bytes);
  for (const std::string& sentence : options.without_effect) log::warn("{}", sentence);
  return options;
}

// The content of the cache is trusted, so a folder that others can write to is not used.
std::filesystem::path usable_cache(const Options& options) {
  const std::filesystem::path folder = cache_folder(options.cache_folder);
  std::error_code ignored;
  const bool exists = !folder.empty() && std::filesystem::is_directory(folder, ignored);
  return !exists || make_private_folder(folder) ? folder : std::filesystem::path();
}

}  // namespace

Backend::Backend(const Options& options)
    : cache_(usable_cache(with_log(options))), projects_(context_, pool_) {
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);  // writing a file beyond the size limit (ulimit -f) then fails instead of
                               // ending the process
}

Backend::~Backend() {
  projects_.kill();
}

asio::awaitable<void> Backend::keep_memory_free(std::int64_t min_bytes, io::CancelScope scope) {
  if (min_bytes <= 0)
    min_bytes = std::max(kMinFree, ::sysconf(_SC_PHYS_PAGES) / kFreeShare * ::sysconf(_SC_PAGESIZE));
  const auto look = []() -> Result<io::Capacity> { return io::read_capacity(); };
  while (co_await io::sleep_for(kMemoryLook, scope) != io::WaitStatus::Cancelled) {
    projects_.end_idle_servers(kMaxServers, kMinIdle);
    const auto capacity = co_await pool_.run(look, scope);
    // One at a time, since it takes a moment until its memory is free.
    if (capacity && capacity->free_bytes > 0 && capacity->free_bytes < min_bytes)
      projects_.close_idlest(kMinIdle);
  }
}

std::shared_ptr<ide::CompilerMemory> Backend::compiler_memory(
    const std::optional<lean::Variables>& environment) {
  std::weak_ptr<ide::CompilerMemory>& known = compilers_[environment];
  auto memory = known.lock();
  if (!memory) known = memory = ide::make_compiler_memory();
  std::erase_if(compilers_, [](const auto& entry) { return entry.second.expired(); });
  return memory;
}

}  // namespace leanbridge::app
