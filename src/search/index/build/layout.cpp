#include "layout.hpp"

#include "core/base/files.hpp"
#include "core/base/try.hpp"
#include "core/io/run_to_end.hpp"
#include "core/lean/lake_paths.hpp"
#include "core/lean/project.hpp"
#include "core/lean/source_folders.hpp"
#include "core/text/lean_names.hpp"
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace leanbridge::index {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::size_t kMaxEnvironment = 1u << 20;  // bytes of the output of `lake env`

Layout layout_of(const std::string& environment, const fs::path& folder) {
  lean::LakePaths paths = lean::read_lake_paths(environment, folder);
  Layout layout;
  layout.sysroot = std::move(paths.sysroot);
  layout.sources = std::move(paths.sources);
  layout.builds = std::move(paths.modules);
  return layout;
}

/// Adds the folders of executables: Lake's search path of sources has only those of libraries
/// (Lake/Config/Workspace.lean, `leanSrcPath`).
void add_executables(const fs::path& project, Layout& layout) {
  const auto found = lean::source_folders(project, lean::Lakefiles::in(project));
  if (!found) return;
  for (const fs::path& folder : found->folders)
    if (std::ranges::find(layout.sources, folder) == layout.sources.end()) layout.sources.push_back(folder);
}

std::string file_stamp(const fs::path& file) {
  std::error_code error;
  const auto time = static_cast<std::int64_t>(fs::last_write_time(file, error).time_since_epoch().count());
  if (error) return "-";
  return std::to_string(time) + "," + std::to_string(fs::file_size(file, error));
}

}  // namespace

asio::awaitable<Result<Layout>> ask_lake(fs::path lake, fs::path folder, io::CancelScope scope) {
  io::ProgramRun run;
  run.command = {{lake.string(), "env"}, folder, lean::environment_for_lake()};
  run.max_output = kMaxEnvironment;
  run.at_scope_end = io::ProgramRun::AtScopeEnd::Return;
  CO_TRY(const io::ProgramEnd end, co_await io::run_to_end(std::move(run), scope));
  if (end.timed_out) co_return fail(ErrorKind::Timeout, "`lake env` timed out in " + folder.string() + ".");
  if (end.exit_code != 0)
    co_return fail(ErrorKind::LeanUnavailable,
                   "`lake env` failed in " + folder.string() + ": " + end.errors.substr(0, 300));
  Layout layout = layout_of(end.output, folder);
  add_executables(folder, layout);
  co_return layout;
}

Layout usual_layout(const fs::path& project) {
  Layout layout;
  if (project.empty()) return layout;
  const auto add = [&](const fs::path& root) {
    layout.sources.push_back(root);
    layout.builds.push_back(lean::product_folders(root).modules);
  };
  add(project);
  std::error_code error, ignored;
  const fs::path real_project = fs::canonical(project, ignored);
  for (fs::directory_iterator entry(project / ".lake/packages", error), end; !error && entry != end;
       entry.increment(error)) {
    // Only lake may place a package elsewhere: without lake, do not follow links out of the project.
    const fs::path real = fs::canonical(entry->path(), ignored);
    if (!ignored && lean::is_within(real, real_project) && entry->is_directory(ignored)) add(entry->path());
  }
  return layout;
}

