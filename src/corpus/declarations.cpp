#include "leanbridge/corpus/declarations.hpp"

#include "leanbridge/base/ascii.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace leanbridge::corpus {

using nlohmann::json;

namespace {

json or_null(const std::optional<std::string>& text) {
  return text ? json(*text) : json();
}

}  // namespace

std::vector<Record> declarations(const Paper& paper) {
  std::vector<Record> records;
  for (const std::string& name : paper.declaration_index) {
    Record record;
    record.lean_decl = name;
    record.in_manifest = true;
    records.push_back(std::move(record));
  }
  for (const Card& card : paper.cards) {
    Record record;
    record.source = Source::TheoremCards;
    record.lean_decl = card.lean_decl;
    record.file_path = card.file_path;
    record.proof_status = card.proof_status;
    record.claim_id = card.claim_id;
    if (card.claim_id) record.claim_ids.push_back(*card.claim_id);
    records.push_back(std::move(record));
  }
  return records;
}

std::vector<Record> without_duplicates(std::vector<Record> records) {
  using What = std::tuple<std::string, std::optional<std::string>, std::optional<std::string>>;
  std::vector<Record> kept;
  std::map<std::string, std::size_t> by_name;  // the first of that name
  std::map<What, std::size_t> cards;
  for (Record& record : records) {
    record.merged = true;
    if (!record.lean_decl) {
      kept.push_back(std::move(record));
      continue;
    }
    const std::string name = name_key(*record.lean_decl);
    const auto first = by_name.find(name);
    if (record.source == Source::Manifest) {
      if (first != by_name.end()) {
        kept[first->second].in_manifest = true;
        continue;
      }
    } else {
      const auto [same, is_new] =
          cards.try_emplace({name, record.file_path, record.proof_status}, kept.size());
      if (!is_new) {
        auto& claims = kept[same->second].claim_ids;
        if (record.claim_id && std::find(claims.begin(), claims.end(), *record.claim_id) == claims.end())
          claims.push_back(*record.claim_id);
        continue;
      }
      if (first != by_name.end()) {
        record.in_manifest = kept[first->second].in_manifest;
        if (kept[first->second].source == Source::Manifest) {
          same->second = first->second;
          kept[first->second] = std::move(record);
          continue;
        }
      }
    }
    by_name.try_emplace(name, kept.size());
    kept.push_back(std::move(record));
  }
  return kept;
}

std::vector<Record> in_file(std::vector<Record> records, const std::string& file_path) {
  const std::string wanted = with_slashes(std::string(trimmed(file_path)));
  if (wanted.empty()) return records;
  std::erase_if(records, [&](const Record& record) {
    return !record.file_path || with_slashes(*record.file_path).find(wanted) == std::string::npos;
  });
  return records;
}

json to_json(const Record& record) {
  json result = {{"lean_decl", or_null(record.lean_decl)}, {"source", "manifest"}};
  json sources = json::array();
  if (record.in_manifest) sources.push_back("manifest");
  if (record.source == Source::TheoremCards) {
    result["file_path"] = or_null(record.file_path);
    result["proof_status"] = or_null(record.proof_status);
    result["claim_id"] = or_null(record.claim_id);
    result["source"] = "theorem_cards";
    sources.push_back("theorem_cards");
    if (record.merged) result["claim_ids"] = record.claim_ids;
  }
  if (record.merged) result["sources"] = std::move(sources);
  return result;
}

}  // namespace leanbridge::corpus
