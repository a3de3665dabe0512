#pragma once
/// `leanbridge certify` and `leanbridge diff`: their options, and the commands, which return the exit code
/// for main.

#include "core/program/options.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace leanbridge::app {

/// Options of `certify`.
struct CertifyOptions {
  std::vector<std::string> files;           ///< CHALLENGE SOLUTION; with --git only SOLUTION
  std::string git;                          ///< --git: a revision; empty: the challenge is a file
  std::vector<std::string> names;           ///< --name
  std::vector<std::string> allowed_axioms;  ///< --allow-axiom, in addition to the standard axioms
  /// From a configuration for comparator, instead of the standard axioms.
  std::optional<std::vector<std::string>> permitted_axioms;
  std::optional<std::vector<std::string>> holes;  ///< from the same configuration; absent: each definition
                                                  ///< that is sorry
  bool also_comparator = false;                   ///< --also-comparator
  std::optional<std::string> comparator;          ///< the same question for comparator, as JSON
  std::vector<std::string> lean_options;          ///< --option NAME=VALUE
  bool without_replay = false;                    ///< --without-replay
  bool trust_packages = false;                    ///< --trust-packages
  std::string kernel;                             ///< --kernel; empty: find one
  std::vector<std::string> kernels;               ///< --kernels; empty: ask all that are found, and one must
                                                  ///< accept
  std::string export_file;                        ///< --export; empty: keep none
  std::string baseline;                           ///< --baseline; empty: none
  std::string record_baseline;                    ///< --record-baseline; empty: give a verdict
  std::string output;                             ///< --output; empty: write no certificate
  std::string receipt;                            ///< --receipt; empty: write none
  std::string page;                               ///< --page: a file, - for stdout; empty: write none
  std::string approval;                           ///< --approval: a file; empty: there is none to compare
                                                  ///< with
  std::string approve;                            ///< --approve: the name of the approver; empty: approve
                                                  ///< nothing
  std::string verify;                             ///< --verify: a receipt; empty: give a verdict
  std::int64_t memory_mb = 8192;                  ///< --memory
  std::string input;                              ///< --input: a file of pairs, - for stdin; empty: one pair
  std::optional<double> cost_limit;               ///< --cost, percent; absent: measure nothing
  std::string cost_baseline;  ///< --cost-baseline: verdicts of an earlier run; empty: none
  std::string resume;         ///< --resume: verdicts of an earlier run; empty: none
  int jobs = 1;               ///< --jobs
};

/// Options of `diff`.
struct DiffOptions {
  std::vector<std::string> revisions;  ///< REV REV2
  std::optional<double> cost_limit;    ///< --cost, percent; absent: measure nothing
};

/// Add the commands.
void add_certify(CLI::App& app, Options& options);
void add_diff(CLI::App& app, Options& options);

/// Judges whether a solution proves what a challenge states, and prints the verdict; or records a baseline.
/// Returns 0 if certified, 1 if refused, 2 for wrong usage, 3 if incomplete, 130 when interrupted.
int certify(const Options& options);

/// Prints the changes that the working tree, or a second revision, makes to the declarations of the project:
/// the verdict first, then the changes by file. Returns 0 if no sorry and no axiom is new, 1 if one is, 2 for
/// wrong usage, 3 if not everything could be read, 130 when interrupted.
int diff(const Options& options);

/// Judges the pairs of the input, each within `seconds`, and prints each verdict as soon as it is known.
/// Returns 0 if all are certified, 1 if all were judged and one is refused, 2 for wrong usage, 3 otherwise,
/// 130 when interrupted.
int certify_batch(const Options& options, double seconds);

}  // namespace leanbridge::app
