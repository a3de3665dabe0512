#pragma once
/// A compiled module and everything it imports, as the kernel terms in their `.olean` files: the constants,
/// and the axioms that each rests on. No option, macro or message of a source can falsify them. Follows
/// Lean's CollectAxioms (src/Lean/Util/CollectAxioms.lean).

#include "core/base/error.hpp"
#include "olean_constants.hpp"
#include "olean_expr.hpp"
#include "type_printer.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace leanbridge::olean {

/// The bytes of a module's parts, `X.olean`, `X.olean.server` and `X.olean.private`, mapped or in memory.
/// Mapped files stay readable after they are removed. Copies share the bytes.
class ModuleBytes {
 public:
  /// Maps the files; further parts lie beside the first. FileNotFound: it is not a regular file, empty, or
  /// unreadable. Lean and Lake replace compiled files by renaming, so mapped ones stay intact.
  static Result<ModuleBytes> map(const std::filesystem::path& olean);
  explicit ModuleBytes(std::vector<std::string> parts);

  const std::filesystem::path& path() const {
    return path_;
  }  ///< of the first file; "" if the module is in
     ///< memory
  const std::vector<std::string_view>& parts() const { return parts_; }
  std::size_t size() const;  ///< bytes of all parts

 private:
  ModuleBytes() = default;
  class Mapping;
  std::filesystem::path path_;
  std::vector<std::shared_ptr<const Mapping>> mapped_;
  std::shared_ptr<const std::vector<std::string>> owned_;
  std::vector<std::string_view> parts_;
};

/// One module and its names. Views into its bytes are valid as long as it lives.
struct SetModule {
  SetModule(ModuleBytes read, Region parsed)
      : bytes(std::move(read)), region(std::move(parsed)), names(region), expressions(region, names) {}
  SetModule(const SetModule&) = delete;
  SetModule& operator=(const SetModule&) = delete;

  std::string name;            ///< `Init.Core`; "" for the first module, whose file does not name it
  std::filesystem::path file;  ///< "" if it was given as bytes
  ModuleBytes bytes;
  Region region;
  Names names;
  Expressions expressions;
  Object data;  ///< Lean.ModuleData of the last part, which is the most complete
  std::vector<std::string> imports;
  /// The original kinds of exported axioms; read when the first axiom is met.
  std::optional<ExtensionFacts> facts;
  std::unordered_map<Ref, std::optional<std::size_t>> known;  ///< the constants of the names that the module
                                                              ///< mentions
};

/// The facts that all parts of the module record about its constants beside their terms.
ExtensionFacts facts_of_parts(SetModule& module);

/// Calls `use` with each name that the terms mention, as a constant or the structure of a projection.
void for_each_mention(SetModule& module, std::vector<Ref> terms, const std::function<void(Ref name)>& use);

/// A name as a single text: its components, each followed by \x01; a numeric component is \0 and its digits.
/// Different names have different keys, and a private name keeps its prefix.
std::string key_of(SetModule& module, Ref name);
/// The key of a name as users write it, `Nat.add_comm` or `«a b».c`; numeric components count as numbers.
std::string key_of(std::string_view name);
/// A key as a name, in which a private `foo` differs from a public one.
std::string name_of_key(std::string_view key);

/// The `.olean` file of a module, `Init.Core` or `A.«b c»`, in the first of these folders that has it.
std::optional<std::filesystem::path> find_olean(std::string_view module,
                                                const std::vector<std::filesystem::path>& search_path);

/// A constant: its module, and its index there.
struct SetConstant {
  SetModule* module = nullptr;
  Ref name = kBoxedZero;
  Ref info = kBoxedZero;
};
using ConstantId = std::size_t;

/// The foundations of a constant: the axioms that its type and value reach, through the bodies of all
/// constants between.
struct Foundations {
  std::set<ConstantId> axioms;
  /// Theorems whose proofs are in none of the files: their axioms are unknown. A toolchain without
  /// `.olean.private` files has many.
  std::set<ConstantId> without_proof;
  /// Unsafe and partial constants, which the kernel does not allow in proofs.
  std::set<ConstantId> unsafe;
  std::set<std::string> missing;  ///< names without any constant

  void add(const Foundations& others);
  friend bool operator==(const Foundations&, const Foundations&) = default;
};

/// The declarations of a module's imports, read once for all modules with the same imports. Keeps the files
/// mapped. Immutable, so any thread may use it.
class ImportedModules {
 public:
  using Name = std::vector<std::string>;  ///< the components of a module's name

