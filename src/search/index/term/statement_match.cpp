#include "statement_match.hpp"

#include "core/olean/notation.hpp"
#include "core/text/lean_names.hpp"
#include "search/index/query/words.hpp"
#include "search/index/type_fit.hpp"

#include <algorithm>
#include <array>

namespace leanbridge::index {

using olean::notation_letters;
using olean::order_of_sets;

namespace {

using NodeKind = TermNode::Kind;

constexpr int kMaxMatchSteps = 4000;  // per statement

// The deductions from a fit of 1. A statement or goal is complete: a theorem that needs another hypothesis
// does not prove it.
constexpr double kGeneralization = 0.04;  // the theorem has variables where the statement has terms
constexpr double kSpecialCase = 0.05;     // the theorem has terms where the statement has variables
constexpr double kEquivalence = 0.03;     // `p ↔ q` for `p → q`
constexpr double kOtherWayRound = 0.02;   // `b = a` for `a = b`
constexpr double kOtherType = 0.01;       // a type variable for the type of a variable
constexpr double kItsInstance = 0.015;    // in addition, if that needs an instance
constexpr double kGivenType = 0.008;      // a given type for the type of a variable without one
constexpr double kOpenName = 0.01;        // a name that may be a constant in place of a function
constexpr double kPerTerm = 0.005;        // for each node of the terms that variables stand for
constexpr std::size_t kMaxTermsCounted = 8;
constexpr double kPerUnread = 0.04;  // for each term of a written statement whose notation is unknown here
constexpr double kPerPremise = 0.003,
                 kPerPremiseOfStatement = 0.04;  // for each hypothesis that was not asked for
constexpr std::size_t kMaxPremisesCounted = 5, kMaxPremisesOfStatement = 2;
constexpr double kPerUnused = 0.05;  // for each hypothesis of a statement that the theorem does not use
constexpr double kPerUnusedOfGoal = 0.005;  // as above, for a goal, which lists all hypotheses
constexpr std::size_t kMaxUnused = 2, kMaxUnread = 3;
constexpr double kAllAreRelated = 0.3;  // at most, for a theorem about any two terms of a type
// The fits of parts.
constexpr double kSide = 0.68, kWithin = 0.64, kInPremise = 0.59;
constexpr double kOfCover = 0.06;  // times the part's share of the conclusion

// Functions that Lean inserts and prints as ↑.
constexpr std::string_view kCoercions[] = {
    "↑",        "Nat.cast",        "Int.cast",        "Int.ofNat", "Fin.val",    "Subtype.val",
    "Rat.cast", "IntCast.intCast", "NatCast.natCast", "Fin.toNat", "UInt8.toNat"};

bool is_coercion(std::string_view name) {
  return std::ranges::find(kCoercions, name) != std::end(kCoercions);
}

/// A term, without its last arguments.
struct BoundTerm {
  NodeId node = 0;
  std::uint32_t dropped = 0;
};

bool same_term(const TypeTerm& in, BoundTerm left, BoundTerm right, int& steps) {
  if (++steps > kMaxMatchSteps) return false;
  if (left.node == right.node && left.dropped == right.dropped) return true;
  const TermNode &a = in.at(left.node), &b = in.at(right.node);
  if (a.kind == NodeKind::Hole || b.kind == NodeKind::Hole) return true;
  if (a.kind != b.kind || a.number != b.number || a.count - left.dropped != b.count - right.dropped)
    return false;
  const auto of_a = in.arguments_of(left.node), of_b = in.arguments_of(right.node);
  for (std::size_t i = 0; i + left.dropped < of_a.size(); ++i)
    if (!same_term(in, {of_a[i], 0}, {of_b[i], 0}, steps)) return false;
  return true;
}

enum class Direction {
  Instance,  ///< variables of the pattern stand for terms of the target
  General    ///< variables of the target stand for terms of the pattern
};

class StatementMatcher {
 public:
  StatementMatcher(const WrittenStatement& pattern, const TypeTerm& target, Direction direction)
      : written_(pattern), pattern_(pattern.statement), target_(target), direction_(direction) {
    bound_.resize(direction == Direction::Instance ? pattern_.variables.size() : target_.variables.size());
  }

