#include "module_set.hpp"

#include "core/base/files.hpp"
#include "core/base/try.hpp"
#include "core/text/lean_names.hpp"
#include "statement_words.hpp"
#include "type_printer.hpp"
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unordered_set>
#include <utility>

namespace leanbridge::olean {

namespace fs = std::filesystem;

// --- bytes

class ModuleBytes::Mapping {
 public:
  static Result<std::unique_ptr<Mapping>> open(const fs::path& path);
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  // munmap takes a pointer to non-const.
  ~Mapping() { ::munmap(const_cast<char*>(bytes_.data()), bytes_.size()); }

  std::string_view bytes() const { return bytes_; }

 private:
  explicit Mapping(std::string_view bytes) : bytes_(bytes) {}

  std::string_view bytes_;
};

Result<std::unique_ptr<ModuleBytes::Mapping>> ModuleBytes::Mapping::open(const fs::path& path) {
  const auto file = RegularFile::open(path);
  if (!file) return tl::unexpected(file.error().to_error(path.string()));
  const auto size = static_cast<std::size_t>(file->status().st_size);
  if (size == 0) return fail(ErrorKind::FileNotFound, path.string() + " is empty.");
  void* const start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file->descriptor(), 0);
  if (start == MAP_FAILED)
    return fail(ErrorKind::FileNotFound, path.string() + " cannot be read: " + std::strerror(errno) + ".");
  return std::unique_ptr<Mapping>(new Mapping(std::string_view(static_cast<const char*>(start), size)));
}

ModuleBytes::ModuleBytes(std::vector<std::string> parts)
    : owned_(std::make_shared<const std::vector<std::string>>(std::move(parts))) {
  parts_.assign(owned_->begin(), owned_->end());
}

std::size_t ModuleBytes::size() const {
  std::size_t bytes = 0;
  for (const std::string_view part : parts_) bytes += part.size();
  return bytes;
}

Result<ModuleBytes> ModuleBytes::map(const fs::path& olean) {
  ModuleBytes bytes;
  bytes.path_ = olean;
  for (const char* const extension : {"", ".server", ".private"}) {
    const fs::path path = olean.string() + extension;
    std::error_code error;
    if (!bytes.mapped_.empty() && !fs::exists(path, error)) continue;
    TRY(auto file, Mapping::open(path));
    bytes.mapped_.push_back(std::move(file));
    bytes.parts_.push_back(bytes.mapped_.back()->bytes());
  }
  return bytes;
}

// --- names

