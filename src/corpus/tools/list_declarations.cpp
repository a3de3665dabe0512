// list_declarations_for_paper and list_declarations_in_file: the declarations in a paper's published records,
// and on request in Lean.

#include "core/lean/project.hpp"
#include "corpus_paper.hpp"
#include "live_declarations.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace leanbridge::tools {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxRecords = 2000;  // in a list of an answer

/// Up to kMaxRecords records.
struct DeclarationList {
  std::vector<nlohmann::json> declarations;  ///< from corpus::to_json(), and LiveRecord
  std::size_t total = 0;
  bool truncated = false;

  static wire::Fields fields() {
    return {wire::field<&DeclarationList::declarations>(),
            wire::field<&DeclarationList::total>().only_if<&DeclarationList::truncated>(),
            wire::field<&DeclarationList::truncated>().omit_empty()};
  }
};

DeclarationList declaration_list(std::vector<nlohmann::json> records) {
  DeclarationList list;
  list.total = records.size();
  list.truncated = records.size() > kMaxRecords;
  if (list.truncated) records.resize(kMaxRecords);
  list.declarations = std::move(records);
  return list;
}

// --- list_declarations_for_paper

struct PaperDeclarationsParams {
  PaperParams paper;
  bool dedupe = false;

  static wire::Fields fields() {
    return {wire::flatten<&PaperDeclarationsParams::paper>(),
            wire::field<&PaperDeclarationsParams::dedupe>("Merge records that say the same").with_default()};
  }
};

struct PaperDeclarationsResult {
  DeclarationList list;
  PublishedStatus status;

  static wire::Fields fields() {
    return {wire::flatten<&PaperDeclarationsResult::list>(),
            wire::flatten<&PaperDeclarationsResult::status>()};
  }
};

asio::awaitable<Result<PaperDeclarationsResult>> declarations_of_paper(Environment& environment,
                                                                       std::shared_ptr<mcp::Call> call,
                                                                       PaperDeclarationsParams params) {
  CO_TRY(const PublishedPaper published, co_await read_published(environment, call, params.paper.paper_id));
  auto records = corpus::declarations(published.paper);
  if (params.dedupe) records = corpus::without_duplicates(std::move(records));
  std::vector<nlohmann::json> list;
  list.reserve(records.size());
  for (const corpus::Record& record : records) list.push_back(corpus::to_json(record));
  co_return PaperDeclarationsResult{declaration_list(std::move(list)), status_of(published)};
}

}  // namespace

mcp::Tool list_declarations_for_paper(Environment& environment) {
  return make_tool(environment,
                   {.name = "list_declarations_for_paper",
                    .title = "Declarations of a paper",
                    .group = "corpus",
                    .description = "The Lean declarations named in a paper's published records (its manifest "
                                   "and theorem cards). dedupe merges records that say the same."},
                   declarations_of_paper);
}

// --- list_declarations_in_file

namespace {

constexpr std::size_t kMaxListedFiles = 8;  // files that one call may ask Lean about

struct FileDeclarationsParams {
  PaperParams paper;
  std::string file_path;
  bool live = false;

  static wire::Fields fields() {
    return {wire::flatten<&FileDeclarationsParams::paper>(),
            wire::field<&FileDeclarationsParams::file_path>("Path or part of it"),
            wire::field<&FileDeclarationsParams::live>("Also ask Lean").with_default()};
  }
};

/// A declaration as Lean knows it now, listed with the published ones.
struct LiveRecord {
  std::string lean_decl;
  std::string file_path;  ///< as the cards have it
  wire::Nullable<std::string> kind;
  wire::Nullable<std::string> type;
  wire::Nullable<std::string> proof_status;  ///< a word of corpus::LiveStatus
  wire::Nullable<int> start_line;
  wire::Nullable<int> end_line;
  wire::Nullable<std::vector<std::string>> dependencies;
  bool published = false;  ///< a published record also names it
  std::string source = "lean";

