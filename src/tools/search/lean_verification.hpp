#pragma once
/// Lean asked about what a search has found: whether it is there, and its real type. Private to this module.

#include "leanbridge/search/theorem.hpp"

#include "tools/common/open_file.hpp"

#include <string>
#include <vector>

namespace leanbridge::tools {

struct LeanCheck {
  bool verify = false;    ///< all of them, and say of each whether it is there; else types that are missing
  std::string file_path;  ///< whose imports count; empty: the project, and the modules that the index knows
  std::filesystem::path project;
};

/// Asks in one scratch document and fills in what Lean says; the index remembers it. Without `verify` only a
/// Lean that is running is asked, and the answer waits a moment; what comes later is for the next search.
/// `{status, asked, problem?}` for the answer; null: there was nothing to ask.
asio::awaitable<nlohmann::json> verify_with_lean(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                 std::vector<search::Theorem>& theorems, LeanCheck check);

}  // namespace leanbridge::tools
