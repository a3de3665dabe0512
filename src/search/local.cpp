#include "local.hpp"

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

asio::awaitable<LocalAnswer> ask_local(LocalFind find, index::Lookup lookup, io::Scope scope) {
  LocalAnswer answer;
  const auto start = Clock::now();
  const auto matches = co_await find(std::move(lookup), scope);
  answer.ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
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

std::optional<index::Lookup> lookup_instead_of(std::string_view source, const Query& query) {
  const bool by_type = is_loogle(source) || source == "state_search" || source == "hammer";
  auto lookup = by_type ? type_lookup(query) : word_lookup(query);
  return lookup ? lookup : by_type ? word_lookup(query) : type_lookup(query);
}

}  // namespace leanbridge::search
