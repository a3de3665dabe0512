#pragma once
/// The bridge, composed as in app/runtime.cpp, for one run after another. What does not depend on the run is
/// made once.

#include "leanbridge/mcp/session.hpp"
#include "leanbridge/tools/tools.hpp"

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
  // Environment includes search and index, but no tool of these runs uses them: their loop never runs.
  asio::io_context side_;
  io::Pool side_pool_{1};
  index::LocalIndex index_;
  search::Services search_;
  std::optional<io::Pool> pool_;
  std::optional<tools::Environment> environment_;
};

}  // namespace leanbridge::faults