  /// The fit of the conclusion as a whole, with premises; 0: it does not fit.
  double whole() {
    const NodeId theirs = target_.conclusion;
    // A theorem whose conclusion is a variable could prove anything, so it is not informative.
    if (direction_ == Direction::General && target_.at(theirs).kind == NodeKind::Variable) return 0;
    if (tells_nothing()) return 0;
    double best = conclusion();
    if (best == 0 && (has_field(pattern_) || has_field(target_))) {
      receiver_first_ = true;
      best = conclusion();
    }
    if (const auto type = type_of_all(); type && direction_ == Direction::General)
      return mentions(*type) ? std::min(best, kAllAreRelated) : 0;
    return best;
  }

  /// The fit of any part of the statement: a side of its conclusion, a term within, or a term within a
  /// premise.
  double part() {
    const NodeId theirs = target_.conclusion;
    const bool has_sides = target_.is_constant(theirs, "Eq") || target_.is_constant(theirs, "Iff") ||
                           target_.is_constant(theirs, "And");
    double best = 0;
    if (has_sides)
      for (const NodeId side : written_arguments(target_, theirs))
        if (target_.at(side).kind != NodeKind::Hole && fits_alone(side))
          best = std::max(best, kSide + covered(side) - liberties());
    if (best > 0) return best;
    if (const auto inner = find_within(theirs)) return kWithin + covered(*inner) - liberties();
    for (const TermVariable& variable : target_.variables)
      if (variable.letter != 'c' && find_within(variable.type)) return kInPremise - liberties();
    return 0;
  }

 private:
  // Tries the conclusion, as it is and the other way round.
  double conclusion() {
    const NodeId theirs = target_.conclusion;
    double best = 0;
    reset();
    if (fits(pattern_.conclusion, theirs)) best = with_premises(1);
    const bool symmetric = target_.is_constant(theirs, "Eq") || target_.is_constant(theirs, "Iff");
    if (best < 1 && symmetric && pattern_.at(pattern_.conclusion).kind == NodeKind::Constant &&
        pattern_.symbol_of(pattern_.conclusion) == target_.symbol_of(theirs)) {
      const auto ours = written_arguments(pattern_, pattern_.conclusion);
      const auto other = written_arguments(target_, theirs);
      reset();
      if (ours.size() == 2 && other.size() == 2 && fits(ours[0], other[1]) && fits(ours[1], other[0]))
        best = std::max(best, with_premises(1 - kOtherWayRound));
    }
    return best;
  }

  static bool has_field(const TypeTerm& statement) {
    return std::ranges::any_of(statement.nodes,
                               [](const TermNode& node) { return node.kind == NodeKind::Field; });
  }

  void reset() {
    std::fill(bound_.begin(), bound_.end(), std::nullopt);
    unread_ = 0;
  }

  // The sides of the conclusion, if they are variables or in unknown notation.
  std::optional<std::vector<NodeId>> sides_without_terms() const {
    if (target_.at(target_.conclusion).kind != NodeKind::Constant) return std::nullopt;
    auto sides = written_arguments(target_, target_.conclusion);
    for (const NodeId side : sides)
      if (const TermNode& node = target_.at(side);
          node.kind != NodeKind::Hole && (node.kind != NodeKind::Variable || node.count > 0))
        return std::nullopt;
    return sides.size() == 2 ? std::optional(std::move(sides)) : std::nullopt;
  }
  // Whether it is `_ = a`, where one side cannot be read.
  bool tells_nothing() const {
    const auto sides = sides_without_terms();
    return sides && std::ranges::any_of(
                        *sides, [this](NodeId side) { return target_.at(side).kind == NodeKind::Hole; });
  }
  // The type of the variables, if the theorem says that any two of them are equal or otherwise related, as
  // `Unit.ext` does.
  std::optional<NodeId> type_of_all() const {
    const auto sides = sides_without_terms();
    if (!sides || !premises_of(target_, true).empty() ||
        target_.at(sides->front()).kind != NodeKind::Variable)
      return std::nullopt;
    return target_.variables[target_.at(sides->front()).number].type;
  }
  // Whether the pattern may have a term of the type. If it does, it contains the type's constant.
  bool mentions(NodeId type) const {
    if (target_.at(type).kind != NodeKind::Constant) return true;
    return std::ranges::any_of(pattern_.nodes, [&](const TermNode& node) {
      return node.kind == NodeKind::Constant &&
             text::last_part(pattern_.symbols[node.number]) == text::last_part(target_.symbol_of(type));
    });
  }

