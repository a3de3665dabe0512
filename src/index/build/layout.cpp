#include "layout.hpp"

#include "leanbridge/base/files.hpp"
#include "leanbridge/index/compiled_proofs.hpp"
#include "leanbridge/io/child_process.hpp"
#include "leanbridge/lean/project.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace leanbridge::index {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::size_t kMaxEnvironment = 1u << 20;  // bytes that lake may print

struct Printed {
  std::string out;
  bool ended = false;
  int exit_code = -1;
  bool exited = false;
  io::Condition changed;
};

std::vector<fs::path> folders_of(const std::string& list, const fs::path& base) {
  std::vector<fs::path> folders;
  std::size_t begin = 0;
  while (begin <= list.size()) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    if (end > begin) folders.push_back((base / list.substr(begin, end - begin)).lexically_normal());
    begin = end + 1;
  }
  return folders;
}

Layout layout_of(const std::string& environment, const fs::path& folder) {
  std::map<std::string, std::string> values;
  std::size_t begin = 0;
  while (begin < environment.size()) {
    const std::size_t end = std::min(environment.find('\n', begin), environment.size());
    const std::string line = environment.substr(begin, end - begin);
    if (const std::size_t equals = line.find('='); equals != std::string::npos)
      values[line.substr(0, equals)] = line.substr(equals + 1);
    begin = end + 1;
  }
  Layout layout;
  if (const auto sysroot = values.find("LEAN_SYSROOT"); sysroot != values.end())
    layout.sysroot = sysroot->second;
  const auto own = [&](const std::vector<fs::path>& all) {
    std::vector<fs::path> some;
    for (const fs::path& path : all)
      if (layout.sysroot.empty() || !lean::is_within(path, layout.sysroot)) some.push_back(path);
    return some;
  };
  layout.sources = own(folders_of(values["LEAN_SRC_PATH"], folder));
  layout.builds = own(folders_of(values["LEAN_PATH"], folder));
  return layout;
}

std::string file_stamp(const fs::path& file) {
  std::error_code error;
  const auto time = fs::last_write_time(file, error);
  if (error) return "-";
  return std::to_string(time.time_since_epoch().count()) + "," + std::to_string(fs::file_size(file, error));
}

}  // namespace

asio::awaitable<Result<Layout>> ask_lake(asio::io_context& context, fs::path lake, fs::path folder,
                                         io::CancelScope scope) {
  io::ChildCommand command;
  command.argv = {lake.string(), "env"};
  command.directory = folder;
  command.environment = lean::environment_for_lake();
  const auto printed = std::make_shared<Printed>();
  io::ChildProcess::Events events;
  events.on_stdout = [printed](std::string_view bytes) {
    if (printed->out.size() < kMaxEnvironment) printed->out += bytes;
    return true;
  };
  events.on_stdout_end = [printed] {
    printed->ended = true;
    printed->changed.notify_all();
  };
  events.on_exit = [printed](int code) {
    printed->exit_code = code;
    printed->exited = true;
    printed->changed.notify_all();
  };
  auto child = io::ChildProcess::spawn(context, std::move(command), std::move(events));
  if (!child) co_return tl::unexpected(child.error());
  (*child)->input().close();
  const auto over = [&] { return printed->ended && printed->exited; };
  const io::WaitStatus end = co_await io::wait_until(printed->changed, scope, over);
  (*child)->terminate();
  if (end == io::WaitStatus::Cancelled) co_return call_cancelled();
  if (end == io::WaitStatus::TimedOut)
    co_return fail(ErrorKind::Timeout, "`lake env` did not end in time in " + folder.string() + ".");
  if (printed->exit_code != 0)
    co_return fail(ErrorKind::LeanUnavailable,
                   "`lake env` failed in " + folder.string() + ": " + (*child)->stderr_tail().substr(0, 300));
  co_return layout_of(printed->out, folder);
}

std::vector<fs::path> search_path_in(const std::string& environment, const fs::path& folder) {
  const Layout layout = layout_of(environment, folder);
  std::vector<fs::path> path = layout.builds;
  if (!layout.sysroot.empty()) path.push_back(toolchain_layout(layout.sysroot).builds.front());
  return path;
}

Layout usual_layout(const fs::path& project) {
  Layout layout;
  if (project.empty()) return layout;
  const auto add = [&](const fs::path& root) {
    layout.sources.push_back(root);
    layout.builds.push_back(root / ".lake/build/lib/lean");
  };
  add(project);
  std::error_code error, ignored;
  const fs::path real_project = fs::canonical(project, ignored);
  for (fs::directory_iterator entry(project / ".lake/packages", error), end; !error && entry != end;
       entry.increment(error)) {
    // Lake may name a package that is elsewhere; without its word a link out of the project is none.
    const fs::path real = fs::canonical(entry->path(), ignored);
    if (!ignored && lean::is_within(real, real_project) && entry->is_directory(ignored)) add(entry->path());
  }
  return layout;
}

Layout toolchain_layout(const fs::path& sysroot) {
  Layout layout;
  layout.sysroot = sysroot;
  layout.sources = {sysroot / "src/lean", sysroot / "src/lean/lake"};
  layout.builds = {sysroot / "lib/lean"};
  return layout;
}

std::string to_text(const Layout& layout) {
  json sources = json::array(), builds = json::array();
  for (const fs::path& path : layout.sources) sources.push_back(path.string());
  for (const fs::path& path : layout.builds) builds.push_back(path.string());
  return json{{"sysroot", layout.sysroot.string()}, {"sources", sources}, {"builds", builds}}.dump(
      -1, ' ', false, json::error_handler_t::replace);
}

Layout layout_from_text(const std::string& text) {
  Layout layout;
  const json value = json::parse(text, nullptr, false);
  if (!value.is_object()) return layout;
  layout.sysroot = value.value("sysroot", "");
  for (const auto& path : value.value("sources", std::vector<std::string>()))
    layout.sources.emplace_back(path);
  for (const auto& path : value.value("builds", std::vector<std::string>())) layout.builds.emplace_back(path);
  return layout;
}

std::string layout_stamp(const fs::path& project, const std::string& lake) {
  std::string stamp = lake;
  for (const char* name : {"lakefile.toml", "lakefile.lean", "lean-toolchain", "lake-manifest.json"})
    stamp += "|" + file_stamp(project / name);
  return stamp;
}

namespace {

// "olean", a byte of version, one of flags, then, in recent versions, 33 bytes of Lean's version and 40 of
// its commit.
std::string header_of(const fs::path& sysroot) {
  const auto file = RegularFile::open(sysroot / "lib/lean/Init/Prelude.olean");
  std::string header(80, '\0');
  header.resize(file ? file->read_some(header.data(), header.size()).value_or(0) : 0);
  return header.starts_with("olean") ? header : std::string();
}

}  // namespace

std::string toolchain_identity(const fs::path& sysroot) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(sysroot, error);
  return (error ? sysroot : real).string() + "\n" + header_of(sysroot);
}

std::string toolchain_name(const fs::path& sysroot) {
  const std::string header = header_of(sysroot);
  std::string version;
  for (std::size_t at = 7; at < header.size() && at < 40; ++at) {
    const char c = header[at];
    const bool fits = ('0' <= c && c <= '9') || ('a' <= c && c <= 'z') || c == '.' || c == '-';
    if (!fits) break;
    version += c;
  }
  return version.empty() ? "Lean at " + sysroot.string() : "Lean " + version;
}

}  // namespace leanbridge::index
