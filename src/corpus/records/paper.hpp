#pragma once
/// The published records of a paper: corpus/papers/ID/manifest.json and theorem_cards.json. Reads as much as
/// it can; missing or invalid data becomes a Problem, never an exception. Reading blocks: call it on the
/// pool. Writes nothing.

#include "core/base/error.hpp"
#include "core/base/json_struct.hpp"
#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::corpus {

inline constexpr std::size_t kMaxFileBytes = 8u << 20;  ///< files of real papers have about 10 kB
inline constexpr int kMaxNesting = 64;                  ///< depth of the JSON

enum class ProblemKind {
  Missing,
  Unreadable,     ///< no permission, or not a regular file
  OutsideCorpus,  ///< a symbolic link leads out of the corpus
  TooLarge,
  InvalidUtf8,
  MalformedJson,
  WrongType,  ///< a document or some members have the wrong type; such members are omitted
  Duplicate,  ///< several cards have the same id: the first one wins
};
wire::Names<ProblemKind> names_of(ProblemKind);

struct Problem {
  ProblemKind kind;
  std::string file;  ///< "manifest.json" or "theorem_cards.json"
  std::string message;

  static wire::Fields fields() { return wire::fields<&Problem::kind, &Problem::file, &Problem::message>(); }
};

/// A theorem card. nullopt: the member is absent, null or not a string.
struct Card {
  std::optional<std::string> id;
  std::optional<std::string> claim_id;
  std::optional<std::string> lean_decl;
  std::optional<std::string> file_path;
  std::optional<std::string> proof_status;
  std::vector<std::string> dependency_ids;
  nlohmann::json published;  ///< the whole card
};

/// An edge of the manifest's dependency_graph: `to` depends on `from`. Both are ids of cards, or names.
struct Edge {
  std::string from;
  std::string to;
  nlohmann::json published;
};

struct Paper {
  std::string id;
  bool found = false;   ///< the paper has a folder
  bool usable = false;  ///< at least one of its two files was readable
  std::vector<std::string> declaration_index;
  std::vector<Card> cards;
  nlohmann::json dependency_graph;  ///< from the manifest; null: none
  std::vector<Edge> edges;          ///< the valid entries of dependency_graph
  std::vector<Problem> problems;
};

/// The nearest folder, from `start` upward, with corpus/papers and corpus/index.json.
std::optional<std::filesystem::path> find_corpus(std::filesystem::path start);

/// Checks that an id can be the name of a folder. Error: InvalidArgument if it is empty, `.` or `..`,
/// contains a separator, control character or invalid UTF-8, or is too long for a file name.
Result<void> check_paper_id(const std::string& id);

/// Reads a paper of the corpus in `root`. Error: InvalidArgument as in check_paper_id(); the Paper reports
/// all other problems.
Result<Paper> read_paper(const std::filesystem::path& root, const std::string& id);

/// Parse the two documents from bytes and add errors to `paper.problems`.
void read_manifest(std::string_view bytes, Paper& paper);
void read_cards(std::string_view bytes, Paper& paper);

/// Removes guillemets that do not change the meaning: `A.«b c»` equals `A.b c`, but `A.«b.c»` differs from
/// `A.b.c`.
std::string name_key(std::string_view name);
/// Replaces `\` by `/`.
std::string with_slashes(std::string path);

// --- the declarations in the records; pure

enum class Source { Manifest, TheoremCards };
wire::Names<Source> names_of(Source);

struct Record {
  Source source = Source::Manifest;
  std::optional<std::string> lean_decl;
  std::optional<std::string> file_path;  ///< this member and the following are set only for cards
  std::optional<std::string> proof_status;
  std::optional<std::string> claim_id;
  // The following members are set for a record merged from several.
  bool merged = false;
  bool in_manifest = false;
  std::vector<std::string> claim_ids;
};

/// The manifest's declaration_index, then the cards, as published; may contain duplicates.
std::vector<Record> declarations(const Paper& paper);

/// Merges duplicates: a manifest entry into the first card of that name, and cards with the same name, file
/// and status into the first of them.
std::vector<Record> without_duplicates(std::vector<Record> records);

/// The records whose file_path contains this text (`\` means `/`); all records if it is blank.
std::vector<Record> in_file(std::vector<Record> records, const std::string& file_path);

/// The files of these records, as the cards spell them, with `/`.
std::vector<std::string> files_of(const std::vector<Record>& records);

/// The published shape: `{lean_decl, source}` for a manifest entry, `{lean_decl, file_path, proof_status,
/// claim_id, source}` for a card; merged ones also have `sources` and `claim_ids`.
nlohmann::json to_json(const Record& record);

}  // namespace leanbridge::corpus
