#pragma once
/// The verdict about a solution, for answers, output and records.

#include "core/base/json_struct.hpp"
#include "page.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

enum class Outcome {
  Certified,
  Refused,     ///< shown to differ from what was asked for
  Incomplete,  ///< neither: a check could not run, and `complete_with` tells what is missing
  Refuted,     ///< the solution proves the negation: the challenge is false
  Filled,      ///< proved, with definitions that the solution has filled in and a person has to read
};
wire::Names<Outcome> names_of(Outcome);

/// The verdict on one theorem of the challenge.
struct NameVerdict {
  std::string name;
  Outcome verdict = Outcome::Incomplete;
  std::string reason;                              ///< one sentence
  std::optional<std::string> statement;            ///< of the challenge, printed by leanbridge
  std::optional<std::vector<std::string>> axioms;  ///< the axioms of the solution's proof; absent: unknown
  std::optional<std::vector<std::string>>
      without_proof;                    ///< imported theorems whose proofs are not installed
  std::optional<std::string> disproof;  ///< the theorem that the verdict is about, if it proves the negation
  std::optional<std::vector<std::string>>
      also;  ///< of a shortened verdict: the others of which the same is so

  static wire::Fields fields();
};

enum class Sandbox { None, Bubblewrap };
wire::Names<Sandbox> names_of(Sandbox);

/// The origin of the compiled file of a project's module.
enum class ModuleOrigin {
  Rebuilt,   ///< compiled from its source for this verdict
  Baseline,  ///< equal to the one in the baseline
};
wire::Names<ModuleOrigin> names_of(ModuleOrigin);

struct ModuleHash {
  std::string module;
  std::string sha256;  ///< the hash of all its parts
  ModuleOrigin from = ModuleOrigin::Rebuilt;

  static wire::Fields fields();
};

/// The compiled files of one folder of packages.
struct PackageHash {
  std::string package;
  std::size_t modules = 0;  ///< number of them that the challenge or the solution imports
  std::string sha256;       ///< the hash of their names and hashes
  bool in_baseline = false;
  std::string revision;  ///< the git revision in the manifest; only in receipts; "": none

  static wire::Fields fields();
};

struct ToolchainFacts {
  std::string version;  ///< Lean's version: "4.33.1"
  std::string lean;     ///< the path of the program
  std::string sha256;   ///< the hash of the program, its libraries and the imported modules of its library
  std::size_t modules = 0;
  std::vector<std::string> warnings;  ///< defects by which this version's kernel may accept false statements

  static wire::Fields fields();
};

enum class KernelAnswer {
  NotAsked,  ///< the verdict was decided before
  Accepted,
  Rejected,
  Failed,  ///< it could not check
};
wire::Names<KernelAnswer> names_of(KernelAnswer);

/// The program for replaying the proofs.
struct KernelFacts {
  std::string program;  ///< its path
  std::string sha256;
  KernelAnswer answer = KernelAnswer::NotAsked;  ///< its answer about the solution; only in receipts

  static wire::Fields fields();
};

/// One of the kernels that were asked, and its answer.
struct KernelResult {
  /// It has nothing to say against the solution, nor does anything speak against it.
  bool is_noise() const { return answer == KernelAnswer::Accepted && defects.empty(); }

  std::string name;
  std::string program;  ///< its path
  std::string sha256;
  std::optional<std::string> version;  ///< of its toolchain, if that is the one in use
  KernelAnswer answer = KernelAnswer::NotAsked;
  std::optional<std::string> why;    ///< a predicate about what it did, without a subject; set if it did not
                                     ///< accept
  std::optional<std::string> says;   ///< its output then, cut short
  std::vector<std::string> defects;  ///< known defects by which it may accept false statements

  static wire::Fields fields();
};

/// The answer of `lake comparator` to the same question.
struct ComparatorFacts {
  KernelAnswer answer = KernelAnswer::NotAsked;
  std::optional<std::string> why;   ///< a predicate about what it did, without a subject; set if it did not
                                    ///< accept
  std::optional<std::string> says;  ///< its output then, cut short

