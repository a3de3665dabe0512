#include "compiled_proofs.hpp"

#include "core/base/try.hpp"
#include "core/text/missing_proofs.hpp"
#include "module_set.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace leanbridge::olean {

namespace fs = std::filesystem;

class CompiledProofs::Impl {
 public:
  explicit Impl(ModuleSet set) : set_(std::move(set)), sorry_(set_.find(key_of(text::kSorryAxiom))) {}

  Result<std::vector<CompiledConstant>> constants() {
    SetModule& own = *set_.modules().front();
    const ExtensionFacts facts = facts_of_parts(own);
    std::unordered_map<std::string, std::uint32_t> lines;
    for (const auto& [name, place] : facts.places) lines.emplace(key_of(own, name), place.line);
    std::vector<CompiledConstant> found;
    for (ConstantId id = 0; id < set_.own_constants(); ++id) {
      const ConstantInfo info = set_.info(id);
      const NameText& name = own.names.at(info.name);
      CompiledConstant constant;
      constant.name = name.text;
      constant.kind = keyword(info.kind);
      constant.is_private = name.is_private;
      constant.is_unsafe = info.is_unsafe;
      constant.is_partial = is_partial(id, info);
      // Constants that Lean generates have the name of their declaration as a prefix, and no position of
      // their own.
      for (Ref at = info.name; constant.line == 0 && !is_boxed(at);
           at = own.region.field(own.region.constructor(at), 0)) {
        if (const auto line = lines.find(key_of(own, at)); line != lines.end()) constant.line = line->second;
      }
      const auto& used = set_.uses(id);
      constant.uses_sorry = sorry_ && std::ranges::find(used, *sorry_) != used.end();
      found.push_back(std::move(constant));
    }
    TRY_DONE(set_.undamaged());
    return found;
  }

  Result<std::map<std::size_t, Foundation>> foundations_beyond(
      const std::function<bool(std::string_view)>& is_allowed) {
    const auto is_beyond = [&](const Foundations& rests_on) {
      return !rests_on.without_proof.empty() || !rests_on.missing.empty() ||
             std::ranges::any_of(rests_on.axioms,
                                 [&](ConstantId axiom) { return !is_allowed(shown(axiom)); });
    };
    std::vector<ConstantId> own(set_.own_constants());
    std::iota(own.begin(), own.end(), ConstantId{0});
    std::map<std::size_t, Foundation> beyond;
    // Most modules have none, which one walk tells.
    if (is_beyond(set_.foundations(own))) {
      const std::vector<Foundations> all = set_.own_foundations();
      for (const ConstantId id : own)
        if (is_beyond(all[id])) beyond.emplace(id, foundation_of(id, all[id]));
    }
    TRY_DONE(set_.undamaged());
    return beyond;
  }

  Result<std::optional<Foundation>> foundation(std::string_view wanted) {
    const auto found = find(wanted);
    if (!found) return std::optional<Foundation>();
    Foundation foundation = foundation_of(*found, set_.foundations(*found));
    foundation.statement = set_.statement(*found);
    TRY_DONE(set_.undamaged());
    return std::optional<Foundation>(std::move(foundation));
  }

 private:
  /// Private names of imports are not found: users cannot write them, and an exported constant may look the
  /// same.
  std::optional<ConstantId> find(std::string_view wanted) {
    const auto exported = set_.find(key_of(wanted));
    if (exported && set_.is_own(*exported)) return exported;
    if (own_names_.empty())
      for (ConstantId id = 0; id < set_.own_constants(); ++id) own_names_.emplace(set_.name(id).text, id);
    const auto own = own_names_.find(wanted);
    return own == own_names_.end() ? exported : std::optional(own->second);
  }

  bool is_partial(ConstantId id, const ConstantInfo& info) {
    // The executable part of a partial function has this name; the constant that proofs see is opaque. Lean
    // compiles a total function to such a part, too, but proofs see the function's value.
    return info.is_partial ||
           (info.kind == InfoKind::Opaque && set_.find(set_.key(id) + "_unsafe_rec\x01").has_value());
  }

  /// A private axiom keeps its prefix, so that it cannot pass for a public axiom of the same name.
  std::string shown(ConstantId id) {
    const NameText& name = set_.name(id);
    return name.is_private && set_.info(id).kind == InfoKind::Axiom ? name_of_key(set_.key(id)) : name.text;
  }

  // The foundation without the statement.
  Foundation foundation_of(ConstantId id, const Foundations& rests_on) {
    std::set<std::string> axioms, without_proof = rests_on.missing;
    for (const ConstantId axiom : rests_on.axioms) axioms.insert(shown(axiom));
    for (const ConstantId theorem : rests_on.without_proof) without_proof.insert(set_.name(theorem).text);
    SetModule& module = *set_.constants()[id].module;
    const ConstantInfo info = set_.info(id);
    Foundation found;
    found.name = module.names.at(info.name).text;
    found.kind = keyword(info.kind);
    found.is_unsafe = info.is_unsafe;
    found.is_partial = is_partial(id, info);
    found.axioms.assign(axioms.begin(), axioms.end());
    found.without_proof.assign(without_proof.begin(), without_proof.end());
    return found;
  }

  ModuleSet set_;
  std::optional<ConstantId> sorry_;
  std::map<std::string, ConstantId, std::less<>> own_names_;  // as users write them; read when asked for
};

CompiledProofs::CompiledProofs(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CompiledProofs::CompiledProofs(CompiledProofs&&) noexcept = default;
CompiledProofs& CompiledProofs::operator=(CompiledProofs&&) noexcept = default;
CompiledProofs::~CompiledProofs() = default;

Result<CompiledProofs> CompiledProofs::open(ModuleBytes module, const std::vector<fs::path>& search_path) {
  const fs::path olean = module.path();
  TRY(auto set, ModuleSet::open(std::move(module), olean, search_path));
  return CompiledProofs(std::make_unique<Impl>(std::move(set)));
}

Result<std::vector<CompiledConstant>> CompiledProofs::constants() {
  return impl_->constants();
}

Result<std::map<std::size_t, Foundation>> CompiledProofs::foundations_beyond(
    const std::function<bool(std::string_view)>& is_allowed) {
  return impl_->foundations_beyond(is_allowed);
}

Result<std::optional<Foundation>> CompiledProofs::foundation(std::string_view name) {
  return impl_->foundation(name);
}

}  // namespace leanbridge::olean
