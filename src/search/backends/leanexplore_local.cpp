// LeanExplore's data on this disk: the lexical half of its search (there is no model here), and its
// statements.

#include "leanbridge/search/backends.hpp"

#include "backend_error.hpp"
#include "explore_data.hpp"

#include <algorithm>

namespace leanbridge::search {

namespace {

constexpr auto kLongestLook = std::chrono::seconds(5);  // at docstrings and descriptions

class ExploreLocal final : public Explore {
 public:
  ExploreLocal(io::Pool& pool, const Config& config, const std::filesystem::path& home)
      : pool_(pool),
        data_(find_explore_data(config.leanexplore_data, config.leanexplore_data_version, home)),
        enabled_(config.leanexplore.enabled) {}
  ~ExploreLocal() override { *stop_ = true; }

  std::string_view name() const override { return "leanexplore_local"; }
  bool remote() const override { return false; }
  std::optional<std::string> disabled_because() const override {
    if (!enabled_) return "LeanExplore is switched off in the configuration.";
    if (!data_) return "There is no LeanExplore data on this disk (leanexplore.data).";
    return std::nullopt;
  }

  asio::awaitable<Outcome<ExploreAnswer>> search(Question question, io::CancelScope scope) override {
    // What is left of the time is for bringing the answer back.
    const auto left = std::max(scope.deadline - io::Clock::now(), io::Clock::duration(0)) * 4 / 5;
    const auto until = io::Clock::now() + std::min<io::Clock::duration>(left, kLongestLook);
    auto work = [question, until](ExploreReader& reader) {
      const auto ranked = reader.search(question, until);
      ExploreAnswer answer;
      answer.packages_applied = question.packages;
      answer.candidates = ranked.candidates;
      if (!ranked.complete) answer.note = "descriptions were looked at in part only";
      for (const std::int64_t id : ranked.ids)
        if (auto item = reader.item(id)) answer.items.push_back(std::move(*item));
      return answer;
    };
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
      co_return tl::unexpected(problem(Failure::Timeout, "LeanExplore's data was not read in time."));
    co_return tl::unexpected(
        problem(Failure::Unavailable,
                "LeanExplore's data in " + data_->database.string() +
                    " cannot be read: " + one_line(error.message) + ".",
                "Fetch it again with LeanExplore, or name another in leanexplore.data."));
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
