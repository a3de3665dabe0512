#pragma once
/// Lean asked about what a search has found: whether it is there, and its real type. Private to this module.

#include "leanbridge/search/theorem.hpp"

#include "tools/common/open_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace leanbridge::tools {

struct LeanCheck {
  bool verify = false;    ///< all of them, and say of each whether it is there; else types that are missing
  std::string file_path;  ///< whose imports count; empty: the project, and the modules that the index knows
  std::filesystem::path project;
};

/// How it went. NotRunning: no Lean was there that could answer at once. UnknownModules: the index does not
/// know where any of the names is.
enum class VerificationStatus { Ok, NotRunning, UnknownModules, Timeout, Failed };
wire::Names<VerificationStatus> names_of(VerificationStatus);

struct Verification {
  VerificationStatus status = VerificationStatus::Ok;
  std::size_t asked = 0;  ///< about how many
  std::optional<std::string> problem;

  static wire::Fields fields();
};

/// Asks in one scratch document and fills in what Lean says; the index remembers it. Without `verify` only a
/// Lean that is running is asked, and the answer waits a moment; what comes later is for the next search.
/// nullopt: there was nothing to ask.
asio::awaitable<std::optional<Verification>> verify_with_lean(Environment& environment,
                                                              std::shared_ptr<mcp::Call> call,
                                                              std::vector<search::Theorem>& theorems,
                                                              LeanCheck check);

}  // namespace leanbridge::tools