namespace {

constexpr std::size_t kMaxModules = 50'000;
constexpr int kMaxComponents = 200;
constexpr std::size_t kMaxKeyBytes = 16'384;
constexpr std::size_t kKeyBytesPerByte = 8;
constexpr char kEndOfComponent = '\x01';

/// The decimal digits of a number in a name. In files with words of 32 bits, Lean stores larger hashes as big
/// numbers.
std::string digits_of(Region& region, Ref number) {
  if (is_boxed(number)) return std::to_string(unboxed(number));
  const Object big = region.object(number);
  const std::size_t bytes = big.data.find_last_not_of('\0') + 1;  // npos + 1 is 0
  std::uint64_t value = 0;
  if (bytes > sizeof value) region.damaged("a number in a name is too large", number);
  for (std::size_t i = 0; i < bytes && i < sizeof value; ++i)
    value |= std::uint64_t{static_cast<unsigned char>(big.data[i])} << (8 * i);
  const bool fits_a_word = value >> (8 * region.width() - 1) == 0;
  if (big.tag != Object::kBigNat || fits_a_word)  // otherwise one number could be written in two ways
    region.damaged("a number in a name is missing", number);
  return std::to_string(value);
}

/// The components of a name, first to last.
std::vector<std::string> components(Region& region, Ref name) {
  constexpr unsigned kString = 1, kNumber = 2;
  std::vector<std::string> found;
  std::size_t bytes = 0;
  for (; !is_boxed(name); name = region.field(region.constructor(name), 0)) {
    const Object object = region.constructor(name);
    if (object.tag != kString && object.tag != kNumber) {
      region.damaged("a name is missing", name);
      break;
    }
    const Ref component = region.field(object, 1);
    if (object.tag == kNumber) {
      found.push_back(std::string(1, '\0') + digits_of(region, component));
    } else {
      found.emplace_back(region.string(component));
      // No name in a source has such a component, but a file may.
      if (found.back().find_first_of(std::string_view("\0\x01", 2)) != std::string::npos)
        region.damaged("a name has control characters", name);
    }
    bytes += found.back().size() + 1;
    if (found.size() > kMaxComponents || bytes > kMaxKeyBytes) {
      region.damaged("a name is too long", name);
      break;
    }
  }
  if (is_boxed(name) && name != kBoxedZero) region.damaged("a name has no beginning", name);
  std::reverse(found.begin(), found.end());
  return found;
}

/// The path of `A/B.olean`, for `A/B`, in the first folder that has it.
std::optional<fs::path> find_olean(const fs::path& relative, const std::vector<fs::path>& search_path) {
  for (const fs::path& folder : search_path) {
    std::error_code error;
    fs::path path = folder / (relative.string() + ".olean");
    if (fs::is_regular_file(path, error)) return path;
  }
  return std::nullopt;
}

std::optional<fs::path> find_olean(const std::vector<std::string>& module,
                                   const std::vector<fs::path>& search_path) {
  fs::path relative;
  for (const std::string& component : module) {
    if (component == ".." || component.find('/') != std::string::npos) return std::nullopt;
    relative /= component;
  }
  return find_olean(relative, search_path);
}

/// The module's name as Lean writes it.
std::string dotted(const std::vector<std::string>& module) {
  std::string text;
  for (const std::string& component : module)
    text += (text.empty() ? "" : ".") + text::as_component(component);
  return text;
}

Result<std::unique_ptr<SetModule>> parse_module(ModuleBytes bytes, const fs::path& file, std::string name) {
  auto region = Region::open(bytes.parts());
  if (!region) {
    Error error = region.error();
    if (!file.empty()) error.message = file.string() + ": " + error.message;
    return tl::unexpected(std::move(error));
  }
  auto module = std::make_unique<SetModule>(std::move(bytes), std::move(*region));
  module->file = file;
  module->name = std::move(name);
  module->data = module->region.constructor(module->region.root(module->region.parts() - 1));
  return module;
}

Result<void> whole(const SetModule& module) {
  if (module.region.damage().empty()) return {};
  return fail(ErrorKind::Internal, "A compiled module is damaged: " + module.region.damage() + ".",
              "Call lean_build.");
}

}  // namespace

std::string key_of(SetModule& module, Ref name) {
  std::string key;
  for (const std::string& component : components(module.region, name)) {
    key += component;
    key += kEndOfComponent;
  }
  return key;
}

std::optional<fs::path> find_olean(std::string_view module, const std::vector<fs::path>& search_path) {
  const auto relative = text::path_of_module(module);
  return relative ? find_olean(*relative, search_path) : std::nullopt;
}

std::string key_of(std::string_view name) {
  std::string key;
  for (const std::string_view part : text::parts_of(name)) {
    const bool digits = !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
    if (digits)
      key.append(1, '\0').append(part);
    else
      key += text::unquoted(part);
    key += kEndOfComponent;
  }
  return key;
}

std::string name_of_key(std::string_view key) {
  std::string name;
  while (!key.empty()) {
    const std::size_t end = std::min(key.find(kEndOfComponent), key.size());
    const std::string_view component = key.substr(0, end);
    if (!name.empty()) name += '.';
    name += component.starts_with('\0') ? std::string(component.substr(1)) : component_of(component);
    key.remove_prefix(std::min(end + 1, key.size()));
  }
  return name;
}

// --- the set

namespace {

using NameParts = std::vector<std::string>;

// The imports that a module's file lists.
Result<std::vector<NameParts>> read_imports(SetModule& module) {
  std::vector<NameParts> names;
  const Object imports = module.region.array(module.region.field(module.data, 0));
  for (std::size_t i = 0; i < imports.count; ++i) {
    const Ref import = module.region.field(imports, i);
    names.push_back(components(module.region, module.region.field(module.region.constructor(import), 0)));
    TRY_DONE(whole(module));
    module.imports.push_back(dotted(names.back()));
  }
  return names;
}

// Calls `add` with the key, name and definition of each constant of the module.
template <class Add>
void read_constants(SetModule& module, Add add) {
  const Object names = module.region.array(module.region.field(module.data, 1));
  const Object infos = module.region.array(module.region.field(module.data, 2));
  if (names.count != infos.count) module.region.damaged("the numbers of names and constants differ", 0);
  std::size_t key_bytes = 0;
  for (std::size_t i = 0; i < names.count && i < infos.count; ++i) {
    const Ref name = module.region.field(names, i);
    std::string key = key_of(module, name);
    // Names share prefixes, so a small file can contain much text in names.
    key_bytes += key.size();
    if (key_bytes > kKeyBytesPerByte * module.region.bytes() + kMaxKeyBytes) {
      module.region.damaged("more text in names than the file can hold", name);
      break;
    }
    add(std::move(key), name, module.region.field(infos, i));
  }
}

}  // namespace

