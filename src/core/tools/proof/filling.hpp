#pragma once
/// Tries automatic tactics at places of a file, in a few elaborations of the whole. Private to this module.

#include "core/ide/open_file.hpp"
#include "core/tools/common/typed_tool.hpp"
#include "fill_script.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::tools {

/// The result for a place.
struct FillItem {
  int line = 1;
  int column = 1;
  wire::Nullable<std::string> declaration;
  std::optional<std::string> closed_by;  ///< the proof that replaces the sorry
  std::optional<std::string> refuted;    ///< values for which the goal is false
  std::optional<std::string> reason;     ///< why it was not tried completely
  std::optional<std::vector<std::string>> goals;

  static wire::Fields fields();
};

struct Filled {
  std::vector<FillItem> places;  ///< one for each place, in order
  double cpu_s = 0;              ///< the processor time of the worker
  bool is_cpu_known = true;      ///< false: some of `cpu_s` is time on the clock
  std::string text;              ///< the file's text with the proofs in their places; Lean accepts all of it
};

/// Tries all places at once, cheap tactics first, within `budget` seconds of processor time and four times
/// that on the clock. Checking the proofs may take longer. Errors: LeanUnavailable if the imports cannot be
/// loaded; Timeout, Cancelled, WorkerCrashed.
asio::awaitable<Result<Filled>> fill_at(Environment& environment, std::shared_ptr<mcp::Call> call,
                                        const OpenFile& file, std::vector<FillPlace> places,
                                        io::Clock::duration budget);

}  // namespace leanbridge::tools
