#pragma once
/// Logging to stderr or a file; never to stdout, which belongs to the protocol.

#include <fmt/core.h>

#include <cstddef>
#include <string>

namespace leanbridge::log {

enum class Level { Debug, Info, Warning, Error };

/// Formats and writes the line if its level is enabled. Callable from any thread.
void write(Level level, fmt::string_view format, fmt::format_args arguments);

// Not spdlog's own functions: those instantiate all of fmt in every file that logs.
template <class... Arguments>
void debug(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write(Level::Debug, format, fmt::make_format_args(arguments...));
}
template <class... Arguments>
void info(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write(Level::Info, format, fmt::make_format_args(arguments...));
}
template <class... Arguments>
void warn(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write(Level::Warning, format, fmt::make_format_args(arguments...));
}
template <class... Arguments>
void error(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write(Level::Error, format, fmt::make_format_args(arguments...));
}

/// `level`: "debug", "info", "warning", "error" or "off", in upper or lower case; an unknown word means
/// "info". An empty `file` means stderr. A file that has reached `max_bytes` is renamed to FILE.1, and a new
/// one is begun; 0: no limit. Call once, before any thread starts.
void configure(const std::string& level, const std::string& file, std::size_t max_bytes = 0);

}  // namespace leanbridge::log
