#pragma once
/// The options of `leanbridge check`.

#include "core/base/enum_names.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace leanbridge::app {

struct Options;

/// The form of the summary of `check`: a table or a line, an object for programs, or none.
enum class SummaryFormat { Text, Json, None };
wire::Names<SummaryFormat> names_of(SummaryFormat);

/// Options of `check`.
struct CheckOptions {
  std::vector<std::string> inputs;    ///< files of JSON lines, .lean files, folders of .lean files; - is
                                      ///< stdin
  bool merge = false;                 ///< --merge: the inputs are outputs of earlier runs
  int jobs = 0;                       ///< --jobs; 0: as many as fit
  double timeout_s = 60;              ///< --timeout, of an item
  std::int64_t worker_memory_mb = 0;  ///< --worker-memory; 0: a share of the free memory
  std::string shard;                  ///< --shard; empty: from the environment
  std::string resume;                 ///< --resume: a file of verdicts; empty: none
  std::string junit;                  ///< --junit: a file to write; empty: none
  SummaryFormat summary = SummaryFormat::Text;  ///< --summary
  bool goals = false, axioms = false, strict = false, github = false;
  double grace_s = 10;  ///< --grace
};

/// Adds the command.
void add_check(CLI::App& app, Options& options);

}  // namespace leanbridge::app
