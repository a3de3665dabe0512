#pragma once
/// Asks Lean whether the theorems found by a search exist, and for their real types. Private to this module.

#include "core/ide/open_file.hpp"
#include "core/tools/common/typed_tool.hpp"
#include "search/sources/theorem.hpp"
#include "search_environment.hpp"

#include <optional>
#include <string>
#include <vector>

namespace leanbridge::tools {

struct LeanCheck {
  bool verify = false;    ///< check whether each theorem exists; if false, only fill in missing types
  std::string file_path;  ///< the file whose imports count; empty: the project's modules that the index knows
  std::filesystem::path project;
};

/// The outcome. NotRunning: no running Lean could answer at once. UnknownModules: the index knows the module
/// of none of the names.
enum class VerificationStatus { Ok, NotRunning, UnknownModules, Timeout, Failed };
wire::Names<VerificationStatus> names_of(VerificationStatus);

struct Verification {
  VerificationStatus status = VerificationStatus::Ok;
  std::size_t asked = 0;  ///< the number of names
  std::optional<std::string> problem;

  static wire::Fields fields();
};

/// Asks Lean in one scratch document and fills in its answers, which the index remembers. Without `verify`,
/// asks only a running Lean and waits only briefly; later answers serve the next search. nullopt if there was
/// nothing to ask.
asio::awaitable<std::optional<Verification>> verify_with_lean(SearchEnvironment& environment,
                                                              std::shared_ptr<mcp::Call> call,
                                                              std::vector<search::Theorem>& theorems,
                                                              LeanCheck check);

}  // namespace leanbridge::tools
