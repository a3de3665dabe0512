#pragma once
/// Names for scratch documents by which Lake finds the library of the file that they stand for.
///
/// `lake setup-file` follows links before it looks for a file's module (`resolvePath` in Lake/Util/IO.lean),
/// so a document named by a link to Foo.lean has the options, package, plugins and module name of Foo.lean. A
/// file that does not exist belongs to no library. The name has no extension: what does not end in `.lean` is
/// a module of its own for the server's table of references (`uriToMod` and, before 2026,
/// `moduleFromDocumentUri` in Lean/Server/Utils.lean), so that a trial never replaces what Lean knows of the
/// file itself.

#include "core/base/files.hpp"

#include <filesystem>
#include <memory>

namespace leanbridge::document {

/// What the name of each scratch document begins with; a number follows.
inline constexpr const char* kScratchName = "leanbridge-scratch-";

/// A folder of links that goes with its owner. Blocking, but each call takes a few system calls on the user's
/// own disk.
class ScratchLinks {
 public:
  /// Makes a folder below `parent` (empty: the folder for temporary files), and removes those that processes
  /// which did not end in order have left there. Internal: it cannot be written to.
  static Result<ScratchLinks> create(std::filesystem::path parent);
  ScratchLinks(ScratchLinks&&) noexcept = default;
  ScratchLinks& operator=(ScratchLinks&&) = delete;
  ~ScratchLinks();

  std::filesystem::path path_of(int number) const;
  /// Makes the link unless it is there. Internal: it cannot be made.
  Result<void> point(const std::filesystem::path& link, const std::filesystem::path& file) const;
  void remove(const std::filesystem::path& link) const;

 private:
  ScratchLinks(std::filesystem::path folder, Descriptor lock)
      : folder_(std::move(folder)), lock_(std::move(lock)) {}

  std::filesystem::path folder_;  // empty: moved from
  Descriptor lock_;               // of the folder; held while its owner lives
};

}  // namespace leanbridge::document
