#pragma once
/// Logging: to stderr or a file, never to stdout, which belongs to the protocol.

#include <spdlog/spdlog.h>

#include <string>

namespace leanbridge::log {

using spdlog::debug;
using spdlog::error;
using spdlog::info;
using spdlog::warn;

/// `level`: "debug", "info", "warning", "error" or "off", in any case; an unknown word means "info".
/// `file` empty: stderr. Call once, before any thread starts.
void configure(const std::string& level, const std::string& file);

}  // namespace leanbridge::log
