#include "leanbridge/search/engine.hpp"

#include "leanbridge/base/log.hpp"
#include "leanbridge/io/task_group.hpp"

#include <algorithm>
#include <set>

namespace leanbridge::search {

namespace {

// --- the local index as a source

/// The answer of the local index to one lookup.
struct LocalAnswer {
  std::vector<Hit> hits;
  std::vector<bool> printed;  ///< by hit: leanbridge printed its type
  std::vector<double> fits;   ///< by hit: how well its type fits the patterns
  std::string note;           ///< that the index is incomplete, or that nothing fits
  std::string error;          ///< "": none
  SourceStatus status = SourceStatus::Ok;
  double ms = 0;
  bool cached = false;
  bool incomplete = false;  ///< the index is: not to be kept
};

Hit to_hit(const index::Declaration& declaration, double score) {
  Hit hit;
  hit.name = declaration.name;
  hit.kind = declaration.kind;
  hit.type = declaration.signature;
  hit.module = declaration.module;
  hit.docstring = declaration.docstring;
  hit.file = declaration.file;
  hit.line = declaration.line;
  hit.score = score;
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
  return {search::to_json(found), answer.printed, answer.fits, answer.note};
}

std::optional<LocalAnswer> answer_from_json(const nlohmann::json& kept) {
  auto found = found_from_json(kept.at(0));
  if (!found) return std::nullopt;
  LocalAnswer answer;
  answer.hits = std::move(found->hits);
  answer.printed = kept.at(1).get<std::vector<bool>>();
  answer.fits = kept.at(2).get<std::vector<double>>();
  answer.note = kept.at(3).get<std::string>();
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
  for (const index::Found& found : matches->found) {
    answer.hits.push_back(to_hit(found.declaration, found.score));
    answer.printed.push_back(found.declaration.approximate);
    answer.fits.push_back(found.fit);
  }
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

// The coroutines of a search fill this in, each its own element.
struct SharedReplies {
  std::vector<std::optional<Reply>> replies;
  std::optional<LocalAnswer> words, type;
  std::vector<std::optional<Outcome<Found>>> live;
  io::TaskGroup questions;
};

asio::awaitable<void> ask_source(std::shared_ptr<SharedReplies> shared, std::size_t index,
                                 std::shared_ptr<Source> source, Question question, io::CancelScope scope) {
  shared->replies[index] = co_await source->ask(std::move(question), scope);
}

asio::awaitable<void> look_up(std::shared_ptr<SharedReplies> shared,
                              std::optional<LocalAnswer> SharedReplies::*place, LocalSource local,
                              index::Lookup lookup, io::CancelScope scope) {
  (*shared).*place = co_await ask_local(std::move(local), std::move(lookup), scope);
}

asio::awaitable<void> ask_live(std::shared_ptr<SharedReplies> shared, std::size_t index, LiveSource source,
                               io::CancelScope scope) {
  shared->live[index] = co_await source.ask(std::move(scope));
}

// One search: asks the sources, collects the answers, merges and ranks them.
class Search {
 public:
  Search(SearchRequest request, const std::vector<std::shared_ptr<Source>>& sources, LocalSource local,
         io::CancelScope scope)
      : request_(std::move(request)), sources_(sources), local_(std::move(local)), scope_(std::move(scope)) {}

  asio::awaitable<SearchAnswer> run() {
    const auto executor = co_await asio::this_coro::executor;
    ask_sources(executor);
    ask_index(executor);
    ask_live_sources(executor);
    co_await shared_->questions.wait(scope_);
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
      shared_->questions.start(executor,
                               ask_source(shared_, asked_.size() - 1, source, std::move(question), scope_));
    }
  }

  void ask_live_sources(const asio::any_io_executor& executor) {
    std::erase_if(request_.live, [this](const LiveSource& source) { return !is_wanted(source.name); });
    shared_->live.resize(request_.live.size());
    for (std::size_t i = 0; i < request_.live.size(); ++i)
      shared_->questions.start(executor, search::ask_live(shared_, i, request_.live[i], scope_));
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
    ask_index(executor, &SharedReplies::words, word_lookup(request_.query));
    ask_index(executor, &SharedReplies::type, type_lookup(request_.query));
  }

  void ask_index(const asio::any_io_executor& executor, std::optional<LocalAnswer> SharedReplies::*place,
                 std::optional<index::Lookup> lookup) {
    if (!lookup) return;
    lookup->packages = request_.packages;
    lookup->limit = std::max<std::size_t>(request_.limit, kMinLimit);
    lookup->project = request_.project;
    shared_->questions.start(executor, look_up(shared_, place, local_, std::move(*lookup), scope_));
  }

  void report_sources() {
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      const std::string name = asked_[i]->name();
      SourceReport report;
      report.source = name;
      if (const auto why = asked_[i]->disabled_because()) {
        report.status = SourceStatus::Disabled;
        report.error = *why;
        if (answer_.forms.contains(name)) failed_.push_back(name);
      } else if (!answer_.forms.contains(name)) {
        report.status = SourceStatus::Skipped;
        report.error = is_loogle(name)
                           ? "It takes names and types, not prose: pass a type_pattern, or part of a name in "
                             "quotation marks."
                           : "It does not take this kind of query.";
      } else if (!shared_->replies[i]) {
        report.status = SourceStatus::Timeout;
        report.error = name + " timed out.";
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
    Ranked ranked;
    ranked.source = report.source;
    ranked.hits = reply.value->hits;
    ranked.by_pattern =
        service_of(report.source) == "loogle" && request_.query.type && !request_.query.type->loogle.empty();
    ranked_.push_back(std::move(ranked));
  }

  void report_index() {
    // Failed sources are replaced by the lookup by words or by type; both may be wanted anyway.
    std::set<const LocalAnswer*> used;
    const auto use = [&](const std::optional<LocalAnswer>& answer, const std::string& fallback_for) {
      SourceReport report;
      report.source = kLocal;
      report.fallback_for = fallback_for;
      report.status = answer ? answer->status : SourceStatus::Timeout;
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
      ranked.fits = answer->fits;
      ranked.index = true;
      ranked.fallback = !is_wanted(kLocal);
      ranked_.push_back(std::move(ranked));
    };
    const auto words = word_lookup(request_.query);
    const auto type = type_lookup(request_.query);
    if (is_wanted(kLocal)) {
      if (words) use(shared_->words, "");
      if (type) use(shared_->type, "");
      if (!words && !type)
        answer_.sources.push_back(
            {kLocal, SourceStatus::Skipped, 0, 0, false, "", "It does not take this kind of query.", {}, ""});
    }
    for (const std::string& failed : failed_) {
      const bool by_type = is_loogle(failed) || wants_goal(failed);
      if (!words && !type) continue;
      use((by_type && type) || !words ? shared_->type : shared_->words, failed);
    }
  }

  // Results per source: ranking needs more than are shown.
  static constexpr std::size_t kMinLimit = 20;

  SearchRequest request_;
  const std::vector<std::shared_ptr<Source>>& sources_;
  LocalSource local_;
  io::CancelScope scope_;
  std::shared_ptr<SharedReplies> shared_ = std::make_shared<SharedReplies>();
  std::vector<std::shared_ptr<Source>> asked_;
  std::vector<std::string> failed_;
  std::vector<Ranked> ranked_;
  SearchAnswer answer_;
};

}  // namespace

wire::Names<SourceStatus> names_of(SourceStatus) {
  return {{SourceStatus::Ok, "ok"},
          {SourceStatus::Timeout, "timeout"},
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

Engine::Engine(std::vector<std::shared_ptr<Source>> sources, LocalSource local)
    : sources_(std::move(sources)), local_(std::move(local)) {}

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
  problem.message = name + " is disabled.";
  if (asked) {
    // Reserve time for the index in case the source takes all of it.
    const Clock::duration left = scope.deadline - Clock::now();
    const Clock::duration spare = std::min<Clock::duration>(left / 5, std::chrono::seconds(1));
    const bool may_fall_back = fallback_lookup(name, query).has_value();
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
  co_return co_await fall_back(name, std::move(problem), std::move(question), std::move(query),
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
