#pragma once
/// Whether everything in files is proved from the three axioms alone, read from their compiled terms.

#include "files_in_order.hpp"
#include "verification.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::ide {

/// The findings about one file.
struct FileFindings {
  std::string file_path;  ///< relative to the project
  std::size_t declarations = 0;
  std::vector<VerifyException> exceptions = {};
  bool timed_out = false;

  /// Something that concerns the file as a whole.
  void object(std::string reason, int line = 1);
  /// Reads its compiled module. A constant that Lean generates for a declaration is told as that one.
  void read(const text::Text& text, const CompiledModule& module);
};

/// An exception for each reason, in place of all that have it; first the sorries, then the axioms.
std::vector<VerifyException> one_for_each_reason(std::vector<VerifyException> exceptions);

/// Compiles each file, after those that it imports. `baseline`: a file with an earlier answer, whose
/// exceptions are not listed again. Errors: InvalidArgument or OutsideProject for the baseline; those of
/// Workspace::locate() and document::load_file() for a single file; Cancelled.
asio::awaitable<Result<Verdict>> verify_files(Lean& lean, std::shared_ptr<io::Operation> operation,
                                              NamedFiles named, std::optional<std::string> baseline);

}  // namespace leanbridge::ide
