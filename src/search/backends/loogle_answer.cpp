#include "loogle_answer.hpp"

#include "remote.hpp"

namespace leanbridge::search {

using nlohmann::json;

namespace {

// The service reports the death of its worker in the field for errors of the query. The query's own errors
// are Lean's words and start with none of these.
bool is_crash(const std::string& error) {
  return error.starts_with("Backend ") || error.starts_with("The backend process ");
}

}  // namespace

Outcome<Found> read_loogle_answer(const json& body, const Question& question, const std::string& title) {
  if (!body.is_object()) return tl::unexpected(wrong_shape(title, "an object"));
  if (body.contains("error")) {
    const std::string error = text_member(body, "error");
    if (is_crash(error))
      return tl::unexpected(problem(Failure::Unavailable, title + " crashed: " + one_line(error)));
    Problem invalid =
        problem(Failure::Invalid, title + " does not accept the query: " + one_line(error, 1000));
    invalid.suggestions = strings(body, "suggestions");
    return tl::unexpected(std::move(invalid));
  }
  if (body.empty()) return tl::unexpected(problem(Failure::Invalid, title + " was asked an empty query."));
  const auto hits = body.find("hits");
  if (hits == body.end() || !hits->is_array()) return tl::unexpected(wrong_shape(title, "a list \"hits\""));
  Found found;
  for (const json& item : *hits) {
    Hit hit;
    hit.name = text_member(item, "name");
    hit.type = trimmed_text(item, "type");
    hit.module = text_member(item, "module");
    hit.docstring = trimmed_text(item, "doc");
    found.hits.push_back(std::move(hit));
  }
  if (const auto count = number(body, "count"); count && *count >= 0)
    found.total = static_cast<std::size_t>(*count);
  found.suggestions = strings(body, "suggestions");
  found.note = one_line(text_member(body, "header"));
  narrow(found, question);
  return found;
}

std::string loogle_query(std::string_view text) {
  std::string query;
  for (const char c : text) query += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  query.erase(0, query.find_first_not_of(' '));
  if (query.starts_with("#find ")) query.erase(0, 6);
  query.erase(0, query.find_first_not_of(' '));
  while (query.ends_with(' ')) query.pop_back();
  return query;
}

}  // namespace leanbridge::search
