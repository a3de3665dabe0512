#pragma once
/// The third step of a verdict: compares the compiled statements, walks the axioms, and checks the imports.
/// Runs nothing. Private to this module.

#include "compile.hpp"
#include "completion.hpp"

namespace leanbridge::certify {

struct Compared {
  /// The solution with its imports; null if it is refused before it is opened, or was not compiled in time.
  SharedSet solution;
  ImportHashes imports;   ///< the files that both rest on, as far as they were hashed
  Objections objections;  ///< the objections to a certificate so far
};

/// Notes the verdict that each name would have if nothing were missing, the hashes, and the checks that ran.
/// Errors: Internal (a damaged challenge), Timeout, Cancelled.
asio::awaitable<Result<Compared>> compare(Job& job, const Inputs& inputs, const Compiled& compiled);

}  // namespace leanbridge::certify
