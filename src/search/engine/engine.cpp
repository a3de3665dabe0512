#include "leanbridge/search/engine.hpp"

#include "leanbridge/base/log.hpp"
#include "leanbridge/io/task_group.hpp"

#include "search/backends/local_index_backend.hpp"

#include <algorithm>
#include <set>

namespace leanbridge::search {

namespace {

bool wants_goal(std::string_view source) {
  return source == "state_search" || source == "hammer";
}

// What a source is asked; "" where the query has no form for it.
std::string form_for(std::string_view source, const SearchRequest& request) {
  if (wants_goal(source)) return request.goal.empty() ? goal_form(request.query) : request.goal;
  if (is_loogle(source)) return loogle_form(request.query);
  const std::string phrase = phrase_form(request.query);
  return phrase.empty() ? request.goal : phrase;
}

// What the query's coroutines fill in, each its own place.
struct Board {
  std::vector<std::optional<Reply>> replies;
  std::optional<LocalAnswer> words, type;
  io::TaskGroup questions;
};

asio::awaitable<void> ask_source(std::shared_ptr<Board> board, std::size_t place,
                                 std::shared_ptr<Source> source, Question question, io::CancelScope scope) {
  board->replies[place] = co_await source->ask(std::move(question), scope);
}

asio::awaitable<void> look_up(std::shared_ptr<Board> board, std::optional<LocalAnswer> Board::*place,
                              LocalSource local, index::Lookup lookup, io::CancelScope scope) {
  (*board).*place = co_await ask_local(std::move(local), std::move(lookup), scope);
}

// One search: who is asked, what came, and what is made of it.
class Search {
 public:
  Search(SearchRequest request, const std::vector<std::shared_ptr<Source>>& sources, LocalSource local,
         io::CancelScope scope)
      : request_(std::move(request)), sources_(sources), local_(std::move(local)), scope_(std::move(scope)) {}

  asio::awaitable<SearchAnswer> run() {
    const auto executor = co_await asio::this_coro::executor;
    ask_sources(executor);
    ask_index(executor);
    co_await board_->questions.wait(scope_);
    report_sources();
    report_index();
    auto theorems = merge(ranked_);
    rank(theorems, request_.query);
    answer_.total = theorems.size();
    if (theorems.size() > request_.limit) theorems.resize(request_.limit);
    answer_.results = std::move(theorems);
    co_return std::move(answer_);
  }

 private:
  bool is_wanted(std::string_view source) const {
    return request_.sources.empty() ||
           std::find(request_.sources.begin(), request_.sources.end(), source) != request_.sources.end();
  }

  void ask_sources(const asio::any_io_executor& executor) {
    for (const auto& source : sources_) {
      if (!is_wanted(source->name())) continue;
      const std::string form = form_for(source->name(), request_);
      // Sources of premises are for goals; that they have nothing to say to words is no news.
      if (form.empty() && wants_goal(source->name()) && request_.sources.empty()) continue;
      if (!form.empty()) answer_.forms[source->name()] = form;
      asked_.push_back(source);
      board_->replies.emplace_back();
      if (form.empty() || source->disabled_because()) continue;
      Question question;
      question.text = form;
      question.limit = std::max<std::size_t>(request_.limit, kLeastLimit);
      question.packages = request_.packages;
      board_->questions.start(executor,
                              ask_source(board_, asked_.size() - 1, source, std::move(question), scope_));
    }
  }

  // The index is asked from the start: what stands in for a failed source costs no time then.
  void ask_index(const asio::any_io_executor& executor) {
    ask_index(executor, &Board::words, word_lookup(request_.query));
    ask_index(executor, &Board::type, type_lookup(request_.query));
  }

  void ask_index(const asio::any_io_executor& executor, std::optional<LocalAnswer> Board::*place,
                 std::optional<index::Lookup> lookup) {
    if (!lookup) return;
    lookup->packages = request_.packages;
    lookup->limit = std::max<std::size_t>(request_.limit, kLeastLimit);
    lookup->project = request_.project;
    board_->questions.start(executor, look_up(board_, place, local_, std::move(*lookup), scope_));
  }

  void report_sources() {
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      const std::string name = asked_[i]->name();
      SourceReport report;
      report.source = name;
      if (const auto why = asked_[i]->disabled_because()) {
        report.status = "disabled";
        report.error = *why;
        if (answer_.forms.contains(name)) failed_.push_back(name);
      } else if (!answer_.forms.contains(name)) {
        report.status = "skipped";
        report.error = is_loogle(name)
                           ? "It takes names and types, no prose: pass a type_pattern, or a part of a "
                             "name in quotation marks."
                           : "The query has no form for it.";
      } else if (!board_->replies[i]) {
        report.status = wire_name(Failure::Timeout);
        report.error = name + " has not answered in time.";
        failed_.push_back(name);
      } else {
        report_reply(report, *board_->replies[i]);
      }
      answer_.sources.push_back(std::move(report));
    }
  }

  void report_reply(SourceReport& report, const Reply& reply) {
    report.ms = reply.ms;
    report.cached = reply.cached;
    if (!reply.value) {
      report.status = wire_name(reply.value.error().failure);
      report.error = reply.value.error().message;
      report.suggestions = reply.value.error().suggestions;
      if (falls_back(reply.value.error())) failed_.push_back(report.source);
      return;
    }
    report.status = "ok";
    report.count = reply.value->hits.size();
    report.suggestions = reply.value->suggestions;
    report.note = reply.value->note;
    Ranked ranked;
    ranked.source = report.source;
    ranked.hits = reply.value->hits;
    ranked.by_pattern =
        service_of(report.source) == "loogle" && request_.query.type && !request_.query.type->loogle.empty();
    ranked_.push_back(std::move(ranked));
  }

