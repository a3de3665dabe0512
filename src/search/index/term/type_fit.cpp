#include "search/index/type_fit.hpp"

#include "statement_match.hpp"
#include "term_parser.hpp"

#include <algorithm>
#include <map>

namespace leanbridge::index {

struct TypePatterns::Read {
  std::vector<WrittenStatement> patterns;
};

TypePatterns::TypePatterns(const std::vector<std::string>& patterns) : read_(std::make_unique<Read>()) {
  for (const std::string& text : patterns)
    if (auto written = parse_statement(text)) {
      written->statement = completed(written->statement);
      read_->patterns.push_back(std::move(*written));
    }
}
TypePatterns::TypePatterns(TypePatterns&&) noexcept = default;
TypePatterns& TypePatterns::operator=(TypePatterns&&) noexcept = default;
TypePatterns::~TypePatterns() = default;

bool TypePatterns::empty() const {
  return read_->patterns.empty();
}

namespace {

// Dice's coefficient of the constants, each counted as often as it occurs.
double likeness_of(const TypeTerm& left, const TypeTerm& right) {
  std::map<std::string_view, int> counts;
  std::size_t all = 0, common = 0;
  for (const TermNode& node : left.nodes)
    if (node.kind == TermNode::Kind::Constant) ++counts[left.symbols[node.number]], ++all;
  for (const TermNode& node : right.nodes)
    if (node.kind == TermNode::Kind::Constant) {
      ++all;
      if (int& count = counts[right.symbols[node.number]]; count > 0) --count, ++common;
    }
  return all == 0 ? 0 : 2.0 * static_cast<double>(common) / static_cast<double>(all);
}

}  // namespace

TypePatterns::Comparison TypePatterns::compare(std::string_view type) const {
  Comparison made;
  const auto target = parse_statement(type);
  made.readable = target.has_value();
  if (!target || empty()) return made;
  const TypeTerm whole = completed(target->statement);
  made.likeness = likeness_of(read_->patterns.front().statement, whole);
  // The other patterns only filter.
  if (std::ranges::all_of(read_->patterns,
                          [&](const WrittenStatement& each) { return fit_of(each, whole) > 0; }))
    made.fit = fit_of(read_->patterns.front(), whole);
  return made;
}

}  // namespace leanbridge::index
