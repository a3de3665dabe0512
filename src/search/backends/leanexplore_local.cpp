// LeanExplore's local data: the lexical half of its search (there is no model here), and its statements.

#include "leanbridge/base/ascii.hpp"
#include "leanbridge/base/files.hpp"
#include "leanbridge/index/sqlite.hpp"

#include "explore_item.hpp"
#include "remote.hpp"

#include <algorithm>
#include <filesystem>
#include <tuple>
#include <unordered_map>

namespace leanbridge::search {

namespace fs = std::filesystem;
using index::sqlite::Database;
using index::sqlite::Statement;

namespace {

/// The location and version of the data.
struct ExploreData {
  fs::path database;
  std::string version;
};

std::string first_line(const fs::path& file) {
  const auto content = read_regular_file(file, kMaxConfigurationSize);
  const std::string line(content ? trimmed(content->substr(0, content->find('\n'))) : "");
  // It becomes part of a path.
  return line.find('/') == std::string::npos && line != ".." ? line : "";
}

std::optional<ExploreData> find_explore_data(const fs::path& data, const std::string& version,
                                             const fs::path& home) {
  std::error_code ignored;
  if (!data.empty() && fs::is_regular_file(data, ignored)) return ExploreData{data, version};
  if (data.empty() && home.empty()) return std::nullopt;
  const fs::path root = data.empty() ? home / ".lean_explore" : data;
  std::vector<std::pair<fs::path, std::string>> folders{{root, version}};
  std::vector<std::string> versions = {first_line(root / "active_version"),
                                       first_line(root / "active_toolchain.txt"),
                                       first_line(root / "data" / "active_toolchain.txt"), "v4.24.0"};
  if (!version.empty()) versions = {version};
  for (const std::string& one : versions)
    for (const fs::path& place : {root, root / "cache", root / "toolchains", root / "data" / "toolchains"})
      if (!one.empty()) folders.emplace_back(place / one, one);
  for (const auto& [folder, of] : folders)
    for (const char* name : {"lean_explore.db", "lean_explore_data.db"})
      if (fs::is_regular_file(folder / name, ignored)) return ExploreData{folder / name, of};
  return std::nullopt;
}

std::vector<std::string> words_in(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : lower_case(text) + " ") {
    // Non-ASCII bytes are parts of letters such as ℕ.
    if (std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 128 || c == '\'')
      word += c;
    else if (const std::string whole = std::exchange(word, "");
             !whole.empty() && std::find(words.begin(), words.end(), whole) == words.end())
      words.push_back(whole);
  }
  // Short words such as "it" match too much; use them only if there is nothing else.
  const auto is_short = [](const std::string& one) { return one.size() < 3; };
  if (!std::all_of(words.begin(), words.end(), is_short)) std::erase_if(words, is_short);
  return words;
}

constexpr double kWholeName = 100, kNameEnd = 60, kPartOfName = 20, kWordOfName = 4, kWordOfText = 1;

double score_of_name(const std::string& name, const std::string& query,
                     const std::vector<std::string>& words) {
  double score = name == query                           ? kWholeName
                 : name.ends_with("." + query)           ? kNameEnd
                 : name.find(query) != std::string::npos ? kPartOfName
                                                         : 0;
  for (const std::string& word : words)
    if (name.find(word) != std::string::npos) score += kWordOfName;
  return score;
}

// Both layouts as one table.
constexpr const char* kFirstLayout =
    "WITH item(id, name, place, line, statement, docstring, informal) AS (SELECT g.id, d.lean_name, "
    "g.source_file, g.range_start_line, g.statement_text, g.docstring, g.informal_description "
    "FROM statement_groups g JOIN declarations d ON d.id = g.primary_decl_id) ";
constexpr const char* kSecondLayout =
    "WITH item(id, name, place, line, statement, docstring, informal) AS (SELECT id, name, module, "
    "source_link, source_text, docstring, informalization FROM declarations) ";
constexpr const char* kWholeItem =
    "SELECT id, name, place, line, statement, docstring, informal FROM item WHERE ";

/// A connection to LeanExplore's SQLite data, in either layout. Blocks: use it on the pool. Throws
/// sqlite::Failure.
class ExploreReader {
 public:
  ExploreReader(const fs::path& database, std::shared_ptr<std::atomic<bool>> stop)
      : database_(database, Database::Mode::ReadOnly, std::move(stop)) {
    Statement table(database_,
                    "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'statement_groups'");
    first_layout_ = table.step();
    items_ = first_layout_ ? kFirstLayout : kSecondLayout;
  }

