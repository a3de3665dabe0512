// How many workers a machine, a job or a container can carry.

#include "core/io/capacity.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::io {

namespace {

constexpr std::int64_t kGigabyte = std::int64_t{1} << 30;

}  // namespace

TEST_CASE("as many workers as cores and memory carry, at least one", "[batch]") {
  const Capacity capacity{8, 12 * kGigabyte};
  CHECK(workers_for(capacity, kGigabyte) == 8);
  CHECK(workers_for(capacity, 4 * kGigabyte) == 3);  // the first one runs already; two more with 6 GB each
  CHECK(workers_for(capacity, 100 * kGigabyte) == 1);
  CHECK(workers_for(capacity, 0) == 8);
  CHECK(workers_for({4, 0}, kGigabyte) == 4);
  CHECK(default_worker_limit(capacity, 3) == 4 * kGigabyte);
  CHECK(default_worker_limit(capacity, 8) == 2 * kGigabyte);
  CHECK(default_worker_limit({4, 0}, 4) == 0);
}

}  // namespace leanbridge::io
