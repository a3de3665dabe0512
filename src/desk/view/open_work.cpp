#include "open_work.hpp"

#include "core/base/hash.hpp"
#include "core/lean/imports.hpp"
#include "core/lean/project.hpp"
#include "core/lean/source_folders.hpp"
#include "core/text/utf8.hpp"
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace leanbridge::app {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::size_t kMaxShownItems = 40, kMaxShownLines = 50, kMaxShownNames = 3;
constexpr std::size_t kMaxShownTodo = std::size_t{16} << 10;  // bytes
constexpr std::size_t kMaxShownText = 300;                    // bytes of a name or a reason
constexpr io::Clock::duration kLookPause = std::chrono::seconds(1);
constexpr io::Clock::duration kApprovedLimit = std::chrono::seconds(30);
// Surveys take at most a tenth of one core, however often agents write.
constexpr int kRestAfterSurvey = 9;  // times as long

// Tells apart the states of a file, without reading it.
std::uint64_t mark_of(const fs::path& file) {
  const lean::FileIdentity found = lean::identify(file);
  return fnv1a(fmt::format("{} {} {} {}", file.string(), found.inode, found.size, found.modified_ns));
}

// Of all that a survey reads, but for the sources of packages that are required by path. Sums do not depend
// on the order of a folder.
std::uint64_t mark_of_sources(const fs::path& root) {
  std::uint64_t mark = mark_of(root / together::kApprovalsName);
  for (const std::string& name : lean::lean_files_below(root, together::kMaxFiles))
    mark += mark_of(root / name);
  for (const auto& [file, identity] : lean::configuration_state(root)) mark += mark_of(file);
  std::error_code error;
  for (fs::recursive_directory_iterator file(lean::product_folders(root).modules, error), end;
       !error && file != end; file.increment(error))
    if (file->path().extension() == ".olean") mark += mark_of(file->path());
  return mark;
}

// Lean could tell more of what is not compiled (together::look_at_work), and would have to be started for it.
together::Survey survey_without_lean(const fs::path& root) {
  auto files = together::survey(root);
  for (together::SurveyedFile& file : files)
    if (file.olean.empty() && file.unread.empty() && !file.declarations.empty())
      take_words(file, "not compiled as it is; only its words were read");
  return std::make_shared<const std::vector<together::SurveyedFile>>(std::move(files));
}

void cut(std::string& text) {
  if (text.size() > kMaxShownText) text = std::string(text::beginning_of(text, kMaxShownText)) + "…";
}

void cut(std::vector<std::string>& names) {
  if (const std::size_t all = names.size(); all > kMaxShownNames) {
    names.resize(kMaxShownNames - 1);
    names.push_back("and " + std::to_string(all - names.size()) + " more");
  }
  for (std::string& name : names) cut(name);
}

json shown_line(together::RecordLine line) {
  cut(line.declarations);
  for (std::string* text : {&line.at, &line.who, &line.file, &line.verdict}) cut(*text);
  return wire::write(line);
}

}  // namespace

json shown_work(together::Todo todo, const std::vector<together::Claim>& claims,
                const std::vector<together::RecordLine>& record) {
  if (todo.items.empty() && todo.changed_statements.empty() && record.empty()) return json::object();
  todo.items.resize(std::min(todo.items.size(), kMaxShownItems));
  for (together::TodoItem& item : todo.items)
    if (item.needs) cut(*item.needs);
  together::shorten(todo, kMaxShownTodo);
  json shown = wire::write(todo, wire::Detail::Brief);
  for (std::size_t i = 0; i < todo.items.size(); ++i) {
    const together::TodoItem& item = todo.items[i];
    for (const together::Claim& claim : claims)
      if (claim.is_of(item.at.substr(0, item.at.rfind(':')), item.declaration))
        shown["items"][i].update(
            {{"holder", claim.holder.shown()}, {"why", claim.why}, {"since", claim.since}});
  }
  json lines = json::array();
  for (auto line = record.rbegin(); line != record.rend() && lines.size() < kMaxShownLines; ++line)
    lines.push_back(shown_line(*line));
  shown["record"] = {{"all", record.size()}, {"lines", std::move(lines)}};
  return shown;
}

WorkOnDisk look_at_disk(const fs::path& root, const fs::path& folder, WorkOnDisk state) {
  using Clock = std::chrono::steady_clock;
  state.survey = nullptr;
  const std::uint64_t sources = mark_of_sources(root);
  const Clock::time_point begin = Clock::now();
  if (sources != state.sources && begin >= state.survey_after) {
    state.sources = sources;
    state.survey = survey_without_lean(root);
    const Clock::time_point end = Clock::now();
    state.survey_after = end + kRestAfterSurvey * (end - begin);
  }
  state.deeds = 0;
  std::error_code error;
  for (fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error))
    state.deeds += mark_of(file->path());
  state.claims = together::Claims(folder).list();
  return state;
}

asio::awaitable<void> OpenWork::refresh(io::CancelScope scope) {
  const auto self = shared_from_this();
  if (is_looking_) {
    co_await io::wait_until(looked_, scope, [&] { return !is_looking_; });
    co_return;
  }
  if (io::Clock::now() < look_after_) co_return;
  is_looking_ = true;
  co_await look_again();
  is_looking_ = false;
  look_after_ = io::Clock::now() + kLookPause;
  looked_.notify_all();
}

// Not in the scope of a page: others wait for it, too.
asio::awaitable<void> OpenWork::look_again() {
  const io::CancelScope scope(io::kNoDeadline);
  const auto look = [root = project_->root(), folder = folder_, before = seen_]() -> Result<WorkOnDisk> {
    return look_at_disk(root, folder, before);
  };
  auto now = co_await lean_.pool.run(look, scope);
  if (!now) co_return;
  // Of claims that end by time or with their process, the file does not tell.
  const bool is_same = !now->survey && now->deeds == seen_.deeds && now->claims.size() == seen_.claims.size();
  together::Survey survey = std::exchange(now->survey, nullptr);
  seen_ = std::move(*now);
  if (is_same) co_return;
  if (survey) {
    const auto limit = scope.with_timeout(kApprovedLimit);
    const auto approved = co_await together::approved_now(lean_, project_, limit, survey);
    // A survey of a large project takes long to destroy, so that is done on the pool, too.
    auto judge = [survey = std::move(survey), approved]() mutable -> Result<together::Todo> {
      together::Todo todo = together::todo_of(*std::exchange(survey, nullptr), {});
      todo.add_approved(approved);
      return todo;
    };
    if (auto todo = co_await lean_.pool.run(std::move(judge), scope)) todo_ = std::move(*todo);
  }
  const auto show = [todo = todo_, claims = seen_.claims, folder = folder_]() -> Result<json> {
    return shown_work(todo, claims, together::read_record(folder));
  };
  if (auto shown = co_await lean_.pool.run(show, scope)) shown_ = std::move(*shown);
}

}  // namespace leanbridge::app