  bool fits_alone(NodeId theirs) {
    reset();
    return fits(written_.unopened, theirs);
  }
  std::optional<NodeId> find_within(NodeId theirs) {
    if (target_.at(theirs).kind == NodeKind::Hole || steps_ > kMaxMatchSteps) return std::nullopt;
    if (fits_alone(theirs)) return theirs;
    for (const NodeId argument : target_.arguments_of(theirs))
      if (const auto found = find_within(argument)) return found;
    return std::nullopt;
  }

  // The part's share of the conclusion: `length (a ++ b)` fits length_append better than other theorems that
  // mention it.
  double covered(NodeId part) const {
    return kOfCover * static_cast<double>(size_of(target_, part)) /
           static_cast<double>(std::max<std::size_t>(size_of(target_, target_.conclusion), 1));
  }

  // Whether a variable stands for another variable.
  bool is_renaming(const BoundTerm& bound) const {
    const TermNode& node = valued_in().at(bound.node);
    return node.kind == NodeKind::Variable && node.count == bound.dropped;
  }
  // The statement whose terms are the values of the variables.
  const TypeTerm& valued_in() const { return direction_ == Direction::Instance ? target_ : pattern_; }

  // Whether `holds` is true for the two types, in the pattern and in the theorem, of some variable that
  // stands for a variable.
  template <class Holds>
  bool any_renamed(Holds holds) const {
    for (std::size_t i = 0; i < bound_.size(); ++i) {
      if (!bound_[i] || bound_[i]->dropped > 0 || !is_renaming(*bound_[i])) continue;
      const std::size_t value = valued_in().at(bound_[i]->node).number;
      const std::size_t ours = direction_ == Direction::Instance ? i : value;
      const std::size_t theirs = direction_ == Direction::Instance ? value : i;
      if (holds(pattern_.variables[ours].type, target_.variables[theirs].type)) return true;
    }
    return false;
  }
  // Whether a variable of a given type is of any type in the theorem.
  bool is_of_any_type() const {
    return any_renamed([this](NodeId ours, NodeId theirs) {
      return pattern_.at(ours).kind == NodeKind::Constant && target_.at(theirs).kind == NodeKind::Variable;
    });
  }
  // Whether a variable without a given type has one in the theorem.
  bool is_of_given_type() const {
    return any_renamed([this](NodeId ours, NodeId theirs) {
      return pattern_.at(ours).kind == NodeKind::Hole && target_.at(theirs).kind == NodeKind::Constant &&
             !target_.is_constant(theirs, "Prop") && !target_.is_constant(theirs, "Type");
    });
  }

  // Whether a function of the pattern stands for a free name of the theorem, which may be a constant: `C (a +
  // b)`.
  bool is_for_open_name() const {
    return direction_ == Direction::Instance &&
           std::ranges::any_of(bound_, [this](const std::optional<BoundTerm>& each) {
             return each && each->dropped > 0 && is_renaming(*each) &&
                    target_.variables[target_.at(each->node).number].letter == 'f';
           });
  }

  // The deductions for the terms and types that variables stand for, and for premises that were not asked
  // for.
  double liberties(std::size_t premises_asked = 0) const {
    std::size_t terms = 0;
    for (const auto& each : bound_)
      if (each && !is_renaming(*each)) {
        const std::size_t size = size_of(valued_in(), each->node);
        terms += size - std::min<std::size_t>(each->dropped, size);
      }
    const std::size_t premises = premises_of(target_, true).size();
    const std::size_t more = premises - std::min(premises, premises_asked);
    double less = kPerTerm * static_cast<double>(std::min(terms, kMaxTermsCounted)) +
                  kPerUnread * static_cast<double>(std::min(unread_, kMaxUnread));
    less += written_.has_holes
                ? kPerPremise * static_cast<double>(std::min(more, kMaxPremisesCounted))
                : kPerPremiseOfStatement * static_cast<double>(std::min(more, kMaxPremisesOfStatement));
    if (is_of_given_type()) less += kGivenType;
    if (is_for_open_name()) less += kOpenName;
    if (is_of_any_type()) {
      const bool needs_instance = std::ranges::any_of(
          target_.variables, [](const TermVariable& variable) { return variable.letter == 'c'; });
      less += kOtherType + (needs_instance ? kItsInstance : 0);
    }
    return less;
  }

