#pragma once
/// The state that all clients of this process share: the loop, the pool, Lean's servers with their documents,
/// and state of the parts. A Runtime has the state of one client, or of all clients that were started with
/// the same options.

#include "core/document/projects.hpp"
#include "core/tools/tools.hpp"
#include "options.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <typeindex>

namespace leanbridge::app {

/// Must outlive the Runtimes that use it.
class Backend {
 public:
  /// Uses the log, the cache folder and the lake of `options`.
  explicit Backend(const Options& options);
  /// Kills all processes that still run below this one.
  ~Backend();
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  asio::io_context& context() { return context_; }
  io::Pool& pool() { return pool_; }
  document::Projects& projects() { return projects_; }
  /// Empty: keep all data in memory.
  const std::filesystem::path& cache() const { return cache_; }
  /// Closes idle files, those that were idle longest first, while less memory than this is free; 0: a
  /// twentieth of the machine's, at least 512 MB. Ends idle servers beyond the number that may run. Ends with
  /// the scope.
  asio::awaitable<void> keep_memory_free(std::int64_t min_bytes, io::CancelScope scope);
  /// State that a part keeps for all clients: made at its first use, and kept as long as this object.
  template <class Value, class Make>
  Value& shared(Make make) {
    std::shared_ptr<void>& value = shared_[typeid(Value)];
    if (!value) value = std::shared_ptr<Value>(make());
    return *static_cast<Value*>(value.get());
  }
  /// The tools' knowledge about compiled files, shared by clients whose Lean has the same environment.
  std::shared_ptr<ide::CompilerMemory> compiler_memory(const std::optional<lean::Variables>& environment);

 private:
  std::filesystem::path cache_;
  asio::io_context context_{1};
  io::Pool pool_;
  document::Projects projects_;
  std::map<std::optional<lean::Variables>, std::weak_ptr<ide::CompilerMemory>> compilers_;
  std::map<std::type_index, std::shared_ptr<void>> shared_;
};

}  // namespace leanbridge::app
