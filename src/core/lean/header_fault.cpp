#include "header_fault.hpp"

#include "build_output.hpp"
#include "configuration_failure.hpp"

#include <algorithm>

namespace leanbridge::lean {

HeaderFault read_header_fault(const std::vector<Diagnostic>& diagnostics) {
  const auto error = std::ranges::find(diagnostics, Severity::Error, &Diagnostic::severity);
  if (error == diagnostics.end()) return {};
  if (const auto failure = read_configuration_failure(error->message))
    return {"Lake could not load the project" + (failure->said.empty() ? "." : ": " + failure->said), true};
  if (auto failure = import_failure_in(error->message)) return {std::move(*failure), true};
  return {error->message, false};
}

}  // namespace leanbridge::lean