  // The score of a conclusion whose fit is `base`, after the deductions for premises and sizes.
  double with_premises(double base) {
    if (direction_ == Direction::General) base -= kGeneralization;
    const auto ours = premises_of(pattern_), theirs = premises_of(target_);
    std::vector<bool> used(target_.variables.size(), false);
    std::size_t found = 0;
    for (const std::uint32_t premise : ours) {
      if (steps_ > kMaxMatchSteps) return 0;
      bool any = false;
      for (std::uint32_t i = 0; i < target_.variables.size() && !any; ++i) {
        const TermVariable& other = target_.variables[i];
        if (used[i] || other.letter == 'c' || target_.at(other.type).kind == NodeKind::Hole) continue;
        // The hypotheses of a goal match only whole premises; otherwise they would match the type of every
        // variable.
        const bool is_premise = std::ranges::find(theirs, i) != theirs.end();
        if (!is_premise && !written_.has_holes) continue;
        if (++steps_ > kMaxMatchSteps) break;
        const auto before = bound_;
        any = fits(pattern_.variables[premise].type, other.type);
        if (any)
          used[i] = true;
        else
          bound_ = before;
      }
      if (any) ++found;
      // A pattern lists premises that the theorem must have; a statement or goal lists premises that it may
      // use. A variable alone would fit everything.
      if (!any && (written_.has_holes || pattern_.at(pattern_.conclusion).kind == NodeKind::Variable))
        return 0;
    }
    base -= liberties(found);
    if (written_.has_holes) return base;
    if (direction_ == Direction::Instance && is_special_case()) base -= kSpecialCase;
    const double each = written_.conclusion_only ? kPerUnusedOfGoal : kPerUnused;
    base -= each * static_cast<double>(std::min(ours.size() - found, kMaxUnused));
    return std::max(base, kWholeFit);
  }

  // Whether a variable of the pattern stands for a term, or two variables stand for the same one.
  bool is_special_case() const {
    for (std::size_t i = 0; i < bound_.size(); ++i) {
      if (!bound_[i]) continue;
      if (!is_renaming(*bound_[i])) return true;
      for (std::size_t j = i + 1; j < bound_.size(); ++j)
        if (bound_[j] && is_renaming(*bound_[j]) &&
            target_.at(bound_[j]->node).number == target_.at(bound_[i]->node).number)
          return true;
    }
    return false;
  }

  // --- terms

  bool fits(NodeId ours, NodeId theirs) {
    if (++steps_ > kMaxMatchSteps) return false;
    const TermNode &p = pattern_.at(ours), &t = target_.at(theirs);
    if (p.kind == NodeKind::Hole) return true;
    if (t.kind == NodeKind::Hole) {
      ++unread_;
      return true;
    }
    if (direction_ == Direction::Instance && p.kind == NodeKind::Variable) return binds_ours(ours, theirs);
    if (direction_ == Direction::General && t.kind == NodeKind::Variable) return binds_theirs(ours, theirs);
    switch (p.kind) {
      case NodeKind::Bound:
        return t.kind == NodeKind::Bound && p.number == t.number && fits_each(ours, theirs);
      case NodeKind::Literal:
        if (t.kind == NodeKind::Literal) return pattern_.symbol_of(ours) == target_.symbol_of(theirs);
        return pattern_.symbol_of(ours) == "0" && target_.is_constant(theirs, "Nat.zero");
      case NodeKind::Lambda:
      case NodeKind::Pi:
        return t.kind == p.kind ? fits_each(ours, theirs) : fits_pointwise(ours, theirs);
      case NodeKind::Constant:
        return fits_constant(ours, theirs);
      case NodeKind::Field:
        return fits_field(ours, theirs);
      case NodeKind::Hole:
      case NodeKind::Variable:
        break;
    }
    return false;
  }

