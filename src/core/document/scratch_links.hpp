#pragma once
/// Names for scratch documents that lead Lake to the library of the user's file.
///
/// `lake setup-file` follows links before it looks for a file's module (`resolvePath` in Lake/Util/IO.lean),
/// so a document named by a link to Foo.lean has the options, package, plugins and module name of Foo.lean. A
/// file that does not exist belongs to no library. The name has no extension: in the server's table of
/// references, a document whose name does not end in `.lean` is a module of its own (`uriToMod` and, before
/// 2026, `moduleFromDocumentUri` in Lean/Server/Utils.lean). So a trial never replaces Lean's knowledge of
/// the file itself.

#include "core/base/files.hpp"

#include <filesystem>

namespace leanbridge::document {

/// The beginning of each scratch document's name; a number follows.
inline constexpr const char* kScratchName = "leanbridge-scratch-";

/// A folder of links that is removed with its owner. Blocking, but each call takes only a few system calls on
/// the user's own disk.
class ScratchLinks {
 public:
  /// Makes a folder below `parent` (empty: the folder for temporary files), and removes the folders that
  /// crashed processes have left there. Internal: `parent` cannot be written to.
  static Result<ScratchLinks> create(std::filesystem::path parent);
  ScratchLinks(ScratchLinks&&) noexcept = default;
  ScratchLinks& operator=(ScratchLinks&&) = delete;
  ~ScratchLinks();

  std::filesystem::path path_of(int number) const;
  /// Makes the link unless it exists. Internal: it cannot be made.
  Result<void> point(const std::filesystem::path& link, const std::filesystem::path& file) const;
  void remove(const std::filesystem::path& link) const;

 private:
  ScratchLinks(std::filesystem::path folder, Descriptor lock)
      : folder_(std::move(folder)), lock_(std::move(lock)) {}

  std::filesystem::path folder_;  // empty: moved from
  Descriptor lock_;               // the lock on the folder, held while its owner lives
};

}  // namespace leanbridge::document
