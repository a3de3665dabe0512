#include "configuration_failure.hpp"

#include "core/text/utf8.hpp"

#include <array>

namespace leanbridge::lean {

namespace {

constexpr std::size_t kMaxSaid = 1500;  // bytes

struct Sign {
  std::string_view text;
  ConfigurationFailure::Of of;
};

// Source: `setupFile` in Lake's CLI/Serve.lean, Lean 4.22 to 4.35. A server that was started without a
// workspace has the log of that attempt in LAKE_INVALID_CONFIG, and repeats it for each file. Versions before
// the second wording use the third.
constexpr std::array<Sign, 3> kSigns = {{
    {"Failed to configure the Lake workspace.", ConfigurationFailure::Of::Server},
    {"Failed to load the Lake workspace.", ConfigurationFailure::Of::File},
    {"error: failed to load workspace", ConfigurationFailure::Of::File},
}};

// Lean shows the command, its stdout, and then, behind this line, its stderr (`setupFile` in
// src/Lean/Server/FileWorker/SetupFile.lean).
constexpr std::string_view kStderr = "\nstderr:\n";

}  // namespace

std::optional<ConfigurationFailure> read_configuration_failure(std::string_view message) {
  for (const Sign& sign : kSigns) {
    const std::size_t end = message.find(sign.text);
    if (end == std::string_view::npos) continue;
    std::string_view said = message.substr(0, end);
    if (const std::size_t start = said.find(kStderr); start != std::string_view::npos)
      said.remove_prefix(start + kStderr.size());
    // The log begins with `info:` and `warning:` lines about Lake's earlier steps.
    if (const std::size_t error = said.find("error:"); error != std::string_view::npos)
      said.remove_prefix(error);
    while (!said.empty() && (said.back() == '\n' || said.back() == ' ')) said.remove_suffix(1);
    return ConfigurationFailure{sign.of, std::string(text::beginning_of(said, kMaxSaid))};
  }
  return std::nullopt;
}

}  // namespace leanbridge::lean
