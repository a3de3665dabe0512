// How long a search takes, on a made-up library or on an index that is there:
//
//   leanbridge_bench [DECLARATIONS]           a library of that many (200000) is made in a temporary folder
//   leanbridge_bench FOLDER STEM QUERY...     the newest database of STEM in FOLDER
//
// A query that has a question mark, or begins with an underscore, is a pattern of types.
//
// Prints times of the processor, which other work on the machine does not change, and of the clock.

#include "core/base/error.hpp"
#include "search/index/query/search.hpp"
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

using namespace leanbridge::index;
using Clock = std::chrono::steady_clock;

const char* const kSubjects[] = {"Nat",    "Int",   "List", "Array",  "Set",
                                 "Finset", "Group", "Ring", "Module", "Filter"};
const char* const kPieces[] = {"add",    "mul",  "sub",   "comm", "assoc", "le",    "lt",     "eq",
                               "zero",   "one",  "of",    "iff",  "mem",   "map",   "append", "length",
                               "cancel", "left", "right", "neg",  "inv",   "div",   "mod",    "succ",
                               "max",    "min",  "sum",   "prod", "union", "inter", "subset", "image"};

Declaration made_up(std::mt19937& random) {
  const auto pick = [&](const auto& words) { return std::string(words[random() % std::size(words)]); };
  Declaration declaration;
  const std::string subject = pick(kSubjects);
  declaration.name = subject + "." + pick(kPieces);
  for (unsigned i = random() % 5; i > 0; --i) declaration.name += "_" + pick(kPieces);
  declaration.name += "_w" + std::to_string(random() % 20'000);
  declaration.kind = random() % 4 == 0 ? "def" : "theorem";
  declaration.signature = "(a b : " + subject + ") : " + pick(kPieces) + " a b = " + pick(kPieces) + " b a";
  declaration.constants = {subject, "Eq", pick(kSubjects) + "." + pick(kPieces)};
  declaration.conclusion = "Eq";
  if (random() % 3 == 0)
    declaration.docstring = "Says how " + pick(kPieces) + " and " + pick(kPieces) + " agree.";
  return declaration;
}

std::shared_ptr<Store> make_library(std::size_t count, std::shared_ptr<std::atomic<bool>> stop) {
  auto store = std::make_shared<Store>("", sqlite::Database::Mode::Memory, stop);
  std::mt19937 random(1);
  for (std::size_t done = 0; done < count;) {
    std::vector<Module> batch;
    for (std::size_t i = 0; i < 100 && done < count; ++i) {
      Module module;
      module.name = "Made.M" + std::to_string(done);
      for (std::size_t j = 0; j < 80 && done < count; ++j, ++done)
        module.declarations.push_back(made_up(random));
      batch.push_back(std::move(module));
    }
    store->write(std::move(batch), {});
  }
  store->finish();
  return store;
}

double processor_ms() {
  timespec now = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

void report(const char* what, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  std::printf("%s: p50 %.1f ms, p99 %.1f ms, most %.1f ms\n", what, times[times.size() / 2],
              times[times.size() * 99 / 100], times.back());
}

}  // namespace

int main(int argc, char** argv) {
  const auto stop = std::make_shared<std::atomic<bool>>(false);
  std::shared_ptr<Store> store;
  std::vector<std::string> queries = {"addition commutative natural numbers",
                                      "length of append",
                                      "add_comm",
                                      "Nat.add_comm",
                                      "cancel on the left",
                                      "sum of union is less or equal",
                                      "membership in an image iff exists",
                                      "mul",
                                      "Finset.sum",
                                      "invrse multiplicaton",
                                      "successor is injective",
                                      "subset of the intersection left right",
                                      "Group.mul_left",
                                      "map of append list zero one",
                                      "_ = mul ?b ?a",
                                      "add ?a _ = _",
                                      "_ = _"};
  if (argc > 3) {
    store = open_to_read(argv[1], argv[2], stop);
    queries.assign(argv + 3, argv + argc);
  } else {
    const auto begin = Clock::now();
    store = make_library(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 200'000, stop);
    std::printf("made in %.1f s\n", std::chrono::duration<double>(Clock::now() - begin).count());
  }
  if (!store) return 1;
  std::vector<double> processor, clock;
  Searcher searcher;
  std::printf("%zu declarations\n", store->declarations());
  for (int round = 0; round < 8; ++round)
    for (const std::string& query : queries) {
      Lookup lookup;
      const bool is_pattern = query.find("?") != std::string::npos || query.starts_with("_ ");
      if (is_pattern)
        lookup.patterns = {query};
      else
        lookup.words = query;
      const auto begin = Clock::now();
      const double before = processor_ms();
      const Matches matches = searcher.search({store}, lookup);
      processor.push_back(processor_ms() - before);
      clock.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
      if (round == 7)
        std::printf("%8.1f ms  %4zu candidates  %s -> %s\n", processor.back(), matches.total, query.c_str(),
                    matches.found.empty() ? "" : matches.found[0].name.c_str());
    }
  report("processor", processor);
  report("clock", clock);
  return 0;
}
