#include "messages.hpp"

#include "core/lean/sorries.hpp"

#include <algorithm>

namespace leanbridge::ide {

Messages::Messages(const text::Text& text, const std::vector<lean::Diagnostic>& all) : text_(&text) {
  list_.reserve(all.size());
  for (const lean::Diagnostic& each : all) list_.push_back(&each);
}

Messages Messages::within(std::size_t begin, std::size_t end) const {
  return where([&](const auto& each) {
    const std::size_t at = place(each);
    return begin <= at && at < end;
  });
}

Messages Messages::from_line(int line) const {
  return where([&](const auto& each) { return text_->position_at(place(each)).line >= line; });
}

Messages Messages::shown(std::optional<lean::Severity> severity) const {
  return where([&](const auto& each) { return !each.silent && (!severity || each.severity == *severity); });
}

Messages Messages::errors() const {
  return where([](const auto& each) { return each.is_error(); });
}

Messages Messages::sorries() const {
  return where(lean::reports_sorry);
}

Messages Messages::objections() const {
  return where([](const auto& each) { return each.is_error() || lean::reports_sorry(each); });
}

Messages Messages::unsolved() const {
  return where([](const auto& each) { return each.is_error() && each.has_tag(lean::kTagUnsolvedGoals); });
}

Messages Messages::other_errors() const {
  return where([](const auto& each) { return each.is_error() && !each.has_tag(lean::kTagUnsolvedGoals); });
}

Messages Messages::announcements() const {
  return where([](const auto& each) { return each.has_tag(lean::kTagGoalsAccomplished); });
}

const lean::Diagnostic* Messages::earliest() const {
  const auto first = std::ranges::min_element(
      list_, [](const auto* a, const auto* b) { return a->range.start < b->range.start; });
  return first == list_.end() ? nullptr : *first;
}

}  // namespace leanbridge::ide