Result<std::shared_ptr<const ImportedModules>> ImportedModules::load(
    const std::vector<Name>& names, const std::vector<fs::path>& search_path) {
  auto loaded = std::make_shared<ImportedModules>();
  loaded->names_ = names;
  loaded->search_path_ = search_path;
  std::set<std::string> seen;
  std::vector<Name> todo = names;
  for (std::size_t i = 0; i < todo.size(); ++i) {
    const std::string name = dotted(todo[i]);
    if (!seen.insert(name).second) continue;
    const auto path = find_olean(todo[i], search_path);
    if (!path)
      return fail(ErrorKind::FileNotFound, "The compiled module " + name + " was not found.",
                  "Call lean_build.");
    // One module less than the limit of a set, which also has the module that imports these.
    if (loaded->modules_.size() + 1 == kMaxModules)
      return fail(ErrorKind::NotSupported,
                  "The module imports more than " + std::to_string(kMaxModules) + " modules.");
    TRY(auto bytes, ModuleBytes::map(*path));
    TRY(const auto module, parse_module(bytes, *path, name));
    TRY(auto further, read_imports(*module));
    const std::size_t place = loaded->modules_.size();
    read_constants(*module, [&](std::string key, Ref constant, Ref info) {
      if (loaded->by_key_.emplace(std::move(key), loaded->constants_.size()).second)
        loaded->constants_.push_back({place, constant, info});
    });
    TRY_DONE(whole(*module));
    loaded->modules_.push_back({name, *path, std::move(bytes), module->imports});
    todo.insert(todo.end(), std::make_move_iterator(further.begin()), std::make_move_iterator(further.end()));
  }
  return loaded;
}

bool ImportedModules::is_of(const std::vector<Name>& names, const std::vector<fs::path>& search_path) const {
  return names_ == names && search_path_ == search_path;
}

Result<ModuleSet> ModuleSet::open(ModuleBytes first, const fs::path& file,
                                  const std::vector<fs::path>& search_path,
                                  std::shared_ptr<const ImportedModules> known) {
  ModuleSet set;
  TRY(auto own, parse_module(std::move(first), file, ""));
  TRY(const auto imports, read_imports(*own));
  set.modules_.push_back(std::move(own));
  set.imported_ = std::move(known);
  if (!set.imported_ || !set.imported_->is_of(imports, search_path)) {
    TRY(set.imported_, ImportedModules::load(imports, search_path));
  }
  set.enter_own();
  TRY_DONE(whole(*set.modules_.front()));
  for (const ImportedModules::Module& each : set.imported_->modules_) {
    TRY(auto imported, parse_module(each.bytes, each.file, each.name));
    imported->imports = each.imports;
    set.modules_.push_back(std::move(imported));
  }
  set.constants_.reserve(set.own_constants_ + set.imported_->constants_.size());
  for (const ImportedModules::Constant& each : set.imported_->constants_)
    set.constants_.push_back({set.modules_[each.module + 1].get(), each.name, each.info});
  return set;
}

void ModuleSet::enter_own() {
  SetModule& module = *modules_.front();
  read_constants(module, [&](std::string key, Ref name, Ref info) {
    const auto [known, fresh] = by_key_.emplace(std::move(key), constants_.size());
    if (fresh) constants_.push_back({&module, name, info});
    if (!fresh || imported_->by_key_.contains(known->first)) clashes_.push_back(known->first);
  });
  own_constants_ = constants_.size();
}

std::optional<ConstantId> ModuleSet::find(const std::string& key) const {
  if (const auto own = by_key_.find(key); own != by_key_.end()) return own->second;
  const auto imported = imported_->by_key_.find(key);
  return imported == imported_->by_key_.end() ? std::nullopt
                                              : std::optional(own_constants_ + imported->second);
}

