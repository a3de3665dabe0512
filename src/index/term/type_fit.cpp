#include "leanbridge/index/type_fit.hpp"

#include "statement_match.hpp"
#include "term_parser.hpp"

#include <algorithm>

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

double TypePatterns::fit(std::string_view type) const {
  if (empty()) return 0;
  const auto target = parse_statement(type);
  if (!target) return 0;
  const TypeTerm whole = completed(target->statement);
  const double first = fit_of(read_->patterns.front(), whole);
  // Further patterns only filter.
  const bool all = std::all_of(read_->patterns.begin(), read_->patterns.end(),
                               [&](const WrittenStatement& each) { return fit_of(each, whole) > 0; });
  return all ? first : 0;
}

}  // namespace leanbridge::index
