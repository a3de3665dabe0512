#include "paper.hpp"

#include "core/base/ascii.hpp"
#include "core/base/files.hpp"
#include "core/base/json.hpp"
#include "core/base/try.hpp"
#include "core/platform/files.hpp"
#include "core/text/lean_names.hpp"
#include "core/text/utf8.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace leanbridge::corpus {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kManifest = "manifest.json";
constexpr const char* kCards = "theorem_cards.json";

// Values of the wrong type, counted per member: a broken file may have thousands.
class WrongTypes {
 public:
  WrongTypes(std::string file, Paper& paper) : file_(std::move(file)), paper_(paper) {}
  WrongTypes(const WrongTypes&) = delete;
  WrongTypes& operator=(const WrongTypes&) = delete;
  ~WrongTypes() {
    for (const auto& [what, seen] : seen_)
      paper_.problems.push_back({ProblemKind::WrongType, file_,
                                 what + ": omitted " + std::to_string(seen.count) + ", the first is number " +
                                     std::to_string(seen.first + 1) + "."});
  }
  void add(const std::string& what, std::size_t index) {
    const auto [entry, is_new] = seen_.try_emplace(what, Occurrences{index, 0});
    ++entry->second.count;
  }

 private:
  struct Occurrences {
    std::size_t first;
    std::size_t count;
  };
  std::string file_;
  Paper& paper_;
  std::map<std::string, Occurrences> seen_;
};

std::optional<json> parse(std::string_view bytes, const char* file, Paper& paper) {
  const auto problem = [&](ProblemKind kind, std::string message) {
    paper.problems.push_back({kind, file, std::move(message)});
    return std::nullopt;
  };
  if (const auto bad = text::first_invalid_byte(bytes))
    return problem(ProblemKind::InvalidUtf8, "Byte " + std::to_string(*bad) + " is not valid UTF-8.");
  if (nests_deeper_than(bytes, kMaxNesting))
    return problem(ProblemKind::MalformedJson,
                   "It is nested deeper than " + std::to_string(kMaxNesting) + " levels.");
  try {
    return json::parse(bytes);
  } catch (const json::parse_error& error) {
    return problem(ProblemKind::MalformedJson, "Invalid JSON at byte " + std::to_string(error.byte) + ".");
  } catch (const json::exception&) {
    return problem(ProblemKind::MalformedJson, "It contains a number that is out of range.");
  }
}

std::optional<std::string> member(const json& card, const char* name, std::size_t index, WrongTypes& wrong) {
  const auto found = card.find(name);
  if (found == card.end() || found->is_null()) return std::nullopt;
  if (found->is_string()) return found->get<std::string>();
  wrong.add(std::string(name) + " of a card is not a string", index);
  return std::nullopt;
}

void read_edges(Paper& paper, WrongTypes& wrong) {
  const json& graph = paper.dependency_graph;
  if (graph.is_null()) return;
  if (!graph.is_array()) {
    paper.problems.push_back({ProblemKind::WrongType, kManifest, "dependency_graph is not a list of edges."});
    return;
  }
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const json& edge = graph[i];
    const auto from = edge.is_object() ? edge.find("from") : edge.end();
    const auto to = edge.is_object() ? edge.find("to") : edge.end();
    if (from == edge.end() || to == edge.end() || !from->is_string() || !to->is_string())
      wrong.add("an entry of dependency_graph is not a {from, to}", i);
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
        wrong.add("an entry of dependency_ids of a card is not a string", index);
    }
  } else if (ids != published.end() && !ids->is_null()) {
    wrong.add("dependency_ids of a card is not a list", index);
  }
  card.published = published;
  return card;
}

}  // namespace

wire::Names<ProblemKind> names_of(ProblemKind) {
  return {{ProblemKind::Missing, "missing"},
          {ProblemKind::Unreadable, "unreadable"},
          {ProblemKind::OutsideCorpus, "outside_corpus"},
          {ProblemKind::TooLarge, "too_large"},
          {ProblemKind::InvalidUtf8, "invalid_utf8"},
          {ProblemKind::MalformedJson, "malformed_json"},
          {ProblemKind::WrongType, "wrong_type"},
          {ProblemKind::Duplicate, "duplicate"}};
}

void read_manifest(std::string_view bytes, Paper& paper) {
  const auto manifest = parse(bytes, kManifest, paper);
  if (!manifest) return;
  if (!manifest->is_object()) {
    paper.problems.push_back({ProblemKind::WrongType, kManifest, "It is not an object."});
    return;
  }
  paper.usable = true;
  WrongTypes wrong(kManifest, paper);
  paper.dependency_graph = manifest->value("dependency_graph", json());
  read_edges(paper, wrong);
  const json index = manifest->value("declaration_index", json());
  if (!index.is_array()) {
    if (!index.is_null())
      paper.problems.push_back({ProblemKind::WrongType, kManifest, "declaration_index is not a list."});
    return;
  }
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (index[i].is_string())
      paper.declaration_index.push_back(index[i].get<std::string>());
    else
      wrong.add("an entry of declaration_index is not a string", i);
  }
}

