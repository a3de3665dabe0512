#include "leanbridge/search/engine.hpp"

#include "leanbridge/base/log.hpp"
#include "leanbridge/io/task_group.hpp"

#include "search/backends/backend_error.hpp"
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>
#include <set>

namespace leanbridge::search {

namespace {

// --- the local index as a source

/// The answer of the local index to one lookup.
struct LocalAnswer {
  Found found;        ///< partial: the index is incomplete
  std::string error;  ///< "": none
  SourceStatus status = SourceStatus::Ok;
  double ms = 0;
  bool cached = false;
};

Hit to_hit(const index::Found& found) {
  const index::Declaration& declaration = found.declaration;
  Hit hit;
  hit.name = declaration.name;
  hit.kind = declaration.kind;
  hit.type = declaration.signature;
  hit.module = declaration.module;
  hit.docstring = declaration.docstring;
  hit.file = declaration.file;
  hit.line = declaration.line;
  hit.score = found.score;
  hit.printed = declaration.approximate;
  hit.fit = found.fit;
  hit.why = found.why;
  return hit;
}

std::string key_of(const index::Lookup& lookup, const std::string& generation) {
  const nlohmann::json key = {lookup.words,    lookup.constants, lookup.conclusion,
                              lookup.glob,     lookup.patterns,  lookup.name_parts,
                              lookup.packages, lookup.limit,     lookup.project.string(),
                              generation};
  return key.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// For the errors of index::LocalIndex::find().
SourceStatus status_of(ErrorKind kind) {
  if (kind == ErrorKind::Timeout) return SourceStatus::Timeout;
  if (kind == ErrorKind::Cancelled) return SourceStatus::Cancelled;
  return kind == ErrorKind::BackendError ? SourceStatus::BackendError : SourceStatus::Internal;
}

asio::awaitable<LocalAnswer> look_into_index(LocalFind find, index::Lookup lookup, io::CancelScope scope) {
  LocalAnswer answer;
  const auto matches = co_await find(std::move(lookup), scope);
  if (!matches) {
    answer.status = status_of(matches.error().kind);
    answer.error = matches.error().message;
    co_return answer;
  }
  Found& found = answer.found;
  for (const index::Found& one : matches->found) found.hits.push_back(to_hit(one));
  found.partial = !matches->complete;
  const auto add = [&](bool holds, std::string_view text) {
    if (holds) found.note.append(found.note.empty() ? "" : " ").append(text);
  };
  add(found.partial, "The index is incomplete; there may be more matches.");
  add(matches->nearest, "No type fits the pattern; these mention the same constants.");
  add(matches->bounded,
      "Only a part of the types that may fit was compared; make the pattern more specific.");
  co_return answer;
}

// Caches answers of a complete index until the index changes. Reads the generation before searching: a change
// between the two only makes the answer newer than its key.
asio::awaitable<LocalAnswer> ask_local(LocalSource local, index::Lookup lookup, io::CancelScope scope) {
  const auto start = Clock::now();
  std::string key;
  if (local.cache)
    if (const auto generation = co_await local.generation(lookup.project, scope); !generation.empty())
      key = key_of(lookup, generation);
  LocalAnswer answer;
  if (!key.empty())
    if (const auto kept = co_await local.cache->find(CacheGroup::Local, key, scope))
      if (auto found = found_from_json(*kept)) {
        answer.found = std::move(*found);
        answer.cached = true;
      }
  if (!answer.cached) {
    answer = co_await look_into_index(local.find, std::move(lookup), scope);
    if (!key.empty() && answer.error.empty() && !answer.found.partial)
      local.cache->put(CacheGroup::Local, key, to_json(answer.found));
  }
  answer.ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  co_return answer;
}

bool takes(std::string_view source, QuestionForm form) {
  return question_form(source_kind(source)) == form;
}

// Whether the local index replaces this source by the type of the query rather than by its words.
bool by_type(std::string_view source) {
  return !takes(source, QuestionForm::Phrase);
}

/// The lookup that replaces a source, or the other one if the query lacks that.
std::optional<index::Lookup> fallback_lookup(std::string_view source, const Query& query) {
  auto lookup = by_type(source) ? type_lookup(query) : word_lookup(query);
  return lookup ? lookup : by_type(source) ? word_lookup(query) : type_lookup(query);
}

// --- a search

// What to ask a source; "" if the query has no form for it.
std::string form_for(std::string_view source, const SearchRequest& request) {
  if (takes(source, QuestionForm::Goal))
    return request.goal.empty() ? goal_form(request.query) : request.goal;
  if (takes(source, QuestionForm::Loogle)) return loogle_form(request.query);
  const std::string phrase = phrase_form(request.query);
  return phrase.empty() ? request.goal : phrase;
}

// The coroutines of a search fill this in, each its own element. They may outlive the search.
struct SharedReplies {
  std::vector<std::optional<Reply>> sources, live;
  std::vector<std::optional<LocalAnswer>> local;
  io::TaskGroup prompt;   ///< what an answer waits for: the index, and live sources
  io::TaskGroup patient;  ///< what it waits for with patience: the others
  io::Condition changed;
};
using RepliesPtr = std::shared_ptr<SharedReplies>;

asio::awaitable<void> ask_source(RepliesPtr shared, std::size_t index, std::shared_ptr<Source> source,
                                 Question question, io::CancelScope scope) {
  shared->sources[index] = co_await source->ask(std::move(question), scope);
  shared->changed.notify_all();
}

asio::awaitable<void> look_up(RepliesPtr shared, std::size_t index, LocalSource local, index::Lookup lookup,
                              io::CancelScope scope) {
  shared->local[index] = co_await ask_local(std::move(local), std::move(lookup), scope);
  shared->changed.notify_all();
}

asio::awaitable<void> ask_live(RepliesPtr shared, std::size_t index, LiveSource source,
                               io::CancelScope scope) {
  shared->live[index] = Reply{co_await source.ask(std::move(scope))};
}

// One search: asks the sources, collects the answers, merges and ranks them.
class Search {
 public:
  Search(SearchRequest request, const std::vector<std::shared_ptr<Source>>& sources, LocalSource local,
         Clock::duration patience, io::CancelScope scope)
      : request_(std::move(request)),
        sources_(sources),
        local_(std::move(local)),
        patience_(patience),
        scope_(std::move(scope)),
        source_scope_(scope_) {
    source_scope_.cancel = std::make_shared<io::CancelSource>();
    source_scope_.deadline += kPatience;  // that of the search ends the wait for it
  }

  asio::awaitable<SearchAnswer> run() {
    const auto executor = co_await asio::this_coro::executor;
    ask_sources(executor);
    ask_index(executor);
    ask_live_sources(executor);
    const io::CancelScope patience = scope_.with_timeout(patience_);
    co_await shared_->prompt.wait(scope_);
    co_await shared_->patient.wait(patience);
    // Late sources are not told of the end of a call: their answers serve the next one.
    if (scope_.cancel->cancelled()) source_scope_.cancel->cancel();
    for (std::size_t i = 0; i < asked_.size(); ++i) report_source(*asked_[i], shared_->sources[i]);
    report_index();
    for (std::size_t i = 0; i < request_.live.size(); ++i) {
      const Reply late{tl::unexpected(problem(Failure::Timeout, request_.live[i].name + " timed out."))};
      take(request_.live[i].name, shared_->live[i].value_or(late), true);
    }
    auto theorems = merge(ranked_);
    rank(theorems, request_.query);
    keep_fitting(theorems, request_.query);
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
      // Premise selection is for goals: do not report that it skips words.
      if (form.empty() && takes(source->name(), QuestionForm::Goal) && request_.sources.empty()) continue;
      if (!form.empty()) answer_.forms[source->name()] = form;
      asked_.push_back(source);
      shared_->sources.emplace_back();
      if (form.empty() || source->disabled_because()) continue;
      Question question;
      question.text = form;
      question.limit = std::max<std::size_t>(request_.limit, kMinLimit);
      question.packages = request_.packages;
      shared_->patient.start(
          executor, ask_source(shared_, asked_.size() - 1, source, std::move(question), source_scope_));
    }
  }

  // Asks the index at once, so that falling back to it costs no time.
  void ask_index(const asio::any_io_executor& executor) {
    questions_ = local_questions(request_.query);
    shared_->local.resize(questions_.size());
    for (std::size_t i = 0; i < questions_.size(); ++i) {
      index::Lookup lookup = questions_[i].lookup;
      lookup.packages = request_.packages;
      lookup.limit = std::max<std::size_t>(request_.limit, kMinLimit);
      lookup.project = request_.project;
      shared_->prompt.start(executor, look_up(shared_, i, local_, std::move(lookup), scope_));
    }
  }

  void ask_live_sources(const asio::any_io_executor& executor) {
    std::erase_if(request_.live, [this](const LiveSource& source) { return !is_wanted(source.name); });
    shared_->live.resize(request_.live.size());
    for (std::size_t i = 0; i < request_.live.size(); ++i)
      shared_->prompt.start(executor, search::ask_live(shared_, i, request_.live[i], scope_));
  }

  void report_source(const Source& source, const std::optional<Reply>& reply) {
    const std::string name = source.name();
    SourceReport report;
    report.source = name;
    if (const auto why = source.disabled_because()) {
      report.status = SourceStatus::Disabled;
      report.error = *why;
      report.offline = source.backend()->is_offline();
      if (answer_.forms.contains(name)) failed_.push_back(name);
    } else if (!answer_.forms.contains(name)) {
      report.status = SourceStatus::Skipped;
      report.error = takes(name, QuestionForm::Loogle)
                         ? "It takes names and types, not prose: pass a type_pattern, or part of a name in "
                           "quotation marks."
                         : "It does not take this kind of query.";
    } else if (!reply) {
      report.status = SourceStatus::Late;
      report.error = name + " has not answered yet; its answer is kept for the next search.";
      failed_.push_back(name);
    } else {
      return take(name, *reply, false);
    }
    answer_.sources.push_back(std::move(report));
  }

  void take(const std::string& name, const Reply& reply, bool live) {
    SourceReport report;
    report.source = name;
    report.ms = reply.ms;
    report.cached = reply.cached;
    if (reply.value) {
      report.count = reply.value->hits.size();
      report.suggestions = reply.value->suggestions;
      report.note = reply.value->note;
      report.partial = reply.value->partial;
      Ranked ranked;
      ranked.source = name;
      ranked.hits = usable(reply.value->hits);
      const auto& type = request_.query.type;
      ranked.by_pattern = live || (takes(name, QuestionForm::Loogle) && type && !type->loogle.empty());
      ranked.closes_goal = reply.value->closes_goal;
      ranked_.push_back(std::move(ranked));
    } else {
      report.status = search::status_of(reply.value.error().failure);
      report.error = reply.value.error().message;
      report.suggestions = reply.value.error().suggestions;
      if (!live && falls_back(reply.value.error())) failed_.push_back(name);
    }
    answer_.sources.push_back(std::move(report));
  }

  std::vector<Hit> usable(std::vector<Hit> hits) const {
    std::erase_if(hits, [this](const Hit& hit) { return request_.excluded.contains(hit.name); });
    return hits;
  }

  void use_index(std::size_t which, const std::string& fallback_for) {
    const std::optional<LocalAnswer>& answer = shared_->local[which];
    SourceReport report;
    report.source = kLocal;
    report.form = questions_[which].form;
    report.fallback_for = fallback_for;
    report.status = answer ? answer->status : SourceStatus::Timeout;
    if (answer) {
      report.count = answer->found.hits.size();
      report.ms = answer->ms;
      report.cached = answer->cached;
      report.error = answer->error;
      report.note = answer->found.note;
      report.partial = answer->found.partial;
    }
    answer_.sources.push_back(std::move(report));
    if (!answer || !used_.insert(which).second) return;
    answer_.forms[kLocal + std::string(":") + wire::name_of(questions_[which].form)] = questions_[which].text;
    Ranked ranked;
    ranked.source = kLocal;
    ranked.hits = usable(answer->found.hits);
    ranked.index = true;
    ranked.fallback = !is_wanted(kLocal);
    ranked_.push_back(std::move(ranked));
  }

  // Failed sources are replaced by the lookup by words or by type; both may be wanted anyway.
  void report_index() {
    if (is_wanted(kLocal)) {
      for (std::size_t i = 0; i < questions_.size(); ++i) use_index(i, "");
      if (questions_.empty()) {
        SourceReport report;
        report.source = kLocal;
        report.status = SourceStatus::Skipped;
        report.error = "It does not take this kind of query.";
        answer_.sources.push_back(std::move(report));
      }
    }
    if (questions_.empty()) return;
    for (const std::string& failed : failed_) {
      const LocalForm form = by_type(failed) ? LocalForm::Type : LocalForm::Words;
      use_index(questions_.front().form == form ? 0 : questions_.size() - 1, failed);
    }
  }

  // Results per source: ranking needs more than are shown.
  static constexpr std::size_t kMinLimit = 20;

  SearchRequest request_;
  const std::vector<std::shared_ptr<Source>>& sources_;
  LocalSource local_;
  Clock::duration patience_;
  io::CancelScope scope_;
  io::CancelScope source_scope_;  ///< of the sources, which may outlive the search
  RepliesPtr shared_ = std::make_shared<SharedReplies>();
  std::vector<std::shared_ptr<Source>> asked_;
  std::vector<LocalQuestion> questions_;
  std::set<std::size_t> used_;  ///< questions whose answers are among the results
  std::vector<std::string> failed_;
  std::vector<Ranked> ranked_;
  SearchAnswer answer_;
};

}  // namespace

wire::Names<SourceStatus> names_of(SourceStatus) {
  return {{SourceStatus::Ok, "ok"},
          {SourceStatus::Timeout, "timeout"},
          {SourceStatus::Late, "late"},
          {SourceStatus::Unavailable, "unavailable"},
          {SourceStatus::Invalid, "invalid"},
          {SourceStatus::ServerError, "server_error"},
          {SourceStatus::Auth, "auth"},
          {SourceStatus::Cancelled, "cancelled"},
          {SourceStatus::BackendError, "backend_error"},
          {SourceStatus::Internal, "internal"},
          {SourceStatus::Disabled, "disabled"},
          {SourceStatus::Skipped, "skipped"}};
}

SourceStatus status_of(Failure failure) {
  switch (failure) {
    case Failure::Timeout:
      return SourceStatus::Timeout;
    case Failure::Unavailable:
      return SourceStatus::Unavailable;
    case Failure::Invalid:
      return SourceStatus::Invalid;
    case Failure::ServerError:
      return SourceStatus::ServerError;
    case Failure::Auth:
      return SourceStatus::Auth;
    case Failure::Cancelled:
      return SourceStatus::Cancelled;
  }
  return SourceStatus::ServerError;
}

bool falls_back(const Problem& problem) {
  return problem.failure == Failure::Timeout || problem.failure == Failure::Unavailable;
}

Engine::Engine(std::vector<std::shared_ptr<Source>> sources, LocalSource local, Clock::duration patience)
    : sources_(std::move(sources)), local_(std::move(local)), patience_(patience) {}

std::shared_ptr<Source> Engine::source(std::string_view name) const {
  const auto found =
      std::find_if(sources_.begin(), sources_.end(), [&](const auto& each) { return each->name() == name; });
  return found == sources_.end() ? nullptr : *found;
}

asio::awaitable<Result<SearchAnswer>> Engine::search(SearchRequest request, io::CancelScope scope) {
  for (const std::string& wanted : request.sources) {
    const auto is_live = [&](const LiveSource& each) { return each.name == wanted; };
    if (wanted == kLocal || source(wanted) || std::any_of(request.live.begin(), request.live.end(), is_live))
      continue;
    std::string known = kLocal;
    for (const auto& each : sources_) known += ", " + each->name();
    for (const LiveSource& each : request.live) known += ", " + each.name;
    co_return fail(ErrorKind::InvalidArgument, "Unknown source '" + wanted + "'.",
                   "The sources are " + known + ".");
  }
  const auto start = Clock::now();
  Search search(std::move(request), sources_, local_, patience_, scope);
  auto answer = co_await search.run();
  if (scope.cancel->cancelled()) co_return fail(ErrorKind::Cancelled, "The search was cancelled.");
  log::info("search results={} ms={:.0f}", answer.results.size(),
            std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  co_return answer;
}

namespace {

constexpr Clock::duration kIndexReserve = std::chrono::seconds(1);  // for the index, before a deadline

OneAnswer local_answer(LocalAnswer local, const std::string& fallback_for, std::string problem) {
  return {std::move(local.found), kLocal, local.cached, fallback_for, std::move(problem)};
}

}  // namespace

asio::awaitable<Outcome<OneAnswer>> Engine::ask(std::string name, Question question, Query query,
                                                std::filesystem::path project, io::CancelScope scope) {
  const auto asked = source(name);
  if (!asked)
    co_return co_await fall_back(name, search::problem(Failure::Unavailable, name + " is disabled."),
                                 std::move(question), std::move(query), std::move(project), scope);
  auto lookup = fallback_lookup(name, query);
  const auto executor = co_await asio::this_coro::executor;
  const auto shared = std::make_shared<SharedReplies>();
  shared->sources.resize(1);
  shared->local.resize(1);
  const auto& reply = shared->sources[0];
  auto& local = shared->local[0];
  io::CancelScope source_scope = scope;
  source_scope.cancel = std::make_shared<io::CancelSource>();
  if (lookup) {
    // Reserve time for the index in case the source takes all of it.
    const Clock::duration left = scope.deadline - Clock::now();
    source_scope = source_scope.with_timeout(left - std::min<Clock::duration>(left / 5, kIndexReserve));
  }
  shared->patient.start(executor, ask_source(shared, 0, asked, question, source_scope));
  co_await shared->patient.wait(lookup ? scope.with_timeout(patience_) : scope);
  if (!reply && lookup && !scope.cancel->cancelled()) {
    lookup->limit = question.limit;
    lookup->packages = question.packages;
    lookup->project = project;
    shared->prompt.start(executor, look_up(shared, 0, local_, std::move(*lookup), scope));
    co_await io::wait_until(shared->changed, scope, [shared] {
      return shared->sources[0] || (shared->local[0] && !shared->local[0]->found.hits.empty());
    });
  }
  if (scope.cancel->cancelled()) {
    source_scope.cancel->cancel();
    co_return tl::unexpected(search::problem(Failure::Cancelled, "The search was cancelled."));
  }
  if (!reply) {
    Problem late = search::problem(Failure::Timeout,
                                   name + " has not answered yet; its answer is kept for the next call.");
    if (!local || !local->error.empty()) co_return tl::unexpected(std::move(late));
    co_return local_answer(std::move(*local), name, std::move(late.message));
  }
  if (reply->value) co_return OneAnswer{*reply->value, name, reply->cached, {}, {}};
  co_return co_await fall_back(name, reply->value.error(), std::move(question), std::move(query),
                               std::move(project), scope);
}

asio::awaitable<Outcome<OneAnswer>> Engine::fall_back(std::string name, Problem problem, Question question,
                                                      Query query, std::filesystem::path project,
                                                      io::CancelScope scope) {
  auto lookup = fallback_lookup(name, query);
  if (!falls_back(problem) || !lookup) co_return tl::unexpected(problem);
  lookup->limit = question.limit;
  lookup->packages = question.packages;
  lookup->project = std::move(project);
  auto local = co_await ask_local(local_, std::move(*lookup), scope);
  if (!local.error.empty()) co_return tl::unexpected(problem);
  co_return local_answer(std::move(local), name, problem.message);
}

}  // namespace leanbridge::search
