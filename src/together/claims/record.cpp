#include "record.hpp"

#include "claims.hpp"
#include "core/base/files.hpp"
#include "core/base/json.hpp"
#include "core/base/log.hpp"
#include "core/base/utc_time.hpp"
#include <fcntl.h>

#include <sstream>

namespace leanbridge::together {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kRecordName = "record.jsonl";
constexpr std::size_t kMaxRead = 4 * kMaxRecord;  // bytes: a line has a bound, so the file has one

}  // namespace

wire::Names<Deed> names_of(Deed) {
  return {{Deed::Claimed, "claimed"},
          {Deed::Released, "released"},
          {Deed::Wrote, "wrote"},
          {Deed::Refused, "refused"}};
}

void add_to_record(const fs::path& folder, RecordLine line, std::size_t most) {
  line.at = utc_time();
  // In ASCII, so that no character of a name can disturb a terminal.
  const std::string text = wire::write(line).dump(-1, ' ', true, json::error_handler_t::replace) + "\n";
  const fs::path file = folder / kRecordName;
  const auto lock = lock_claims(folder);
  std::error_code missing;
  if (lock && fs::file_size(file, missing) > most && !missing) {
    std::string all = read_regular_file(file, kMaxRead).value_or("");
    const std::size_t newer = all.find('\n', all.size() / 2);
    all.erase(0, newer == all.npos ? all.npos : newer + 1);
    if (replace_own_file(file, all + text)) return;
  } else if (lock) {
    const Descriptor out(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (out && write_all(out.get(), text)) return;
  }
  log::warn("{} cannot be written.", file.string());
}

std::vector<RecordLine> read_record(const fs::path& folder) {
  std::vector<RecordLine> lines;
  std::istringstream all(read_regular_file(folder / kRecordName, kMaxRead).value_or(""));
  for (std::string text; std::getline(all, text);) {
    RecordLine line;
    const json each = read_json(text);
    if (each.is_object()) wire::read_fitting(each, line);
    if (!line.at.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace leanbridge::together