ConstantInfo ModuleSet::info(ConstantId id) {
  return read_constant_info(constants_[id].module->region, constants_[id].info);
}

BinderTable ModuleSet::binders_in(ConstantId id) {
  BinderTable binders;  // so that implicit arguments are left out
  for (const ConstantId used : uses(id))
    binders.emplace(name(used).text, constants_[used].module->expressions.binders(info(used).type));
  return binders;
}

std::string ModuleSet::statement(ConstantId id) {
  return print_signature(constants_[id].module->expressions, info(id).type, binders_in(id));
}

const ExtensionFacts& ModuleSet::facts(ConstantId id) {
  SetModule& module = *constants_[id].module;
  if (!module.facts) {
    module.facts.emplace();
    read_extensions(module.region, module.names, module.region.field(module.data, 4), *module.facts);
  }
  return *module.facts;
}

Result<void> ModuleSet::undamaged() const {
  for (const auto& module : modules_)
    if (auto undamaged = whole(*module); !undamaged) return undamaged;
  return {};
}

const std::vector<ConstantId>& ModuleSet::uses(ConstantId id) {
  if (const auto known = uses_.find(id); known != uses_.end()) return known->second;
  SetModule& module = *constants_[id].module;
  const ConstantInfo info = this->info(id);
  const bool has_value =
      info.kind == InfoKind::Definition || info.kind == InfoKind::Theorem || info.kind == InfoKind::Opaque;
  if (has_value && !info.value) module.region.damaged("a constant has no value", constants_[id].info);
  if (info.kind == InfoKind::Inductive && !info.constructors)
    module.region.damaged("an inductive type has no constructors", constants_[id].info);
  std::vector<Ref> terms{info.type};
  if (info.value) terms.push_back(*info.value);
  // A rule has a constructor, the number of its fields, and the result.
  if (info.rules)
    for (const Ref rule : items_of(module, *info.rules))
      terms.push_back(module.region.field(module.region.constructor(rule), 2));
  std::set<ConstantId> found;
  for_each_mention(module, std::move(terms), [&](Ref name) { use(module, name, id, found); });
  if (info.constructors)
    for (const Ref name : items_of(module, *info.constructors)) use(module, name, id, found);
  return uses_.emplace(id, std::vector<ConstantId>(found.begin(), found.end())).first->second;
}

// The elements of a list. List.cons has head and tail; List.nil is boxed. A list that leads back to itself
// ends there.
std::vector<Ref> ModuleSet::items_of(SetModule& module, Ref list) {
  std::vector<Ref> items;
  std::unordered_set<Ref> seen;
  while (!is_boxed(list) && seen.insert(list).second) {
    const Object cell = module.region.constructor(list);
    items.push_back(module.region.field(cell, 0));
    list = module.region.field(cell, 1);
  }
  return items;
}

ExtensionFacts facts_of_parts(SetModule& module) {
  Region& region = module.region;
  ExtensionFacts facts;
  for (std::size_t part = 0; part < region.parts(); ++part)
    read_extensions(region, module.names, region.field(region.constructor(region.root(part)), 4), facts);
  return facts;
}

void for_each_mention(SetModule& module, std::vector<Ref> terms, const std::function<void(Ref name)>& use) {
  std::unordered_set<Ref> seen;
  while (!terms.empty()) {
    const Ref next = terms.back();
    terms.pop_back();
    if (!seen.insert(next).second) continue;
    const Expr node = module.expressions.at(next);
    const auto field = [&](std::size_t i) { return module.expressions.field(node, i); };
    switch (node.kind) {
      case ExprKind::App:
        terms.insert(terms.end(), {field(0), field(1)});
        break;
      case ExprKind::Lam:
      case ExprKind::Forall:
        terms.insert(terms.end(), {field(1), field(2)});
        break;
      case ExprKind::Let:
        terms.insert(terms.end(), {field(1), field(2), field(3)});
        break;
      case ExprKind::Proj:
        terms.push_back(field(2));
        [[fallthrough]];
      case ExprKind::Const:
        use(field(0));
        break;
      case ExprKind::Fvar:
      case ExprKind::Mvar:
        module.region.damaged("a term has a free variable", next);
        break;
      default:
        break;
    }
  }
}

