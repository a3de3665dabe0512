// The modules below some folders.

#include "leanbridge/lean/project.hpp"

#include "layout.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace leanbridge::index {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxFiles = 200'000;
constexpr int kMaxDepth = 40;
constexpr std::size_t kMostLeftOut = 20;  // that are told of

bool is_plain(std::string_view component) {
  if (component.empty() || ('0' <= component[0] && component[0] <= '9')) return false;
  return std::all_of(component.begin(), component.end(), [](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_' ||
           c == '\'' || static_cast<unsigned char>(c) >= 0x80;
  });
}

// Foo/Bar-baz.lean gives Foo.«Bar-baz».
std::string module_of(const fs::path& relative) {
  std::string name;
  for (const fs::path& part : relative.parent_path() / relative.stem()) {
    const std::string text = part.string();
    if (!name.empty()) name += '.';
    name += is_plain(text) ? text : "«" + text + "»";
  }
  return name;
}

bool is_project(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "lakefile.toml", ignored) || fs::exists(folder / "lakefile.lean", ignored);
}

class Walk {
 public:
  Walk(const Layout& layout, const std::atomic<bool>& stop) : stop_(stop) {
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
    // Folders that are links are not entered at all.
    if (entry->is_symlink(error) && !stays_inside(path)) return leave_out(path);
    ++files_;
    const std::string module = module_of(path.lexically_relative(root));
    ModuleFiles& files = modules_[module];
    files.name = module;
    fs::path& place = extension == ".lean" ? files.source : extension == ".ilean" ? files.ilean : files.olean;
    if (place.empty()) place = path;  // the first root wins, as on Lean's search path
  }

  // What links may lead to: the project, and the packages that Lake names, which may be anywhere. A folder of
  // the project's own that is a link, or below one, leads nowhere else.
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
    return !bounded_ || (!error && std::any_of(bounds_.begin(), bounds_.end(), [&](const fs::path& bound) {
      return lean::is_within(real, bound);
    }));
  }
  void leave_out(const fs::path& path) {
    if (left_out_.size() < kMostLeftOut) left_out_.push_back(path);
  }

  const std::atomic<bool>& stop_;
  bool bounded_ = false;  // not so for a toolchain, which is where it is
  std::vector<fs::path> bounds_;
  std::set<fs::path> refused_;
  std::vector<fs::path> left_out_;
  std::set<fs::path> roots_;
  std::map<std::string, ModuleFiles> modules_;
  std::size_t files_ = 0;
};

// What is useful to most while the rest is still being read.
int order_of(const std::string& module) {
  if (module == "Init" || module.starts_with("Init.")) return 0;
  if (module == "Std" || module.starts_with("Std.")) return 1;
  return module == "Lake" || module.starts_with("Lake.") ? 3 : 2;
}

}  // namespace

FoundModules find_modules(const Layout& layout, const std::atomic<bool>& stop) {
  Walk walk(layout, stop);
  FoundModules found;
  for (auto& [name, files] : walk.take()) found.modules.push_back(std::move(files));
  std::stable_sort(
      found.modules.begin(), found.modules.end(),
      [](const ModuleFiles& a, const ModuleFiles& b) { return order_of(a.name) < order_of(b.name); });
  found.left_out = walk.take_left_out();
  return found;
}

}  // namespace leanbridge::index
