#pragma once
/// Exports constants with everything that they mention, in the format that kernels outside of Lean read.
/// Private to this module.
///
/// The format is that of lean4export and of the toolchain's leanexport, 3.1.0: a JSON object per line (their
/// format_ndjson.md). Names of bound variables and annotations, which a kernel ignores, are left out.

#include "core/base/error.hpp"
#include "core/olean/module_set.hpp"
#include "verdict.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace leanbridge::certify {

inline constexpr const char* kExportFormat = "3.1.0";

/// Receives a part of an export; returns false if it cannot be written.
using ExportWriter = std::function<bool(std::string_view)>;

struct ExportLimits {
  std::uint64_t bytes = std::uint64_t{4} << 30U;  ///< size of the export
  std::size_t terms = 30'000'000;                 ///< about 150 bytes of memory each
};

/// Writes the constants and everything that they rest on, each after the ones that it mentions. Calls
/// `is_over` now and then to learn whether the export is still wanted. Errors: NotSupported (beyond a limit,
/// a theorem without its proof, unsafe or malformed constants), Cancelled, Internal (damaged). Blocking;
/// callable from any thread.
Result<ExportFacts> export_closure(
    olean::ModuleSet& set, const std::vector<olean::ConstantId>& of, const ExportWriter& out,
    const ExportLimits& limits = {}, const std::function<bool()>& is_over = [] { return false; });

}  // namespace leanbridge::certify
