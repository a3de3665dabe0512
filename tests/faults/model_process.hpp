#pragma once
/// Stands in for the processes of a run: each is a ModelLean behind three pipes, started as the bridge starts
/// a process. They die, hang and print nonsense as Faults says.

#include "core/io/child_process.hpp"
#include "core/rpc/framing.hpp"
#include "model_lean.hpp"

#include <memory>
#include <set>

namespace leanbridge::faults {

class ModelProcess;

class ProcessTable {
 public:
  ProcessTable(asio::io_context& context, const Faults& faults, Random random, Trace& trace, ReadModule read)
      : context_(context), faults_(faults), random_(random), trace_(trace), read_(std::move(read)) {}
  ~ProcessTable();

  Result<std::shared_ptr<io::ChildProcess>> spawn(io::ChildProcess::Events events);
  /// Stops causing faults, here and in processes started from now on.
  void heal();
  std::size_t running() const { return running_.size(); }
  int starts() const { return starts_; }
  /// The files that are open in the running processes.
  std::vector<std::string> open_files() const;
  /// See Wire.
  int lines_reported(const std::string& uri, std::int64_t version, io::Clock::time_point by) const;

 private:
  friend class ModelProcess;
  asio::io_context& context_;
  const Faults& faults_;
  Random random_;
  Trace& trace_;
  ReadModule read_;
  std::set<std::shared_ptr<ModelProcess>> running_;
  int starts_ = 0;
  bool healed_ = false;
};

}  // namespace leanbridge::faults
