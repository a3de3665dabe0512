#include "leanbridge/corpus/paper.hpp"

#include "leanbridge/text/utf8.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace leanbridge::corpus {

using nlohmann::json;

namespace {

constexpr const char* kManifest = "manifest.json";
constexpr const char* kCards = "theorem_cards.json";

struct TooDeep {};

// Values that are not what they should be: counted per member, since a broken file may have thousands.
class WrongTypes {
 public:
  WrongTypes(std::string file, Paper& paper) : file_(std::move(file)), paper_(paper) {}
  WrongTypes(const WrongTypes&) = delete;
  WrongTypes& operator=(const WrongTypes&) = delete;
  ~WrongTypes() {
    for (const auto& [what, seen] : seen_)
      paper_.problems.push_back({ProblemKind::WrongType, file_,
                                 what + ": left out " + std::to_string(seen.count) +
                                     ", the first is number " + std::to_string(seen.first + 1) + "."});
  }
  void add(const std::string& what, std::size_t index) {
    const auto [entry, is_new] = seen_.try_emplace(what, Seen{index, 0});
    ++entry->second.count;
  }

 private:
  struct Seen {
    std::size_t first;
    std::size_t count;
  };
  std::string file_;
  Paper& paper_;
  std::map<std::string, Seen> seen_;
};

std::optional<json> parse(std::string_view bytes, const char* file, Paper& paper) {
  const auto problem = [&](ProblemKind kind, std::string message) {
    paper.problems.push_back({kind, file, std::move(message)});
    return std::nullopt;
  };
  if (const auto bad = text::first_invalid_byte(bytes))
    return problem(ProblemKind::InvalidUtf8, "Byte " + std::to_string(*bad) + " is not valid UTF-8.");
  try {
    return json::parse(bytes, [](int depth, json::parse_event_t, const json&) {
      if (depth > kMaxNesting) throw TooDeep{};
      return true;
    });
  } catch (const TooDeep&) {
    return problem(ProblemKind::MalformedJson,
                   "It is nested deeper than " + std::to_string(kMaxNesting) + " levels.");
  } catch (const json::parse_error& error) {
    return problem(ProblemKind::MalformedJson, "It is not JSON, at byte " + std::to_string(error.byte) + ".");
  } catch (const json::exception&) {
    return problem(ProblemKind::MalformedJson, "It holds a number that is out of range.");
  }
}

std::optional<std::string> member(const json& card, const char* name, std::size_t index, WrongTypes& wrong) {
  const auto found = card.find(name);
  if (found == card.end() || found->is_null()) return std::nullopt;
  if (found->is_string()) return found->get<std::string>();
  wrong.add(std::string(name) + " of a card is no string", index);
  return std::nullopt;
}

void read_edges(Paper& paper, WrongTypes& wrong) {
  const json& graph = paper.dependency_graph;
  if (graph.is_null()) return;
  if (!graph.is_array()) {
    paper.problems.push_back({ProblemKind::WrongType, kManifest, "dependency_graph is no list of edges."});
    return;
  }
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const json& edge = graph[i];
    const auto from = edge.is_object() ? edge.find("from") : edge.end();
    const auto to = edge.is_object() ? edge.find("to") : edge.end();
    if (from == edge.end() || to == edge.end() || !from->is_string() || !to->is_string())
      wrong.add("an entry of dependency_graph is no {from, to}", i);
    else
      paper.edges.push_back({from->get<std::string>(), to->get<std::string>(), edge});
  }
}

Card read_card(const json& published, std::size_t index, WrongTypes& wrong) {
  Card card;
  card.id = member(published, "id", index, wrong);
  card.claim_id = member(published, "claim_id", index, wrong);
  card.lean_decl = member(published, "lean_decl", index, wrong);
  card.file_path = member(published, "file_path", index, wrong);
  card.proof_status = member(published, "proof_status", index, wrong);
  const auto ids = published.find("dependency_ids");
  if (ids != published.end() && ids->is_array()) {
    for (const json& id : *ids) {
      if (id.is_string())
        card.dependency_ids.push_back(id.get<std::string>());
      else
        wrong.add("an entry of dependency_ids is no string, in a card", index);
    }
  } else if (ids != published.end() && !ids->is_null()) {
    wrong.add("dependency_ids of a card is no list", index);
  }
  card.published = published;
  return card;
}

}  // namespace

std::string_view wire_name(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::Missing:
      return "missing";
    case ProblemKind::Unreadable:
      return "unreadable";
    case ProblemKind::OutsideCorpus:
      return "outside_corpus";
    case ProblemKind::TooLarge:
      return "too_large";
    case ProblemKind::InvalidUtf8:
      return "invalid_utf8";
    case ProblemKind::MalformedJson:
      return "malformed_json";
    case ProblemKind::WrongType:
      return "wrong_type";
    case ProblemKind::Duplicate:
      return "duplicate";
  }
  return "unreadable";
}

void read_manifest(std::string_view bytes, Paper& paper) {
  const auto manifest = parse(bytes, kManifest, paper);
  if (!manifest) return;
  if (!manifest->is_object()) {
    paper.problems.push_back({ProblemKind::WrongType, kManifest, "It is no object."});
    return;
  }
  paper.usable = true;
  WrongTypes wrong(kManifest, paper);
  paper.dependency_graph = manifest->value("dependency_graph", json());
  read_edges(paper, wrong);
  const json index = manifest->value("declaration_index", json());
  if (!index.is_array()) {
    if (!index.is_null())
      paper.problems.push_back({ProblemKind::WrongType, kManifest, "declaration_index is no list."});
    return;
  }
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (index[i].is_string())
      paper.declaration_index.push_back(index[i].get<std::string>());
    else
      wrong.add("an entry of declaration_index is no string", i);
  }
}

void read_cards(std::string_view bytes, Paper& paper) {
  const auto cards = parse(bytes, kCards, paper);
  if (!cards) return;
  if (!cards->is_array()) {
    paper.problems.push_back({ProblemKind::WrongType, kCards, "It is no list."});
    return;
  }
  paper.usable = true;
  WrongTypes wrong(kCards, paper);
  std::set<std::string> ids, twice;
  for (std::size_t i = 0; i < cards->size(); ++i) {
    const json& published = (*cards)[i];
    if (!published.is_object()) {
      wrong.add("an entry is no card", i);
      continue;
    }
    Card card = read_card(published, i, wrong);
    if (card.id && !ids.insert(*card.id).second) twice.insert(*card.id);
    paper.cards.push_back(std::move(card));
  }
  if (!twice.empty())
    paper.problems.push_back({ProblemKind::Duplicate, kCards,
                              std::to_string(twice.size()) + " ids belong to several cards, like " +
                                  *twice.begin() + ": dependencies on them mean the first one."});
}

std::string name_key(std::string_view name) {
  constexpr std::string_view kOpen = "«", kClose = "»";
  std::string key;
  while (!name.empty()) {
    const std::size_t close = name.starts_with(kOpen) ? name.find(kClose) : std::string_view::npos;
    if (close == std::string_view::npos) {
      const std::size_t dot = std::min(name.find('.'), name.size() - 1);
      key += name.substr(0, dot + 1);
      name.remove_prefix(dot + 1);
      continue;
    }
    const std::string_view inner = name.substr(kOpen.size(), close - kOpen.size());
    const bool quotes_a_dot = inner.find('.') != std::string_view::npos;
    key += quotes_a_dot ? name.substr(0, close + kClose.size()) : inner;
    name.remove_prefix(close + kClose.size());
  }
  return key;
}

std::string with_slashes(std::string path) {
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

}  // namespace leanbridge::corpus
