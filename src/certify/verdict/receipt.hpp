#pragma once
/// The receipt of a verdict: what was judged, by what, and how, so that it can be judged again. It says what
/// one run saw, and proves nothing by itself: whoever can write the file can write another one
/// (docs/verification.md). Pure.

#include "certify.hpp"
#include "core/base/error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::certify {

/// What `leanbridge certify` was asked. Files are absolute.
struct ReceiptQuestion {
  std::optional<std::string> challenge;  ///< a file; absent: the solution's in `revision`
  std::string solution;
  std::optional<std::string> revision;            ///< a commit
  std::optional<std::string> project_root;        ///< absent: found around the challenge
  std::string lake;                               ///< "": found on PATH
  std::vector<std::string> names;                 ///< empty: all theorems of the challenge
  std::vector<std::string> allowed_axioms;        ///< besides the standard ones
  std::optional<std::vector<std::string>> holes;  ///< absent: each definition of the challenge that is sorry
  std::vector<std::string> options;               ///< of Lean, NAME=VALUE
  bool without_replay = false;
  bool trust_packages = false;
  std::string kernel;                   ///< a command; "": found
  std::optional<std::string> baseline;  ///< a file
  std::optional<std::string> baseline_sha256;
  std::int64_t memory_mb = 0;  ///< of each run of Lean

  static wire::Fields fields();
};

struct ReceiptTheorem {
  std::string name;
  Outcome verdict = Outcome::Incomplete;
  std::optional<std::string> statement;         ///< the challenge's, printed by leanbridge
  std::optional<std::string> statement_sha256;  ///< with everything of the project below it
  std::optional<std::vector<std::string>> axioms;

  static wire::Fields fields();
};

struct ReceiptPackage {
  std::string package;
  std::optional<std::string> revision;  ///< that the manifest names; nobody has built it from there
  std::size_t modules = 0;              ///< that were imported
  std::string sha256;                   ///< of their compiled files
  bool in_baseline = false;

  static wire::Fields fields();
};

struct ReceiptKernel {
  std::string program;
  std::string sha256;
  std::optional<std::string> version;  ///< of the toolchain that it belongs to, if that is the one in use
  KernelAnswer answer = KernelAnswer::NotAsked;
  std::optional<std::vector<std::string>> defects;  ///< that are known of it; absent: none

  static wire::Fields fields();
};

struct Receipt {
  int format = 1;          ///< `leanbridge_receipt`
  std::string leanbridge;  ///< the version that has judged
  ReceiptQuestion question;
  Outcome verdict = Outcome::Incomplete;
  std::string reason;
  std::vector<ReceiptTheorem> theorems;
  std::string challenge_sha256;
  std::string solution_sha256;
  std::optional<std::string> revision_path;  ///< of the challenge in the commit
  ToolchainFacts toolchain;
  std::vector<ModuleHash> modules;  ///< of the project
  std::vector<ReceiptPackage> packages;
  std::vector<ReceiptKernel> kernels;
  std::optional<ExportFacts> exported;  ///< what kernels outside of Lean have read
  Sandbox sandbox = Sandbox::None;
  std::optional<std::string> sandbox_note;
  std::vector<std::string> checked_by;

  static wire::Fields fields();
};

/// The certificate must have fingerprints. If it has a revision, the receipt's question names that commit.
Receipt receipt_of(const Certificate& certificate, ReceiptQuestion question, std::string leanbridge);

/// As it is written, with the hash of the rest as `sha256`.
nlohmann::json to_json(const Receipt& receipt);

/// InvalidArgument: it is no receipt, or another text than was written. `name` is the file's.
Result<Receipt> read_receipt(std::string_view text, const std::string& name);

/// Each difference as a sentence. Empty: the same was judged, by the same, with the same result.
std::vector<std::string> differences(const Receipt& then, const Receipt& now);

/// The same where kernels have only read an export again.
std::vector<std::string> differences(const Receipt& then, const StoredExport& now);

}  // namespace leanbridge::certify