  bool fits_each(NodeId ours, NodeId theirs) {
    const auto of_p = pattern_.arguments_of(ours), of_t = target_.arguments_of(theirs);
    if (of_p.size() != of_t.size()) return false;
    for (std::size_t i = 0; i < of_p.size(); ++i)
      if (!fits(of_p[i], of_t[i])) return false;
    return true;
  }

  // `fun x => ?f x * ?g x` for `f * g`
  bool fits_pointwise(NodeId ours, NodeId theirs) {
    const NodeId body = pattern_.arguments_of(ours).back();
    const bool is_function = pattern_.at(ours).kind == NodeKind::Lambda && direction_ == Direction::Instance;
    if (!is_function || pattern_.at(body).kind != NodeKind::Constant ||
        target_.at(theirs).kind != NodeKind::Constant || !same_name(body, theirs))
      return false;
    const auto of_p = written_arguments(pattern_, body), of_t = written_arguments(target_, theirs);
    if (of_p.size() != of_t.size()) return false;
    for (std::size_t i = 0; i < of_p.size(); ++i) {
      const TermNode& value = pattern_.at(of_p[i]);
      if (value.kind != NodeKind::Variable || value.count != 1) return false;
      const TermNode& argument = pattern_.at(pattern_.arguments_of(of_p[i])[0]);
      if (argument.kind != NodeKind::Bound || argument.number != 0) return false;
      auto& bound = bound_[value.number];
      if (bound && !same_term(target_, *bound, {of_t[i], 0}, steps_)) return false;
      bound = BoundTerm{of_t[i], 0};
    }
    return true;
  }

  bool binds_ours(NodeId ours, NodeId theirs) {
    const TermNode& p = pattern_.at(ours);
    auto& bound = bound_[p.number];
    if (p.count == 0) {
      if (bound) return same_term(target_, *bound, {theirs, 0}, steps_);
      if (!type_allows(pattern_.variables[p.number].type, theirs)) return false;
      bound = BoundTerm{theirs, 0};
      return true;
    }
    return applies(pattern_, ours, target_, theirs, bound, [this](NodeId a, NodeId b) { return fits(a, b); });
  }

  bool binds_theirs(NodeId ours, NodeId theirs) {
    const TermNode& t = target_.at(theirs);
    // A free name in a written type may be a constant: `mk` in `mk s = s`.
    if (t.count > 0 && target_.variables[t.number].letter == 'f') return false;
    auto& bound = bound_[t.number];
    if (t.count == 0) {
      if (bound) return same_term(pattern_, *bound, {ours, 0}, steps_);
      if (!type_allows_general(ours, target_.variables[t.number].type)) return false;
      bound = BoundTerm{ours, 0};
      return true;
    }
    return applies(target_, theirs, pattern_, ours, bound, [this](NodeId a, NodeId b) { return fits(b, a); });
  }

  // A variable with arguments, `?f x`: its value is the head of the other term, if the arguments fit. If its
  // arguments are bound variables, as in `?p $0`, its value can be any term.
  template <class Fits>
  bool applies(const TypeTerm& mine, NodeId variable, const TypeTerm& other, NodeId term,
               std::optional<BoundTerm>& bound, Fits fits_pair) {
    const auto given = mine.arguments_of(variable);
    const auto there = other.arguments_of(term);
    const auto dropped = static_cast<std::uint32_t>(given.size());
    const NodeKind kind = other.at(term).kind;
    const bool has_head = kind == NodeKind::Constant || kind == NodeKind::Variable || kind == NodeKind::Bound;
    if (has_head && there.size() >= given.size()) {
      const auto before = bound_;
      const BoundTerm head{term, dropped};
      bool good = !bound || same_term(other, *bound, head, steps_);
      if (good) bound = head;
      const std::size_t skip = there.size() - given.size();
      for (std::size_t i = 0; i < given.size() && good; ++i) good = fits_pair(given[i], there[skip + i]);
      if (good) return true;
      bound_ = before;
    }
    return std::ranges::all_of(given, [&](NodeId each) {
      return mine.at(each).kind == NodeKind::Bound && mine.at(each).count == 0;
    });
  }

