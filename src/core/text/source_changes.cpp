#include "source_changes.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace leanbridge::text {

namespace {

struct Pair {
  const ReadDeclaration* before = nullptr;  ///< null: added
  const ReadDeclaration* after = nullptr;   ///< null: removed
};

/// Finds out which old declaration has become which new one.
class Pairing {
 public:
  Pairing(const std::vector<SourceReading>& before, const std::vector<SourceReading>& after)
      : before_(all_of(before)), after_(all_of(after)) {
    // Names first: a declaration that is only moved was not renamed. A private name means something else in
    // each file.
    pair_by([](const ReadDeclaration& d) { return key({d.file, d.name}); });
    pair_by([](const ReadDeclaration& d) {
      return key({d.name, d.is_private ? key({d.kind, d.statement}) : ""});
    });
    pair_by([](const ReadDeclaration& d) {
      const std::string content = content_of(d);
      return content.empty() ? content : key({d.file, content});
    });
    pair_by(content_of);
    for (const ReadDeclaration* each : before_)
      if (each) pairs_.push_back({each, nullptr});
    for (const ReadDeclaration* each : after_)
      if (each) pairs_.push_back({nullptr, each});
  }

  const std::vector<Pair>& pairs() const { return pairs_; }

 private:
  using Declarations = std::vector<const ReadDeclaration*>;

  static Declarations all_of(const std::vector<SourceReading>& readings) {
    Declarations all;
    for (const SourceReading& reading : readings)
      for (const ReadDeclaration& declaration : reading.declarations) all.push_back(&declaration);
    return all;
  }

  static std::string key(std::initializer_list<std::string_view> parts) {
    std::string joined;
    for (const std::string_view part : parts) joined.append(part).append(1, '\0');
    return joined;
  }

  /// The key that two declarations with different names must share to count as the same one; "": it matches
  /// nothing.
  static std::string content_of(const ReadDeclaration& declaration) {
    const bool is_theorem = declaration.kind == "theorem";
    const bool is_empty = declaration.statement.empty() && (is_theorem || declaration.body.empty());
    if (!declaration.is_named || is_empty) return "";
    return key({declaration.kind, declaration.statement, is_theorem ? "" : declaration.body});
  }

  /// Pairs the remaining declarations that have the same key, in order; "" is no key.
  template <class KeyOf>
  void pair_by(KeyOf key_of) {
    std::unordered_map<std::string, std::vector<std::size_t>> waiting;  // indices, the last one first
    for (std::size_t i = before_.size(); i-- > 0;)
      if (before_[i]) waiting[key_of(*before_[i])].push_back(i);
    for (const ReadDeclaration*& each : after_) {
      if (!each) continue;
      const std::string found = key_of(*each);
      const auto same = waiting.find(found);
      if (found.empty() || same == waiting.end() || same->second.empty()) continue;
      pairs_.push_back({std::exchange(before_[same->second.back()], nullptr), std::exchange(each, nullptr)});
      same->second.pop_back();
    }
  }

  Declarations before_, after_;  // null: paired
  std::vector<Pair> pairs_;
};

Change change_of(const Pair& pair) {
  const auto [before, after] = pair;
  if (!before) return Change::Added;
  if (!after) return Change::Removed;
  if (before->kind != after->kind || before->statement != after->statement) return Change::Restated;
  const bool is_proof = after->kind == "theorem" || after->kind == "example";
  if (before->body != after->body) return is_proof ? Change::Reproved : Change::Revalued;
  if (before->marks != after->marks) return Change::Attributed;
  return before->name != after->name ? Change::Renamed : Change::Moved;
}

/// The statement, followed by the new kind if that has changed.
std::string statement_of(const ReadDeclaration& declaration, bool with_kind) {
  return with_kind ? declaration.kind + " " + declaration.shown : declaration.shown;
}

DeclarationChange described(const Pair& pair, Change change) {
  const auto [before, after] = pair;
  const ReadDeclaration& shown = after ? *after : *before;
  DeclarationChange made;
  made.change = change;
  made.name = shown.name;
  made.kind = shown.kind;
  made.file = shown.file;
  made.line = shown.line;
  if (before) made.sorries_before = before->sorries;
  if (after) made.sorries_after = after->sorries;
  if (before && after) {
    if (before->name != after->name) made.renamed_from = before->name;
    if (before->file != after->file) made.moved_from = before->file;
  }
  const bool other_kind = before && after && before->kind != after->kind;
  if (change == Change::Restated || change == Change::Removed)
    made.statement_before = statement_of(*before, other_kind);
  if (change == Change::Restated || change == Change::Added)
    made.statement_after = statement_of(*after, other_kind);
  return made;
}

/// Adds the commands that occur more often in `some` than in `others`.
void add_commands(const SourceReading& some, const SourceReading& others, bool added,
                  std::vector<CommandChange>& changes) {
  std::unordered_map<std::string_view, std::size_t> there;
  for (const ReadCommand& command : others.commands) ++there[command.text];
  for (const ReadCommand& command : some.commands) {
    const auto same = there.find(command.text);
    if (same != there.end() && same->second > 0)
      --same->second;
    else
      changes.push_back({some.file, command.line, added, command.text});
  }
}

template <class Items>
void sort_by_place(Items& items) {
  std::ranges::stable_sort(items, [](const auto& a, const auto& b) {
    return std::tie(a.file, a.line) < std::tie(b.file, b.line);
  });
}

}  // namespace

