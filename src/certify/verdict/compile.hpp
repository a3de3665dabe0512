#pragma once
/// The second step of a verdict: untrusted compilation of the challenge's imports, of the challenge, and of
/// the solution. Private to this module.

#include "compiled_text.hpp"
#include "foundations.hpp"
#include "inputs.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

/// The project's modules that the challenge imports; their compiled files are in Inputs::modules().
struct CompiledProject {
  std::vector<std::string> modules;    ///< their names, imports before importers
  std::optional<std::string> program;  ///< the first program in a module of the working tree, as a clause
};

struct Compiled {
  CompiledProject project;
  SharedSet challenge;                       ///< opened with its imports
  std::vector<std::string> challenge_parts;  ///< the bytes that it was opened from
  ImportHashes imports;                      ///< the files that the challenge rests on, before the solution
                                             ///< has run
  std::shared_ptr<const WatchedFoundations> watched;  ///< their state at that time
  std::int64_t before_solution = 0;                   ///< in ns of the system's clock
  std::int64_t before_solutions = 0;                  ///< in a batch: before the first solution
  CompiledText solution;                              ///< it was not opened, since it may be damaged on
                                                      ///< purpose
};

/// Notes Lean's version with its defects, and the names in question. Errors never concern the solution:
/// InvalidArgument (the challenge or one of its imports does not compile, or has no such theorem),
/// LeanUnavailable, NotSupported, Internal, Timeout, Cancelled.
asio::awaitable<Result<Compiled>> compile(Job& job, Inputs& inputs);

/// Whether a module is the project's own, or the challenge or solution itself.
std::function<bool(const olean::SetModule&)> is_project(const Inputs& inputs);

/// The hashes, extended by those of a set's imports.
asio::awaitable<Result<ImportHashes>> with_imports(const Job& job, const Inputs& inputs, ImportHashes hashes,
                                                   SharedSet set);

/// Opens a compiled text with its imports, which may be known already. The errors of open_set().
asio::awaitable<Result<SharedSet>> open_compiled(const Job& job, const Inputs& inputs,
                                                 std::vector<std::string> parts, SharedImports known);

}  // namespace leanbridge::certify
