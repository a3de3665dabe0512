#pragma once
/// The bridge, composed as in src/core/program/runtime.cpp, for one run after another. What does not depend
/// on the run is made once.

#include "core/mcp/session.hpp"
#include "core/tools/tools.hpp"
#include "schedule.hpp"

#include <filesystem>
#include <optional>

namespace leanbridge::faults {

struct Bench {
  Bench();
  ~Bench();
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  /// Makes a new loop and a new workspace, on which the tools work from now on.
  void begin(document::WorkspaceOptions options, std::function<void(io::Pool::Task)> defer);
  /// Destroys everything that belongs to the run.
  void end();

  std::filesystem::path folder;  ///< of this process, for projects
  std::optional<asio::io_context> context;
  std::optional<Schedule> schedule;
  std::optional<document::Projects> projects;
  std::optional<document::Workspace> workspace;
  std::optional<mcp::ToolRegistry> registry;
  std::vector<std::string> problems;  ///< of the list of tools that are left out

 private:
  std::optional<io::Pool> pool_;
  std::optional<tools::Environment> environment_;
};

}  // namespace leanbridge::faults