  /// Searches all names, and docstrings and descriptions until `until`.
  ExploreAnswer search(const Question& question, io::Clock::time_point until) {
    ExploreAnswer answer;
    answer.packages_applied = question.packages;
    const std::vector<std::string> words = words_in(question.text);
    if (words.empty()) return answer;
    struct Candidate {
      double score = 0;
      std::size_t name_length = 0;
    };
    std::unordered_map<std::int64_t, Candidate> candidates;
    // In the second layout an index covers the names, so this is fast however large the texts are.
    const std::string query = lower_case(question.text);
    Statement names(database_, items_ + "SELECT id, name FROM item");
    while (names.step()) {
      const std::string name = lower_case(names.text(1));
      if (const double score = score_of_name(name, query, words); score > 0)
        candidates[names.integer(0)] = {score, name.size()};
    }
    Statement texts(database_, items_ + "SELECT id, docstring, informal FROM item");
    constexpr std::size_t kClockInterval = 256;  // rows
    for (std::size_t row = 1; !answer.partial && texts.step(); ++row) {
      answer.partial = row % kClockInterval == 0 && io::Clock::now() > until;
      const std::string text = lower_case(texts.text(1)) + "\n" + lower_case(texts.text(2));
      for (const std::string& word : words)
        if (text.find(word) != std::string::npos) candidates[texts.integer(0)].score += kWordOfText;
    }
    if (answer.partial) answer.note = "descriptions were searched only in part";
    answer.candidates = candidates.size();
    std::vector<std::tuple<double, std::size_t, std::int64_t>> order;
    for (const auto& [id, candidate] : candidates)
      order.emplace_back(-candidate.score, candidate.name_length, id);
    std::sort(order.begin(), order.end());
    for (const auto& [score, length, id] : order) {
      if (answer.items.size() >= question.limit) break;
      auto one = item(id);
      if (one && in_packages(module_of_file(one->source_file), question.packages))
        answer.items.push_back(std::move(*one));
    }
    return answer;
  }

  std::optional<ExploreItem> item(std::int64_t id) {
    Statement row(database_, items_ + kWholeItem + "id = ?1");
    row.bind(1, id);
    return row.step() ? std::optional(read(row)) : std::nullopt;
  }

  std::optional<std::vector<ExploreItem>> dependencies(std::int64_t id) {
    if (!item(id)) return std::nullopt;
    std::vector<ExploreItem> items;
    if (first_layout_) {
      Statement rows(database_,
                     items_ + kWholeItem +
                         "id IN (SELECT target_statement_group_id FROM statement_group_dependencies "
                         "WHERE source_statement_group_id = ?1) ORDER BY id");
      rows.bind(1, id);
      while (rows.step()) items.push_back(read(rows));
      return items;
    }
    Statement own(database_, "SELECT dependencies FROM declarations WHERE id = ?1");
    own.bind(1, id);
    if (!own.step()) return std::nullopt;
    Statement by_name(database_, items_ + kWholeItem + "name = ?1");
    for (const std::string& name : dependency_names({{"dependencies", std::string(own.text(0))}})) {
      by_name.bind(1, std::string_view(name));
      ExploreItem bare;
      bare.name = name;
      items.push_back(by_name.step() ? read(by_name) : std::move(bare));
      by_name.reset();
    }
    return items;
  }

 private:
  ExploreItem read(const Statement& row) const {
    const auto text_or_none = [&](int column) {
      const std::string_view text = row.text(column);
      return text.empty() ? std::nullopt : std::optional(std::string(text));
    };
    ExploreItem item;
    item.id = row.integer(0);
    item.name = row.text(1);
    const std::string place(row.text(2));
    item.source_file = first_layout_ ? place : file_of_module(place);
    item.line = first_layout_ ? static_cast<std::uint32_t>(std::max<std::int64_t>(row.integer(3), 0))
                              : line_in_link(std::string(row.text(3)));
    item.statement = row.text(4);
    item.docstring = text_or_none(5);
    item.informal = text_or_none(6);
    return item;
  }

