// lean_references: where a name is used, across files.

#include "source_locations.hpp"

#include <algorithm>
#include <tuple>

namespace leanbridge::tools {

using nlohmann::json;

namespace {

constexpr io::Clock::duration kTimeToAsk = std::chrono::seconds(1);

struct ReferencesParams {
  ExactPosition at;
  std::size_t max_results = 50;

  static wire::Fields fields() {
    return {
        wire::flatten<&ReferencesParams::at>(),
        wire::field<&ReferencesParams::max_results>("max_results", "Default 50").with_default().at_least(1)};
  }
};

struct ReferencesResult {
  std::vector<SourceLocation> items;
  std::size_t total = 0;
  bool truncated = false;
  bool index_complete = false;  ///< false: places may be missing
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&ReferencesResult::items>("items"), wire::field<&ReferencesResult::total>("total"),
            wire::field<&ReferencesResult::truncated>("truncated"),
            wire::field<&ReferencesResult::index_complete>("index_complete"),
            wire::flatten<&ReferencesResult::file>()};
  }
};

asio::awaitable<Result<ReferencesResult>> references(Environment& environment,
                                                     std::shared_ptr<mcp::Call> call,
                                                     ReferencesParams params) {
  CO_TRY(const auto at, co_await open_place(environment, call, params.at.position(), ColumnDefault::LineEnd));
  const OpenFile& file = at.file;
  // Where the file is not elaborated in time, the index still answers for what it knows of it: a share of the
  // time is kept for that question.
  const io::Clock::duration left = call->scope.deadline - io::Clock::now();
  const io::CancelScope waiting = call->scope.with_timeout(left - std::min(left / 4, kTimeToAsk));
  CO_TRY(const auto known, co_await file.wait_until_done(waiting));
  const bool done = known == document::WaitOutcome::Complete;
  ReferencesResult result;
  result.index_complete = done && co_await wait_for_index(file.handle(), waiting);

  json extra = {{"context", {{"includeDeclaration", true}}}};
  const auto found =
      co_await file.request_at("textDocument/references", at.anchor, call->scope, std::move(extra));
  const bool timed_out = !done || (!found && found.error().kind == ErrorKind::Timeout);
  if (!found && !timed_out) co_return tl::unexpected(found.error());

  std::vector<Place> places;
  if (found) places = read_places(found->value);
  std::erase_if(places, [](const Place& place) { return document::is_scratch_path(place.path); });
  const auto key = [](const Place& place) {
    return std::make_tuple(place.path, place.selection.start, place.selection.end);
  };
  std::sort(places.begin(), places.end(), [&](const Place& a, const Place& b) { return key(a) < key(b); });
  places.erase(std::unique(places.begin(), places.end(),
                           [&](const Place& a, const Place& b) { return key(a) == key(b); }),
               places.end());
  const std::size_t shown = std::min(places.size(), params.max_results);
  Sources sources(environment, file.store());
  const io::CancelScope reading(std::chrono::seconds(10), call->scope.cancel);
  for (std::size_t i = 0; i < shown; ++i)
    result.items.push_back(co_await sources.location(places[i], reading));
  result.total = places.size();
  result.truncated = shown < places.size();
  result.file = status_of(file, late_if(timed_out));
  co_return result;
}

}  // namespace

mcp::Tool lean_references(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_references",
                    .title = "References",
                    .group = "query",
                    .description = "All places that use, or declare, the name at a place, in all built or "
                                   "open files of the project. With index_complete: false Lean's index was "
                                   "not ready, and places may be missing."},
                   references);
}

}  // namespace leanbridge::tools
