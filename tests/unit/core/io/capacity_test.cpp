// How many workers a machine, a job or a container can carry.

#include "core/io/capacity.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::io {

namespace {

constexpr std::int64_t kGigabyte = std::int64_t{1} << 30;
const char* const kMeminfo = "MemTotal:       33554432 kB\nMemFree:  1000 kB\nMemAvailable:   16777216 kB\n";

}  // namespace

TEST_CASE("a machine without limits has what is available", "[batch]") {
  const Capacity capacity = capacity_of(kMeminfo, {}, 8);
  CHECK(capacity.cores == 8);
  CHECK(capacity.free_bytes == 16 * kGigabyte);
  CHECK(capacity_of("", {}, 0).cores == 1);
  CHECK(capacity_of("", {}, 4).free_bytes == 0);
}

TEST_CASE("of several control groups the tightest counts, and its cache is free", "[batch]") {
  const ControlGroup job{std::to_string(8 * kGigabyte) + "\n", std::to_string(6 * kGigabyte) + "\n",
                         "anon 1\ninactive_file " + std::to_string(kGigabyte) + "\nactive_file 5\n",
                         "150000 100000\n"};
  const ControlGroup machine{"max\n", std::to_string(9 * kGigabyte), "", "max 100000\n"};
  const Capacity capacity = capacity_of(kMeminfo, {job, machine}, 8);
  CHECK(capacity.cores == 1);  // one and a half
  CHECK(capacity.free_bytes == 3 * kGigabyte);
  CHECK(capacity_of(kMeminfo, {machine}, 8).cores == 8);
  CHECK(capacity_of(kMeminfo, {{"100", "200", "", "50000 100000"}}, 8).free_bytes == 1);  // full, not unknown
  CHECK(capacity_of(kMeminfo, {{"", "", "", "50000 100000"}}, 8).cores == 1);
}

TEST_CASE("the control groups around a process, innermost first", "[batch]") {
  using Folders = std::vector<std::string>;
  CHECK(control_group_folders("0::/slurm/job_7/step_0\n", "/r") ==
        Folders{"/r/slurm/job_7/step_0", "/r/slurm/job_7", "/r/slurm", "/r"});
  CHECK(control_group_folders("0::/\n", "/r") == Folders{"/r"});
  CHECK(control_group_folders("5:memory:/a\n", "/r") == Folders{"/r"});
  CHECK(control_group_folders("", "/r") == Folders{"/r"});
}

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

TEST_CASE("this machine has at least a core", "[batch]") {
  CHECK(read_capacity().cores >= 1);
}

}  // namespace leanbridge::io