  bool same_name(NodeId ours, NodeId theirs) const {
    const std::string &a = pattern_.symbol_of(ours), &b = target_.symbol_of(theirs);
    if (a == b || (order_of_sets(a) == b && is_of_sets(theirs))) return true;
    // `length` may mean List.length if the namespace is open.
    const auto ends = [](const std::string& full, const std::string& last) {
      return full.size() > last.size() && full.ends_with(last) && full[full.size() - last.size() - 1] == '.';
    };
    return (!pattern_.at(ours).full && ends(b, a)) || (!target_.at(theirs).full && ends(a, b));
  }

  // Whether it is `≤` of Set or Finset, which means `⊆` there in a recent Mathlib.
  bool is_of_sets(NodeId order) const {
    if (!target_.at(order).full || target_.at(order).count == 0) return false;
    const NodeId type = target_.arguments_of(order)[0];
    return target_.is_constant(type, "Set") || target_.is_constant(type, "Finset");
  }

  bool fits_constant(NodeId ours, NodeId theirs) {
    const TermNode& t = target_.at(theirs);
    if (const auto inner = successor(pattern_, ours);
        inner && target_.is_constant(theirs, "Nat.succ") && t.count == 1)
      return fits(*inner, target_.arguments_of(theirs)[0]);
    if (const auto inner = successor(target_, theirs); inner && is_succ(ours))
      return fits(pattern_.arguments_of(ours)[0], *inner);
    if (t.kind == NodeKind::Literal)
      return target_.symbol_of(theirs) == "0" && pattern_.is_constant(ours, "Nat.zero");
    if (t.kind == NodeKind::Field) return fits_their_field(ours, theirs);
    if (t.kind != NodeKind::Constant) return false;
    if (pattern_.symbol_of(ours) == "↑" || target_.symbol_of(theirs) == "↑") {
      const auto of_p = pattern_.arguments_of(ours), of_t = target_.arguments_of(theirs);
      return is_coercion(pattern_.symbol_of(ours)) && is_coercion(target_.symbol_of(theirs)) &&
             !of_p.empty() && !of_t.empty() && fits(of_p.back(), of_t.back());
    }
    return same_name(ours, theirs) && fits_arguments(ours, theirs);
  }

  bool is_succ(NodeId ours) const {
    return pattern_.at(ours).kind == NodeKind::Constant && pattern_.at(ours).count == 1 &&
           (pattern_.symbol_of(ours) == "Nat.succ" || pattern_.symbol_of(ours) == "succ");
  }

  // The n in `n + 1`.
  static std::optional<NodeId> successor(const TypeTerm& in, NodeId node) {
    if (!in.is_constant(node, "HAdd.hAdd") || in.at(node).count < 2) return std::nullopt;
    const auto arguments = in.arguments_of(node);
    const NodeId last = arguments.back();
    if (in.at(last).kind != NodeKind::Literal || in.symbol_of(last) != "1") return std::nullopt;
    return arguments[arguments.size() - 2];
  }

  // The explicit arguments: all arguments of a written term; of a full one, the arguments that its notation
  // shows.
  static std::vector<NodeId> written_arguments(const TypeTerm& in, NodeId node) {
    const auto all = in.arguments_of(node);
    if (!in.at(node).full) return {all.begin(), all.end()};
    const std::string_view letters = notation_letters(in.symbol_of(node));
    std::vector<NodeId> written;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (i >= letters.size() || letters[i] == 'e') written.push_back(all[i]);
    return written;
  }