  static wire::Fields fields() {
    return wire::fields<&LiveRecord::lean_decl, &LiveRecord::file_path, &LiveRecord::kind, &LiveRecord::type,
                        &LiveRecord::proof_status, &LiveRecord::start_line, &LiveRecord::end_line,
                        &LiveRecord::dependencies, &LiveRecord::published, &LiveRecord::source>();
  }
};

struct LiveFileError {
  std::string kind;  ///< a word of wire_name(ErrorKind)
  std::string message;
  std::string hint;

  static wire::Fields fields() {
    return wire::fields<&LiveFileError::kind, &LiveFileError::message, &LiveFileError::hint>();
  }
};

/// A file that Lean was asked about.
struct LiveFileItem {
  std::string file_path;  ///< as the cards have it
  bool complete = false;
  wire::Nullable<document::Version> version;
  std::optional<LiveFileError> error;

  static wire::Fields fields() {
    return wire::fields<&LiveFileItem::file_path, &LiveFileItem::complete, &LiveFileItem::version,
                        &LiveFileItem::error>();
  }
};

/// The optional fields are present if Lean was asked.
struct FileDeclarationsResult {
  DeclarationList list;
  std::optional<std::vector<LiveFileItem>> files;
  std::optional<std::vector<corpus::Disagreement>> disagreements;
  std::optional<bool> timed_out;
  PublishedStatus status;

