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
  std::vector<Hit> hits;
  std::string note;   ///< that the index is incomplete, or that nothing fits
  std::string error;  ///< "": none
  SourceStatus status = SourceStatus::Ok;
  double ms = 0;
  bool cached = false;
  bool incomplete = false;  ///< the index is: not to be kept
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

nlohmann::json to_json(const LocalAnswer& answer) {
  Found found;
  found.hits = answer.hits;
  return {search::to_json(found), answer.note};
}

std::optional<LocalAnswer> answer_from_json(const nlohmann::json& kept) {
  auto found = found_from_json(kept.at(0));
  if (!found) return std::nullopt;
  LocalAnswer answer;
  answer.hits = std::move(found->hits);
  answer.note = kept.at(1).get<std::string>();
  answer.cached = true;
  return answer;
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
  for (const index::Found& found : matches->found) answer.hits.push_back(to_hit(found));
  answer.incomplete = !matches->complete;
  if (answer.incomplete) answer.note = "The index is incomplete; there may be more matches.";
  const auto add = [&](std::string_view text) {
    answer.note.append(answer.note.empty() ? "" : " ").append(text);
  };
  if (matches->nearest) add("No type fits the pattern; these mention the same constants.");
  if (matches->bounded)
    add("Only a part of the types that may fit was compared; make the pattern more specific.");
  co_return answer;
}

// Reads the generation before searching: a change between the two only makes the answer newer than its key.
asio::awaitable<LocalAnswer> from_cache_or_index(LocalSource local, index::Lookup lookup,
                                                 io::CancelScope scope) {
  std::string generation;
  if (local.cache) generation = co_await local.generation(lookup.project, scope);
  if (generation.empty()) co_return co_await look_into_index(local.find, std::move(lookup), scope);
  const std::string key = key_of(lookup, generation);
  if (const auto kept = co_await local.cache->find(CacheGroup::Local, key, scope))
    if (auto answer = answer_from_json(*kept)) co_return std::move(*answer);
  auto answer = co_await look_into_index(local.find, std::move(lookup), scope);
  if (answer.error.empty() && !answer.incomplete) local.cache->put(CacheGroup::Local, key, to_json(answer));
  co_return answer;
}

/// Caches answers of a complete index until the index changes.
asio::awaitable<LocalAnswer> ask_local(LocalSource local, index::Lookup lookup, io::CancelScope scope) {
  const auto start = Clock::now();
  auto answer = co_await from_cache_or_index(std::move(local), std::move(lookup), scope);
  answer.ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  co_return answer;
}

/// The lookup that replaces a source: by type for Loogle and premise selection, by words for the others, and
/// by what the query has if it lacks that.
std::optional<index::Lookup> fallback_lookup(std::string_view source, const Query& query) {
  const bool by_type = is_loogle(source) || source == "state_search" || source == "hammer";
  auto lookup = by_type ? type_lookup(query) : word_lookup(query);
  return lookup ? lookup : by_type ? word_lookup(query) : type_lookup(query);
}

// --- a search

bool wants_goal(std::string_view source) {
  return source == "state_search" || source == "hammer";
}

// What to ask a source; "" if the query has no form for it.
std::string form_for(std::string_view source, const SearchRequest& request) {
  if (wants_goal(source)) return request.goal.empty() ? goal_form(request.query) : request.goal;
  if (is_loogle(source)) return loogle_form(request.query);
  const std::string phrase = phrase_form(request.query);
  return phrase.empty() ? request.goal : phrase;
}

// The coroutines of a search fill this in, each its own element. They may outlive the search.
struct SharedReplies {
  std::vector<std::optional<Reply>> replies;
  std::vector<std::optional<LocalAnswer>> local;
  std::vector<std::optional<Outcome<Found>>> live;
  io::TaskGroup index;    ///< what an answer waits for: the index, and live sources
  io::TaskGroup sources;  ///< what it waits for with patience
};

asio::awaitable<void> ask_source(std::shared_ptr<SharedReplies> shared, std::size_t index,
                                 std::shared_ptr<Source> source, Question question, io::CancelScope scope) {
  shared->replies[index] = co_await source->ask(std::move(question), scope);
}

asio::awaitable<void> look_up(std::shared_ptr<SharedReplies> shared, std::size_t index, LocalSource local,
                              LocalQuestion question, io::CancelScope scope) {
  shared->local[index] = co_await ask_local(std::move(local), std::move(question.lookup), scope);
}