void read_cards(std::string_view bytes, Paper& paper) {
  const auto cards = parse(bytes, kCards, paper);
  if (!cards) return;
  if (!cards->is_array()) {
    paper.problems.push_back({ProblemKind::WrongType, kCards, "It is not a list."});
    return;
  }
  paper.usable = true;
  WrongTypes wrong(kCards, paper);
  std::set<std::string> ids, twice;
  for (std::size_t i = 0; i < cards->size(); ++i) {
    const json& published = (*cards)[i];
    if (!published.is_object()) {
      wrong.add("an entry is not a card", i);
      continue;
    }
    Card card = read_card(published, i, wrong);
    if (card.id && !ids.insert(*card.id).second) twice.insert(*card.id);
    paper.cards.push_back(std::move(card));
  }
  if (!twice.empty())
    paper.problems.push_back({ProblemKind::Duplicate, kCards,
                              std::to_string(twice.size()) + " ids belong to several cards, such as " +
                                  *twice.begin() + "; dependencies refer to the first card."});
}

std::string name_key(std::string_view name) {
  std::string key;
  const auto parts = text::parts_of(name);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string_view inner = text::unquoted(parts[i]);
    const bool quotes_a_dot = inner.find('.') != std::string_view::npos;
    key.append(i == 0 ? "" : ".").append(quotes_a_dot ? parts[i] : inner);
  }
  return key;
}

std::string with_slashes(std::string path) {
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

// --- finding a corpus and reading its files, never outside of it

namespace {

bool is_within(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

std::optional<std::string> read_file(const fs::path& corpus, const fs::path& folder, const char* name,
                                     Paper& paper) {
  const auto problem = [&](ProblemKind kind, std::string message) {
    paper.problems.push_back({kind, name, std::move(message)});
    return std::nullopt;
  };
  const auto describe = [&](const FileProblem& found) {
    using Kind = FileProblem::Kind;
    if (found.kind == Kind::Missing) return problem(ProblemKind::Missing, "The file does not exist.");
    if (found.kind == Kind::Directory || found.kind == Kind::Special)
      return problem(ProblemKind::Unreadable, "It is not a regular file.");
    if (found.kind == Kind::TooLarge)
      return problem(ProblemKind::TooLarge,
                     "It is larger than " + std::to_string(kMaxFileBytes >> 20) + " MiB.");
    return problem(ProblemKind::Unreadable, "Cannot read it: " + found.why + ".");
  };
  const auto file = RegularFile::open(folder / name);
  if (!file) return describe(file.error());
  if (!is_within(platform::real_path(file->descriptor(), folder / name), corpus))
    return problem(ProblemKind::OutsideCorpus, "It is a link that leads out of the corpus.");
  auto content = file->read(kMaxFileBytes);
  if (!content) return describe(content.error());
  return std::move(*content);
}

}  // namespace

std::optional<fs::path> find_corpus(fs::path start) {
  std::error_code ignored;
  for (fs::path folder = std::move(start);; folder = folder.parent_path()) {
    if (fs::is_directory(folder / "corpus" / "papers", ignored) &&
        fs::is_regular_file(folder / "corpus" / "index.json", ignored))
      return folder;
    if (!folder.has_relative_path()) return std::nullopt;
  }
}

Result<void> check_paper_id(const std::string& id) {
  constexpr std::size_t kMaxName = 255;  // bytes: NAME_MAX of Linux
  const bool has_control = std::ranges::any_of(
      id, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '/' || c == '\\'; });
  if (id.empty() || id == "." || id == ".." || id.size() > kMaxName || has_control ||
      text::first_invalid_byte(id))
    return fail(ErrorKind::InvalidArgument, "paper_id is not a valid folder name in corpus/papers.",
                "Pass an id from corpus/index.json, such as langmuir_1918_adsorption.");
  return {};
}

Result<Paper> read_paper(const fs::path& root, const std::string& id) {
  TRY_DONE(check_paper_id(id));
  Paper paper;
  paper.id = id;
  std::error_code error;
  const fs::path corpus = fs::canonical(root / "corpus", error);
  const fs::path folder = error ? fs::path() : fs::canonical(corpus / "papers" / id, error);
  if (error || !fs::is_directory(folder, error) || !is_within(folder, corpus)) return paper;
  paper.found = true;
  if (const auto bytes = read_file(corpus, folder, "manifest.json", paper)) read_manifest(*bytes, paper);
  if (const auto bytes = read_file(corpus, folder, "theorem_cards.json", paper)) read_cards(*bytes, paper);
  return paper;
}

// --- the declarations in the records

namespace {

json or_null(const std::optional<std::string>& text) {
  return text ? json(*text) : json();
}

}  // namespace

wire::Names<Source> names_of(Source) {
  return {{Source::Manifest, "manifest"}, {Source::TheoremCards, "theorem_cards"}};
}

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
        if (record.claim_id && std::ranges::find(claims, *record.claim_id) == claims.end())
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

std::vector<std::string> files_of(const std::vector<Record>& records) {
  std::vector<std::string> files;
  for (const Record& record : records) {
    const std::string path = with_slashes(record.file_path.value_or(""));
    if (!path.empty() && std::ranges::find(files, path) == files.end()) files.push_back(path);
  }
  return files;
}

json to_json(const Record& record) {
  json result = {{"lean_decl", or_null(record.lean_decl)}, {"source", wire::name_of(record.source)}};
  json sources = json::array();
  if (record.in_manifest) sources.push_back(wire::name_of(Source::Manifest));
  if (record.source == Source::TheoremCards) {
    result["file_path"] = or_null(record.file_path);
    result["proof_status"] = or_null(record.proof_status);
    result["claim_id"] = or_null(record.claim_id);
    sources.push_back(wire::name_of(Source::TheoremCards));
    if (record.merged) result["claim_ids"] = record.claim_ids;
  }
  if (record.merged) result["sources"] = std::move(sources);
  return result;
}

}  // namespace leanbridge::corpus
