#include "level_printer.hpp"

namespace leanbridge::index {
namespace {

/// Lean.Level; zero is a boxed number.
enum LevelKind : unsigned { kSucc = 1, kMax = 2, kImax = 3, kParam = 4 };

constexpr int kMaxSteps = 60;  // levels are shared, too: a few words can stand for a forest

class LevelPrinter {
 public:
  explicit LevelPrinter(Expressions& expressions)
      : region_(expressions.region()), names_(expressions.names()) {}

  std::string print(Ref level) {
    std::uint64_t plus = 0;
    for (; kind(level) == kSucc && steps_ < kMaxSteps; ++plus) level = step(level, 0);
    if (is_boxed(level)) return std::to_string(plus);
    std::string text = "_";
    if (steps_ < kMaxSteps && kind(level) == kParam) text = names_.at(step(level, 0)).text;
    if (steps_ < kMaxSteps && (kind(level) == kMax || kind(level) == kImax)) {
      text = kind(level) == kMax ? "max" : "imax";
      for (std::size_t i = 0; i < 2; ++i) {
        const std::string part = print(step(level, i));
        text += part.find(' ') == std::string::npos ? " " + part : " (" + part + ")";
      }
      if (plus != 0) text = "(" + text + ")";
    }
    return plus == 0 ? text : text + "+" + std::to_string(plus);
  }

 private:
  unsigned kind(Ref level) { return is_boxed(level) ? 0 : region_.constructor(level).tag; }
  Ref step(Ref level, std::size_t i) {
    ++steps_;
    return region_.field(region_.constructor(level), i);
  }

  Region& region_;
  Names& names_;
  int steps_ = 0;
};

}  // namespace

std::string sort_text(Expressions& expressions, Ref level) {
  if (is_boxed(level)) return "Prop";
  const Object object = expressions.region().constructor(level);
  const bool is_type = object.tag == kSucc;
  if (is_type) level = expressions.region().field(object, 0);
  if (is_boxed(level)) return "Type";
  const std::string text = LevelPrinter(expressions).print(level);
  const bool compound = text.find_first_of(" +") != std::string::npos;
  return std::string(is_type ? "Type " : "Sort ") + (compound ? "(" + text + ")" : text);
}

}  // namespace leanbridge::index