  bool fits_arguments(NodeId ours, NodeId theirs) {
    const TermNode &p = pattern_.at(ours), &t = target_.at(theirs);
    std::vector<NodeId> of_p(pattern_.arguments_of(ours).begin(), pattern_.arguments_of(ours).end());
    std::vector<NodeId> of_t(target_.arguments_of(theirs).begin(), target_.arguments_of(theirs).end());
    std::size_t skip = 0;
    if (p.full && !t.full) {
      // Implicit arguments are node 0; holes in the query are other nodes.
      std::erase(of_p, NodeId{0});
    } else if (!p.full && t.full) {
      if (!notation_letters(target_.symbol_of(theirs)).empty()) of_t = written_arguments(target_, theirs);
      if (of_p.size() > of_t.size()) return false;
      skip = of_t.size() - of_p.size();  // explicit arguments are mostly the last ones
    }
    if (of_p.size() + skip > of_t.size()) return false;
    for (std::size_t i = 0; i < of_p.size(); ++i)
      if (!fits(of_p[i], of_t[i + skip])) return false;
    return true;
  }

  // --- fields: `l.length` in the pattern for List.length l, and the other way round in written types

  bool fits_field(NodeId ours, NodeId theirs) {
    const TermNode& t = target_.at(theirs);
    const auto given = pattern_.arguments_of(ours);
    const auto there = target_.arguments_of(theirs);
    if (t.kind == NodeKind::Field)
      return pattern_.symbol_of(ours) == target_.symbol_of(theirs) && given.size() <= there.size() &&
             fits_with_receiver(given, there, 0);
    if (t.kind != NodeKind::Constant ||
        text::last_part(target_.symbol_of(theirs)) != pattern_.symbol_of(ours))
      return false;
    if (given.size() > there.size()) return false;
    // Tries the arguments whose type is the namespace first, then the last ones.
    for (const bool typed : {true, false})
      for (std::size_t i = 0; i < there.size(); ++i)
        if (const std::size_t r = receiver(i, there.size());
            in_namespace(theirs, there[r]) == typed && fits_with_receiver(given, there, r))
          return true;
    return false;
  }

  // The argument to try next as the one before the dot. It is mostly the last one, but not for `choose` in
  // `n.choose k`.
  std::size_t receiver(std::size_t tried, std::size_t count) const {
    return receiver_first_ ? tried : count - 1 - tried;
  }

  bool in_namespace(NodeId constant, NodeId argument) const {
    const TermNode& node = target_.at(argument);
    if (node.kind != NodeKind::Variable || node.count > 0) return false;
    const NodeId type = target_.variables[node.number].type;
    if (target_.at(type).kind != NodeKind::Constant) return false;
    const std::string& name = target_.symbol_of(constant);
    const std::string& space = target_.symbol_of(type);
    return name.size() > space.size() && name.starts_with(space) && name[space.size()] == '.';
  }

  // `given` has the receiver first, then the other arguments; `there` has the receiver at `r`, and the other
  // arguments at its end.
  bool fits_with_receiver(std::span<const NodeId> given, std::span<const NodeId> there, std::size_t r) {
    const auto before = bound_;
    const std::size_t others = there.size() - 1, skip = others - (given.size() - 1);
    bool good = fits(given[0], there[r]);
    for (std::size_t i = 1; i < given.size() && good; ++i) {
      const std::size_t at = skip + i - 1;
      good = fits(given[i], there[at < r ? at : at + 1]);
    }
    if (!good) bound_ = before;
    return good;
  }

  bool fits_their_field(NodeId ours, NodeId theirs) {
    if (text::last_part(pattern_.symbol_of(ours)) != target_.symbol_of(theirs)) return false;
    std::vector<NodeId> given(pattern_.arguments_of(ours).begin(), pattern_.arguments_of(ours).end());
    if (pattern_.at(ours).full) std::erase(given, NodeId{0});
    const auto there = target_.arguments_of(theirs);
    if (given.empty()) return true;
    if (given.size() > there.size()) return false;
    for (std::size_t tried = 0; tried < given.size(); ++tried) {
      const std::size_t r = receiver(tried, given.size());
      const auto before = bound_;
      bool good = fits(given[r], there[0]);
      std::size_t next = 1;
      for (std::size_t i = 0; i < given.size() && good; ++i)
        if (i != r) good = fits(given[i], there[next++]);
      if (good) return true;
      bound_ = before;
    }
    return false;
  }

  // --- types of variables, by their heads

