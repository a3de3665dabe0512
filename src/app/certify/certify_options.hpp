#pragma once
/// The command certify, as the command line has it.

#include "app/options.hpp"

namespace CLI {
class App;
}

namespace leanbridge::app {

constexpr int kMaxScratchWorkers = 64;  ///< pairs, items or attempts at a time

/// Adds it; once it was read, options.certify has what was given.
void add_certify(CLI::App& app, Options& options);

}  // namespace leanbridge::app
