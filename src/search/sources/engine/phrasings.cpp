// Several phrasings of one question: words, guesses at the name, the statement in Lean.

#include "core/base/try.hpp"
#include "core/io/task_group.hpp"
#include "search/sources/engine.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

namespace leanbridge::search {

namespace {

constexpr std::size_t kMinRanked = 20;  // for each phrasing: a theorem that is fifth in all of them may be
                                        // the right one

using PhrasingAnswer = std::optional<Result<SearchAnswer>>;

}  // namespace

SearchAnswer merged(std::vector<SearchAnswer> answers, std::size_t limit) {
  SearchAnswer all;
  std::unordered_map<std::string, std::size_t> by_name;
  std::vector<std::pair<double, Theorem>> ranked;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    for (std::size_t rank = 1; rank <= answers[i].results.size(); ++rank) {
      Theorem& theorem = answers[i].results[rank - 1];
      const auto [place, is_new] = by_name.emplace(theorem.name, ranked.size());
      if (is_new) ranked.emplace_back(0, theorem);
      auto& [sum, kept] = ranked[place->second];
      sum += 1 / (1 + static_cast<double>(rank));
      kept.found_by.push_back(i + 1);
      kept.confidence = std::max(kept.confidence, theorem.confidence);
      kept.closes_goal = kept.closes_goal || theorem.closes_goal;
      kept.ranks.insert(theorem.ranks.begin(), theorem.ranks.end());
    }
    all.sources.insert(all.sources.end(), answers[i].sources.begin(), answers[i].sources.end());
    all.total = std::max(all.total, answers[i].total);
  }
  std::ranges::stable_sort(ranked, [](const auto& a, const auto& b) {
    return std::pair(a.second.closes_goal, a.first) > std::pair(b.second.closes_goal, b.first);
  });
  all.total = std::max(all.total, ranked.size());
  if (!answers.empty()) all.forms = std::move(answers.front().forms);
  for (auto& [sum, theorem] : ranked)
    if (all.results.size() < limit) all.results.push_back(std::move(theorem));
  return all;
}

asio::awaitable<Result<SearchAnswer>> Engine::search_all(std::vector<SearchRequest> phrasings,
                                                         io::CancelScope scope) const {
  if (phrasings.size() == 1) co_return co_await search(std::move(phrasings.front()), std::move(scope));
  const auto executor = co_await asio::this_coro::executor;
  std::vector<std::shared_ptr<PhrasingAnswer>> answers;
  io::TaskGroup group;
  std::size_t limit = 0;
  for (SearchRequest& phrasing : phrasings) {
    limit = std::max(limit, std::exchange(phrasing.limit, std::max(phrasing.limit, kMinRanked)));
    answers.push_back(std::make_shared<PhrasingAnswer>());
    group.start(executor, answers.back(), search(std::move(phrasing), scope));
  }
  // The phrasings see the cancellation and end at once; this waits for their end.
  io::CancelScope until_ended = scope;
  until_ended.cancel = std::make_shared<io::CancelSource>();
  until_ended.deadline += std::chrono::seconds(1);
  co_await group.wait(until_ended);
  std::vector<SearchAnswer> found;
  for (const auto& answer : answers) {
    if (!*answer) continue;
    CO_TRY(found.emplace_back(), std::move(**answer));
  }
  co_return merged(std::move(found), limit);
}

}  // namespace leanbridge::search
