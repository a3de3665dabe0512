#include "search/sources/engine.hpp"

#include "core/base/joined.hpp"
#include "core/base/log.hpp"
#include "core/io/task_group.hpp"
#include "search/index/absent_if_empty.hpp"
#include "search/sources/backends/backend_error.hpp"
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace leanbridge::search {

namespace {

constexpr const char* kNoForm = "It does not take this kind of query.";

// --- the local index as a source

std::string key_of(const index::Lookup& lookup, const std::string& generation) {
  const nlohmann::json key = {lookup.words,    lookup.constants, lookup.conclusion,
                              lookup.glob,     lookup.patterns,  lookup.name_parts,
                              lookup.packages, lookup.limit,     lookup.project.string(),
                              generation};
  return key.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

asio::awaitable<Outcome<Found>> look_into_index(LocalSource local, index::Lookup lookup,
                                                io::CancelScope scope) {
  auto matches = co_await local.find(std::move(lookup), scope);
  if (!matches) {
    const ErrorKind kind = matches.error().kind;
    co_return tl::unexpected(problem(kind == ErrorKind::Timeout     ? Failure::Timeout
                                     : kind == ErrorKind::Cancelled ? Failure::Cancelled
                                                                    : Failure::BackendError,
                                     matches.error().message));
  }
  Found found;
  for (index::Match& match : matches->found) found.hits.push_back(Theorem{std::move(match)});
  found.partial = !matches->complete;
  const std::pair<bool, std::string_view> notes[] = {
      {found.partial, "The index is incomplete; there may be more matches."},
      {matches->nearest, "No type fits the pattern; these mention the same constants."},
      {matches->bounded,
       "Only a part of the types that may fit was compared; make the pattern more specific."}};
  for (const auto& [holds, note] : notes)
    if (holds) found.note.append(found.note.empty() ? "" : " ").append(note);
  co_return found;
}

// Caches answers of a complete index until the index changes. Reads the generation before searching: a change
// between the two only makes the answer newer than its key.
asio::awaitable<Reply> ask_index(LocalSource local, index::Lookup lookup, io::CancelScope scope) {
  const auto start = Clock::now();
  std::string key;
  if (local.cache)
    if (const auto generation = co_await local.generation(lookup.project, scope); !generation.empty())
      key = key_of(lookup, generation);
  if (!key.empty())
    if (const Found* const kept = local.cache->find<Found>(CacheGroup::Local, key))
      co_return Reply{*kept, true, ms_since(start)};
  auto found = co_await look_into_index(local, std::move(lookup), scope);
  if (!key.empty() && found && !found->partial) local.cache->put(CacheGroup::Local, key, *found);
  co_return Reply{std::move(found), false, ms_since(start)};
}

bool takes(std::string_view source, QuestionForm form) {
  return question_form(source_kind(source)) == form;
}

// The index of the local question that replaces this source: by type or by words, or the other one if the
// query has only that. `questions` must not be empty.
std::size_t stand_in(std::string_view source, const std::vector<LocalQuestion>& questions) {
  const LocalForm form = takes(source, QuestionForm::Phrase) ? LocalForm::Words : LocalForm::Type;
  return questions.front().form == form ? 0 : questions.size() - 1;
}

// --- a search

// The text to ask a source; "" if the query has no form for it.
std::string form_for(std::string_view source, const SearchRequest& request) {
  if (takes(source, QuestionForm::Goal))
    return request.goal.empty() ? goal_form(request.query) : request.goal;
  if (takes(source, QuestionForm::Loogle)) return loogle_form(request.query);
  const std::string phrase = phrase_form(request.query);
  return phrase.empty() ? request.goal : phrase;
}

// A reply that may come after the search. Until it comes, it is a failure.
using Slot = std::shared_ptr<Reply>;

Slot slot_with(Problem problem) {
  return std::make_shared<Reply>(Reply{tl::unexpected(std::move(problem))});
}

asio::awaitable<Reply> ask_live(LiveSource source, io::CancelScope scope) {
  co_return Reply{co_await source.ask(std::move(scope))};
}

// One search: asks the sources, collects the answers, merges and ranks them.
class Search {
 public:
  Search(SearchRequest request, io::CancelScope scope)
      : request_(std::move(request)), questions_(local_questions(request_.query)), scope_(std::move(scope)) {}

  asio::awaitable<SearchAnswer> run(const std::vector<std::shared_ptr<Source>>& sources,
                                    const LocalSource& local, Clock::duration patience) {
    executor_ = co_await asio::this_coro::executor;
    // The end of a call does not end late sources: their answers serve the next call.
    io::CancelScope own = scope_;
    own.cancel = std::make_shared<io::CancelSource>();
    own.deadline += kPatience;  // the search's own deadline ends the wait for it
    for (const auto& source : sources)
      if (is_wanted(source->name())) ask(*source, own);
    // Asks the index at once, so that falling back to it takes no time.
    for (const LocalQuestion& question : questions_) ask(local, question.lookup);
    for (const LiveSource& source : request_.live)
      if (is_wanted(source.name)) ask(source);
    const io::CancelScope patient = scope_.with_timeout(patience);
    co_await prompt_.wait(scope_);
    co_await patient_.wait(patient);
    if (scope_.cancel->cancelled()) own.cancel->cancel();
    take_all();
    answer_.results = merge(std::move(found_));
    rank(answer_.results, request_.query);
    keep_fitting(answer_.results, request_.query);
    answer_.total = answer_.results.size();
    answer_.results.resize(std::min(answer_.total, request_.limit));
    co_return std::move(answer_);
  }

 private:
  bool is_wanted(std::string_view source) const {
    return request_.sources.empty() || std::ranges::find(request_.sources, source) != request_.sources.end();
  }

  // Results per source: ranking needs more than the number shown.
  std::size_t limit() const { return std::max<std::size_t>(request_.limit, 20); }

  void ask(const Source& source, const io::CancelScope& scope) {
    const std::string name = source.name(), form = form_for(name, request_);
    // Premise selection is only for goals, so its skipping a query of words is not reported.
    if (form.empty() && takes(name, QuestionForm::Goal) && request_.sources.empty()) return;
    if (!form.empty()) answer_.forms[name] = form;
    const Slot slot = slot_with(late_answer(name));
    asked_.emplace_back(name, slot);
    if (const auto disabled = source.disabled_because()) {
      slot->value = tl::unexpected(*disabled);
    } else if (form.empty()) {
      slot->value = tl::unexpected(problem(
          Failure::Skipped, takes(name, QuestionForm::Loogle)
                                ? "It takes names and types, not prose: pass a type_pattern, or part of a "
                                  "name in quotation marks."
                                : kNoForm));
    } else {
      Question question{form, limit(), request_.packages, ""};
      patient_.start(executor_, slot, source.ask(std::move(question), scope));
    }
  }

  void ask(const LocalSource& local, index::Lookup lookup) {
    lookup.packages = request_.packages;
    lookup.limit = limit();
    lookup.project = request_.project;
    index_.push_back(slot_with(problem(Failure::Timeout, "")));
    prompt_.start(executor_, index_.back(), ask_index(local, std::move(lookup), scope_));
  }

  void ask(const LiveSource& source) {
    live_.emplace_back(source.name, slot_with(problem(Failure::Timeout, source.name + " timed out.")));
    prompt_.start(executor_, live_.back().second, ask_live(source, scope_));
  }

  // The index's results by words or by type replace those of failed sources; both may be wanted in any case.
  void take_all() {
    std::vector<std::string> failed;
    for (const auto& [name, slot] : asked_)
      if (take({.source = name}, *slot) && answer_.forms.contains(name)) failed.push_back(name);
    const auto take_index = [this](std::size_t i, const std::optional<std::string>& fallback_for) {
      answer_.forms[kLocal + std::string(":") + wire::name_of(questions_[i].form)] = questions_[i].text;
      take({.source = kLocal, .fallback_for = fallback_for, .form = questions_[i].form}, *index_[i]);
    };
    if (is_wanted(kLocal)) {
      for (std::size_t i = 0; i < questions_.size(); ++i) take_index(i, std::nullopt);
      if (questions_.empty()) take({.source = kLocal}, *slot_with(problem(Failure::Skipped, kNoForm)));
    }
    for (const std::string& name : failed)
      if (!questions_.empty()) take_index(stand_in(name, questions_), name);
    for (const auto& [name, slot] : live_) take({.source = name}, *slot);
  }

  // Reports a reply, and adds its hits to the results. Returns true if the index can replace it.
  bool take(SourceReport report, const Reply& reply) {
    report.ms = std::round(reply.ms * 10) / 10;
    report.cached = reply.cached;
    if (!reply.value) {
      const Problem& why = reply.value.error();
      report.failure = why.failure;
      report.status = wire::name_of(why.failure);
      report.error = absent_if_empty(why.message);
      report.suggestions = absent_if_empty(why.suggestions);
      answer_.sources.push_back(std::move(report));
      return falls_back(why);
    }
    Found found = *reply.value;
    report.count = found.hits.size();
    report.suggestions = absent_if_empty(found.suggestions);
    report.note = absent_if_empty(found.note);
    report.partial = found.partial;
    const SourceKind kind = source_kind(report.source);
    const auto& type = request_.query.type;
    found.source = report.source;
    found.by_pattern =
        kind == SourceKind::ProofSearch || (kind == SourceKind::Loogle && type && !type->loogle.empty());
    found.fallback = !is_wanted(report.source);
    std::erase_if(found.hits, [this](const Theorem& hit) { return request_.excluded.contains(hit.name); });
    found_.push_back(std::move(found));
    answer_.sources.push_back(std::move(report));
    return false;
  }

  const SearchRequest request_;
  const std::vector<LocalQuestion> questions_;
  const io::CancelScope scope_;
  asio::any_io_executor executor_;
  io::TaskGroup prompt_;   ///< sources that an answer waits for: the index, and live sources
  io::TaskGroup patient_;  ///< sources that it waits for up to the patience: all others
  std::vector<std::pair<std::string, Slot>> asked_, live_;
  std::vector<Slot> index_;  ///< by question
  std::vector<Found> found_;
  SearchAnswer answer_;
};

}  // namespace

Engine::Engine(std::vector<std::shared_ptr<Source>> sources, LocalSource local, Clock::duration patience)
    : sources_(std::move(sources)), local_(std::move(local)), patience_(patience) {}

std::shared_ptr<Source> Engine::source(std::string_view name) const {
  const auto found = std::ranges::find_if(sources_, [&](const auto& each) { return each->name() == name; });
  return found == sources_.end() ? nullptr : *found;
}

asio::awaitable<Result<SearchAnswer>> Engine::search(SearchRequest request, io::CancelScope scope) const {
  std::vector<std::string> known{kLocal};
  for (const auto& each : sources_) known.push_back(each->name());
  for (const LiveSource& each : request.live) known.push_back(each.name);
  for (const std::string& wanted : request.sources)
    if (std::ranges::find(known, wanted) == known.end())
      co_return fail(ErrorKind::InvalidArgument, "Unknown source '" + wanted + "'.",
                     "The sources are " + joined(known) + ".");
  const auto start = Clock::now();
  Search search(std::move(request), scope);
  auto answer = co_await search.run(sources_, local_, patience_);
  if (scope.cancel->cancelled()) co_return fail(ErrorKind::Cancelled, "The search was cancelled.");
  log::info("search results={} ms={:.0f}", answer.results.size(), ms_since(start));
  co_return answer;
}

asio::awaitable<Outcome<OneAnswer>> Engine::ask(std::string name, Question question, Query query,
                                                std::filesystem::path project, io::CancelScope scope) const {
  const auto asked = source(name);
  const auto questions = local_questions(query);
  // Leaves time for the index in case the source uses up all of it.
  const auto nearly_all = [&] { return (scope.deadline - Clock::now()) * 4 / 5; };
  Reply own{tl::unexpected(problem(Failure::Disabled, name + " is disabled."))};
  if (asked)
    own = co_await asked->ask(
        question,
        questions.empty() ? scope : scope.with_timeout(std::min<Clock::duration>(patience_, nearly_all())));
  if (!own.value && falls_back(own.value.error()) && !questions.empty()) {
    index::Lookup lookup = questions[stand_in(name, questions)].lookup;
    lookup.limit = question.limit;
    lookup.packages = question.packages;
    lookup.project = std::move(project);
    Reply local = co_await ask_index(local_, std::move(lookup), scope);
    const bool helps = local.value && !local.value->hits.empty();
    if (!helps && own.value.error().failure == Failure::Late)
      own = co_await asked->ask(question, scope.with_timeout(nearly_all()));
    if (!own.value && falls_back(own.value.error()) && local.value)
      co_return OneAnswer{std::move(*local.value), kLocal, local.cached, name, own.value.error().message};
  }
  if (!own.value) co_return tl::unexpected(own.value.error());
  co_return OneAnswer{std::move(*own.value), name, own.cached, {}, {}};
}

}  // namespace leanbridge::search
