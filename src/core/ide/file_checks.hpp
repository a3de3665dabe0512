#pragma once
/// Whether whole files are done: Lean's messages about them, and the declarations that they leave unproved.

#include "files_in_order.hpp"
#include "symbols.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::ide {

/// Why a declaration counts as unfinished.
enum class UnfinishedReason { StillElaborating, Error, Sorry, Unknown, NotChecked };

wire::Names<UnfinishedReason> names_of(UnfinishedReason);

struct UnfinishedItem {
  int line = 1;  ///< of the sorry; otherwise where the declaration begins
  wire::Nullable<std::string> declaration;
  UnfinishedReason reason = UnfinishedReason::Unknown;
  std::optional<std::vector<std::string>> goals;  ///< at the line; absent if a message shows them
  std::optional<std::string> closed_by;           ///< as in lean_fill's answer
  std::optional<std::string> refuted;             ///< as in lean_fill's answer
  std::optional<std::size_t> offset;              ///< of the sorry, or of the tactic that fails

  static wire::Fields fields() {
    return wire::fields<&UnfinishedItem::line, &UnfinishedItem::declaration, &UnfinishedItem::reason,
                        &UnfinishedItem::goals, &UnfinishedItem::closed_by, &UnfinishedItem::refuted>();
  }
};

struct FileVerdict {
  bool success = false;                    ///< everything is proved
  ProofState state = ProofState::Unknown;  ///< the worst state in the file
  int error_count = 0;
  int warning_count = 0;
  int sorry_count = 0;
  int not_reached_count = 0;  ///< of several files: how many have that state
  DiagnosticList messages;
  std::vector<UnfinishedItem> unfinished;
  std::optional<std::string> reason;  ///< why success is false without an error
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&FileVerdict::success>(),
            wire::field<&FileVerdict::state>(),
            wire::field<&FileVerdict::error_count>().omit_empty(),
            wire::field<&FileVerdict::warning_count>().omit_empty(),
            wire::field<&FileVerdict::sorry_count>().omit_empty(),
            wire::field<&FileVerdict::not_reached_count>().unlisted().omit_empty(),
            wire::flatten<&FileVerdict::messages>(),
            wire::field<&FileVerdict::unfinished>().omit_empty(),
            wire::field<&FileVerdict::reason>(),
            wire::flatten<&FileVerdict::file>()};
  }
};

/// One of several files. A proved file has no further fields.
struct CheckedFile {
  std::string file_path;
  FileVerdict verdict;

  static wire::Fields fields() {
    return {wire::field<&CheckedFile::file_path>(), wire::flatten<&CheckedFile::verdict>()};
  }
};

struct FilesCheck {
  FileVerdict all;  ///< of several files: their sums, and the worst state
  std::optional<std::vector<CheckedFile>> files;
  bool truncated = false;  ///< the folder has more files

  static wire::Fields fields() {
    return {wire::flatten<&FilesCheck::all>(), wire::field<&FilesCheck::files>(),
            wire::named_field<&FilesCheck::truncated>("files_truncated").unlisted().omit_empty()};
  }
};

/// The parts of the answer beside the verdict.
struct CheckExtent {
  std::optional<lean::Severity> severity;  ///< of the messages that are listed
  bool all_goals = false;                  ///< of each file, or of its first 3 places
  bool suggest = false;                    ///< seek proofs, 10 s a file
  std::filesystem::path cache = {};        ///< has the counts of tactics; empty: none are kept
};

/// Checks each file, after those that it imports. Of several, one that cannot be opened is not proved, and
/// the others are checked. Errors: those of open_file() for a single file; Cancelled.
asio::awaitable<Result<FilesCheck>> check_files(Lean& lean, std::shared_ptr<io::Operation> operation,
                                                NamedFiles named, CheckExtent extent);

}  // namespace leanbridge::ide
