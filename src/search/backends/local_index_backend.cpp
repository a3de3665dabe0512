#include "local_index_backend.hpp"

#include "search/engine/cache_disk.hpp"

namespace leanbridge::search {

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

namespace {

std::string key_of(const index::Lookup& lookup, const std::string& generation) {
  const nlohmann::json key = {lookup.words,    lookup.constants, lookup.conclusion,       lookup.glob,
                              lookup.packages, lookup.limit,     lookup.project.string(), generation};
  return key.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

nlohmann::json to_json(const LocalAnswer& answer) {
  Found found;
  found.hits = answer.hits;
  return {search::to_json(found), answer.printed};
}

std::optional<LocalAnswer> answer_from_json(const nlohmann::json& kept) {
  auto found = found_from_json(kept.at(0));
  if (!found) return std::nullopt;
  LocalAnswer answer;
  answer.status = "ok";
  answer.hits = std::move(found->hits);
  answer.printed = kept.at(1).get<std::vector<bool>>();
  answer.cached = true;
  return answer;
}

asio::awaitable<LocalAnswer> look_into_index(LocalFind find, index::Lookup lookup, io::CancelScope scope) {
  LocalAnswer answer;
  const auto matches = co_await find(std::move(lookup), scope);
  if (!matches) {
    answer.status = wire_name(matches.error().kind);
    answer.error = matches.error().message;
    co_return answer;
  }
  answer.status = "ok";
  for (const index::Found& found : matches->found) {
    answer.hits.push_back(to_hit(found.declaration, found.score));
    answer.printed.push_back(found.declaration.approximate);
  }
  if (!matches->complete) answer.note = "The index is not complete: there may be more.";
  co_return answer;
}

// The generation is read before the search: what changes between the two makes the answer newer than its key.
asio::awaitable<LocalAnswer> from_cache_or_index(LocalSource local, index::Lookup lookup,
                                                 io::CancelScope scope) {
  std::string generation;
  if (local.cache) generation = co_await local.generation(lookup.project, scope);
  if (generation.empty()) co_return co_await look_into_index(local.find, std::move(lookup), scope);
  const std::string key = key_of(lookup, generation);
  if (const auto kept = co_await local.cache->find(CacheGroup::Local, key, scope))
    if (auto answer = answer_from_json(*kept)) co_return std::move(*answer);
  auto answer = co_await look_into_index(local.find, std::move(lookup), scope);
  if (answer.error.empty() && answer.note.empty()) local.cache->put(CacheGroup::Local, key, to_json(answer));
  co_return answer;
}

}  // namespace

asio::awaitable<LocalAnswer> ask_local(LocalSource local, index::Lookup lookup, io::CancelScope scope) {
  const auto start = Clock::now();
  auto answer = co_await from_cache_or_index(std::move(local), std::move(lookup), scope);
  answer.ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  co_return answer;
}

std::optional<index::Lookup> lookup_instead_of(std::string_view source, const Query& query) {
  const bool by_type = is_loogle(source) || source == "state_search" || source == "hammer";
  auto lookup = by_type ? type_lookup(query) : word_lookup(query);
  return lookup ? lookup : by_type ? word_lookup(query) : type_lookup(query);
}

}  // namespace leanbridge::search
