#pragma once
/// The questions to Lean, in its own terms: functions that take positions and texts and return structs. They
/// know no MCP; the tools are adapters around them.
///
/// | header | questions |
/// |---|---|
/// | open_file.hpp, messages.hpp | a file with its current text: positions, declarations, messages |
/// | goals.hpp, goal_status.hpp | the goals at a place, and the state of the proof there |
/// | symbols.hpp, hidden_sorries.hpp | what a file declares, and whether Lean's silence about it is evidence |
/// | scratch_elaboration.hpp, scratch_query.hpp | a text, or commands, tried beside the files of the user |
/// | module_compiler.hpp, compiler_fallback.hpp, lake_run.hpp | what needs the compiler |

#include "core/document/workspace.hpp"

#include <memory>

namespace leanbridge::ide {

struct CompilerMemory;

/// The services that every question needs. Belongs to the loop's thread, and outlives all questions.
struct Environment {
  document::Workspace& workspace;
  io::Pool& pool;
  std::shared_ptr<CompilerMemory> compiler = {};  ///< null: created by the first question that needs it
};

/// For environments that work on the same projects.
std::shared_ptr<CompilerMemory> make_compiler_memory();

}  // namespace leanbridge::ide
