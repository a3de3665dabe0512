// Shards: together they have each item once, whoever names them.

#include "check/batch/shard.hpp"

#include <catch2/catch.hpp>

#include <map>

namespace leanbridge::batch {

namespace {

Environment job_variables(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const std::string& name) -> std::optional<std::string> {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
}

}  // namespace

TEST_CASE("shards have each item once, and as many as they say", "[batch]") {
  for (const std::size_t count : std::initializer_list<std::size_t>{1, 2, 3, 16})
    for (const std::size_t items : std::initializer_list<std::size_t>{0, 1, 15, 16, 17, 100}) {
      std::size_t all = 0;
      for (std::size_t index = 1; index <= count; ++index) {
        const Shard shard{index, count};
        std::size_t mine = 0;
        for (std::size_t i = 0; i < items; ++i) mine += shard.has(i) ? 1 : 0;
        CHECK(mine == shard.share_of(items));
        all += mine;
      }
      CHECK(all == items);
    }
}

TEST_CASE("a shard on the command line", "[batch]") {
  CHECK(read_shard("3/16") == Shard{3, 16});
  CHECK(read_shard("1/1") == Shard{1, 1});
  for (const char* bad :
       {"", "3", "0/4", "5/4", "a/4", "1/b", "1/0", "-1/4", "1/2/3", " 1/2", "1/9999999999999999999"})
    CHECK(read_shard(bad).error().kind == ErrorKind::InvalidArgument);
}

TEST_CASE("a task of a Slurm array", "[batch]") {
  CHECK(shard_from(job_variables({{"SLURM_ARRAY_TASK_ID", "0"},
                                  {"SLURM_ARRAY_TASK_COUNT", "4"},
                                  {"SLURM_ARRAY_TASK_MIN", "0"}})) == Shard{1, 4});
  CHECK(shard_from(job_variables({{"SLURM_ARRAY_TASK_ID", "4"},
                                  {"SLURM_ARRAY_TASK_COUNT", "4"},
                                  {"SLURM_ARRAY_TASK_MIN", "1"}})) == Shard{4, 4});
  CHECK(shard_from(job_variables({{"SLURM_ARRAY_TASK_ID", "6"},
                                  {"SLURM_ARRAY_TASK_COUNT", "4"},
                                  {"SLURM_ARRAY_TASK_MIN", "0"},
                                  {"SLURM_ARRAY_TASK_STEP", "2"}})) == Shard{4, 4});
  // --array=0,7 has two tasks, but 7 is not the second in a row.
  CHECK_FALSE(shard_from(job_variables(
      {{"SLURM_ARRAY_TASK_ID", "7"}, {"SLURM_ARRAY_TASK_COUNT", "2"}, {"SLURM_ARRAY_TASK_MIN", "0"}})));
  CHECK_FALSE(shard_from(job_variables({{"SLURM_ARRAY_TASK_ID", "1"}})));
  CHECK_FALSE(shard_from(job_variables({{"SLURM_ARRAY_TASK_ID", "x"}, {"SLURM_ARRAY_TASK_COUNT", "2"}})));
}

TEST_CASE("a pod of an Indexed Job, or nobody", "[batch]") {
  CHECK(shard_from(job_variables({{"JOB_COMPLETION_INDEX", "0"}, {"JOB_COMPLETIONS", "8"}})) == Shard{1, 8});
  CHECK(shard_from(job_variables({{"JOB_COMPLETION_INDEX", "7"}, {"JOB_COMPLETIONS", "8"}})) == Shard{8, 8});
  CHECK_FALSE(shard_from(job_variables({{"JOB_COMPLETION_INDEX", "8"}, {"JOB_COMPLETIONS", "8"}})));
  const auto missing = shard_from(job_variables({{"JOB_COMPLETION_INDEX", "0"}}));
  REQUIRE_FALSE(missing);
  CHECK(missing.error().hint.find("--shard") != std::string::npos);
  CHECK(shard_from(job_variables({})) == Shard{1, 1});
}

}  // namespace leanbridge::batch