  static wire::Fields fields();
};

/// The export of the theorems and their dependencies that kernels outside of Lean have read.
struct ExportFacts {
  std::string format;  ///< the version of lean4export's format
  std::string sha256;
  std::size_t bytes = 0;
  std::size_t declarations = 0;

  static wire::Fields fields();
};

/// A declaration of a solution, and its heartbeats as `maxHeartbeats` counts them.
struct DeclarationHeartbeats {
  std::string name;  ///< with its namespaces; without a name, its keyword and number in the text
  int line = 1;      ///< 1-based
  double heartbeats = 0;
  std::optional<double> before;  ///< in an earlier run; set if the cost has grown beyond the limit

  static wire::Fields fields();
};

/// The cost of compiling a solution. Lean prints the heartbeats in the solution's process, which can print
/// other numbers: no verdict depends on them.
struct CostFacts {
  double seconds = 0;  ///< on the clock, including start and imports
  std::vector<DeclarationHeartbeats> declarations;
  std::optional<std::string> why_not;  ///< why there are no heartbeats, as a sentence

  static wire::Fields fields();
};

/// The result of comparing with the approval.
struct ApprovalFacts {
  std::string approved_by;
  std::string approved_at;
  bool holds = false;                ///< everything below the statements is as approved
  std::vector<std::string> changes;  ///< as sentences
  std::optional<std::string> note;   ///< why the approval may be worthless, as a sentence

  static wire::Fields fields();
};

struct Certificate {
  Outcome verdict = Outcome::Incomplete;
  std::string reason;  ///< one sentence
  std::vector<NameVerdict> names;
  /// The definitions that the solution has filled in, followed by the constants of the solution and the
  /// project that they name.
  std::vector<PageItem> holes;
  /// The keys of the solution's constants to which the verdict applies; not part of the answer.
  std::vector<std::string> judged;
  std::vector<std::string> allowed_axioms;
  std::string challenge_sha256;
  std::string solution_sha256;
  std::optional<std::string> revision;  ///< of git, that the challenge and the project's modules are from
  std::optional<std::string> revision_path;  ///< of the challenge in it
  std::optional<std::vector<std::string>>
      axioms;  ///< of a shortened verdict: what all proofs rest on, together
  ToolchainFacts toolchain;
  std::vector<ModuleHash> modules;  ///< of the project, which both texts rest on
  std::vector<PackageHash> packages;
  Sandbox sandbox = Sandbox::None;
  std::optional<std::string> sandbox_note;  ///< why there is no sandbox
  bool kernel_replayed = false;
  std::optional<KernelFacts> kernel;    ///< if there was a kernel
  std::vector<KernelResult> kernels;    ///< all kernels to ask, first the one that replays modules
  std::optional<ExportFacts> exported;  ///< the export that kernels outside of Lean have read, if any was
                                        ///< asked
  std::optional<ComparatorFacts> comparator;  ///< only if the request has a question for the comparator
  std::optional<CostFacts> cost;              ///< only if the request asks for it
  std::vector<std::string> checked_by;        ///< the checks that ran to their end
  std::optional<std::string> complete_with;   ///< what to do if the verdict is incomplete
  bool timed_out = false;
  /// For each of `names`, the SHA-256 of its statement in the challenge with everything of the project below
  /// it (fingerprint.hpp). Only if the request asks for it, and only in receipts.
  std::vector<std::string> fingerprints;
  std::optional<Page> page;               ///< only if the request asks for it
  std::optional<std::string> page_text;   ///< to_text(), which the answers of tools have instead of `page`
  std::optional<ApprovalFacts> approval;  ///< only if the request has an approval

  static wire::Fields fields();
};

/// Shortens a verdict to what differs: one name for all of which the same is so, the axioms once, and no
/// statement of a theorem among several that are certified as it is stated.
void shorten(Certificate& certificate);

}  // namespace leanbridge::certify