  /// Loads these modules and everything they import. Errors: those of ModuleSet::open().
  static Result<std::shared_ptr<const ImportedModules>> load(
      const std::vector<Name>& names, const std::vector<std::filesystem::path>& search_path);

  /// Whether load() was called with these arguments.
  bool is_of(const std::vector<Name>& names, const std::vector<std::filesystem::path>& search_path) const;

 private:
  friend class ModuleSet;
  struct Module {
    std::string name;
    std::filesystem::path file;
    ModuleBytes bytes;
    std::vector<std::string> imports;
  };
  struct Constant {
    std::size_t module = 0;
    Ref name = kBoxedZero;
    Ref info = kBoxedZero;
  };

  std::vector<Name> names_;
  std::vector<std::filesystem::path> search_path_;
  std::vector<Module> modules_;
  std::vector<Constant> constants_;
  std::unordered_map<std::string, std::size_t> by_key_;
};

/// Keeps the files mapped. Blocks: use it on a pool thread.
class ModuleSet {
 public:
  /// Loads the module and, from `search_path` in that order, everything it imports, unless `known` has that.
  /// Errors: FileNotFound (an import is missing), NotSupported (unknown format), Internal (damaged).
  static Result<ModuleSet> open(ModuleBytes first, const std::filesystem::path& file,
                                const std::vector<std::filesystem::path>& search_path,
                                std::shared_ptr<const ImportedModules> known = nullptr);

  /// The imports, for another set that imports the same.
  const std::shared_ptr<const ImportedModules>& imported() const { return imported_; }

  /// The first module is the one in question.
  const std::vector<std::unique_ptr<SetModule>>& modules() const { return modules_; }
  /// All constants. The first module's come first, in its order.
  const std::vector<SetConstant>& constants() const { return constants_; }
  std::size_t own_constants() const { return own_constants_; }
  bool is_own(ConstantId id) const { return id < own_constants_; }
  /// Keys that the first module declares twice, or that both it and an import declare.
  const std::vector<std::string>& clashes() const { return clashes_; }

  std::optional<ConstantId> find(const std::string& key) const;
  ConstantInfo info(ConstantId id);
  std::string key(ConstantId id) { return key_of(*constants_[id].module, constants_[id].name); }
  /// The name as users see it; private names without their prefix.
  const NameText& name(ConstantId id) { return constants_[id].module->names.at(constants_[id].name); }

  /// Its type as the index prints it, on one line for searching; "" if that would be too long. Use
  /// StatementPrinter for text that a person relies on.
  std::string statement(ConstantId id);
  /// The facts that its module records about its constants beside their terms.
  const ExtensionFacts& facts(ConstantId id);

  /// The constants that the type and value of a constant mention, each once.
  const std::vector<ConstantId>& uses(ConstantId id);
  Foundations foundations(ConstantId id) { return foundations(std::vector{id}); }
  /// The combined foundations of these constants.
  Foundations foundations(std::vector<ConstantId> of);
  /// The foundations of each of the module's own constants, by id. Nearly as fast as foundations() of one of
  /// them.
  std::vector<Foundations> own_foundations();
  /// For a theorem that is exported without its proof Lean stores an axiom, and beside it the original kind.
  bool is_exported_as_axiom(ConstantId id);

  /// Internal, with the first damage found in any module.
  Result<void> undamaged() const;

 private:
  ModuleSet() = default;
  void enter_own();
  BinderTable binders_in(ConstantId id);
  void use(SetModule& module, Ref name, ConstantId user, std::set<ConstantId>& found);
  static std::vector<Ref> items_of(SetModule& module, Ref list);
  /// The part of its foundations that a constant adds itself.
  Foundations facts_of(ConstantId id);
  /// The module's own constants and all that they rest on. A constant comes after what it uses, except where
  /// constants use each other, as a type and its constructors do.
  std::vector<ConstantId> own_closure();

  std::vector<std::unique_ptr<SetModule>> modules_;
  std::vector<SetConstant> constants_;
  std::size_t own_constants_ = 0;
  std::unordered_map<std::string, ConstantId> by_key_;  ///< the module's own constants
  std::vector<std::string> clashes_;
  std::unordered_map<ConstantId, std::vector<ConstantId>> uses_;
  std::shared_ptr<const ImportedModules> imported_;      ///< their constants follow the module's own
  std::map<ConstantId, std::set<std::string>> missing_;  ///< names that a constant mentions and that do not
                                                         ///< exist
};

}  // namespace leanbridge::olean
