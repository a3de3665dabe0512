#pragma once
/// The readers of the local index: what Lean sources, `.ilean` and `.olean` files say of declarations.
/// Functions of bytes, without state and without waiting: safe on pool threads. Damaged and hostile input
/// gives an error or fewer declarations, never a crash, and costs time and memory linear in its size.

#include "leanbridge/base/error.hpp"
#include "leanbridge/index/declaration.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace leanbridge::index {

/// The declarations that stand in a text, in order, structure fields and constructors after their type.
/// `constants` holds the identifiers of the signature as written, unresolved. Examples and unnamed instances
/// are left out.
std::vector<Declaration> read_source(std::string_view text, std::string module, std::string file);

/// What an `.ilean` says: names and places, no types. Private names are given as users see them. Its columns
/// count UTF-16: without the `source` that it was made from they are left 0. NotSupported: a version that is
/// not known; Internal: not an `.ilean`.
Result<std::vector<Declaration>> read_ilean(std::string_view json, std::string_view source = {});

/// How the arguments of constants are bound, one letter each: `e` explicit, `i` implicit or strict implicit,
/// `c` class instance. The printer of types hides what is not `e`.
using BinderTable = std::unordered_map<std::string, std::string>;

struct OleanModule {
  std::vector<std::string> imports;
  std::vector<Declaration>
      declarations;           ///< in the order of the file; names that only Lean uses are left out
  std::string lean_version;   ///< as the header says; "" in old versions
  std::size_t constants = 0;  ///< all names, those left out as well
};

/// What the parts of a compiled module say (`X.olean`, then where there are any `X.olean.server`,
/// `X.olean.private`), in 32 and 64 bits. The file does not name its module. Signatures are printed here and
/// not by Lean (Declaration::approximate); they lack where types are too large to be worth it. NotSupported:
/// a version of the format that is not known; Internal: damaged, and where.
Result<OleanModule> read_olean(std::span<const std::string_view> parts, std::string module,
                               const BinderTable& binders = {});

/// Adds how the constants of a module are bound; for the printer, before the modules that use them are read.
Result<void> read_binders(std::span<const std::string_view> parts, BinderTable& binders);

/// The same, from files; the parts of an `.olean` beside it are found. FileNotFound: cannot be read.
Result<std::vector<Declaration>> load_source(const std::filesystem::path& path, std::string module);
Result<std::vector<Declaration>> load_ilean(const std::filesystem::path& path);
Result<OleanModule> load_olean(const std::filesystem::path& path, std::string module,
                               const BinderTable& binders = {});
Result<void> load_binders(const std::filesystem::path& path, BinderTable& binders);

}  // namespace leanbridge::index
