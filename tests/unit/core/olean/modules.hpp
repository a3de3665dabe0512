#pragma once
/// Compiled modules from hand-made terms.

#include "core/olean/module_set.hpp"
#include "olean_writer.hpp"
#include "support/test_folder.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace leanbridge::test {

/// Terms and constants of one module. It imports Base, which has Nat, True, Not, propext, sorryAx and
/// Base.limit.
class ModuleMaker {
 public:
  using Ref = OleanWriter::Ref;

  ModuleMaker() : w(8, 2) {}

  void theorem(std::string_view name, Ref type, Ref proof, const std::vector<std::string_view>& params = {}) {
    add(w.name(name), w.theorem(w.common(w.name(name), type, params), proof));
  }
  void definition(std::string_view name, Ref type, Ref value,
                  OleanWriter::Safety safety = OleanWriter::Safe) {
    add(w.name(name), w.definition(w.common(w.name(name), type), value, safety));
  }
  void axiom(std::string_view name, Ref type) { add(w.name(name), w.axiom(w.common(w.name(name), type))); }
  void add(Ref name, Ref info) { constants.emplace_back(name, info); }

  Ref constant(std::string_view name) { return w.constant(name); }
  Ref apply(std::string_view function, std::initializer_list<Ref> arguments) {
    return w.app(w.constant(function), arguments);
  }
  /// `name` in the namespace of private names.
  Ref private_name(std::string_view name) {
    return w.component(w.component(w.name("_private.LeanbridgeCandidate"), "0"), name);
  }

  std::string bytes() {
    std::vector<Ref> imported;
    for (const std::string& import : imports) imported.push_back(w.name(import));
    return w.named_module(imported, constants);
  }

  OleanWriter w;
  std::vector<std::string> imports = {"Base"};
  std::vector<std::pair<Ref, Ref>> constants;
};

using MakeModule = std::function<void(ModuleMaker&)>;

/// What both import.
class ModuleFolder {
 public:
  ModuleFolder() {
    write("Base", [](ModuleMaker& m) {
      m.imports = {};
      m.axiom("Nat", m.w.type());
      m.axiom("True", m.w.prop());
      m.axiom("True.intro", m.constant("True"));
      m.axiom("propext", m.constant("True"));
      m.axiom("sorryAx", m.constant("True"));
      m.axiom("Lean.ofReduceBool", m.constant("True"));
      m.definition("Base.limit", m.constant("Nat"), m.w.natural(7));
      m.axiom("Holds", m.w.forall("n", m.constant("Nat"), m.w.prop()));
      m.axiom("Iff", m.w.prop());
      m.definition("Not", m.w.forall("p", m.w.prop(), m.w.prop()), m.constant("True"));
    });
    write("Other", [](ModuleMaker& m) { m.axiom("other", m.constant("True")); });
  }
  void write(std::string_view name, const MakeModule& make) {
    ModuleMaker maker;
    make(maker);
    folder_.write(std::string(name) + ".olean", maker.bytes());
  }

  const std::filesystem::path& path() const { return folder_.path(); }
  void copy_to(const std::filesystem::path& folder) const {
    std::filesystem::create_directories(folder);
    std::filesystem::copy(folder_.path(), folder);
  }

  using Known = std::shared_ptr<const olean::ImportedModules>;
  Result<olean::ModuleSet> open(std::string bytes, Known known = nullptr) const {
    return olean::ModuleSet::open(olean::ModuleBytes(std::vector<std::string>{std::move(bytes)}), {},
                                  {folder_.path()}, std::move(known));
  }
  Result<olean::ModuleSet> open(const MakeModule& make, Known known = nullptr) const {
    ModuleMaker maker;
    make(maker);
    return open(maker.bytes(), std::move(known));
  }

 private:
  TestFolder folder_;
};

}  // namespace leanbridge::test
