#pragma once
/// The questions to Lean, in its own terms: functions that take positions and texts and return structs. They
/// know no MCP; the tools are adapters around them.

#include "core/document/workspace.hpp"

#include <memory>

namespace leanbridge::ide {

struct CompilerMemory;
class WriteGuard;

/// The services that every question needs. Belongs to the loop's thread, and outlives all questions.
struct Lean {
  document::Workspace& workspace;
  io::Pool& pool;
  std::shared_ptr<CompilerMemory> compiler = {};  ///< null: created by the first question that needs it
  std::shared_ptr<WriteGuard> guard = {};         ///< null: nothing but Lean objects to a change
};

/// For several that work on the same projects.
std::shared_ptr<CompilerMemory> make_compiler_memory();

}  // namespace leanbridge::ide
