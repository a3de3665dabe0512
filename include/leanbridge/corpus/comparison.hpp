#pragma once
/// Where what was published of a paper and what Lean says of its files now are not the same. Pure: what Lean
/// says comes in as data.

#include "leanbridge/corpus/graph.hpp"

namespace leanbridge::corpus {

enum class LiveStatus {
  Proved,  ///< no error and no sorry in it; of a definition: it is accepted
  Sorry,
  Error,
  Elaborating,  ///< not known in time
  Unknown       ///< Lean may keep silent about sorry there
};
wire::Names<LiveStatus> names_of(LiveStatus);

/// A declaration as Lean has it now.
struct LiveDeclaration {
  std::string lean_decl;             ///< in full
  std::string kind;                  ///< "theorem", "def", ...; empty where it is made by another declaration
  std::string type;                  ///< with its binders; empty where it is not known
  std::optional<LiveStatus> status;  ///< nullopt: made by another declaration, which has it
  int start_line = 0;
  int end_line = 0;
  std::optional<std::vector<std::string>> dependencies;  ///< named in its text; nullopt: not known
};

/// A file of the paper as Lean has it now.
struct LiveFile {
  std::string file_path;  ///< as the cards have it
  bool exists = true;
  bool complete = false;  ///< all of it is elaborated, and its imports are there
  std::vector<LiveDeclaration> declarations;
  std::vector<std::string> not_here;  ///< names that were looked for and that Lean does not know in this file
};

enum class DisagreementKind { MissingFile, MissingDeclaration, ProofStatus, RestsOn, Dependencies };
wire::Names<DisagreementKind> names_of(DisagreementKind);

struct Disagreement {
  DisagreementKind kind;
  std::optional<std::string> lean_decl;
  std::string file_path;
  nlohmann::json published;
  nlohmann::json live;
  std::string message;
};

/// The cards of these files against Lean. What is not known yet disagrees with nothing.
std::vector<Disagreement> compare(const Paper& paper, const std::vector<LiveFile>& files);

}  // namespace leanbridge::corpus
