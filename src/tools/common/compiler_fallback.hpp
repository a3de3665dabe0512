#pragma once
/// The fallback of tools that tell of a file's messages: where the language server cannot be had, the
/// compiler is asked, `lake env lean --json FILE`. It knows messages and nothing else: no goals. Private to
/// this module.

#include "lake_run.hpp"
#include "open_file.hpp"

#include <string>
#include <vector>

namespace leanbridge::tools {

/// What the compiler has said of the whole file.
struct Compiled {
  std::string name;  ///< of the file, for messages
  text::Text text;
  std::vector<lean::Diagnostic> diagnostics;
  bool complete = true;  ///< it came to its end: what is not there is no error
  bool timed_out = false;
  bool header_failed = false;  ///< an import is missing: nothing of the file was looked at
  nlohmann::json how;          ///< `fallback` of the answer
};

/// Compiles the call's file on disk. Where that tells nothing, the error is `why` with what went wrong here,
/// too.
asio::awaitable<Result<Compiled>> diagnose_with_compiler(Environment& environment,
                                                         std::shared_ptr<mcp::Call> call,
                                                         std::string file_path, Error why);

FileStatus status_of(const Compiled& compiled);

}  // namespace leanbridge::tools
