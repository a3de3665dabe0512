#pragma once
/// The receipt of a verdict: what was judged, by which programs and how, so that it can be judged again. It
/// records one run and proves nothing by itself: anybody who can write the file can write another one
/// (docs/verification.md). Pure.

#include "certify.hpp"
#include "core/base/error.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::certify {

/// The question to `leanbridge certify`. Files are absolute.
struct ReceiptQuestion {
  std::optional<std::string> challenge;  ///< a file; absent: the solution's file in `revision`
  std::string solution;
  std::optional<std::string> revision;      ///< a commit
  std::optional<std::string> project_root;  ///< absent: found from the challenge
  std::string lake;                         ///< "": found on PATH
  std::vector<std::string> names;           ///< empty: all theorems of the challenge
  Terms terms;                              ///< all axioms beyond the standard ones are `allowed_axioms`
  std::optional<std::string> baseline_sha256;

  static wire::Fields fields();
};

struct ReceiptTheorem {
  std::string name;
  Outcome verdict = Outcome::Incomplete;
  std::optional<std::string> statement;         ///< of the challenge, printed by leanbridge
  std::optional<std::string> statement_sha256;  ///< includes everything of the project below it
  std::optional<std::vector<std::string>> axioms;

  static wire::Fields fields();
};

struct ReceiptPackage {
  std::string package;
  std::optional<std::string> revision;  ///< the one that the manifest names; the package may not have been
                                        ///< built from it
  std::size_t modules = 0;              ///< number of modules that were imported
  std::string sha256;                   ///< the hash of their compiled files
  bool in_baseline = false;

  static wire::Fields fields();
};

struct ReceiptKernel {
  std::string program;
  std::string sha256;
  std::optional<std::string> version;  ///< of its toolchain, if that is the one in use
  KernelAnswer answer = KernelAnswer::NotAsked;
  std::optional<std::vector<std::string>> defects;  ///< its known defects; absent: none

  static wire::Fields fields();
};

struct Receipt {
  int format = 1;          ///< in JSON, `leanbridge_receipt`
  std::string leanbridge;  ///< the version of leanbridge that judged
  ReceiptQuestion question;
  Outcome verdict = Outcome::Incomplete;
  std::string reason;
  std::vector<ReceiptTheorem> theorems;
  std::string challenge_sha256;
  std::string solution_sha256;
  std::optional<std::string> revision_path;  ///< the path of the challenge in the commit
  ToolchainFacts toolchain;
  std::vector<ModuleHash> modules;  ///< of the project
  std::vector<ReceiptPackage> packages;
  std::vector<ReceiptKernel> kernels;
  std::optional<ExportFacts> exported;  ///< the export that kernels outside of Lean have read
  Sandbox sandbox = Sandbox::None;
  std::optional<std::string> sandbox_note;
  std::vector<std::string> checked_by;

  static wire::Fields fields();
};

/// Makes the receipt. The certificate must have fingerprints. If it has a revision, the receipt's question
/// names that commit.
Receipt receipt_of(const Certificate& certificate, ReceiptQuestion question, std::string leanbridge);

/// The receipt as written, with the hash of the rest as `sha256`.
nlohmann::json to_json(const Receipt& receipt);

/// InvalidArgument: it is not a receipt, or was changed after writing. `name` is the file's.
Result<Receipt> read_receipt(std::string_view text, const std::string& name);

/// Each difference as a sentence. Empty: the same texts were judged, by the same programs, with the same
/// result.
std::vector<std::string> differences(const Receipt& then, const Receipt& now);

/// The differences if kernels have only read an export again.
std::vector<std::string> differences(const Receipt& then, const StoredExport& now);

}  // namespace leanbridge::certify
