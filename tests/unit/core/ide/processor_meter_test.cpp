// What lean_fill charges to its budget, against workers that the test makes up.

#include "core/ide/processor_meter.hpp"

#include "support/loop.hpp"
#include <catch2/catch.hpp>

#include <map>
#include <thread>

namespace leanbridge::ide {

using test::Loop;
using test::patient;

namespace {

struct Metered {
  Loop loop;
  io::Pool pool;
  std::map<int, double> seconds;  // by process
  int worker = 0;
  ProcessorMeter meter{pool,
                       {[this](int, const std::string&) { return worker; },
                        [this](int pid) { return seconds.contains(pid) ? seconds[pid] : -1; }}};

  void follow() { loop.run(meter.follow(1, "file:///A.lean", patient())); }
  void look() { loop.run(meter.look(patient())); }
};

}  // namespace

TEST_CASE("a worker is charged for what it computes while it is followed", "[tools]") {
  Metered all;
  all.worker = 7;
  all.seconds[7] = 100;
  all.follow();
  all.seconds[7] = 101.5;
  all.look();
  CHECK(all.meter.seconds() == Approx(1.5));
  all.seconds[7] = 200;  // for somebody else
  all.follow();
  all.seconds[7] = 200.25;
  all.look();
  CHECK(all.meter.seconds() == Approx(1.75));
  CHECK(all.meter.is_processor_time());
}

TEST_CASE("a worker that starts meanwhile is charged for all it has done", "[tools]") {
  Metered all;
  all.follow();
  all.worker = 7;
  all.seconds[7] = 2;
  all.look();
  CHECK(all.meter.seconds() == Approx(2));
  all.seconds.erase(7);  // it dies, and another one takes its place
  all.worker = 8;
  all.seconds[8] = 0.5;
  all.look();
  CHECK(all.meter.seconds() == Approx(2.5));
  CHECK(all.meter.is_processor_time());
}

TEST_CASE("where the system does not tell, the clock counts", "[tools]") {
  Metered all;
  all.follow();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  all.look();
  CHECK(all.meter.seconds() >= 0.02);
  CHECK_FALSE(all.meter.is_processor_time());
}

}  // namespace leanbridge::ide
