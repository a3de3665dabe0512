#include "pattern_search.hpp"

#include "core/olean/notation.hpp"
#include "search/index/term/statement_match.hpp"
#include "search/index/term/statement_terms.hpp"
#include "search/index/term/term_parser.hpp"
#include "signals.hpp"
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

namespace leanbridge::index {

using olean::notation_letters;

namespace {

// The number of statements that are read and matched, per expression and store, and in all. They come by
// rank, so the simplest names are among them.
constexpr std::size_t kMaxStatements = 3000;
constexpr std::size_t kMaxCompared = 9000;
constexpr std::size_t kMaxPatterns = 6;
constexpr std::size_t kMinFits = 60;    // enough fits to choose from: then no more liberal expressions are
                                        // tried
constexpr std::size_t kMaxShown = 250;  // number of declarations that are read
constexpr double kMentioned = 0.6;      // fit of a pattern that is a single constant, found by the index
constexpr double kOfStanding = 0.12;    // the part of the score that does not depend on the fit
constexpr double kElsewhere = 0.96;     // factor for a name in a namespace that was not asked for

/// One pattern of a lookup.
struct ReadPattern {
  WrittenStatement written;  ///< completed
  bool mention = false;      ///< the pattern is a single constant
  TermConditions mentioned;  ///< the conditions for that constant
};

std::string expression_of(const TermConditions& conditions) {
  std::string all;
  std::set<Terms> seen;
  for (const Terms& any : conditions) {
    if (any.empty() || !seen.insert(any).second) continue;
    std::string one;
    for (const std::string& term : any) one += (one.empty() ? "" : " OR ") + as_phrase(term);
    all += (all.empty() ? "(" : " AND (") + one + ")";
  }
  return all;
}

class PatternSearch {
 public:
  PatternSearch(const Stores& stores, const Filter& filter, const Count& documents_with)
      : stores_(stores), filter_(filter), documents_with_(documents_with), compared_(stores.size()) {}

  void read(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      if (patterns_.size() >= kMaxPatterns) break;
      auto written = parse_statement(text, [this](const std::string& word) { return is_constant(word); });
      if (!written) continue;
      ReadPattern pattern{std::move(*written), false, {}};
      resolve_fields(pattern.written.statement);
      pattern.written.statement =
          completed(pattern.written.statement, [this](const std::string& name) { return letters(name); });
      const TypeTerm& statement = pattern.written.statement;
      const TermNode& root = statement.at(statement.conclusion);
      if (root.kind == TermNode::Kind::Constant && root.count == 0 && statement.variables.empty()) {
        pattern.mention = true;
        pattern.mentioned = conditions_for(pattern.written, Wanted::Anywhere);
        const std::string& name = statement.symbol_of(statement.conclusion);
        if (declares(name)) pattern.mentioned = TermConditions{Terms{"=" + name}};
      }
      patterns_.push_back(std::move(pattern));
    }
    // The first pattern that is more than a name decides how the index is searched.
    std::stable_partition(patterns_.begin(), patterns_.end(),
                          [](const ReadPattern& each) { return !each.mention; });
  }

  void run(std::size_t limit) {
    if (patterns_.empty()) return;
    const WrittenStatement& main = patterns_.front().written;
    if (patterns_.front().mention) return ask(patterns_.front().mentioned);
    const auto ask_both_ways = [this](const WrittenStatement& statement, Wanted wanted) {
      ask(conditions_for(statement, wanted));
      if (const auto other_way = flipped(statement)) ask(conditions_for(*other_way, wanted));
    };
    const std::size_t enough = std::max(kMinFits, 3 * limit);
    for (const Wanted wanted : {Wanted::SameForm, Wanted::Conclusion}) {
      ask_both_ways(main, wanted);
      if (whole_ >= enough) return;
    }
    if (const auto equivalence = as_equivalence(main)) ask_both_ways(*equivalence, Wanted::Conclusion);
    if (!main.has_holes) ask_both_ways(main, Wanted::General);
    if (whole_ >= limit || main.conclusion_only) return;
    ask(conditions_for(main, Wanted::Anywhere));
  }

