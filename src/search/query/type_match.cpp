// How well a type matches a pattern, on their texts: Lean is not there to unify them.

#include "type_match.hpp"

#include "leanbridge/search/theorem.hpp"

#include <algorithm>
#include <map>

namespace leanbridge::search {

namespace {

using Kind = TermToken::Kind;

constexpr std::size_t kMaxPattern = 80;
constexpr std::size_t kMaxType = 400;
constexpr int kMaxSteps = 20'000;

constexpr double kWhole = 1.0;  // the conclusion is the pattern
constexpr double kPart = 0.85;  // the pattern stands in it
constexpr double kAlike = 0.6;  // times how many constants they share

// Tries to lay the pattern over the tokens; a variable or a hole takes any stretch with closed brackets, and
// the same variable the same stretch each time.
class Matcher {
 public:
  Matcher(Tokens pattern, Tokens type) : pattern_(pattern), type_(type) {}

  bool whole() { return from(0, 0, true); }
  bool part() {
    for (std::size_t at = 0; at < type_.size(); ++at)
      if (from(0, at, false)) return true;
    return false;
  }

 private:
  bool from(std::size_t p, std::size_t t, bool to_the_end) {
    if (++steps_ > kMaxSteps) return false;
    if (p == pattern_.size()) return !to_the_end || t == type_.size();
    const TermToken& wanted = pattern_[p];
    if (wanted.kind != Kind::Meta && wanted.kind != Kind::Hole)
      return t < type_.size() && same(wanted, type_[t]) && from(p + 1, t + 1, to_the_end);
    if (wanted.kind == Kind::Meta) {
      if (const auto bound = bound_.find(wanted.text); bound != bound_.end()) {
        const Tokens stretch = bound->second;
        if (!starts_with(t, stretch)) return false;
        return from(p + 1, t + stretch.size(), to_the_end);
      }
    }
    const int limit = limit_at(p);
    int depth = 0;
    for (std::size_t end = t; end < type_.size();) {
      if (depth == 0 && end > t && limit == kApplication)
        return false;  // an argument: one word or one bracket
      if (depth == 0 && tightness(type_[end]) < limit) return false;
      depth += is_open(type_[end]) ? 1 : is_close(type_[end]) ? -1 : 0;
      if (depth < 0) return false;
      ++end;
      if (depth > 0) continue;
      if (wanted.kind == Kind::Meta) bound_[wanted.text] = type_.subspan(t, end - t);
      if (from(p + 1, end, to_the_end)) return true;
      bound_.erase(wanted.text);
    }
    return false;
  }

  // What stands beside the variable binds at least so tightly: in `?a * ?b` none of them can be `x + y`.
  int limit_at(std::size_t p) const {
    const auto beside = [](const TermToken& token, bool bracket) { return bracket ? 0 : tightness(token); };
    const int left = p == 0 ? 0 : beside(pattern_[p - 1], is_open(pattern_[p - 1]));
    const int right = p + 1 == pattern_.size() ? 0 : beside(pattern_[p + 1], is_close(pattern_[p + 1]));
    return std::max(left, right);
  }

  static bool is_open(const TermToken& token) { return token.is("(") || token.is("[") || token.is("{"); }
  static bool is_close(const TermToken& token) { return token.is(")") || token.is("]") || token.is("}"); }

  // `add` means `Nat.add` where namespaces are open.
  static bool same(const TermToken& wanted, const TermToken& token) {
    if (wanted.kind != token.kind) return false;
    return wanted.text == token.text ||
           (wanted.kind == Kind::Word &&
            (token.text.ends_with("." + wanted.text) || wanted.text.ends_with("." + token.text)));
  }

  bool starts_with(std::size_t at, Tokens stretch) const {
    if (at + stretch.size() > type_.size()) return false;
    for (std::size_t i = 0; i < stretch.size(); ++i)
      if (stretch[i].text != type_[at + i].text) return false;
    return true;
  }

  Tokens pattern_, type_;
  std::map<std::string, Tokens> bound_;
  int steps_ = 0;
};

// Dice's coefficient of the constants and operators, each as often as it stands there.
double likeness(Tokens left, Tokens right) {
  std::map<std::string, int> counts;
  std::size_t of_left = 0, of_right = 0, common = 0;
  const auto says = [](const TermToken& token) {
    return (token.kind == Kind::Symbol && !constant_of(token.text).empty()) || token.kind == Kind::Word ||
           token.kind == Kind::Number;
  };
  for (const TermToken& token : left)
    if (says(token)) ++counts[token.text], ++of_left;
  for (const TermToken& token : right)
    if (says(token)) {
      ++of_right;
      if (auto& count = counts[token.text]; count > 0) --count, ++common;
    }
  return of_left + of_right == 0
             ? 0
             : 2.0 * static_cast<double>(common) / static_cast<double>(of_left + of_right);
}

std::vector<TermToken> bounded(std::string_view text, std::size_t most) {
  auto tokens = term_tokens(text);
  if (tokens.size() > most) tokens.resize(most);
  return tokens;
}

}  // namespace

ReadType::ReadType(std::string_view type) {
  const auto given = bounded(type, kMaxType);
  // A signature without a name begins with its binders or, where it has none, with the colon.
  Tokens statement = given;
  if (!statement.empty() && statement[0].is(":")) statement = statement.subspan(1);
  pattern = pattern_of(statement);
  tokens = bounded(pattern.text, kMaxType);
}

WantedType::WantedType(const TypePattern& wanted) : pattern_(bounded(wanted.text, kMaxPattern)) {}

double WantedType::match(const ReadType& type) const {
  const std::vector<TermToken>& whole = type.tokens;
  if (pattern_.empty() || whole.empty()) return 0;
  // Premises come before the conclusion, in both.
  if (Matcher(pattern_, whole).whole()) return kWhole;
  const auto last_arrow =
      std::find_if(whole.rbegin(), whole.rend(), [](const TermToken& t) { return t.is("→"); });
  const Tokens conclusion(last_arrow.base(), whole.end());
  if (Matcher(pattern_, conclusion).whole()) return kWhole;
  if (Matcher(pattern_, whole).part()) return kPart;
  return kAlike * likeness(pattern_, whole);
}

double type_match(const TypePattern& wanted, std::string_view type) {
  return WantedType(wanted).match(ReadType(type));
}

}  // namespace leanbridge::search
