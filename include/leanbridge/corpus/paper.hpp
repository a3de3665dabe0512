#pragma once
/// The published records of one paper: corpus/papers/ID/manifest.json and theorem_cards.json. What is there
/// is read as far as it can be; what is missing or wrong becomes a Problem, never an exception. Reading
/// blocks: on the pool. Nothing is written.

#include "leanbridge/base/enum_names.hpp"
#include "leanbridge/base/error.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::corpus {

inline constexpr std::size_t kMaxFileBytes = 8u << 20;  ///< a published file of a real paper has some 10 kB
inline constexpr int kMaxNesting = 64;                  ///< of its JSON

enum class ProblemKind {
  Missing,
  Unreadable,     ///< no permission, or not a regular file
  OutsideCorpus,  ///< a symbolic link leads out of the corpus
  TooLarge,
  InvalidUtf8,
  MalformedJson,
  WrongType,  ///< of the whole document, or of some of its members: those are left out
  Duplicate,  ///< one id for several cards: the first one has it
};
wire::Names<ProblemKind> names_of(ProblemKind);

struct Problem {
  ProblemKind kind;
  std::string file;  ///< "manifest.json" or "theorem_cards.json"
  std::string message;
};

/// A theorem card; nullopt where the member is absent, null or no string.
struct Card {
  std::optional<std::string> id;
  std::optional<std::string> claim_id;
  std::optional<std::string> lean_decl;
  std::optional<std::string> file_path;
  std::optional<std::string> proof_status;
  std::vector<std::string> dependency_ids;
  nlohmann::json published;  ///< all of it
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
  bool usable = false;  ///< at least one of its two files could be read
  std::vector<std::string> declaration_index;
  std::vector<Card> cards;
  nlohmann::json dependency_graph;  ///< the manifest's own, null where it has none
  std::vector<Edge> edges;          ///< those of dependency_graph that are edges
  std::vector<Problem> problems;
};

/// The nearest folder, from `start` upward, that has the folder corpus/papers and the file corpus/index.json.
std::optional<std::filesystem::path> find_corpus(std::filesystem::path start);

/// An id is the name of one folder. InvalidArgument for what can be none: empty, `.`, `..`, with a separator,
/// a control character or invalid UTF-8, or longer than a file name may be.
Result<void> check_paper_id(const std::string& id);

/// Reads the paper of the corpus in `root`. InvalidArgument as check_paper_id(); all else is in the Paper.
Result<Paper> read_paper(const std::filesystem::path& root, const std::string& id);

/// The two documents, from their bytes; what is wrong is added to `paper.problems`.
void read_manifest(std::string_view bytes, Paper& paper);
void read_cards(std::string_view bytes, Paper& paper);

/// A name without the guillemets that only quote: `A.«b c»` and `A.b c` are the same name, `A.«b.c»` is
/// another than `A.b.c`.
std::string name_key(std::string_view name);
/// `\` to `/`.
std::string with_slashes(std::string path);

// --- the declarations that the records name; pure

enum class Source { Manifest, TheoremCards };
wire::Names<Source> names_of(Source);

struct Record {
  Source source = Source::Manifest;
  std::optional<std::string> lean_decl;
  std::optional<std::string> file_path;  ///< only a card has this and what follows
  std::optional<std::string> proof_status;
  std::optional<std::string> claim_id;
  // Of a record that stands for several ones:
  bool merged = false;
  bool in_manifest = false;
  std::vector<std::string> claim_ids;
};

/// The manifest's declaration_index, then the cards, as published: one declaration may be there twice.
std::vector<Record> declarations(const Paper& paper);

/// One record where several say the same: a manifest's entry goes into the first card of that name, cards of
/// one name, file and status into the first of them. What differs stays apart.
std::vector<Record> without_duplicates(std::vector<Record> records);

/// Those whose file_path contains this text (`\` means `/`); all of them where it is blank.
std::vector<Record> in_file(std::vector<Record> records, const std::string& file_path);

/// The published shape: `{lean_decl, source}` of a manifest, `{lean_decl, file_path, proof_status, claim_id,
/// source}` of a card; a merged one has `sources` and `claim_ids`, too.
nlohmann::json to_json(const Record& record);

}  // namespace leanbridge::corpus