  static wire::Fields fields() {
    return {wire::flatten<&FileDeclarationsResult::list>(), wire::field<&FileDeclarationsResult::files>(),
            wire::field<&FileDeclarationsResult::disagreements>(),
            wire::field<&FileDeclarationsResult::timed_out>().omit_empty(),
            wire::flatten<&FileDeclarationsResult::status>()};
  }
};

// The files of these records, as the cards spell them. If no card has a file, the path in the call.
std::vector<std::string> files_of(const std::vector<corpus::Record>& records,
                                  const std::string& path_in_call) {
  std::vector<std::string> files;
  for (const corpus::Record& record : records) {
    if (!record.file_path || record.file_path->empty()) continue;
    const std::string path = corpus::with_slashes(*record.file_path);
    if (std::find(files.begin(), files.end(), path) == files.end()) files.push_back(path);
  }
  if (files.empty() && path_in_call.ends_with(".lean")) files.push_back(corpus::with_slashes(path_in_call));
  return files;
}

// Resolves a card's path, which is relative to the folder of the corpus. It must stay in that folder, because
// cards are untrusted.
Result<fs::path> path_of(const fs::path& root, const std::string& file_path) {
  const auto outside = [&] {
    return fail(ErrorKind::OutsideProject, file_path + " is outside the folder of the corpus.",
                "Use lean_file_outline to read this file.");
  };
  if (file_path.find('\0') != std::string::npos || root.empty()) return outside();
  std::error_code error;
  const fs::path folder = fs::canonical(root, error);
  const fs::path path = error ? fs::path() : fs::weakly_canonical(folder / file_path, error);
  if (error || !lean::is_within(path, folder)) return outside();
  return path;
}

std::vector<std::string> names_in(const corpus::Paper& paper, const std::string& file_path) {
  std::vector<std::string> names;
  for (const corpus::Card& card : paper.cards)
    if (card.lean_decl && card.file_path && corpus::with_slashes(*card.file_path) == file_path)
      names.push_back(*card.lean_decl);
  return names;
}

asio::awaitable<Result<LiveAnswer>> ask_file(Environment& environment, std::shared_ptr<mcp::Call> call,
                                             const PublishedPaper& published, std::string file_path) {
  const auto path = path_of(published.root, file_path);
  if (!path) {
    LiveAnswer answer;
    answer.file.file_path = std::move(file_path);
    answer.error = path.error();
    co_return answer;
  }
  auto names = names_in(published.paper, file_path);
  auto answer = co_await ask_live(environment, call, *path, std::move(file_path), std::move(names));
  co_return answer;
}

LiveRecord live_record(const corpus::LiveDeclaration& live, const std::string& file_path, bool is_published) {
  LiveRecord record;
  record.lean_decl = live.lean_decl;
  record.file_path = file_path;
  if (!live.kind.empty()) record.kind = live.kind;
  if (!live.type.empty()) record.type = live.type;
  if (live.status) record.proof_status = std::string(wire::name_of(*live.status));
  if (live.start_line > 0) record.start_line = live.start_line;
  if (live.end_line > 0) record.end_line = live.end_line;
  record.dependencies = live.dependencies;
  record.published = is_published;
  return record;
}

LiveFileItem item_of(const LiveAnswer& live) {
  LiveFileItem item;
  item.file_path = live.file.file_path;
  item.complete = live.file.complete;
  if (live.version > 0) item.version = live.version;
  if (live.error)
    item.error =
        LiveFileError{std::string(wire_name(live.error->kind)), live.error->message, live.error->hint};
  return item;
}

// Marks the published records, which `list` contains as JSON, with their disagreements, appends what Lean
// knows, and adds the lists of files and disagreements to the result.
void add_live(FileDeclarationsResult& result, std::vector<json>& list,
              const std::vector<corpus::Record>& records, const corpus::Paper& paper,
              const std::vector<LiveAnswer>& answers) {
  std::set<std::string> names;
  for (const corpus::Record& record : corpus::declarations(paper))
    if (record.lean_decl) names.insert(corpus::name_key(*record.lean_decl));
  std::vector<LiveFileItem> files;
  std::vector<corpus::LiveFile> live;
  bool timed_out = false;
  for (const LiveAnswer& one : answers) {
    files.push_back(item_of(one));
    live.push_back(one.file);
    timed_out = timed_out || one.timed_out;
    if (!one.file.complete) result.status.partial = true;
  }
  using NameAndFile = std::pair<std::optional<std::string>, std::optional<std::string>>;
  std::map<NameAndFile, std::set<std::string>> kinds;
  auto disagreements = corpus::compare(paper, live);
  for (const corpus::Disagreement& item : disagreements)
    kinds[{item.lean_decl ? std::optional(*item.lean_decl) : std::nullopt, item.file_path}].insert(
        wire::name_of(item.kind));
  for (std::size_t i = 0; i < records.size(); ++i)
    if (const auto found = kinds.find({records[i].lean_decl, records[i].file_path}); found != kinds.end())
      list[i]["disagreement"] = found->second;
  for (const corpus::LiveFile& file : live)
    for (const corpus::LiveDeclaration& declaration : file.declarations) {
      const bool is_published = names.contains(corpus::name_key(declaration.lean_decl));
      list.push_back(wire::write(live_record(declaration, file.file_path, is_published)));
    }
  result.files = std::move(files);
  result.disagreements = std::move(disagreements);
  result.timed_out = timed_out;
}

asio::awaitable<Result<FileDeclarationsResult>> declarations_of_file(Environment& environment,
                                                                     std::shared_ptr<mcp::Call> call,
                                                                     FileDeclarationsParams params) {
  CO_TRY(const PublishedPaper published, co_await read_published(environment, call, params.paper.paper_id));
  const auto records = corpus::in_file(corpus::declarations(published.paper), params.file_path);
  std::vector<json> list;
  list.reserve(records.size());
  for (const corpus::Record& record : records) list.push_back(corpus::to_json(record));
  FileDeclarationsResult result;
  result.status = status_of(published);
  bool more_files = false;
  if (params.live && published.paper.found) {
    std::vector<std::string> files = files_of(records, params.file_path);
    more_files = files.size() > kMaxListedFiles;
    if (more_files) files.resize(kMaxListedFiles);
    std::vector<LiveAnswer> answers;
    for (const std::string& file : files) {
      CO_TRY(LiveAnswer live, co_await ask_file(environment, call, published, file));
      answers.push_back(std::move(live));
    }
    add_live(result, list, records, published.paper, answers);
  }
  result.list = declaration_list(std::move(list));
  if (more_files) result.list.truncated = true;
  co_return result;
}

}  // namespace

mcp::Tool list_declarations_in_file(Environment& environment) {
  return make_tool(environment,
                   {.name = "list_declarations_in_file",
                    .title = "Declarations of a paper's file",
                    .group = "corpus",
                    .description = "The theorem cards of a paper whose file_path contains this text. live "
                                   "also asks Lean: declarations with types, proof status and dependencies, "
                                   "and where the cards and Lean disagree."},
                   declarations_of_file);
}

}  // namespace leanbridge::tools
