#pragma once
/// The verdict about a solution, as it is answered, printed and recorded.

#include "core/base/json_struct.hpp"
#include "page.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

enum class Outcome {
  Certified,
  Refused,     ///< shown not to be what was asked for
  Incomplete,  ///< neither: a check could not run, and `complete_with` says what is missing
  Refuted,     ///< the solution proves the negation: the challenge is false
  Filled,      ///< proved about what the solution has filled in, which somebody has to read
};
wire::Names<Outcome> names_of(Outcome);

/// About one theorem of the challenge.
struct NameVerdict {
  std::string name;
  Outcome verdict = Outcome::Incomplete;
  std::string reason;                              ///< one sentence
  std::optional<std::string> statement;            ///< the challenge's, printed by leanbridge
  std::optional<std::vector<std::string>> axioms;  ///< what the solution's proof rests on; absent: not known
  std::optional<std::vector<std::string>>
      without_proof;                    ///< imported theorems whose proofs are not installed
  std::optional<std::string> disproof;  ///< the theorem that the verdict is about, if it proves the negation

  static wire::Fields fields();
};

enum class Sandbox { None, Bubblewrap };
wire::Names<Sandbox> names_of(Sandbox);

/// Where the compiled file of a project's module comes from.
enum class ModuleOrigin {
  Rebuilt,   ///< compiled from its source for this verdict
  Baseline,  ///< equal to the one in the baseline
};
wire::Names<ModuleOrigin> names_of(ModuleOrigin);

struct ModuleHash {
  std::string module;
  std::string sha256;  ///< of all its parts
  ModuleOrigin from = ModuleOrigin::Rebuilt;

  static wire::Fields fields();
};

/// The compiled files of one folder of packages.
struct PackageHash {
  std::string package;
  std::size_t modules = 0;  ///< how many of them the challenge or the solution imports
  std::string sha256;       ///< of their names and hashes
  bool in_baseline = false;
  std::string revision;  ///< of git, that the manifest names; only in receipts; "": none

  static wire::Fields fields();
};

struct ToolchainFacts {
  std::string version;  ///< of Lean: "4.33.1"
  std::string lean;     ///< path of the program
  std::string sha256;   ///< of the program, its libraries and the imported modules of its library
  std::size_t modules = 0;
  std::vector<std::string> warnings;  ///< defects by which this version's kernel may accept what is not true

  static wire::Fields fields();
};

enum class KernelAnswer {
  NotAsked,  ///< the verdict was decided before
  Accepted,
  Rejected,
  Failed,  ///< it could not check
};
wire::Names<KernelAnswer> names_of(KernelAnswer);

/// The program that was to replay the proofs.
struct KernelFacts {
  std::string program;  ///< its path
  std::string sha256;
  KernelAnswer answer = KernelAnswer::NotAsked;  ///< about the solution; only in receipts

  static wire::Fields fields();
};

/// One of the kernels that were asked, and its answer.
struct KernelResult {
  std::string name;
  std::string program;  ///< its path
  std::string sha256;
  std::optional<std::string> version;  ///< of the toolchain that it belongs to, if that is the one in use
  KernelAnswer answer = KernelAnswer::NotAsked;
  std::optional<std::string> why;    ///< it did not accept: what it did, without a subject
  std::optional<std::string> says;   ///< what it printed then, cut short
  std::vector<std::string> defects;  ///< by which it may accept what is not true, as far as they are known

  static wire::Fields fields();
};

/// The verdict of `lake comparator` on the same question.
struct ComparatorFacts {
  KernelAnswer answer = KernelAnswer::NotAsked;
  std::optional<std::string> why;   ///< it did not accept: what it did, without a subject
  std::optional<std::string> says;  ///< what it printed then, cut short

  static wire::Fields fields();
};

/// The closure of the theorems as kernels outside of Lean have read it.
struct ExportFacts {
  std::string format;  ///< the version of lean4export's format
  std::string sha256;
  std::size_t bytes = 0;
  std::size_t declarations = 0;

  static wire::Fields fields();
};

/// A declaration of a solution, and its heartbeats as `maxHeartbeats` counts them.
struct DeclarationHeartbeats {
  std::string name;  ///< with its namespaces; without a name, keyword and number in the text
  int line = 1;      ///< 1-based
  double heartbeats = 0;
  std::optional<double> before;  ///< in an earlier run, where it is dearer now than the limit allows

  static wire::Fields fields();
};

/// What it took to compile a solution. Lean prints the heartbeats in the solution's process, which can print
/// others: no verdict rests on them.
struct CostFacts {
  double seconds = 0;  ///< of the clock, with start and imports
  std::vector<DeclarationHeartbeats> declarations;
  std::optional<std::string> why_not;  ///< why there are no heartbeats, as a sentence

  static wire::Fields fields();
};

/// What became of the approval that was given.
struct ApprovalFacts {
  std::string approved_by;
  std::string approved_at;
  bool holds = false;                ///< everything below the statements is as it was approved
  std::vector<std::string> changes;  ///< as sentences
  std::optional<std::string> note;   ///< why it may say nothing, as a sentence

  static wire::Fields fields();
};

struct Certificate {
  Outcome verdict = Outcome::Incomplete;
  std::string reason;  ///< one sentence
  std::vector<NameVerdict> names;
  /// What the solution has filled in, then what that names of the solution and the project.
  std::vector<PageItem> holes;
  /// The keys of the solution's constants that the verdict is about; not part of the answer.
  std::vector<std::string> judged;
  std::vector<std::string> allowed_axioms;
  std::string challenge_sha256;
  std::string solution_sha256;
  std::optional<std::string> revision;  ///< of git, that the challenge and the project's modules are from
  std::optional<std::string> revision_path;  ///< of the challenge in it
  ToolchainFacts toolchain;
  std::vector<ModuleHash> modules;  ///< of the project, that both rest on
  std::vector<PackageHash> packages;
  Sandbox sandbox = Sandbox::None;
  std::optional<std::string> sandbox_note;  ///< why there is none
  bool kernel_replayed = false;
  std::optional<KernelFacts> kernel;    ///< if there was one
  std::vector<KernelResult> kernels;    ///< all that were to be asked, that one first which replays modules
  std::optional<ExportFacts> exported;  ///< what kernels outside of Lean have read, if any was asked
  std::optional<ComparatorFacts> comparator;  ///< only if the request has a question for it
  std::optional<CostFacts> cost;              ///< only if the request asks for it
  std::vector<std::string> checked_by;        ///< the checks that ran to their ends
  std::optional<std::string> complete_with;   ///< what to do where the verdict is incomplete
  bool timed_out = false;
  /// Of each of `names`: the SHA-256 of its statement in the challenge with everything of the project below
  /// it (fingerprint.hpp). Only if the request asks for it, and only in receipts.
  std::vector<std::string> fingerprints;
  std::optional<Page> page;               ///< only if the request asks for it
  std::optional<std::string> page_text;   ///< in its place in the answers of tools: to_text()
  std::optional<ApprovalFacts> approval;  ///< only if the request has one

  static wire::Fields fields();
};

}  // namespace leanbridge::certify