Layout toolchain_layout(const fs::path& sysroot) {
  Layout layout;
  layout.sysroot = sysroot;
  layout.sources = {sysroot / "src/lean", sysroot / "src/lean/lake"};
  layout.builds = {lean::library_of(sysroot)};
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

// "olean", one byte each of version and flags, then, in recent versions, 33 bytes with Lean's version and 40
// with its commit.
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

namespace {

constexpr std::size_t kMaxFiles = 200'000;
constexpr int kMaxDepth = 40;
constexpr std::size_t kMaxLeftOut = 20;  // number of links to report

bool is_project(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "lakefile.toml", ignored) || fs::exists(folder / "lakefile.lean", ignored);
}

class ModuleFinder {
 public:
  ModuleFinder(const Layout& layout, const std::atomic<bool>& stop) : stop_(stop) {
    roots_.insert(layout.sources.begin(), layout.sources.end());
    roots_.insert(layout.builds.begin(), layout.builds.end());
    if (!layout.project.empty()) find_bounds(layout.project);
    for (const fs::path& source : layout.sources) look_in(source, false);
    for (const fs::path& build : layout.builds) look_in(build, true);
  }
  std::map<std::string, ModuleFiles> take() { return std::move(modules_); }
  std::vector<fs::path> take_left_out() { return std::move(left_out_); }

 private:
  void look_in(const fs::path& root, bool is_build) {
    if (refused_.contains(root)) return;
    std::error_code error;
    fs::recursive_directory_iterator entry(root, fs::directory_options::skip_permission_denied, error), end;
    while (!error && entry != end && !stop_ && files_ < kMaxFiles) {
      look_at(root, is_build, entry);
      entry.increment(error);
    }
  }

  void look_at(const fs::path& root, bool is_build, fs::recursive_directory_iterator& entry) {
    std::error_code error;
    const fs::path& path = entry->path();
    const std::string name = path.filename().string();
    if (entry->is_directory(error)) {
      const bool other = roots_.contains(path) || (!is_build && (is_project(path) || name == "node_modules"));
      if (name.starts_with(".") || other || entry.depth() >= kMaxDepth) entry.disable_recursion_pending();
      return;
    }
    const std::string extension = path.extension().string();
    const bool wanted = is_build ? extension == ".olean" || extension == ".ilean" : extension == ".lean";
    if (!wanted || name == "lakefile.lean" || !entry->is_regular_file(error)) return;
    // Linked folders are never entered.
    if (entry->is_symlink(error) && !stays_inside(path)) return leave_out(path);
    ++files_;
    const std::string module = text::module_of_path(path.lexically_relative(root));
    ModuleFiles& files = modules_[module];
    files.name = module;
    fs::path& place = extension == ".lean" ? files.source : extension == ".ilean" ? files.ilean : files.olean;
    if (place.empty()) place = path;  // the first root wins, as on Lean's search path
  }

  // Finds the folders that links may lead to: the project, and the packages that Lake names, which may be
  // anywhere. The project's own folders must not lead elsewhere.
  void find_bounds(const fs::path& project) {
    bounded_ = true;
    std::error_code error;
    const fs::path real_project = fs::canonical(project, error);
    bounds_.push_back(real_project);
    for (const fs::path& root : roots_) {
      const fs::path real = fs::canonical(root, error);
      if (error) continue;
      const bool is_own =
          lean::is_within(root, project) && !lean::is_within(root, project / ".lake/packages");
      if (!is_own) {
        bounds_.push_back(real);
      } else if (!lean::is_within(real, real_project)) {
        refused_.insert(root);
        leave_out(root);
      }
    }
  }
  bool stays_inside(const fs::path& link) const {
    std::error_code error;
    const fs::path real = fs::canonical(link, error);
    return !bounded_ || (!error && std::ranges::any_of(bounds_, [&](const fs::path& bound) {
      return lean::is_within(real, bound);
    }));
  }
  void leave_out(const fs::path& path) {
    if (left_out_.size() < kMaxLeftOut) left_out_.push_back(path);
  }

  const std::atomic<bool>& stop_;
  bool bounded_ = false;  // false for a toolchain
  std::vector<fs::path> bounds_;
  std::set<fs::path> refused_;
  std::vector<fs::path> left_out_;
  std::set<fs::path> roots_;
  std::map<std::string, ModuleFiles> modules_;
  std::size_t files_ = 0;
};

// The order of reading: the modules that most users need come first, so that searches work while the rest is
// being read.
int order_of(const std::string& module) {
  if (module == "Init" || module.starts_with("Init.")) return 0;
  if (module == "Std" || module.starts_with("Std.")) return 1;
  return module == "Lake" || module.starts_with("Lake.") ? 3 : 2;
}

}  // namespace

FoundModules find_modules(const Layout& layout, const std::atomic<bool>& stop) {
  ModuleFinder finder(layout, stop);
  FoundModules found;
  for (auto& [name, files] : finder.take()) found.modules.push_back(std::move(files));
  std::ranges::stable_sort(found.modules, [](const ModuleFiles& a, const ModuleFiles& b) {
    return order_of(a.name) < order_of(b.name);
  });
  found.left_out = finder.take_left_out();
  return found;
}

}  // namespace leanbridge::index
