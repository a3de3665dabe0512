#pragma once
/// The only source of chance in a run. The standard's distributions differ between libraries; these do not.

#include <cstdint>
#include <string>
#include <vector>

namespace leanbridge::faults {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) { next(); }

  /// SplitMix64.
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  /// From 0 to limit - 1; 0 if limit is 0.
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : static_cast<std::size_t>(next() % limit); }
  /// Both bounds inclusive.
  int between(int least, int most) {
    return least + static_cast<int>(below(static_cast<std::size_t>(most - least) + 1));
  }
  bool percent(int chance) { return static_cast<int>(below(100)) < chance; }
  template <class T>
  const T& of(const std::vector<T>& values) {
    return values[below(values.size())];
  }
  /// A generator that does not depend on what is drawn here later.
  Random fork() { return Random(next()); }

 private:
  std::uint64_t state_;
};

}  // namespace leanbridge::faults
