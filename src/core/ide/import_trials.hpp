#pragma once
/// The imports that a file can do without, and the ones it lacks.

#include "open_file.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::ide {

/// Missing: needed, but not imported directly. Unknown: Lean did not answer in time, or the import was not
/// tried.
enum class ImportStatus { Needed, Unneeded, Missing, Unknown };
wire::Names<ImportStatus> names_of(ImportStatus);

struct ImportVerdict {
  std::string module;
  int line = 1;
  ImportStatus status = ImportStatus::Unknown;
  std::string reason;

  static wire::Fields fields() {
    return {wire::field<&ImportVerdict::module>(), wire::field<&ImportVerdict::line>(),
            wire::field<&ImportVerdict::status>(), wire::field<&ImportVerdict::reason>().omit_empty()};
  }
};

/// An import that Lean would write in another way.
struct RespeltName {
  int line = 1;
  std::string old_text, new_text;

  static wire::Fields fields() {
    return wire::fields<&RespeltName::line, &RespeltName::old_text, &RespeltName::new_text>();
  }
};

struct ImportReport {
  bool written = false;
  std::optional<std::string> reason;   ///< why nothing was written, or tried
  std::vector<ImportVerdict> imports;  ///< in their order
  std::vector<RespeltName> respelt;
  /// The number of files of the project that import this one, directly or not; absent: that is not known.
  std::optional<std::size_t> importers;
  bool importers_compiled = false;  ///< the importers that compile now still compile with the change
  bool timed_out = false;

  static wire::Fields fields() {
    return {wire::field<&ImportReport::written>(),
            wire::field<&ImportReport::reason>(),
            wire::field<&ImportReport::imports>(),
            wire::field<&ImportReport::respelt>().omit_empty(),
            wire::field<&ImportReport::importers>(),
            wire::field<&ImportReport::importers_compiled>(),
            wire::field<&ImportReport::timed_out>().omit_value(false)};
  }
};

enum class WriteImports { No, IfCompiled };

/// Compiles a file without each of its imports, in a copy: one is unneeded if declarations, axioms and
/// messages stay the same. Writes the file without those, if that is wanted and all files that import it
/// still compile. Errors: InvalidArgument for a file that does not compile; NotSupported; Timeout; those of
/// objection_to() and write_files(); Cancelled.
asio::awaitable<Result<ImportReport>> try_imports(Lean& lean, std::shared_ptr<io::Operation> operation,
                                                  document::Location location, WriteImports write);

}  // namespace leanbridge::ide