  void report_index() {
    // Who fails is stood in for by words or by type; both may be wanted anyway.
    std::set<const LocalAnswer*> used;
    const auto use = [&](const std::optional<LocalAnswer>& answer, const std::string& fallback_for) {
      SourceReport report;
      report.source = kLocal;
      report.fallback_for = fallback_for;
      report.status = answer ? answer->status : std::string(wire_name(Failure::Timeout));
      if (answer) {
        report.count = answer->hits.size();
        report.ms = answer->ms;
        report.cached = answer->cached;
        report.error = answer->error;
        report.note = answer->note;
      }
      answer_.sources.push_back(std::move(report));
      if (!answer || !used.insert(&*answer).second) return;
      Ranked ranked;
      ranked.source = kLocal;
      ranked.hits = answer->hits;
      ranked.printed = answer->printed;
      ranked.index = true;
      ranked.fallback = !is_wanted(kLocal);
      ranked_.push_back(std::move(ranked));
    };
    const auto words = word_lookup(request_.query);
    const auto type = type_lookup(request_.query);
    if (is_wanted(kLocal)) {
      if (words) use(board_->words, "");
      if (type) use(board_->type, "");
      if (!words && !type)
        answer_.sources.push_back(
            {kLocal, "skipped", 0, 0, false, "", "The query has no form for it.", {}, ""});
    }
    for (const std::string& failed : failed_) {
      const bool by_type = is_loogle(failed) || wants_goal(failed);
      if (!words && !type) continue;
      use((by_type && type) || !words ? board_->type : board_->words, failed);
    }
  }

  static constexpr std::size_t kLeastLimit =
      20;  // of each source: what is ranked must be more than what is shown

  SearchRequest request_;
  const std::vector<std::shared_ptr<Source>>& sources_;
  LocalSource local_;
  io::CancelScope scope_;
  std::shared_ptr<Board> board_ = std::make_shared<Board>();
  std::vector<std::shared_ptr<Source>> asked_;
  std::vector<std::string> failed_;
  std::vector<Ranked> ranked_;
  SearchAnswer answer_;
};

}  // namespace

bool falls_back(const Problem& problem) {
  return problem.failure == Failure::Timeout || problem.failure == Failure::Unavailable;
}

Engine::Engine(std::vector<std::shared_ptr<Source>> sources, LocalSource local)
    : sources_(std::move(sources)), local_(std::move(local)) {}

std::shared_ptr<Source> Engine::source(std::string_view name) const {
  const auto found =
      std::find_if(sources_.begin(), sources_.end(), [&](const auto& each) { return each->name() == name; });
  return found == sources_.end() ? nullptr : *found;
}

asio::awaitable<Result<SearchAnswer>> Engine::search(SearchRequest request, io::CancelScope scope) {
  for (const std::string& wanted : request.sources) {
    if (wanted == kLocal || source(wanted)) continue;
    std::string known = kLocal;
    for (const auto& each : sources_) known += ", " + each->name();
    co_return fail(ErrorKind::InvalidArgument, "There is no source '" + wanted + "'.",
                   "The sources are " + known + ".");
  }
  const auto start = Clock::now();
  Search search(std::move(request), sources_, local_, scope);
  auto answer = co_await search.run();
  if (scope.cancel->cancelled()) co_return fail(ErrorKind::Cancelled, "The search was cancelled.");
  log::info("search results={} ms={:.0f}", answer.results.size(),
            std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  co_return answer;
}

asio::awaitable<Outcome<OneAnswer>> Engine::ask(std::string name, Question question, Query query,
                                                std::filesystem::path project, io::CancelScope scope) {
  const auto asked = source(name);
  Problem problem;
  problem.failure = Failure::Unavailable;
  problem.message = name + " is switched off.";
  if (asked) {
    // What is left for the index when the source takes all the time there is.
    const Clock::duration left = scope.deadline - Clock::now();
    const Clock::duration spare = std::min<Clock::duration>(left / 5, std::chrono::seconds(1));
    const bool may_fall_back = lookup_instead_of(name, query).has_value();
    auto reply = co_await asked->ask(question, may_fall_back ? scope.with_timeout(left - spare) : scope);
    if (reply.value) {
      OneAnswer answer;
      answer.found = std::move(*reply.value);
      answer.source = name;
      answer.cached = reply.cached;
      co_return answer;
    }
    problem = reply.value.error();
  }
  co_return co_await instead_of(name, std::move(problem), std::move(question), std::move(query),
                                std::move(project), scope);
}

asio::awaitable<Outcome<OneAnswer>> Engine::instead_of(std::string name, Problem problem, Question question,
                                                       Query query, std::filesystem::path project,
                                                       io::CancelScope scope) {
  auto lookup = lookup_instead_of(name, query);
  if (!falls_back(problem) || !lookup) co_return tl::unexpected(problem);
  lookup->limit = question.limit;
  lookup->packages = question.packages;
  lookup->project = std::move(project);
  auto local = co_await ask_local(local_, std::move(*lookup), scope);
  if (!local.error.empty()) co_return tl::unexpected(problem);
  OneAnswer answer;
  answer.found.hits = std::move(local.hits);
  answer.found.note = local.note;
  answer.source = kLocal;
  answer.cached = local.cached;
  answer.fallback_for = name;
  answer.problem = problem.message;
  co_return answer;
}

}  // namespace leanbridge::search