  bool type_allows(NodeId wanted, NodeId theirs) const {
    if (pattern_.at(wanted).kind == NodeKind::Hole) return true;
    const TermNode& t = target_.at(theirs);
    NodeId type = 0;
    if (t.kind == NodeKind::Variable && t.count == 0) type = target_.variables[t.number].type;
    if (t.kind == NodeKind::Constant && t.full && notation_letters(target_.symbol_of(theirs)) == "iiicee" &&
        t.count > 2)
      type = target_.arguments_of(theirs)[2];
    return same_type(wanted, type);
  }

  bool type_allows_general(NodeId ours, NodeId wanted) const {
    const TermNode& p = pattern_.at(ours);
    if (p.kind != NodeKind::Variable || p.count > 0) return true;
    const NodeId type = pattern_.variables[p.number].type;
    // A variable type is not a given type.
    if (pattern_.at(type).kind == NodeKind::Variable && target_.at(wanted).kind == NodeKind::Constant)
      return false;
    return same_type(type, wanted);
  }

  bool same_type(NodeId ours, NodeId theirs) const {
    const TermNode &p = pattern_.at(ours), &t = target_.at(theirs);
    if (p.kind != NodeKind::Constant || t.kind != NodeKind::Constant) {
      const bool open = p.kind == NodeKind::Hole || t.kind == NodeKind::Hole ||
                        p.kind == NodeKind::Variable || t.kind == NodeKind::Variable ||
                        p.kind == NodeKind::Bound || t.kind == NodeKind::Bound;
      return open || p.kind == t.kind;
    }
    return same_name(ours, theirs);
  }

  const WrittenStatement& written_;
  const TypeTerm& pattern_;
  const TypeTerm& target_;
  Direction direction_;
  std::vector<std::optional<BoundTerm>> bound_;
  bool receiver_first_ = false;
  std::size_t unread_ = 0;  // terms of the target that took part in the comparison although they are unknown
  int steps_ = 0;
};

}  // namespace

double fit_of(const WrittenStatement& pattern, const TypeTerm& target) {
  if (pattern.statement.at(pattern.statement.conclusion).kind == NodeKind::Variable &&
      premises_of(pattern.statement).empty())
    return 0;
  double best = StatementMatcher(pattern, target, Direction::Instance).whole();
  if (best < 1 && !pattern.has_holes)
    best = std::max(best, StatementMatcher(pattern, target, Direction::General).whole());
  if (best == 0 && target.is_constant(target.conclusion, "Iff"))
    if (const auto equivalence = as_equivalence(pattern)) {
      best = StatementMatcher(*equivalence, target, Direction::Instance).whole();
      if (best > 0) best -= kEquivalence;
    }
  const bool tells = pattern.statement.at(pattern.unopened).kind != NodeKind::Variable;
  if (best == 0 && !pattern.conclusion_only && tells)
    best = StatementMatcher(pattern, target, Direction::Instance).part();
  return best;
}

std::optional<WrittenStatement> as_equivalence(const WrittenStatement& pattern) {
  const auto premises = premises_of(pattern.statement);
  if (premises.empty()) return std::nullopt;
  WrittenStatement made = pattern;
  TermVariable& premise = made.statement.variables[premises.back()];
  const std::array sides{premise.type, pattern.statement.conclusion};
  made.statement.conclusion = made.statement.add(NodeKind::Constant, made.statement.symbol("Iff"), sides);
  made.statement.nodes[made.statement.conclusion].full = true;
  made.unopened = made.statement.conclusion;
  premise.type = 0;
  return made;
}

std::optional<WrittenStatement> flipped(const WrittenStatement& pattern) {
  WrittenStatement other = pattern;
  TypeTerm& statement = other.statement;
  const NodeId root = statement.conclusion;
  if (!statement.is_constant(root, "Eq") && !statement.is_constant(root, "Iff")) return std::nullopt;
  const TermNode& node = statement.at(root);
  if (node.count < 2) return std::nullopt;
  std::swap(statement.arguments[node.first + node.count - 1],
            statement.arguments[node.first + node.count - 2]);
  return other;
}

}  // namespace leanbridge::index
