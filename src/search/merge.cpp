#include "leanbridge/search/theorem.hpp"

#include <unordered_map>
#include <utility>

namespace leanbridge::search {

namespace {

constexpr std::string_view kRoot = "_root_.";

std::string full_name(std::string name) {
  if (name.starts_with(kRoot)) name.erase(0, kRoot.size());
  return name;
}

// A field goes over what is there if it comes from somebody better.
void take(std::string& field, Trust& from, std::string value, Trust trust) {
  if (value.empty() || (from >= trust && !field.empty())) return;
  field = std::move(value);
  from = trust;
}

void take_place(Theorem& theorem, const Hit& hit, Trust trust) {
  Hit& own = theorem.hit;
  const bool better = trust > theorem.place_from;
  const auto fill = [better](std::string& field, const std::string& value) {
    if (!value.empty() && (better || field.empty())) field = value;
  };
  fill(own.module, hit.module);
  fill(own.kind, hit.kind);
  if (!hit.file.empty() && (better || own.file.empty())) {
    own.file = hit.file;
    own.line = hit.line;
  }
  if (better) theorem.place_from = trust;
}

void join(Theorem& theorem, const Hit& hit, Trust trust, Trust type_trust) {
  take(theorem.hit.type, theorem.type_from, hit.type, type_trust);
  take(theorem.hit.docstring, theorem.docstring_from, hit.docstring, trust);
  take_place(theorem, hit, trust);
  if (theorem.hit.informal.empty()) theorem.hit.informal = hit.informal;
  if (theorem.hit.informal_name.empty()) theorem.hit.informal_name = hit.informal_name;
  if (theorem.hit.id.empty()) theorem.hit.id = hit.id;
}

}  // namespace

std::vector<Theorem> merge(const std::vector<Ranked>& answers) {
  std::vector<Theorem> theorems;
  std::unordered_map<std::string, std::size_t> by_name;
  for (const Ranked& answer : answers) {
    const Trust trust = answer.index ? Trust::Index : Trust::Backend;
    for (std::size_t i = 0; i < answer.hits.size(); ++i) {
      const std::string name = full_name(answer.hits[i].name);
      if (name.empty()) continue;
      const auto [place, is_new] = by_name.emplace(name, theorems.size());
      if (is_new) {
        theorems.emplace_back();
        theorems.back().hit.name = name;
        theorems.back().only_fallback = true;
      }
      Theorem& theorem = theorems[place->second];
      const bool printed = i < answer.printed.size() && answer.printed[i];
      join(theorem, answer.hits[i], trust, printed ? Trust::Printed : trust);
      theorem.ranks.emplace(answer.source, i + 1);  // its first, which is its best
      theorem.by_pattern = theorem.by_pattern || answer.by_pattern;
      theorem.only_fallback = theorem.only_fallback && answer.fallback;
    }
  }
  return theorems;
}

void take_leans_word(Theorem& theorem, std::string type, std::string module, std::string docstring) {
  take(theorem.hit.type, theorem.type_from, std::move(type), Trust::Lean);
  take(theorem.hit.docstring, theorem.docstring_from, std::move(docstring), Trust::Lean);
  if (!module.empty()) theorem.hit.module = std::move(module);
}

}  // namespace leanbridge::search
