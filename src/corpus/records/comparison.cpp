#include "comparison.hpp"

#include <algorithm>
#include <set>

namespace leanbridge::corpus {

using nlohmann::json;

namespace {

bool claims_a_proof(const std::string& status) {
  return status == "machine_checked" || status == "linked_to_kernel";
}

// The other statuses (parsed, mapped, stubbed, disputed, ...) imply nothing about Lean's result.
bool agrees(const std::string& published, LiveStatus live) {
  if (live == LiveStatus::Elaborating) return true;
  if (claims_a_proof(published)) return live == LiveStatus::Proved;
  if (published == "compiles_with_sorries") return live == LiveStatus::Sorry || live == LiveStatus::Unknown;
  return true;
}

class Comparison {
 public:
  Comparison(const Paper& paper, const std::vector<LiveFile>& files) : paper_(paper), graph_(paper) {
    for (const LiveFile& file : files)
      for (const LiveDeclaration& declaration : file.declarations)
        live_.try_emplace(name_key(declaration.lean_decl), &declaration);
  }

  void compare(const Card& card, const LiveFile& file) {
    const std::string name = name_key(*card.lean_decl);
    const auto here = std::ranges::find_if(
        file.declarations, [&](const LiveDeclaration& live) { return name_key(live.lean_decl) == name; });
    if (here != file.declarations.end()) return compare(card, *here);
    const bool looked_for =
        std::ranges::any_of(file.not_here, [&](const std::string& other) { return name_key(other) == name; });
    if (file.complete && looked_for)
      add(DisagreementKind::MissingDeclaration, card, *card.lean_decl, nullptr,
          "Lean does not know this declaration in this file.");
  }

  void add(DisagreementKind kind, const Card& card, json published, json live, std::string message) {
    found.push_back({kind, card.lean_decl, card.file_path.value_or(""), std::move(published), std::move(live),
                     std::move(message)});
  }

  std::vector<Disagreement> found;

 private:
  void compare(const Card& card, const LiveDeclaration& live) {
    const std::string status = card.proof_status.value_or("");
    if (live.proof_status && !agrees(status, *live.proof_status)) {
      const char* const now = wire::name_of(*live.proof_status);
      add(DisagreementKind::ProofStatus, card, status, now,
          "The card says " + status + ", but Lean says " + now + ".");
    } else if (claims_a_proof(status)) {
      const auto open = unproved_below(live);
      if (!open.empty())
        add(DisagreementKind::RestsOn, card, status, open,
            "The card says " + status + ", but the declaration uses the unproved " + open.front() + ".");
    }
    if (live.dependencies) compare_dependencies(card, *live.dependencies);
  }

  // The declarations with a sorry or an error that it uses, directly or indirectly.
  std::vector<std::string> unproved_below(const LiveDeclaration& start) const {
    std::set<std::string> seen = {name_key(start.lean_decl)};
    std::vector<const LiveDeclaration*> queue = {&start};
    std::vector<std::string> open;
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const LiveDeclaration& declaration = *queue[at];
      const auto& status = declaration.proof_status;
      if (at > 0 && (status == LiveStatus::Sorry || status == LiveStatus::Error))
        open.push_back(declaration.lean_decl);
      if (!declaration.dependencies) continue;
      for (const std::string& name : *declaration.dependencies) {
        const auto known = live_.find(name_key(name));
        if (known != live_.end() && seen.insert(known->first).second) queue.push_back(known->second);
      }
    }
    return open;
  }

  // Compares only dependencies on declarations with cards, which both sides know.
  void compare_dependencies(const Card& card, const std::vector<std::string>& live) {
    std::set<std::string> carded, published, seen;
    for (const Card& other : paper_.cards)
      if (other.lean_decl) carded.insert(name_key(*other.lean_decl));
    for (const std::string& id : card.dependency_ids)
      if (const auto node = graph_.find(id); node && graph_.node(*node).lean_decl)
        published.insert(name_key(*graph_.node(*node).lean_decl));
    for (const std::string& name : live)
      if (carded.contains(name_key(name))) seen.insert(name_key(name));
    std::erase_if(published, [&](const std::string& name) { return !carded.contains(name); });
    published.erase(name_key(*card.lean_decl));
    seen.erase(name_key(*card.lean_decl));
    if (published != seen)
      add(DisagreementKind::Dependencies, card, published, seen,
          "The card's dependencies differ from the paper's declarations that its text names.");
  }

  const Paper& paper_;
  DependencyGraph graph_;
  std::map<std::string, const LiveDeclaration*> live_;
};

}  // namespace

wire::Names<LiveStatus> names_of(LiveStatus) {
  return {{LiveStatus::Proved, "proved"},
          {LiveStatus::Sorry, "sorry"},
          {LiveStatus::Error, "error"},
          {LiveStatus::Elaborating, "elaborating"},
          {LiveStatus::Unknown, "unknown"}};
}

wire::Names<DisagreementKind> names_of(DisagreementKind) {
  return {{DisagreementKind::MissingFile, "missing_file"},
          {DisagreementKind::MissingDeclaration, "missing_declaration"},
          {DisagreementKind::ProofStatus, "proof_status"},
          {DisagreementKind::RestsOn, "rests_on"},
          {DisagreementKind::Dependencies, "dependencies"}};
}

std::vector<Disagreement> compare(const Paper& paper, const std::vector<LiveFile>& files) {
  Comparison comparison(paper, files);
  for (const LiveFile& file : files) {
    const std::string path = with_slashes(file.file_path);
    for (const Card& card : paper.cards) {
      if (!card.file_path || with_slashes(*card.file_path) != path) continue;
      if (!file.exists)
        comparison.add(DisagreementKind::MissingFile, card, *card.file_path, nullptr,
                       "The file does not exist.");
      else if (card.lean_decl)
        comparison.compare(card, file);
    }
  }
  return std::move(comparison.found);
}

std::vector<json> with_live(const Paper& paper, const std::vector<Record>& records,
                            const std::vector<LiveFile>& files,
                            const std::vector<Disagreement>& disagreements) {
  std::set<std::string> published;
  for (const Record& record : declarations(paper))
    if (record.lean_decl) published.insert(name_key(*record.lean_decl));
  using NameAndFile = std::pair<std::optional<std::string>, std::optional<std::string>>;
  std::map<NameAndFile, std::set<std::string>> kinds;
  for (const Disagreement& each : disagreements)
    kinds[{each.lean_decl ? std::optional(*each.lean_decl) : std::nullopt, each.file_path}].insert(
        wire::name_of(each.kind));
  std::vector<json> list;
  for (const Record& record : records) {
    list.push_back(to_json(record));
    if (const auto found = kinds.find({record.lean_decl, record.file_path}); found != kinds.end())
      list.back()["disagreement"] = found->second;
  }
  for (const LiveFile& file : files)
    for (const LiveDeclaration& declaration : file.declarations) {
      list.push_back(wire::write(declaration));
      list.back()["file_path"] = file.file_path;
      list.back()["published"] = published.contains(name_key(declaration.lean_decl));
      list.back()["source"] = "lean";
    }
  return list;
}

}  // namespace leanbridge::corpus
