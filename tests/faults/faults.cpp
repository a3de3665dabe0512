#include "faults.hpp"

#include <utility>

namespace leanbridge::faults {

Faults Faults::draw(Random& random) {
  Faults faults;
  const auto maybe = [&](int chance, int most) {
    return random.percent(chance) ? random.between(1, most) : 0;
  };
  faults.delay = maybe(70, 60);
  faults.max_delay = random.percent(80) ? random.between(1, 40) : random.between(100, 2000);
  faults.split = maybe(50, 40);
  faults.early_null = maybe(50, 30);
  faults.superseded = maybe(60, 100);
  faults.slow_stdin = maybe(30, 20);
  faults.slow_disk = maybe(50, 50);
  faults.small_pipes = maybe(30, 100);
  faults.session_loss = maybe(30, 30);
  if (random.percent(35)) return faults;  // a strict run
  faults.drop = maybe(35, 12);
  faults.duplicate = maybe(35, 20);
  faults.refuse = maybe(25, 10);
  faults.worker_crash = maybe(40, 40);
  faults.worker_hang = maybe(20, 15);
  faults.doom = maybe(60, 90);
  faults.bad_start = maybe(35, 60);
  faults.bad_shape = maybe(30, 30);
  return faults;
}

std::string Faults::describe() const {
  const std::pair<const char*, int> all[] = {{"delay", delay},
                                             {"max_delay", max_delay},
                                             {"split", split},
                                             {"early_null", early_null},
                                             {"superseded", superseded},
                                             {"slow_stdin", slow_stdin},
                                             {"slow_disk", slow_disk},
                                             {"small_pipes", small_pipes},
                                             {"session_loss", session_loss},
                                             {"drop", drop},
                                             {"duplicate", duplicate},
                                             {"refuse", refuse},
                                             {"worker_crash", worker_crash},
                                             {"worker_hang", worker_hang},
                                             {"doom", doom},
                                             {"bad_start", bad_start},
                                             {"bad_shape", bad_shape}};
  std::string text = strict() ? "strict" : "faulty";
  for (const auto& [name, value] : all)
    if (value > 0) text += std::string(" ") + name + "=" + std::to_string(value);
  return text;
}

}  // namespace leanbridge::faults