asio::awaitable<void> ask_live(std::shared_ptr<SharedReplies> shared, std::size_t index, LiveSource source,
                               io::CancelScope scope) {
  shared->live[index] = co_await source.ask(std::move(scope));
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
    co_await shared_->index.wait(scope_);
    co_await shared_->sources.wait(patience);
    // Late sources are not told of the end of a call: their answers serve the next one.
    if (scope_.cancel->cancelled()) source_scope_.cancel->cancel();
    report_sources();
    report_index();
    report_live_sources();
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
      if (form.empty() && wants_goal(source->name()) && request_.sources.empty()) continue;
      if (!form.empty()) answer_.forms[source->name()] = form;
      asked_.push_back(source);
      shared_->replies.emplace_back();
      if (form.empty() || source->disabled_because()) continue;
      Question question;
      question.text = form;
      question.limit = std::max<std::size_t>(request_.limit, kMinLimit);
      question.packages = request_.packages;
      shared_->sources.start(
          executor, ask_source(shared_, asked_.size() - 1, source, std::move(question), source_scope_));
    }
  }

  void ask_live_sources(const asio::any_io_executor& executor) {
    std::erase_if(request_.live, [this](const LiveSource& source) { return !is_wanted(source.name); });
    shared_->live.resize(request_.live.size());
    for (std::size_t i = 0; i < request_.live.size(); ++i)
      shared_->index.start(executor, search::ask_live(shared_, i, request_.live[i], scope_));
  }

  void report_live_sources() {
    for (std::size_t i = 0; i < request_.live.size(); ++i) {
      SourceReport report;
      report.source = request_.live[i].name;
      report.status = SourceStatus::Timeout;
      report.error = report.source + " timed out.";
      if (const auto& reply = shared_->live[i]; reply && *reply) {
        report.status = SourceStatus::Ok;
        report.error.clear();
        report.count = (*reply)->hits.size();
        report.note = (*reply)->note;
        Ranked ranked;
        ranked.source = report.source;
        ranked.hits = (*reply)->hits;
        ranked.by_pattern = true;
        ranked.closes_goal = (*reply)->closes_goal;
        ranked_.push_back(std::move(ranked));
      } else if (reply) {
        report.status = status_of(reply->error().failure);
        report.error = reply->error().message;
      }
      answer_.sources.push_back(std::move(report));
    }
  }

  // Asks the index at once, so that falling back to it costs no time.
  void ask_index(const asio::any_io_executor& executor) {
    questions_ = local_questions(request_.query);
    shared_->local.resize(questions_.size());
    for (std::size_t i = 0; i < questions_.size(); ++i) {
      LocalQuestion question = questions_[i];
      question.lookup.packages = request_.packages;
      question.lookup.limit = std::max<std::size_t>(request_.limit, kMinLimit);
      question.lookup.project = request_.project;
      shared_->index.start(executor, look_up(shared_, i, local_, std::move(question), scope_));
    }
  }

  void report_sources() {
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      const std::string name = asked_[i]->name();
      SourceReport report;
      report.source = name;
      if (const auto why = asked_[i]->disabled_because()) {
        report.status = SourceStatus::Disabled;
        report.error = *why;
        report.offline = asked_[i]->backend()->is_offline();
        if (answer_.forms.contains(name)) failed_.push_back(name);
      } else if (!answer_.forms.contains(name)) {
        report.status = SourceStatus::Skipped;
        report.error = is_loogle(name)
                           ? "It takes names and types, not prose: pass a type_pattern, or part of a name in "
                             "quotation marks."
                           : "It does not take this kind of query.";
      } else if (!shared_->replies[i]) {
        report.status = SourceStatus::Late;
        report.error = name + " has not answered yet; its answer is kept for the next search.";
        failed_.push_back(name);
      } else {
        report_reply(report, *shared_->replies[i]);
      }
      answer_.sources.push_back(std::move(report));
    }
  }

  void report_reply(SourceReport& report, const Reply& reply) {
    report.ms = reply.ms;
    report.cached = reply.cached;
    if (!reply.value) {
      report.status = status_of(reply.value.error().failure);
      report.error = reply.value.error().message;
      report.suggestions = reply.value.error().suggestions;
      if (falls_back(reply.value.error())) failed_.push_back(report.source);
      return;
    }
    report.status = SourceStatus::Ok;
    report.count = reply.value->hits.size();
    report.suggestions = reply.value->suggestions;
    report.note = reply.value->note;
    report.partial = reply.value->partial;
    Ranked ranked;
    ranked.source = report.source;
    ranked.hits = usable(reply.value->hits);
    const auto& type = request_.query.type;
    ranked.by_pattern = service_of(report.source) == "loogle" && type && !type->loogle.empty();
    ranked_.push_back(std::move(ranked));
  }

  std::vector<Hit> usable(std::vector<Hit> hits) const {
    std::erase_if(hits, [this](const Hit& hit) { return request_.excluded.contains(hit.name); });
    return hits;
  }

  // The question of this form; nullopt: none.
  std::optional<std::size_t> question_of(LocalForm form) const {
    for (std::size_t i = 0; i < questions_.size(); ++i)
      if (questions_[i].form == form) return i;
    return std::nullopt;
  }

  void use_index(std::size_t which, const std::string& fallback_for) {
    const std::optional<LocalAnswer>& answer = shared_->local[which];
    SourceReport report;
    report.source = kLocal;
    report.form = questions_[which].form;
    report.fallback_for = fallback_for;
    report.status = answer ? answer->status : SourceStatus::Timeout;
    if (answer) {
      report.count = answer->hits.size();
      report.ms = answer->ms;
      report.cached = answer->cached;
      report.error = answer->error;
      report.note = answer->note;
      report.partial = answer->incomplete;
    }
    answer_.sources.push_back(std::move(report));
    if (!answer || !used_.insert(which).second) return;
    answer_.forms[kLocal + std::string(":") + wire::name_of(questions_[which].form)] = questions_[which].text;
    Ranked ranked;
    ranked.source = kLocal;
    ranked.hits = usable(answer->hits);
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
    const auto words = question_of(LocalForm::Words), type = question_of(LocalForm::Type);
    for (const std::string& failed : failed_) {
      const bool by_type = is_loogle(failed) || wants_goal(failed);
      if (words || type) use_index((by_type && type) || !words ? *type : *words, failed);
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
  std::shared_ptr<SharedReplies> shared_ = std::make_shared<SharedReplies>();
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

// The question to one source, and the lookup that may answer instead. Either may outlive the wait.
struct OneQuestion {
  std::optional<Reply> reply;
  std::optional<LocalAnswer> local;
  io::Condition changed;
};

asio::awaitable<void> await_source(std::shared_ptr<OneQuestion> asked, std::shared_ptr<Source> source,
                                   Question question, io::CancelScope scope) {
  asked->reply = co_await source->ask(std::move(question), scope);
  asked->changed.notify_all();
}

asio::awaitable<void> await_index(std::shared_ptr<OneQuestion> asked, LocalSource local, index::Lookup lookup,
                                  io::CancelScope scope) {
  asked->local = co_await ask_local(std::move(local), std::move(lookup), scope);
  asked->changed.notify_all();
}

OneAnswer local_answer(LocalAnswer local, const std::string& fallback_for, std::string problem) {
  OneAnswer answer;
  answer.found.hits = std::move(local.hits);
  answer.found.note = std::move(local.note);
  answer.found.partial = local.incomplete;
  answer.source = kLocal;
  answer.cached = local.cached;
  answer.fallback_for = fallback_for;
  answer.problem = std::move(problem);
  return answer;
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
  const auto shared = std::make_shared<OneQuestion>();
  io::CancelScope source_scope = scope;
  source_scope.cancel = std::make_shared<io::CancelSource>();
  if (lookup) {
    // Reserve time for the index in case the source takes all of it.
    const Clock::duration left = scope.deadline - Clock::now();
    source_scope = source_scope.with_timeout(left - std::min<Clock::duration>(left / 5, kIndexReserve));
  }
  io::spawn(executor, await_source(shared, asked, question, source_scope));
  const auto answered = [shared] { return shared->reply.has_value(); };
  co_await io::wait_until(shared->changed, lookup ? scope.with_timeout(patience_) : scope, answered);
  if (!shared->reply && lookup && !scope.cancel->cancelled()) {
    lookup->limit = question.limit;
    lookup->packages = question.packages;
    lookup->project = project;
    io::spawn(executor, await_index(shared, local_, std::move(*lookup), scope));
    co_await io::wait_until(shared->changed, scope, [shared] {
      return shared->reply || (shared->local && !shared->local->hits.empty());
    });
  }
  if (scope.cancel->cancelled()) {
    source_scope.cancel->cancel();
    co_return tl::unexpected(search::problem(Failure::Cancelled, "The search was cancelled."));
  }
  if (!shared->reply) {
    Problem late = search::problem(Failure::Timeout,
                                   name + " has not answered yet; its answer is kept for the next call.");
    if (!shared->local || !shared->local->error.empty()) co_return tl::unexpected(std::move(late));
    co_return local_answer(std::move(*shared->local), name, std::move(late.message));
  }
  if (shared->reply->value) {
    OneAnswer answer;
    answer.found = std::move(*shared->reply->value);
    answer.source = name;
    answer.cached = shared->reply->cached;
    co_return answer;
  }
  co_return co_await fall_back(name, shared->reply->value.error(), std::move(question), std::move(query),
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
