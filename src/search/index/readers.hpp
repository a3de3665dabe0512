#pragma once
/// Readers for the local index: the declarations in Lean sources, `.ilean` and `.olean` files. Stateless
/// functions of bytes, safe on pool threads. Damaged or hostile input yields an error or fewer declarations,
/// never a crash, and costs time and memory linear in its size.

#include "core/base/error.hpp"
#include "core/olean/type_printer.hpp"
#include "declaration.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::index {

/// The declarations in a source text, in order; structure fields and constructors follow their type.
/// `constants` holds the identifiers of the signature as written, unresolved. Omits examples and unnamed
/// instances.
std::vector<Declaration> read_source(std::string_view text, std::string module, std::string file);

/// The declarations in an `.ilean`: names and positions, no types. Private names as users see them. Its
/// columns count UTF-16 units; they stay 0 unless the `source` it was made from is given. Errors:
/// NotSupported (unknown version), Internal (not an `.ilean`).
Result<std::vector<Declaration>> read_ilean(std::string_view json, std::string_view source = {});

struct OleanModule {
  std::vector<std::string> imports;
  std::vector<Declaration> declarations;  ///< in file order, without Lean's internal names
  std::string lean_version;               ///< from the header; "" in old versions
  std::size_t constants = 0;              ///< including internal names
};

/// Reads a compiled module, 32 or 64 bit, from its parts: `X.olean`, then, if they exist, `X.olean.server`
/// and `X.olean.private`. The file does not name its module. Signatures are printed by leanbridge, not by
/// Lean (Declaration::approximate), and omitted for very large types. Errors: NotSupported (unknown format
/// version), Internal (damaged, and where).
Result<OleanModule> read_olean(std::span<const std::string_view> parts, std::string module,
                               const olean::BinderTable& binders = {});

/// Adds the binders of a module's constants. Call it before reading modules that use them, for the printer.
Result<void> read_binders(std::span<const std::string_view> parts, olean::BinderTable& binders);

/// These read from files; the further parts of an `.olean` lie beside it. Error: FileNotFound (unreadable).
Result<std::vector<Declaration>> load_source(const std::filesystem::path& path, std::string module);
Result<std::vector<Declaration>> load_ilean(const std::filesystem::path& path);
Result<OleanModule> load_olean(const std::filesystem::path& path, std::string module,
                               const olean::BinderTable& binders = {});
Result<void> load_binders(const std::filesystem::path& path, olean::BinderTable& binders);

}  // namespace leanbridge::index
