// What Linux says of the memory and the processors that this process may use.

#include "core/platform/linux/capacity.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::platform {

namespace {

constexpr std::int64_t kGigabyte = std::int64_t{1} << 30;
const char* const kMeminfo = "MemTotal:       33554432 kB\nMemFree:  1000 kB\nMemAvailable:   16777216 kB\n";

}  // namespace

TEST_CASE("a machine without limits has what is available", "[platform]") {
  const Capacity capacity = capacity_of(kMeminfo, {}, 8);
  CHECK(capacity.cores == 8);
  CHECK(capacity.free_bytes == 16 * kGigabyte);
  CHECK(capacity_of("", {}, 0).cores == 1);
  CHECK(capacity_of("", {}, 4).free_bytes == 0);
}

TEST_CASE("of several control groups the tightest counts, and its cache is free", "[platform]") {
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

TEST_CASE("the control groups around a process, innermost first", "[platform]") {
  using Folders = std::vector<std::string>;
  CHECK(control_group_folders("0::/slurm/job_7/step_0\n", "/r") ==
        Folders{"/r/slurm/job_7/step_0", "/r/slurm/job_7", "/r/slurm", "/r"});
  CHECK(control_group_folders("0::/\n", "/r") == Folders{"/r"});
  CHECK(control_group_folders("5:memory:/a\n", "/r") == Folders{"/r"});
  CHECK(control_group_folders("", "/r") == Folders{"/r"});
}

}  // namespace leanbridge::platform
