#pragma once
/// The second step of a verdict: untrusted compilation of what the challenge imports, of the challenge and of
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

/// What the challenge imports of the project; its compiled files are in Inputs::modules().
struct CompiledProject {
  std::vector<std::string> modules;    ///< their names, imports before importers
  std::optional<std::string> program;  ///< the first in one of the working tree, as a clause
};

struct Compiled {
  CompiledProject project;
  SharedSet challenge;                       ///< opened with its imports
  std::vector<std::string> challenge_parts;  ///< the bytes that were opened
  ImportHashes imports;                      ///< what the challenge rests on, before the solution has run
  std::shared_ptr<const WatchedFoundations> watched;  ///< as it was then
  std::int64_t before_solution = 0;                   ///< in ns of the system's clock
  std::int64_t before_solutions = 0;                  ///< of a batch: before the first of them
  CompiledText solution;                              ///< not opened: it may be damaged on purpose
};

/// Notes Lean's version with its defects, and the names in question. Errors are about everything but the
/// solution: InvalidArgument (the challenge or what it imports does not compile, or has no such theorem),
/// LeanUnavailable, NotSupported, Internal, Timeout, Cancelled.
asio::awaitable<Result<Compiled>> compile(Job& job, Inputs& inputs);

/// Whether a module is the project's, or the challenge or solution itself.
std::function<bool(const olean::SetModule&)> is_project(const Inputs& inputs);

/// The hashes with those of a set's imports.
asio::awaitable<Result<ImportHashes>> with_imports(const Job& job, const Inputs& inputs, ImportHashes hashes,
                                                   SharedSet set);

/// Opens what was compiled, with its imports, which may be known. The errors of open_set().
asio::awaitable<Result<SharedSet>> open_compiled(const Job& job, const Inputs& inputs,
                                                 std::vector<std::string> parts, SharedImports known);

}  // namespace leanbridge::certify