void ModuleSet::use(SetModule& module, Ref name, ConstantId user, std::set<ConstantId>& found) {
  const auto [known, fresh] = module.known.try_emplace(name);
  if (fresh) known->second = find(key_of(module, name));
  if (known->second)
    found.insert(*known->second);
  else
    missing_[user].insert(module.names.at(name).text);
}

void Foundations::add(const Foundations& others) {
  axioms.insert(others.axioms.begin(), others.axioms.end());
  without_proof.insert(others.without_proof.begin(), others.without_proof.end());
  unsafe.insert(others.unsafe.begin(), others.unsafe.end());
  missing.insert(others.missing.begin(), others.missing.end());
}

Foundations ModuleSet::facts_of(ConstantId id) {
  Foundations facts;
  const ConstantInfo about = info(id);
  if (about.is_unsafe || about.is_partial) facts.unsafe.insert(id);
  if (about.kind == InfoKind::Axiom)
    (is_exported_as_axiom(id) ? facts.without_proof : facts.axioms).insert(id);
  uses(id);  // finds what is missing
  if (const auto missing = missing_.find(id); missing != missing_.end()) facts.missing = missing->second;
  return facts;
}

Foundations ModuleSet::foundations(std::vector<ConstantId> of) {
  Foundations result;
  std::unordered_set<ConstantId> seen;
  std::vector<ConstantId> todo = std::move(of);
  while (!todo.empty()) {
    const ConstantId next = todo.back();
    todo.pop_back();
    if (!seen.insert(next).second) continue;
    result.add(facts_of(next));
    const auto& used = uses(next);
    todo.insert(todo.end(), used.begin(), used.end());
  }
  return result;
}

std::vector<ConstantId> ModuleSet::own_closure() {
  struct Visit {
    ConstantId id;
    const std::vector<ConstantId>* used;
    std::size_t next = 0;  // of `used`
  };
  std::vector<ConstantId> closure;
  std::vector<bool> seen(constants_.size());
  std::vector<Visit> path;
  const auto visit = [&](ConstantId id) {
    if (seen[id]) return;
    seen[id] = true;
    path.push_back({id, &uses(id)});
  };
  for (ConstantId own = 0; own < own_constants_; ++own) {
    visit(own);
    while (!path.empty()) {
      if (Visit& last = path.back(); last.next < last.used->size()) {
        visit((*last.used)[last.next++]);
      } else {
        closure.push_back(last.id);
        path.pop_back();
      }
    }
  }
  return closure;
}

std::vector<Foundations> ModuleSet::own_foundations() {
  const std::vector<ConstantId> closure = own_closure();
  std::vector<std::pair<ConstantId, Foundations>> sources;  // constants that add something
  for (const ConstantId id : closure) {
    Foundations facts = facts_of(id);
    if (facts != Foundations()) sources.emplace_back(id, std::move(facts));
  }
  std::vector<Foundations> result(own_constants_);
  // Each bit stands for a source. Most closures have few, so that one round does for all.
  using Bits = std::uint64_t;
  constexpr std::size_t kBits = 64;
  for (std::size_t first = 0; first < sources.size(); first += kBits) {
    const std::size_t count = std::min(kBits, sources.size() - first);
    std::vector<Bits> reached(constants_.size());
    for (std::size_t bit = 0; bit < count; ++bit) reached[sources[first + bit].first] = Bits{1} << bit;
    for (bool is_complete = false; !is_complete;) {
      is_complete = true;
      for (const ConstantId id : closure) {
        Bits bits = reached[id];
        for (const ConstantId used : uses(id)) bits |= reached[used];
        is_complete = is_complete && bits == reached[id];
        reached[id] = bits;
      }
    }
    for (ConstantId own = 0; own < own_constants_; ++own)
      for (std::size_t bit = 0; bit < count; ++bit)
        if ((reached[own] >> bit & 1U) != 0) result[own].add(sources[first + bit].second);
  }
  return result;
}

bool ModuleSet::is_exported_as_axiom(ConstantId id) {
  const ExtensionFacts& known = facts(id);
  const auto kind = known.kinds.find(constants_[id].name);
  return kind != known.kinds.end() && from_constant_kind(kind->second) != InfoKind::Axiom;
}

}  // namespace leanbridge::olean
