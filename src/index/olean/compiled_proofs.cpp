#include "leanbridge/index/compiled_proofs.hpp"

#include "leanbridge/base/error.hpp"
#include "leanbridge/base/files.hpp"

#include "olean_constants.hpp"
#include "olean_expr.hpp"
#include "type_printer.hpp"
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace leanbridge::index {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxModules = 50'000;

/// A file mapped read-only; empty: none. Lean and Lake replace compiled files by renaming, so mapped ones
/// stay intact. FileNotFound: not a regular file, empty, or unreadable.
Result<std::string_view> map_file(const fs::path& path) {
  const auto file = RegularFile::open(path);
  if (!file) return tl::unexpected(file.error().to_error(path.string()));
  const auto size = static_cast<std::size_t>(file->status().st_size);
  if (size == 0) return fail(ErrorKind::FileNotFound, path.string() + " is empty.");
  void* const start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file->descriptor(), 0);
  if (start == MAP_FAILED)
    return fail(ErrorKind::FileNotFound, path.string() + " cannot be read: " + std::strerror(errno) + ".");
  return std::string_view(static_cast<const char*>(start), size);
}

}  // namespace

Result<std::shared_ptr<const ModuleFiles>> ModuleFiles::map(const fs::path& olean) {
  const std::shared_ptr<ModuleFiles> files(new ModuleFiles(olean));
  for (const char* const extension : {"", ".server", ".private"}) {
    const fs::path path = olean.string() + extension;
    std::error_code error;
    if (!files->parts_.empty() && !fs::exists(path, error)) continue;
    const auto mapped = map_file(path);
    if (!mapped) return tl::unexpected(mapped.error());
    files->parts_.push_back(*mapped);
  }
  return files;
}

ModuleFiles::~ModuleFiles() {
  // munmap takes a pointer to non-const.
  for (const std::string_view part : parts_) ::munmap(const_cast<char*>(part.data()), part.size());
}

std::size_t ModuleFiles::size() const {
  std::size_t bytes = 0;
  for (const std::string_view part : parts_) bytes += part.size();
  return bytes;
}

