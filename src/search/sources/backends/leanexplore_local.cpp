// LeanExplore's local data: the lexical half of its search (without a model), and its statements.

#include "backend_error.hpp"
#include "core/base/ascii.hpp"
#include "core/base/files.hpp"
#include "read_hits.hpp"
#include "search/index/sqlite.hpp"
#include "search/sources/backends.hpp"

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
  // The version becomes part of a path.
  return line.find('/') == std::string::npos && line != ".." ? line : "";
}

std::optional<ExploreData> find_explore_data(const fs::path& data, const std::string& version,
                                             const fs::path& home) {
  std::error_code ignored;
  if (!data.empty() && fs::is_regular_file(data, ignored)) return ExploreData{data, version};
  if (data.empty() && home.empty()) return std::nullopt;
  const fs::path root = data.empty() ? home / ".lean_explore" : data;
  std::vector<std::pair<fs::path, std::string>> folders{{root, version}};
  const std::string active = version.empty() ? first_line(root / "active_version") : version;
  for (const std::string& one : {active, std::string("v4.24.0")})  // LeanExplore's default
    for (const fs::path& place : {root, root / "cache"})
      if (!one.empty() && (version.empty() || one == version)) folders.emplace_back(place / one, one);
  for (const auto& [folder, of] : folders)
    if (const fs::path file = folder / "lean_explore.db"; fs::is_regular_file(file, ignored))
      return ExploreData{file, of};
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
             !whole.empty() && std::ranges::find(words, whole) == words.end())
      words.push_back(whole);
  }
  // Short words such as "it" match too much; use them only if there is nothing else.
  const auto is_short = [](const std::string& one) { return one.size() < 3; };
  if (!std::ranges::all_of(words, is_short)) std::erase_if(words, is_short);
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

// A row in the form of the service's answers.
constexpr const char* kItem =
    "SELECT json_object('id', id, 'name', name, 'module', module, 'source_link', source_link, 'source_text', "
    "source_text, 'docstring', docstring, 'informalization', informalization) FROM declarations WHERE ";

/// A connection to LeanExplore's SQLite data. Blocks: use it on the pool. Throws sqlite::Failure.
class ExploreReader {
 public:
  ExploreReader(const fs::path& database, std::shared_ptr<std::atomic<bool>> stop)
      : database_(database, Database::Mode::ReadOnly, std::move(stop)) {}

  /// Searches all names, and, until the time `until`, docstrings and descriptions.
  Found search(const Question& question, io::Clock::time_point until) {
    Found found;
    const std::vector<std::string> words = words_in(question.text);
    if (words.empty()) return found;
    std::unordered_map<std::int64_t, std::pair<double, std::size_t>> candidates;  // score, and length of the
                                                                                  // name
    // An index covers the names, so this is fast however large the texts are.
    const std::string query = lower_case(question.text);
    Statement names(database_, "SELECT id, name FROM declarations");
    while (names.step()) {
      const std::string name = lower_case(names.text(1));
      if (const double score = score_of_name(name, query, words); score > 0)
        candidates[names.integer(0)] = {score, name.size()};
    }
    Statement texts(database_, "SELECT id, docstring, informalization FROM declarations");
    constexpr std::size_t kClockInterval = 256;  // rows between two looks at the clock
    for (std::size_t row = 1; !found.partial && texts.step(); ++row) {
      found.partial = row % kClockInterval == 0 && io::Clock::now() > until;
      const std::string text = lower_case(texts.text(1)) + "\n" + lower_case(texts.text(2));
      for (const std::string& word : words)
        if (text.find(word) != std::string::npos) candidates[texts.integer(0)].first += kWordOfText;
    }
    if (found.partial) found.note = "descriptions were searched only in part";
    found.total = candidates.size();
    std::vector<std::tuple<double, std::size_t, std::int64_t>> order;
    for (const auto& [id, candidate] : candidates) order.emplace_back(-candidate.first, candidate.second, id);
    std::ranges::sort(order);
    for (const auto& [score, length, id] : order) {
      if (found.hits.size() >= question.limit) break;
      auto one = items("id = ?1", id);
      if (!one.empty() && in_packages(one.front().module, question.packages))
        found.hits.push_back(std::move(one.front()));
    }
    return found;
  }

  Found by_id(std::int64_t id) { return {items("id = ?1", id)}; }

  Found dependencies(std::int64_t id) {
    Found found;
    if (items("id = ?1", id).empty()) return found;
    Statement own(database_, "SELECT dependencies FROM declarations WHERE id = ?1");
    own.bind(1, id).step();
    for (const std::string& name : dependency_names(std::string(own.text(0)))) {
      auto known = items("name = ?1", std::string_view(name));
      found.hits.push_back(known.empty() ? read_hit(name) : std::move(known.front()));
    }
    found.total = found.hits.size();
    return found;
  }

 private:
  template <class Value>
  std::vector<Theorem> items(const std::string& condition, Value value) {
    Statement rows(database_, kItem + condition);
    rows.bind(1, value);
    std::vector<Theorem> all;
    while (rows.step()) all.push_back(read_hit(read_json(rows.text(0))));
    return all;
  }

  Database database_;
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
  std::optional<Problem> disabled_because() const override {
    if (!enabled_) return problem(Failure::Disabled, "LeanExplore is disabled in the configuration.");
    if (!data_) return problem(Failure::Disabled, "Found no local LeanExplore data (leanexplore.data).");
    return std::nullopt;
  }

  asio::awaitable<Outcome<Found>> ask(Question question, io::CancelScope scope) override {
    // Leaves some time for returning the answer.
    const auto left = std::max(scope.deadline - io::Clock::now(), io::Clock::duration(0)) * 4 / 5;
    const auto until = io::Clock::now() + std::min<io::Clock::duration>(left, kMaxTextSearch);
    auto found =
        co_await run([question, until](ExploreReader& reader) { return reader.search(question, until); },
                     std::move(scope));
    if (found && !data_->version.empty())
      found->note = "data " + data_->version + (found->note.empty() ? "" : "; " + found->note);
    co_return found;
  }

  asio::awaitable<Outcome<Found>> get_by_id(std::int64_t id, io::CancelScope scope) override {
    return run([id](ExploreReader& reader) { return reader.by_id(id); }, std::move(scope));
  }

  asio::awaitable<Outcome<Found>> get_dependencies(std::int64_t id, io::CancelScope scope) override {
    return run([id](ExploreReader& reader) { return reader.dependencies(id); }, std::move(scope));
  }

 private:
  asio::awaitable<Outcome<Found>> run(std::function<Found(ExploreReader&)> work, io::CancelScope scope) {
    if (auto why = disabled_because()) co_return tl::unexpected(std::move(*why));
    auto task = [database = data_->database, stop = stop_, work = std::move(work)]() -> Result<Found> {
      ExploreReader reader(database, stop);
      return work(reader);
    };
    auto result = co_await pool_.run(std::move(task), std::move(scope));
    if (result) co_return std::move(*result);
    const ErrorKind kind = result.error().kind;
    if (kind == ErrorKind::Cancelled || kind == ErrorKind::Timeout)
      co_return tl::unexpected(ended(result.error(), "Reading LeanExplore's data timed out."));
    co_return tl::unexpected(problem(Failure::Unavailable,
                                     "Cannot read LeanExplore's data in " + data_->database.string() + ": " +
                                         one_line(result.error().message) + ".",
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
