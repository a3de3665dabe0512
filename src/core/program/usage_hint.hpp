#pragma once
/// The faults of a command line that cannot be read, and the words that may have been meant.

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace leanbridge::app {

/// After app.parse() has thrown `error` about `words`: a line for each word that is not understood, in the
/// order they were typed, or what else is wrong; then what to do. Ends with a line ending.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error,
                          const std::vector<std::string>& words);

/// The command that was being read when parsing ended.
const CLI::App& innermost_command(const CLI::App& app);

}  // namespace leanbridge::app
