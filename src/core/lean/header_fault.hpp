#pragma once
/// Why Lean gave up at the header of a file.

#include "messages.hpp"

#include <string>
#include <vector>

namespace leanbridge::lean {

struct HeaderFault {
  /// A sentence without a subject before it ("`A.B`, which this file imports, does not compile: line 3: …"),
  /// or what Lean says of the header; may be empty.
  std::string why;
  /// The file is not at fault and was not reached: an import does not compile, or Lake cannot load the
  /// project.
  bool elsewhere = false;
};

/// `diagnostics`: all of a file whose header failed.
HeaderFault read_header_fault(const std::vector<Diagnostic>& diagnostics);

}  // namespace leanbridge::lean