  Matches take(const Count& users) {
    std::ranges::sort(fits_, [](const Fit& a, const Fit& b) {
      return a.fit != b.fit ? a.fit > b.fit : a.id != b.id ? a.id < b.id : a.store < b.store;
    });
    Matches matches;
    matches.bounded = bounded_;
    std::set<std::string> seen;
    for (const Fit& fit : fits_) {
      if (matches.found.size() >= kMaxShown) break;
      auto declaration = stores_[fit.store]->by_id(fit.id);
      if (!declaration) continue;
      if (!filter_.glob.empty() && !glob_matches(filter_.glob, declaration->name)) continue;
      if (!seen.insert(key_of(*declaration)).second) continue;
      const double standing = score_of(standing_of(*declaration, users));
      double score = fit.fit * (1 - kOfStanding + kOfStanding * standing);
      if (!is_at_home(declaration->name)) score *= kElsewhere;
      matches.found.push_back({std::move(*declaration), score, fit.fit, fmt::format("fit {:.2f}", fit.fit)});
    }
    return matches;
  }

 private:
  struct Fit {
    std::size_t store = 0;
    std::int64_t id = 0;
    double fit = 0;
  };

  // Names outside of namespaces are general lemmas, of which others are instances. A type as written mostly
  // uses names of its own namespace: `exp` in Real is Real.exp.
  bool is_at_home(const std::string& name) const {
    if (name.find('.') == std::string::npos) return true;
    for (const ReadPattern& each : patterns_)
      for (const std::string& symbol : each.written.statement.symbols)
        if (const std::size_t dot = symbol.rfind('.'); dot != std::string::npos)
          if (name.starts_with(std::string_view(symbol).substr(0, dot + 1))) return true;
    return false;
  }

  bool declares(const std::string& name) {
    const auto [known, fresh] = declared_.try_emplace(name, false);
    if (fresh)
      known->second = std::ranges::any_of(stores_, [&](const auto& store) { return store->declares(name); });
    return known->second;
  }

  bool is_constant(const std::string& word) {
    const bool looks = looks_like_constant(word);
    const bool dotted = word.find('.') != std::string::npos;
    if (dotted) return looks || declares(word);
    if (word.size() > 1 && declares(word)) return true;
    return looks && documents_with_("~" + word) > 0;
  }

  // The type of a constant; null: unknown.
  const TypeTerm* type_of(const std::string& name) {
    const auto [known, fresh] = types_.try_emplace(name);
    if (fresh)
      for (const auto& store : stores_)
        if (const auto text = store->statement_of(name); text && !known->second)
          known->second = statement_from_text(*text);
    return known->second ? &*known->second : nullptr;
  }

  std::optional<std::string> letters(const std::string& name) {
    const TypeTerm* type = type_of(name);
    return type ? std::optional(letters_of(*type)) : std::nullopt;
  }

  // The head of a term's type, such as `List` for `l ++ m`; "": unknown. Written terms have explicit
  // arguments only.
  std::string type_head(const TypeTerm& statement, NodeId node) {
    const TermNode& at = statement.at(node);
    if (at.kind == TermNode::Kind::Variable && at.count == 0) {
      const NodeId type = statement.variables[at.number].type;
      return statement.at(type).kind == TermNode::Kind::Constant ? statement.symbol_of(type) : "";
    }
    if (at.kind != TermNode::Kind::Constant) return "";
    const std::string& name = statement.symbol_of(node);
    const std::string_view letters = notation_letters(name);
    if (letters == "iiicee" || name == "Max.max" || name == "Min.min" || name == "Neg.neg") {
      for (const NodeId argument : statement.arguments_of(node))
        if (std::string head = type_head(statement, argument); !head.empty()) return head;
      return "";
    }
    const TypeTerm* type = type_of(name);
    if (!type || type->at(type->conclusion).kind != TermNode::Kind::Constant) return "";
    return type->symbol_of(type->conclusion);
  }

