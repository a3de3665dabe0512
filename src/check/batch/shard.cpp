#include "shard.hpp"

#include <charconv>

namespace leanbridge::batch {

namespace {

constexpr std::size_t kMaxShards = 1'000'000;
constexpr const char* kHint = "Pass --shard I/N, with I from 1 to N.";

std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Result<Shard> checked(std::optional<std::size_t> index, std::optional<std::size_t> count,
                      const std::string& what) {
  if (!index || !count || *index < 1 || *index > *count || *count > kMaxShards)
    return fail(ErrorKind::InvalidArgument, what + " is no shard.", kHint);
  return Shard{*index, *count};
}

}  // namespace

Result<Shard> read_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos)
    return fail(ErrorKind::InvalidArgument, "\"" + text + "\" is no shard.", kHint);
  return checked(number_in(std::string_view(text).substr(0, slash)),
                 number_in(std::string_view(text).substr(slash + 1)), "\"" + text + "\"");
}

Result<Shard> shard_from(const Environment& environment) {
  if (const auto id = environment("SLURM_ARRAY_TASK_ID")) {
    const auto count = environment("SLURM_ARRAY_TASK_COUNT");
    const auto task = number_in(*id);
    const auto first = number_in(environment("SLURM_ARRAY_TASK_MIN").value_or("0"));
    const auto step = number_in(environment("SLURM_ARRAY_TASK_STEP").value_or("1"));
    const std::string what =
        "SLURM_ARRAY_TASK_ID=" + *id + " of an array of " + count.value_or("unknown size");
    if (!task || !first || !step || *step == 0 || *task < *first || (*task - *first) % *step != 0)
      return checked(std::nullopt, std::nullopt, what);
    return checked((*task - *first) / *step + 1, number_in(count.value_or("")), what);
  }
  if (const auto index = environment("JOB_COMPLETION_INDEX")) {
    const auto count = environment("JOB_COMPLETIONS");
    const std::string what = "JOB_COMPLETION_INDEX=" + *index + " with JOB_COMPLETIONS=" + count.value_or("");
    const auto number = number_in(*index);
    return checked(number ? std::optional(*number + 1) : std::nullopt, number_in(count.value_or("")), what);
  }
  return Shard{};
}

}  // namespace leanbridge::batch
