// Which worker gets which item.

#include "check/batch/schedule.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>

namespace leanbridge::batch {

namespace {

Item with_header(const std::string& id, const std::string& module) {
  Item item;
  item.id = id;
  item.text = "import " + module + "\nexample : True := trivial\n";
  return item;
}

/// The item that was taken, as "worker:id".
std::string taken(Schedule& schedule) {
  auto next = schedule.take();
  return next ? std::to_string(next->worker) + ":" + next->item.id : "nothing";
}

Schedule schedule_of(std::size_t workers, ScheduleLimits limits = {}) {
  Schedule schedule(limits);
  for (std::size_t i = 0; i < workers; ++i) schedule.add_worker();
  return schedule;
}

}  // namespace

TEST_CASE("an item goes to the worker that has its header", "[batch][schedule]") {
  Schedule schedule = schedule_of(2);
  schedule.add(with_header("a1", "A"));
  schedule.add(with_header("b1", "B"));
  CHECK(taken(schedule) == "0:a1");
  CHECK(taken(schedule) == "1:b1");
  CHECK(taken(schedule) == "nothing");
  schedule.release(0);
  schedule.release(1);
  schedule.add(with_header("b2", "B"));
  schedule.add(with_header("a2", "A"));
  CHECK(taken(schedule) == "1:b2");
  CHECK(taken(schedule) == "0:a2");
}

TEST_CASE("one worker takes all of a header before it loads another", "[batch][schedule]") {
  Schedule schedule = schedule_of(1);
  for (int i = 0; i < 3; ++i)
    for (const char* module : {"A", "B", "C"}) schedule.add(with_header(module + std::to_string(i), module));
  std::string order;
  while (schedule.waiting() > 0) {
    order += taken(schedule) + " ";
    schedule.release(0);
  }
  CHECK(order == "0:A0 0:A1 0:A2 0:B0 0:B1 0:B2 0:C0 0:C1 0:C2 ");
}

TEST_CASE("one header is shared by workers that have nothing to lose", "[batch][schedule]") {
  Schedule schedule = schedule_of(3);
  for (int i = 0; i < 3; ++i) schedule.add(with_header("a" + std::to_string(i), "A"));
  CHECK(taken(schedule) == "0:a0");
  CHECK(taken(schedule) == "1:a1");
  CHECK(taken(schedule) == "2:a2");
  CHECK(schedule.busy() == 3);
}

TEST_CASE("a worker gives up its header only where there is enough work, or no more will come",
          "[batch][schedule]") {
  Schedule schedule = schedule_of(2);
  schedule.add(with_header("a1", "A"));
  schedule.add(with_header("b1", "B"));
  CHECK(taken(schedule) == "0:a1");
  CHECK(taken(schedule) == "1:b1");
  schedule.release(1);
  schedule.add(with_header("a2", "A"));
  CHECK(taken(schedule) == "nothing");  // worker 0 will have it soon
  SECTION("enough work") {
    schedule.add(with_header("a3", "A"));
    CHECK(taken(schedule) == "1:a2");
  }
  SECTION("no more will come") {
    schedule.close();
    CHECK(taken(schedule) == "1:a2");
  }
  SECTION("a header that nobody has") {
    schedule.add(with_header("c1", "C"));
    CHECK(taken(schedule) == "1:c1");
  }
}

TEST_CASE("a rare header does not wait for ever", "[batch][schedule]") {
  Schedule schedule = schedule_of(1, {.max_items = 100, .max_bytes = 1 << 20, .max_passed = 5});
  schedule.add(with_header("a0", "A"));
  CHECK(taken(schedule) == "0:a0");
  schedule.add(with_header("rare", "B"));
  int before = 0;
  for (;; ++before) {
    schedule.release(0);
    schedule.add(with_header("a", "A"));
    if (taken(schedule) == "0:rare") break;
    REQUIRE(before < 100);
  }
  CHECK(before == 5);
}

TEST_CASE("headers are equal byte for byte, and in one library", "[batch][schedule]") {
  const Item plain = with_header("a", "A");
  Item commented = plain, elsewhere = plain, other_body = plain;
  commented.text = "-- by me\n" + commented.text;
  elsewhere.file = "/p/Lib/leanbridge.lean";
  other_body.text += "#check 1\n";
  CHECK(header_key(plain) == header_key(other_body));
  CHECK_FALSE(header_key(plain) == header_key(commented));
  CHECK_FALSE(header_key(plain) == header_key(elsewhere));
}

TEST_CASE("the items that wait are bounded in number and size", "[batch][schedule]") {
  Schedule by_number = schedule_of(0, {.max_items = 2, .max_bytes = 1 << 20, .max_passed = 5});
  by_number.add(with_header("a", "A"));
  CHECK(by_number.has_room());
  by_number.add(with_header("b", "A"));
  CHECK_FALSE(by_number.has_room());
  by_number.add_worker();
  CHECK(taken(by_number) == "0:a");
  CHECK(by_number.has_room());

  Schedule by_size = schedule_of(1, {.max_items = 100, .max_bytes = 100, .max_passed = 5});
  Item large = with_header("a", "A");
  large.text += std::string(200, '\n');
  by_size.add(large);
  CHECK_FALSE(by_size.has_room());
  CHECK(taken(by_size) == "0:a");
  CHECK(by_size.has_room());
}

TEST_CASE("what a worker could not judge is taken before all others, and by another", "[batch][schedule]") {
  Schedule schedule = schedule_of(2);
  schedule.add(with_header("a1", "A"));
  auto first = schedule.take();
  REQUIRE(first);
  schedule.add(with_header("a2", "A"));
  schedule.give_back(0, std::move(first->item));
  schedule.remove_worker(0);
  CHECK(taken(schedule) == "1:a1");
  CHECK_FALSE(schedule.is_finished());
}

TEST_CASE("it is finished when nothing waits, is under way or will come", "[batch][schedule]") {
  Schedule schedule = schedule_of(1);
  CHECK_FALSE(schedule.is_finished());
  schedule.add(with_header("a", "A"));
  schedule.close();
  CHECK_FALSE(schedule.is_finished());
  CHECK(taken(schedule) == "0:a");
  CHECK_FALSE(schedule.is_finished());
  schedule.release(0);
  CHECK(schedule.is_finished());
}

TEST_CASE("every item is taken once, in any order of headers", "[batch][schedule]") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Schedule schedule = schedule_of(3, {.max_items = 16, .max_bytes = 1 << 20, .max_passed = 8});
    unsigned state = seed;
    const auto random = [&state](unsigned below) {
      return (state = state * 1103515245 + 12345) / 65536 % below;
    };
    std::set<std::string> seen;
    std::vector<std::size_t> busy;
    std::size_t added = 0;
    const std::size_t total = 200;
    while (!schedule.is_finished()) {
      while (added < total && schedule.has_room()) {
        schedule.add(with_header(std::to_string(added), "M" + std::to_string(random(4))));
        if (++added == total) schedule.close();
      }
      while (auto next = schedule.take()) {
        CHECK(seen.insert(next->item.id).second);
        busy.push_back(next->worker);
      }
      REQUIRE_FALSE(busy.empty());
      const std::size_t done = random(static_cast<unsigned>(busy.size()));
      schedule.release(busy[done]);
      busy.erase(busy.begin() + static_cast<std::ptrdiff_t>(done));
    }
    CHECK(seen.size() == total);
  }
}

}  // namespace leanbridge::batch
