#pragma once
/// Whether everything in files is proved from the three axioms alone, read from their compiled terms. Private
/// to this module.

#include "core/tools/common/files_in_order.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::tools {

/// A declaration that does not, or a reason why something in a file could not be verified.
struct VerifyException {
  std::string file_path;  ///< relative to the project
  int line = 1;
  wire::Nullable<std::string> declaration;  ///< null: it is about the file
  std::vector<std::string> axioms;          ///< beyond the three
  bool own_sorry = false;                   ///< in its own statement or proof, not in what that uses
  std::optional<std::string> reason;        ///< an objection that is no axiom
  /// In brief answers one exception stands for all that have its reason, axioms and own_sorry:
  std::optional<std::size_t> count;              ///< how many; absent: itself alone
  std::optional<std::vector<std::string>> also;  ///< the next few, "LINE NAME", or "FILE:LINE NAME"

  static wire::Fields fields();
};

struct FilesVerdict {
  bool trusted = false;             ///< there is no exception
  std::string reason;               ///< one sentence
  std::vector<std::string> axioms;  ///< the axioms beyond the three that anything rests on, sorted
  std::optional<std::size_t> files, declarations;
  std::optional<std::vector<VerifyException>> exceptions;  ///< the exceptions outside the baseline
  std::optional<bool> as_baseline;                         ///< with a baseline: all exceptions are in it
  std::size_t in_baseline = 0;                             ///< the number of exceptions in the baseline
  bool truncated = false;
  bool timed_out = false;
};

/// An exception for each reason, in place of all that have it; first the sorries, then the axioms.
std::vector<VerifyException> one_for_each_reason(std::vector<VerifyException> exceptions);

/// Compiles each file, after those that it imports. Errors: those of named_files(); InvalidArgument or
/// OutsideProject for the baseline; Cancelled.
asio::awaitable<Result<FilesVerdict>> verify_files(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                   FilesParams which, std::optional<std::string> baseline);

/// Why a constant is not the theorem in the source; "": it is.
std::string replaced_objection(const std::string& keyword, const std::string& kind);

}  // namespace leanbridge::tools
