#pragma once
/// The declarations that a paper's published records name. Pure.

#include "leanbridge/corpus/paper.hpp"

namespace leanbridge::corpus {

enum class Source { Manifest, TheoremCards };

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
