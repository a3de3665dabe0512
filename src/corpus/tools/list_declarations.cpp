// list_declarations_for_paper and list_declarations_in_file: the declarations in a paper's published records,
// and on request in Lean.

#include "corpus_paper.hpp"
#include "live_declarations.hpp"

#include <algorithm>

namespace leanbridge::tools {

namespace {

constexpr std::size_t kMaxRecords = 2000;  // in a list of an answer

/// Up to kMaxRecords records.
struct DeclarationList {
  std::vector<nlohmann::json> declarations;  ///< from corpus::to_json() and corpus::with_live()
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

/// The optional fields are present if Lean was asked.
struct FileDeclarationsResult {
  DeclarationList list;
  std::optional<std::vector<LiveAnswer>> files;
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

asio::awaitable<Result<FileDeclarationsResult>> declarations_of_file(Environment& environment,
                                                                     std::shared_ptr<mcp::Call> call,
                                                                     FileDeclarationsParams params) {
  CO_TRY(const PublishedPaper published, co_await read_published(environment, call, params.paper.paper_id));
  const auto records = corpus::in_file(corpus::declarations(published.paper), params.file_path);
  FileDeclarationsResult result;
  result.status = status_of(published);
  std::vector<std::string> files;
  std::vector<corpus::LiveFile> live;
  if (params.live && published.paper.found) {
    files = corpus::files_of(records);
    if (files.empty() && params.file_path.ends_with(".lean"))
      files.push_back(corpus::with_slashes(params.file_path));
    result.files.emplace();
    result.timed_out = false;
  }
  for (std::size_t i = 0; i < std::min(files.size(), kMaxListedFiles); ++i) {
    CO_TRY(LiveAnswer answer, co_await ask_live(environment, call, published, files[i]));
    result.timed_out = *result.timed_out || answer.timed_out;
    result.status.partial = result.status.partial || !answer.file.complete;
    live.push_back(answer.file);
    result.files->push_back(std::move(answer));
  }
  if (result.files) result.disagreements = corpus::compare(published.paper, live);
  auto list = corpus::with_live(published.paper, records, live,
                                result.disagreements.value_or(std::vector<corpus::Disagreement>()));
  result.list = declaration_list(std::move(list));
  if (files.size() > kMaxListedFiles) result.list.truncated = true;
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
