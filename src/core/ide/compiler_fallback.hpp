#pragma once
/// The fallback of tools that report a file's messages: when the language server is unavailable, they run
/// `lake env lean --json FILE`. The compiler reports messages only, no goals.

#include "open_file.hpp"

#include <string>
#include <vector>

namespace leanbridge::ide {

/// The compiler's report about a whole file.
struct CompilerReport {
  std::string name;  ///< of the file, for messages
  text::Text text;
  std::vector<lean::Diagnostic> diagnostics;
  Completeness completeness = Completeness::Complete;  ///< Complete: every error of the file is listed
  bool header_failed = false;  ///< an import is missing: the compiler looked at nothing below the header
  nlohmann::json fallback;     ///< `fallback` of the answer
};

/// Compiles the call's file as it is on disk. `why` is the error of the language server; if compiling fails
/// as well, the error is `why` with the compiler's failure added.
asio::awaitable<Result<CompilerReport>> diagnose_with_compiler(Lean& lean,
                                                               std::shared_ptr<io::Operation> call,
                                                               std::string file_path, Error why);

FileStatus status_of(const CompilerReport& compiled);

/// Whether the compiler should answer after this error of the language server.
bool may_fall_back(Lean& lean, const std::string& file_path, const Error& why);

}  // namespace leanbridge::ide
