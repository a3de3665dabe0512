#pragma once
/// A program that starts a tree through ChildProcess and then waits to be killed.

namespace leanbridge::test {

inline constexpr const char* kOrphanMakerCommand = "__make-orphans";

/// Runs the shell `script` as a child; prints "started" once it has printed something.
int make_orphans(const char* script);

}  // namespace leanbridge::test
