#pragma once
/// `leanbridge certify` and `leanbridge diff`: their options, and the commands, which return the exit code
/// for main.

#include "certify/verdict/question.hpp"
#include "core/program/options.hpp"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace leanbridge::app {

/// Options of `certify`: a question, and what else to do. Empty: the option is not given.
struct CertifyOptions : certify::Question {
  std::vector<std::string> files;         ///< CHALLENGE SOLUTION; with --git only SOLUTION
  bool also_comparator = false;           ///< --also-comparator
  std::optional<std::string> comparator;  ///< the same question for comparator, as JSON
  std::string export_file;                ///< --export
  std::string record_baseline;            ///< --record-baseline
  std::string output;                     ///< --output: a file for the certificate
  std::string receipt;                    ///< --receipt
  std::string page;                       ///< --page: a file, - for stdout
  std::string approval;                   ///< --approval: a file
  std::string approve;                    ///< --approve: the name of the approver
  std::string verify;                     ///< --verify: a receipt
  std::string input;                      ///< --input: a file of pairs, - for stdin
  std::optional<double> cost_limit;       ///< --cost, percent
  std::string cost_baseline;              ///< --cost-baseline: verdicts of an earlier run
  std::string resume;                     ///< --resume: verdicts of an earlier run
  int jobs = 1;                           ///< --jobs
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