namespace {

/// A mapped module and its names. Views into the files stay valid while it lives.
struct LoadedModule {
  LoadedModule(std::shared_ptr<const ModuleFiles> mapped, Region read)
      : files(std::move(mapped)), region(std::move(read)), names(region), expressions(region, names) {}
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  std::shared_ptr<const ModuleFiles> files;
  Region region;
  Names names;
  Expressions expressions;
  /// Lean.ModuleData of the last part, which is the most complete.
  Object data;
  /// Tells what exported axioms really are; read when the first axiom is met.
  std::optional<ExtensionFacts> facts;
  std::unordered_map<Ref, std::optional<std::size_t>> known;  ///< entries of the names it mentions
};

constexpr int kMaxComponents = 200;

Result<std::unique_ptr<LoadedModule>> load_module(std::shared_ptr<const ModuleFiles> files) {
  auto region = Region::open(files->parts());
  if (!region) {
    Error error = region.error();
    error.message = files->path().string() + ": " + error.message;
    return tl::unexpected(std::move(error));
  }
  auto module = std::make_unique<LoadedModule>(std::move(files), std::move(*region));
  module->data = module->region.constructor(module->region.root(module->region.parts() - 1));
  return module;
}

/// The components of a name, first to last. A number becomes its digits after a NUL, which no string
/// component contains, so that different names stay different.
std::vector<std::string> components(Region& region, Ref name) {
  constexpr unsigned kNumber = 2;
  std::vector<std::string> found;
  for (int i = 0; i < kMaxComponents && !is_boxed(name); ++i) {
    const Object object = region.constructor(name);
    const Ref component = region.field(object, 1);
    if (object.tag == kNumber)
      found.push_back(std::string(1, '\0') + std::to_string(component));
    else
      found.emplace_back(region.string(component));
    name = region.field(object, 0);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

/// The same as a single key.
std::string key_of(Region& region, Ref name) {
  std::string key;
  for (const std::string& component : components(region, name)) {
    key += component;
    key += '\x01';
  }
  return key;
}

/// `A/B.olean` in the first folder that has it.
std::optional<fs::path> find_olean(const std::vector<std::string>& module,
                                   const std::vector<fs::path>& search_path) {
  fs::path relative;
  for (const std::string& component : module) relative /= component;
  for (const fs::path& folder : search_path) {
    std::error_code error;
    fs::path path = folder / (relative.string() + ".olean");
    if (fs::is_regular_file(path, error)) return path;
  }
  return std::nullopt;
}

/// The same, as Lean writes it.
std::string dotted(const std::vector<std::string>& module) {
  std::string text;
  for (const std::string& component : module) text += (text.empty() ? "" : ".") + as_component(component);
  return text;
}

/// A constant: its module, and where it is there.
struct Entry {
  LoadedModule* module = nullptr;
  Ref name = kBoxedZero;
  Ref info = kBoxedZero;
};
using EntryId = std::size_t;

}  // namespace

class CompiledProofs::Impl {
 public:
  Result<void> load(std::shared_ptr<const ModuleFiles> own, const std::vector<fs::path>& search_path) {
    auto first = load_module(std::move(own));
    if (!first) return tl::unexpected(first.error());
    modules_.push_back(std::move(*first));
    std::set<std::string> seen;
    for (std::size_t i = 0; i < modules_.size(); ++i) {
      LoadedModule& module = *modules_[i];
      const Object imports = module.region.array(module.region.field(module.data, 0));
      for (std::size_t k = 0; k < imports.count; ++k) {
        const Ref import = module.region.field(imports, k);
        const Ref name = module.region.field(module.region.constructor(import), 0);
        const auto parts = components(module.region, name);
        if (!seen.insert(dotted(parts)).second) continue;
        const auto path = find_olean(parts, search_path);
        if (!path)
          return fail(ErrorKind::FileNotFound, "The compiled module " + dotted(parts) + " was not found.",
                      "Call lean_build.");
        auto files = ModuleFiles::map(*path);
        if (!files) return tl::unexpected(files.error());
        auto imported = load_module(std::move(*files));
        if (!imported) return tl::unexpected(imported.error());
        if (modules_.size() == kMaxModules)
          return fail(ErrorKind::NotSupported,
                      "The module imports more than " + std::to_string(kMaxModules) + " modules.");
        modules_.push_back(std::move(*imported));
      }
      enter(module);
      if (auto whole = undamaged(module); !whole) return whole;
    }
    return {};
  }

  Result<std::vector<CompiledConstant>> constants() {
    LoadedModule& own = *modules_.front();
    ExtensionFacts facts;
    for (std::size_t part = 0; part < own.region.parts(); ++part)
      read_extensions(own.region, own.names,
                      own.region.field(own.region.constructor(own.region.root(part)), 4), facts);
    std::unordered_map<std::string, std::uint32_t> lines;
    for (const auto& [name, place] : facts.places) lines.emplace(key_of(own.region, name), place.line);
    std::vector<CompiledConstant> found;
    for (EntryId id = 0; id < entries_.size() && entries_[id].module == &own; ++id) {
      const ConstantInfo info = read_constant_info(own.region, entries_[id].info);
      const NameText& name = own.names.at(info.name);
      CompiledConstant constant;
      constant.name = name.text;
      constant.kind = keyword(info.kind);
      constant.is_private = name.is_private;
      constant.is_unsafe = info.is_unsafe;
      constant.is_partial = is_partial(id, info);
      // Constants that Lean generates have the declaration's name as a prefix, and no position of their own.
      for (Ref at = info.name; constant.line == 0 && !is_boxed(at);
           at = own.region.field(own.region.constructor(at), 0)) {
        if (const auto line = lines.find(key_of(own.region, at)); line != lines.end())
          constant.line = line->second;
      }
      const auto& used = uses(id);
      constant.uses_sorry = std::find(used.begin(), used.end(), sorry_) != used.end();
      found.push_back(std::move(constant));
    }
    if (auto whole = undamaged(); !whole) return tl::unexpected(whole.error());
    return found;
  }

  Result<std::optional<Foundation>> foundation(std::string_view wanted) {
    const auto found = find(wanted);
    if (!found) return std::optional<Foundation>();
    Foundation foundation = foundation_of(*found);
    if (auto whole = undamaged(); !whole) return tl::unexpected(whole.error());
    return std::optional<Foundation>(std::move(foundation));
  }

 private:
  static Result<void> undamaged(const LoadedModule& module) {
    if (module.region.damage().empty()) return {};
    return fail(ErrorKind::Internal, "A compiled module is damaged: " + module.region.damage() + ".",
                "Call lean_build.");
  }
  Result<void> undamaged() const {
    for (const auto& module : modules_)
      if (auto whole = undamaged(*module); !whole) return whole;
    return {};
  }

  /// The module's own constants are the first entries, so they win.
  std::optional<EntryId> find(std::string_view wanted) {
    for (EntryId id = 0; id < entries_.size(); ++id)
      if (entries_[id].module->names.at(entries_[id].name).text == wanted) return id;
    return std::nullopt;
  }

  bool is_partial(EntryId id, const ConstantInfo& info) {
    // The executable part of a partial function has this name; the constant that proofs see is opaque.
    const std::string key = key_of(entries_[id].module->region, info.name);
    return info.is_partial || has(key + "_unsafe_rec\x01");
  }

  bool has(const std::string& key) const { return by_name_.contains(key); }

  void enter(LoadedModule& module) {
    const Object names = module.region.array(module.region.field(module.data, 1));
    const Object infos = module.region.array(module.region.field(module.data, 2));
    if (names.count != infos.count) module.region.damaged("the numbers of names and constants differ", 0);
    for (std::size_t i = 0; i < names.count && i < infos.count; ++i) {
      const Ref name = module.region.field(names, i);
      const std::string key = key_of(module.region, name);
      if (by_name_.emplace(key, entries_.size()).second)
        entries_.push_back({&module, name, module.region.field(infos, i)});
      if (key == "sorryAx\x01") sorry_ = by_name_.at(key);
    }
    uses_.resize(entries_.size());
  }

  /// The constants that the type and value of a constant mention, each once.
  const std::vector<EntryId>& uses(EntryId id) {
    if (uses_[id]) return *uses_[id];
    LoadedModule& module = *entries_[id].module;
    const ConstantInfo info = read_constant_info(module.region, entries_[id].info);
    const bool has_value =
        info.kind == InfoKind::Definition || info.kind == InfoKind::Theorem || info.kind == InfoKind::Opaque;
    if (has_value && !info.value) module.region.damaged("a constant has no value", entries_[id].info);
    if (info.kind == InfoKind::Inductive && !info.constructors)
      module.region.damaged("an inductive type has no constructors", entries_[id].info);
    std::set<EntryId> found;
    std::unordered_set<Ref> seen;
    std::vector<Ref> todo{info.type};
    if (info.value) todo.push_back(*info.value);
    while (!todo.empty()) {
      const Ref next = todo.back();
      todo.pop_back();
      if (!seen.insert(next).second) continue;
      const Expr node = module.expressions.at(next);
      const auto field = [&](std::size_t i) { return module.expressions.field(node, i); };
      switch (node.kind) {
        case ExprKind::Const:
          use(module, field(0), id, found);
          break;
        case ExprKind::App:
          todo.insert(todo.end(), {field(0), field(1)});
          break;
        case ExprKind::Lam:
        case ExprKind::Forall:
          todo.insert(todo.end(), {field(1), field(2)});
          break;
        case ExprKind::Let:
          todo.insert(todo.end(), {field(1), field(2), field(3)});
          break;
        case ExprKind::Proj:
          use(module, field(0), id, found);
          todo.push_back(field(2));
          break;
        default:
          break;
      }
    }
    if (info.constructors) {
      // List.cons: head and tail; List.nil is boxed.
      for (Ref list = *info.constructors; !is_boxed(list);) {
        const Object cell = module.region.constructor(list);
        use(module, module.region.field(cell, 0), id, found);
        list = module.region.field(cell, 1);
      }
    }
    return uses_[id].emplace(found.begin(), found.end());
  }

  void use(LoadedModule& module, Ref name, EntryId user, std::set<EntryId>& found) {
    const auto [known, fresh] = module.known.try_emplace(name);
    if (fresh) {
      const auto entry = by_name_.find(key_of(module.region, name));
      if (entry != by_name_.end()) known->second = entry->second;
    }
    if (known->second)
      found.insert(*known->second);
    else
      missing_[user].insert(module.names.at(name).text);
  }

  Foundation foundation_of(EntryId id) {
    std::set<std::string> axioms, without_proof;
    std::unordered_set<EntryId> seen;
    std::vector<EntryId> todo{id};
    while (!todo.empty()) {
      const EntryId next = todo.back();
      todo.pop_back();
      if (!seen.insert(next).second) continue;
      LoadedModule& module = *entries_[next].module;
      if (read_constant_info(module.region, entries_[next].info).kind == InfoKind::Axiom)
        (is_exported_as_axiom(module, entries_[next].name) ? without_proof : axioms)
            .insert(module.names.at(entries_[next].name).text);
      const auto& used = uses(next);
      todo.insert(todo.end(), used.begin(), used.end());
      if (const auto missing = missing_.find(next); missing != missing_.end())
        without_proof.insert(missing->second.begin(), missing->second.end());
    }
    LoadedModule& module = *entries_[id].module;
    const ConstantInfo info = read_constant_info(module.region, entries_[id].info);
    Foundation found;
    found.name = module.names.at(info.name).text;
    found.kind = keyword(info.kind);
    found.is_unsafe = info.is_unsafe;
    found.is_partial = is_partial(id, info);
    found.axioms.assign(axioms.begin(), axioms.end());
    found.without_proof.assign(without_proof.begin(), without_proof.end());
    found.statement = print_signature(module.expressions, info.type, {});
    return found;
  }

  /// For a theorem exported without its proof Lean stores an axiom, and beside it the original kind.
  static bool is_exported_as_axiom(LoadedModule& module, Ref name) {
    if (!module.facts) {
      module.facts.emplace();
      read_extensions(module.region, module.names, module.region.field(module.data, 4), *module.facts);
    }
    const auto kind = module.facts->kinds.find(name);
    return kind != module.facts->kinds.end() && from_constant_kind(kind->second) != InfoKind::Axiom;
  }

  std::vector<std::unique_ptr<LoadedModule>> modules_;  ///< the first is the one in question
  std::vector<Entry> entries_;                          ///< those of the first module first
  std::unordered_map<std::string, EntryId> by_name_;
  std::optional<EntryId> sorry_;
  std::vector<std::optional<std::vector<EntryId>>> uses_;
  std::map<EntryId, std::set<std::string>> missing_;  ///< names without a constant, by user
};

CompiledProofs::CompiledProofs(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CompiledProofs::CompiledProofs(CompiledProofs&&) noexcept = default;
CompiledProofs& CompiledProofs::operator=(CompiledProofs&&) noexcept = default;
CompiledProofs::~CompiledProofs() = default;

Result<CompiledProofs> CompiledProofs::open(std::shared_ptr<const ModuleFiles> module,
                                            const std::vector<fs::path>& search_path) {
  auto impl = std::make_unique<Impl>();
  if (auto loaded = impl->load(std::move(module), search_path); !loaded)
    return tl::unexpected(loaded.error());
  return CompiledProofs(std::move(impl));
}

Result<std::vector<CompiledConstant>> CompiledProofs::constants() {
  return impl_->constants();
}

Result<std::optional<Foundation>> CompiledProofs::foundation(std::string_view name) {
  return impl_->foundation(name);
}

}  // namespace leanbridge::index