wire::Names<Change> names_of(Change) {
  return {{Change::Added, "added"},       {Change::Removed, "removed"},   {Change::Restated, "restated"},
          {Change::Revalued, "revalued"}, {Change::Reproved, "reproved"}, {Change::Attributed, "attributed"},
          {Change::Renamed, "renamed"},   {Change::Moved, "moved"}};
}

wire::Fields DeclarationChange::fields() {
  using Self = DeclarationChange;
  return wire::fields<&Self::change, &Self::name, &Self::kind, &Self::file, &Self::line, &Self::renamed_from,
                      &Self::moved_from, &Self::statement_before, &Self::statement_after,
                      &Self::sorries_before, &Self::sorries_after>();
}

wire::Fields CommandChange::fields() {
  using Self = CommandChange;
  return wire::fields<&Self::file, &Self::line, &Self::added, &Self::text>();
}

wire::Fields NewGap::fields() {
  return wire::fields<&NewGap::file, &NewGap::line, &NewGap::name, &NewGap::count>();
}

SourceChanges source_changes(const std::vector<SourceReading>& before,
                             const std::vector<SourceReading>& after) {
  SourceChanges changes;
  const Pairing pairing(before, after);
  for (const Pair& pair : pairing.pairs()) {
    const Change change = change_of(pair);
    const auto [was, is] = pair;
    const bool is_axiom = is && is->kind == "axiom", was_axiom = was && was->kind == "axiom";
    changes.sorries_before += was ? was->sorries : 0;
    changes.sorries_after += is ? is->sorries : 0;
    changes.axioms_before += was_axiom ? 1 : 0;
    changes.axioms_after += is_axiom ? 1 : 0;
    const std::size_t known = was ? was->sorries : 0;
    if (is && is->sorries > known)
      changes.new_sorries.push_back({is->file, is->line, is->name, is->sorries - known});
    if (is_axiom && (change == Change::Added || change == Change::Restated))
      changes.new_axioms.push_back({is->file, is->line, is->name, 1});
    if (change == Change::Moved && was->file == is->file) continue;  // it is unchanged
    DeclarationChange made = described(pair, change);
    if (was_axiom && change != Change::Moved)
      changes.commands.push_back({was->file, was->line, false, "axiom " + was->name + " " + was->shown});
    if (is_axiom && change != Change::Moved)
      changes.commands.push_back({is->file, is->line, true, "axiom " + is->name + " " + is->shown});
    changes.declarations.push_back(std::move(made));
  }

  static const SourceReading nothing;
  std::map<std::string, std::pair<const SourceReading*, const SourceReading*>> by_file;
  for (const SourceReading& reading : before) by_file[reading.file] = {&reading, &nothing};
  for (const SourceReading& reading : after) {
    auto& both = by_file.try_emplace(reading.file, &nothing, &nothing).first->second;
    both.second = &reading;
  }
  for (const auto& [file, both] : by_file) {
    const auto [was, is] = both;
    changes.sorries_before += was->other_sorries;
    changes.sorries_after += is->other_sorries;
    changes.axioms_before += was->other_axioms;
    changes.axioms_after += is->other_axioms;
    if (is->other_sorries > was->other_sorries)
      changes.new_sorries.push_back({file, 1, "", is->other_sorries - was->other_sorries});
    if (is->other_axioms > was->other_axioms)
      changes.new_axioms.push_back({file, 1, "", is->other_axioms - was->other_axioms});
    add_commands(*was, *is, false, changes.commands);
    add_commands(*is, *was, true, changes.commands);
  }
  sort_by_place(changes.declarations);
  sort_by_place(changes.commands);
  sort_by_place(changes.new_sorries);
  sort_by_place(changes.new_axioms);
  return changes;
}

}  // namespace leanbridge::text
