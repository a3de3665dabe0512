// list_declarations_in_file: what a paper's cards, and Lean where it is asked, know of a file.

#include "leanbridge/lean/project.hpp"

#include "corpus_paper.hpp"
#include "live_declarations.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxFiles = 8;  // that one call asks Lean about

// The files of these cards, as the cards spell them; where no card has one, the path that was asked about.
std::vector<std::string> files_of(const std::vector<corpus::Record>& records, const std::string& asked) {
  std::vector<std::string> files;
  for (const corpus::Record& record : records) {
    if (!record.file_path || record.file_path->empty()) continue;
    const std::string path = corpus::with_slashes(*record.file_path);
    if (std::find(files.begin(), files.end(), path) == files.end()) files.push_back(path);
  }
  if (files.empty() && asked.ends_with(".lean")) files.push_back(corpus::with_slashes(asked));
  return files;
}

// A card's path begins at the folder of the corpus, and stays below it: cards come from elsewhere.
Result<fs::path> path_of(const fs::path& root, const std::string& file_path) {
  const auto outside = [&] {
    return fail(ErrorKind::OutsideProject, file_path + " leads out of the folder of the corpus.",
                "Pass it to lean_file_outline if it is meant.");
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

json live_record(const corpus::LiveDeclaration& live, const std::string& file_path, bool is_published) {
  const auto or_null = [](const auto& value, bool known) { return known ? json(value) : json(); };
  return {{"lean_decl", live.lean_decl},
          {"file_path", file_path},
          {"kind", or_null(live.kind, !live.kind.empty())},
          {"type", or_null(live.type, !live.type.empty())},
          {"proof_status", live.status ? json(wire_name(*live.status)) : json()},
          {"start_line", or_null(live.start_line, live.start_line > 0)},
          {"end_line", or_null(live.end_line, live.end_line > 0)},
          {"dependencies", live.dependencies ? json(*live.dependencies) : json()},
          {"published", is_published},
          {"source", "lean"}};
}

json file_entry(const LiveAnswer& live) {
  json entry = {{"file_path", live.file.file_path},
                {"complete", live.file.complete},
                {"version", live.version > 0 ? json(live.version) : json()}};
  if (live.error)
    entry["error"] = {
        {"kind", wire_name(live.error->kind)}, {"message", live.error->message}, {"hint", live.error->hint}};
  return entry;
}

// To the published records what disagrees; behind them what Lean has; and both lists.
void add_live(json& answer, json& records, const corpus::Paper& paper,
              const std::vector<LiveAnswer>& answers) {
  std::set<std::string> names;
  for (const corpus::Record& record : corpus::declarations(paper))
    if (record.lean_decl) names.insert(corpus::name_key(*record.lean_decl));
  json files = json::array(), disagreements = json::array();
  std::vector<corpus::LiveFile> live;
  bool timed_out = false, complete = true;
  for (const LiveAnswer& one : answers) {
    files.push_back(file_entry(one));
    live.push_back(one.file);
    timed_out = timed_out || one.timed_out;
    complete = complete && one.file.complete;
  }
  using Which = std::pair<json, json>;  // name and file
  std::map<Which, std::set<std::string>> kinds;
  for (const corpus::Disagreement& item : corpus::compare(paper, live)) {
    const json name = item.lean_decl ? json(*item.lean_decl) : json();
    kinds[{name, json(item.file_path)}].insert(item.kind);
    disagreements.push_back({{"kind", item.kind},
                             {"lean_decl", name},
                             {"file_path", item.file_path},
                             {"published", item.published},
                             {"live", item.live},
                             {"message", item.message}});
  }
  for (json& record : records)
    if (const auto found = kinds.find({record["lean_decl"], record.value("file_path", json())});
        found != kinds.end())
      record["disagreement"] = found->second;
  for (const corpus::LiveFile& file : live)
    for (const corpus::LiveDeclaration& declaration : file.declarations)
      records.push_back(
          live_record(declaration, file.file_path, names.contains(corpus::name_key(declaration.lean_decl))));
  answer["files"] = std::move(files);
  answer["disagreements"] = std::move(disagreements);
  answer["partial"] = !complete;
  answer["timed_out"] = timed_out;
}

Answer answer_list_declarations_in_file(Environment& environment, std::shared_ptr<mcp::Call> call,
                                        mcp::Arguments arguments) {
  const auto published = co_await read_published(environment, call, arguments);
  if (!published) co_return tl::unexpected(published.error());
  const std::string asked = arguments.string("file_path");
  const auto records = corpus::in_file(corpus::declarations(published->paper), asked);
  json list = json::array();
  for (const corpus::Record& record : records) list.push_back(corpus::to_json(record));
  json result = json::object();
  bool more_files = false;
  if (arguments.boolean("live", false) && published->paper.found) {
    std::vector<std::string> files = files_of(records, asked);
    more_files = files.size() > kMaxFiles;
    if (more_files) files.resize(kMaxFiles);
    std::vector<LiveAnswer> answers;
    for (const std::string& file : files) {
      auto live = co_await ask_file(environment, call, *published, file);
      if (!live) co_return tl::unexpected(live.error());
      answers.push_back(std::move(*live));
    }
    add_live(result, list, published->paper, answers);
  }
  add_declarations(result, std::move(list));
  if (more_files) result["truncated"] = true;
  co_return finish_published(std::move(result), *published);
}

}  // namespace

mcp::Tool list_declarations_in_file(Environment& environment) {
  using mcp::Argument;
  using mcp::ArgumentType;
  mcp::Tool tool;
  tool.name = "list_declarations_in_file";
  tool.title = "Declarations of a paper's file";
  tool.group = "corpus";
  tool.description =
      "The theorem cards of a paper whose file_path contains this text. live asks Lean, too: declarations "
      "with "
      "types, proof status and dependencies, and where the cards and Lean disagree.";
  tool.arguments = {paper_argument(),
                    Argument::required_("file_path", ArgumentType::String, "Path or a part of it"),
                    Argument::optional_("live", ArgumentType::Boolean, "Default false")};
  answers(tool,
          {{"declarations", schema::list({})},
           {"total", schema::integer()},
           {"truncated", schema::boolean()},
           {"disagreements", schema::list({})},
           {"files", schema::list({})},
           {"error", schema::string()}},
          {"declarations", "total", "truncated"});
  tool.handler = bind_handler(environment, answer_list_declarations_in_file);
  return tool;
}

}  // namespace leanbridge::tools