  Database database_;
  bool first_layout_ = false;
  std::string items_;  ///< defines the table `item`
};

constexpr auto kMaxTextSearch = std::chrono::seconds(5);  // in docstrings and descriptions

class ExploreLocal final : public Explore {
 public:
  ExploreLocal(io::Pool& pool, const Config& config, const std::filesystem::path& home)
      : pool_(pool),
        data_(find_explore_data(config.leanexplore_data, config.leanexplore_data_version, home)),
        enabled_(config.leanexplore.enabled) {}
  ~ExploreLocal() override { *stop_ = true; }

  std::string_view name() const override { return "leanexplore_local"; }
  bool remote() const override { return false; }
  std::string identity() const override { return data_ ? data_->database.string() : ""; }
  std::optional<std::string> disabled_because() const override {
    if (!enabled_) return "LeanExplore is disabled in the configuration.";
    if (!data_) return "Found no local LeanExplore data (leanexplore.data).";
    return std::nullopt;
  }

  asio::awaitable<Outcome<ExploreAnswer>> search(Question question, io::CancelScope scope) override {
    // The rest of the time is for returning the answer.
    const auto left = std::max(scope.deadline - io::Clock::now(), io::Clock::duration(0)) * 4 / 5;
    const auto until = io::Clock::now() + std::min<io::Clock::duration>(left, kMaxTextSearch);
    auto work = [question, until](ExploreReader& reader) { return reader.search(question, until); };
    auto answer = co_await run<ExploreAnswer>(std::move(work), std::move(scope));
    if (answer && !data_->version.empty())
      answer->note = "data " + data_->version + (answer->note.empty() ? "" : "; " + answer->note);
    co_return answer;
  }

  asio::awaitable<Outcome<std::optional<ExploreItem>>> get_by_id(std::int64_t id,
                                                                 io::CancelScope scope) override {
    auto work = [id](ExploreReader& reader) { return reader.item(id); };
    co_return co_await run<std::optional<ExploreItem>>(std::move(work), std::move(scope));
  }

  asio::awaitable<Outcome<std::optional<std::vector<ExploreItem>>>> get_dependencies(
      std::int64_t id, io::CancelScope scope) override {
    auto work = [id](ExploreReader& reader) { return reader.dependencies(id); };
    co_return co_await run<std::optional<std::vector<ExploreItem>>>(std::move(work), std::move(scope));
  }

 private:
  template <class T, class Work>
  asio::awaitable<Outcome<T>> run(Work work, io::CancelScope scope) {
    if (auto why = disabled_because())
      co_return tl::unexpected(problem(Failure::Unavailable, std::move(*why)));
    auto task = [database = data_->database, stop = stop_, work = std::move(work)]() mutable -> Result<T> {
      ExploreReader reader(database, stop);
      return work(reader);
    };
    auto result = co_await pool_.run(std::move(task), std::move(scope));
    if (result) co_return std::move(*result);
    const Error& error = result.error();
    if (error.kind == ErrorKind::Cancelled)
      co_return tl::unexpected(problem(Failure::Cancelled, error.message));
    if (error.kind == ErrorKind::Timeout)
      co_return tl::unexpected(problem(Failure::Timeout, "Reading LeanExplore's data timed out."));
    co_return tl::unexpected(problem(Failure::Unavailable,
                                     "Cannot read LeanExplore's data in " + data_->database.string() + ": " +
                                         one_line(error.message) + ".",
                                     "Fetch it again with LeanExplore, or set leanexplore.data."));
  }

  io::Pool& pool_;
  std::optional<ExploreData> data_;
  bool enabled_;
  std::shared_ptr<std::atomic<bool>> stop_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace

std::unique_ptr<Explore> make_leanexplore_local(io::Pool& pool, const Config& config,
                                                std::filesystem::path home) {
  return std::make_unique<ExploreLocal>(pool, config, home);
}

}  // namespace leanbridge::search