  // Turns `l.map f` into `List.map f l` if l is known to be a list. Arguments precede the terms that have
  // them.
  void resolve_fields(TypeTerm& statement) {
    for (NodeId id = 0; id < statement.nodes.size(); ++id) {
      if (statement.at(id).kind != TermNode::Kind::Field) continue;
      const std::vector<NodeId> given(statement.arguments_of(id).begin(), statement.arguments_of(id).end());
      const std::string space = type_head(statement, given.front());
      if (space.empty()) continue;
      const std::string name = space + "." + statement.symbol_of(id);
      const TypeTerm* type = type_of(name);
      if (!type) continue;
      std::vector<NodeId> ordered;
      std::size_t next = 1;
      bool placed = false;
      for (const TermVariable& variable : type->variables) {
        if (variable.letter != 'e' || (placed && next == given.size())) continue;
        const bool receiver = !placed && type->is_constant(variable.type, space);
        placed = placed || receiver;
        if (receiver)
          ordered.push_back(given.front());
        else
          ordered.push_back(next < given.size() ? given[next++] : statement.add(TermNode::Kind::Hole, 0));
      }
      if (!placed || next != given.size()) continue;
      const std::uint32_t symbol = statement.symbol(name);
      TermNode& node = statement.nodes[id];
      node.kind = TermNode::Kind::Constant;
      node.number = symbol;
      node.first = static_cast<std::uint32_t>(statement.arguments.size());
      node.count = static_cast<std::uint32_t>(ordered.size());
      statement.arguments.insert(statement.arguments.end(), ordered.begin(), ordered.end());
    }
  }

  // Compares the statements that have these terms and those of the other patterns.
  void ask(TermConditions conditions) {
    if (conditions.empty() || total_ >= kMaxCompared) return;
    for (std::size_t i = 1; i < patterns_.size(); ++i) {
      const TermConditions more = patterns_[i].mention
                                      ? patterns_[i].mentioned
                                      : conditions_for(patterns_[i].written, Wanted::Anywhere);
      conditions.insert(conditions.end(), more.begin(), more.end());
    }
    const std::string expression = expression_of(conditions);
    if (!asked_.insert(expression).second) return;
    for (std::size_t i = 0; i < stores_.size(); ++i) {
      const auto statements = stores_[i]->statements(expression, filter_, kMaxStatements);
      bounded_ = bounded_ || statements.size() == kMaxStatements;
      for (const StoredStatement& each : statements) compare(i, each);
    }
    bounded_ = bounded_ || total_ >= kMaxCompared;
  }

  void compare(std::size_t store, const StoredStatement& stored) {
    if (!compared_[store].insert(stored.id).second) return;
    ++total_;
    const auto target = statement_from_text(stored.text);
    if (!target) return;
    double fit = 1;
    for (std::size_t i = 0; i < patterns_.size() && fit > 0; ++i) {
      const double one = patterns_[i].mention ? kMentioned : fit_of(patterns_[i].written, *target);
      // The other patterns only filter.
      fit = one == 0 ? 0 : i == 0 ? one : fit;
    }
    if (fit == 0) return;
    if (fit >= kWholeFit) ++whole_;
    fits_.push_back({store, stored.id, fit});
  }

  const Stores& stores_;
  const Filter& filter_;
  const Count& documents_with_;
  std::vector<ReadPattern> patterns_;
  std::vector<std::unordered_set<std::int64_t>> compared_;
  std::set<std::string> asked_;
  std::map<std::string, bool> declared_;
  std::map<std::string, std::optional<TypeTerm>> types_;
  std::vector<Fit> fits_;
  std::size_t total_ = 0, whole_ = 0;
  bool bounded_ = false;
};

}  // namespace

Matches search_patterns(const Stores& stores, const Lookup& lookup, const Filter& filter, const Count& users,
                        const Count& documents_with) {
  PatternSearch search(stores, filter, documents_with);
  search.read(lookup.patterns);
  search.run(lookup.limit);
  return search.take(users);
}

}  // namespace leanbridge::index
