#pragma once
/// What somebody may have meant by a command line that cannot be read.

#include <CLI/App.hpp>

#include <string>

namespace leanbridge::app {

/// One sentence about the first argument that `app` has not taken, after app.parse() has thrown; empty: it
/// resembles no command, option or tool.
std::string usage_hint(const CLI::App& app);

}  // namespace leanbridge::app
