#pragma once
/// `leanbridge doctor --probe`: tests leanbridge's assumptions about Lake, elan and Lean
/// (docs/assumptions.md) on the toolchain of this machine.

#include "core/base/error.hpp"
#include "core/io/asio.hpp"
#include "core/io/condition.hpp"

#include <filesystem>
#include <span>
#include <string>

namespace leanbridge::app {

class ProbeLab;

struct ProbeOutcome {
  enum class Verdict {
    Ok,
    Differs,
    NotHere,  ///< this machine or this version has nothing to test it on
    Untried,  ///< something else failed first
  };
  Verdict verdict = Verdict::Ok;
  std::string expected;
  std::string seen;  ///< for NotHere and Untried: the reason
};

struct Probe {
  const char* assumption;  ///< its number in docs/assumptions.md
  const char* name;        ///< the assumption
  /// Errors are reasons why it could not be tested.
  asio::awaitable<Result<ProbeOutcome>> (*run)(ProbeLab& lab, io::CancelScope scope);
};

std::span<const Probe> probes_of_lake();     ///< probes of lake and the files that it writes
std::span<const Probe> probes_of_lean();     ///< probes of the language server and its messages
std::span<const Probe> probes_of_project();  ///< probes in a project of the user, which they only read

inline ProbeOutcome seen_if(bool holds, std::string expected, std::string seen) {
  return {holds ? ProbeOutcome::Verdict::Ok : ProbeOutcome::Verdict::Differs, std::move(expected),
          std::move(seen)};
}
inline ProbeOutcome not_here(std::string why) {
  return {ProbeOutcome::Verdict::NotHere, {}, std::move(why)};
}

/// The text without names of this machine, for a report: `folder` is shown as PROBE, `project` as PROJECT,
/// all other absolute paths as PATH, and each of `names` as NAME.
std::string without_names(std::string text, const std::filesystem::path& folder,
                          const std::filesystem::path& project, std::span<const std::string> names);

}  // namespace leanbridge::app
