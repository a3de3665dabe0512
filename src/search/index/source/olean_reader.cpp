#include "core/base/try.hpp"
#include "core/olean/olean_constants.hpp"
#include "core/olean/olean_expr.hpp"
#include "core/olean/type_printer.hpp"
#include "core/text/word_list.hpp"
#include "search/index/readers.hpp"
#include "statement_encoder.hpp"

#include <algorithm>
#include <array>

namespace leanbridge::index {

using olean::ConstantInfo;
using olean::Expressions;
using olean::ExtensionFacts;
using olean::from_constant_kind;
using olean::InfoKind;
using olean::kBoxedZero;
using olean::keyword;
using olean::Names;
using olean::NameText;
using olean::Object;
using olean::print_signature;
using olean::read_constant_info;
using olean::read_extensions;
using olean::Ref;
using olean::Region;

namespace {

constexpr std::size_t kMaxConstants = 40;
// Bytes of output per byte of input: a file that yields more was made to exhaust memory.
constexpr std::size_t kTextPerByte = 8;
constexpr std::size_t kFreeText = std::size_t{1} << 20U;

/// Last components of the constants that Lean generates for a type, a constructor or a function.
constexpr auto kOfTypes = std::to_array<std::string_view>(
    {"rec", "recOn", "casesOn", "brecOn", "below", "binductionOn", "ibelow", "noConfusion", "noConfusionType",
     "ctorIdx", "toCtorIdx", "ctorElim", "ctorElimType", "ndrec", "ndrecOn"});
constexpr auto kOfConstructors =
    std::to_array<std::string_view>({"inj", "injEq", "sizeOf_spec", "elim", "noConfusion", "hinj"});
constexpr auto kOfFunctions = std::to_array<std::string_view>(
    {"eq_def", "eq_unfold", "injEq", "induct", "induct_unfolding", "fun_cases", "fun_cases_unfolding",
     "mutual_induct", "congr_simp", "sizeOf_spec", "partial_correctness", "fixpoint_induct"});

struct Constant {
  Ref name = kBoxedZero;
  Ref type = kBoxedZero;
  InfoKind kind = InfoKind::None;
};

/// The constants of all parts, one per name.
class CompiledModule {
 public:
  explicit CompiledModule(std::span<const std::string_view> parts, Region& region)
      : region_(region), names_(region), expressions_(region, names_) {
    for (std::size_t part = 0; part < parts.size(); ++part)
      read_part(region_.constructor(region_.root(part)));
  }

  const std::vector<Constant>& constants() const { return constants_; }
  const std::vector<std::string>& imports() const { return imports_; }
  const ExtensionFacts& facts() const { return facts_; }
  Names& names() { return names_; }
  Expressions& expressions() { return expressions_; }
  InfoKind kind_of(Ref name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? InfoKind::None : found->second;
  }

 private:
  void read_part(const Object& data) {
    const Object imports = region_.array(region_.field(data, 0));
    for (std::size_t i = 0; i < imports.count && imports_.size() < imports.count; ++i)
      imports_.push_back(names_.at(region_.field(region_.constructor(region_.field(imports, i)), 0)).text);
    read_extensions(region_, names_, region_.field(data, 4), facts_);
    const Object constants = region_.array(region_.field(data, 2));
    for (std::size_t i = 0; i < constants.count && region_.damage().empty(); ++i)
      read_constant(region_.field(constants, i));
  }

  void read_constant(Ref constant) {
    const ConstantInfo info = read_constant_info(region_, constant);
    if (info.kind == InfoKind::None || !seen_.insert(info.common).second) return;
    Constant read{info.name, info.type, info.kind};
    const auto exported_as = facts_.kinds.find(read.name);
    if (read.kind == InfoKind::Axiom && exported_as != facts_.kinds.end())
      read.kind = from_constant_kind(exported_as->second);
    const auto [known, fresh] = by_name_.emplace(read.name, read.kind);
    if (fresh) {
      constants_.push_back(read);
    } else if (known->second == InfoKind::Axiom) {
      known->second = read.kind;  // later parts are more precise
    }
  }

  Region& region_;
  Names names_;
  Expressions expressions_;
  ExtensionFacts facts_;
  std::vector<std::string> imports_;
  std::vector<Constant> constants_;
  std::unordered_map<Ref, InfoKind> by_name_;
  std::unordered_set<Ref> seen_;
};

/// `conclusion` is the conclusion of its type, by which notations are recognised, which are constants, too.
bool is_generated(CompiledModule& module, const Constant& constant, const NameText& name,
                  std::string_view conclusion) {
  if (conclusion == "Lean.ParserDescr" || conclusion == "Lean.TrailingParserDescr") return true;
  if (constant.kind == InfoKind::Recursor || module.facts().generated.contains(constant.name)) return true;
  switch (module.kind_of(name.prefix)) {
    case InfoKind::Inductive:
      return text::contains(kOfTypes, name.last);
    case InfoKind::Constructor:
      return text::contains(kOfConstructors, name.last);
    default:
      return text::contains(kOfFunctions, name.last);
  }
}

std::string kind_word(const CompiledModule& module, InfoKind kind, Ref name) {
  const ExtensionFacts& facts = module.facts();
  if (facts.instances.contains(name)) return "instance";
  if (facts.projections.contains(name)) return "field";
  if (kind == InfoKind::Definition && facts.reducible.contains(name) && facts.inlined.contains(name))
    return "abbrev";
  if (kind == InfoKind::Inductive && facts.classes.contains(name)) return "class";
  if (kind == InfoKind::Inductive && facts.structures.contains(name)) return "structure";
  return std::string(keyword(kind));
}

Declaration declaration(CompiledModule& module, const Constant& constant, const olean::BinderTable& binders) {
  const NameText& name = module.names().at(constant.name);
  const ExtensionFacts& facts = module.facts();
  Declaration made;
  made.name = name.text;
  made.kind = kind_word(module, module.kind_of(constant.name), constant.name);
  made.is_private = name.is_private;
  made.deprecated = facts.deprecated.contains(constant.name);
  if (const auto place = facts.places.find(constant.name); place != facts.places.end()) {
    made.line = place->second.line;
    made.column = place->second.column;
  }
  if (const auto text = facts.docstrings.find(constant.name); text != facts.docstrings.end())
    made.docstring = text->second;
  made.constants = module.expressions().constants(constant.type, kMaxConstants);
  made.conclusion = module.expressions().conclusion(constant.type);
  made.generated = is_generated(module, constant, name, made.conclusion);
  if (!made.generated) {
    made.signature = print_signature(module.expressions(), constant.type, binders);
    made.statement = to_text(statement_of(module.expressions(), constant.type));
  }
  made.approximate = !made.signature.empty();
  return made;
}

std::size_t text_in(const Declaration& d) {
  std::size_t bytes =
      sizeof(Declaration) + d.name.size() + d.docstring.size() + d.signature.size() + d.statement.size();
  for (const std::string& constant : d.constants) bytes += sizeof(std::string) + constant.size();
  return bytes;
}

tl::unexpected<Error> damaged(const Region& region) {
  return fail(ErrorKind::Internal, "The .olean is damaged: " + region.damage() + ".",
              "The module is not indexed; rebuild it.");
}

}  // namespace

Result<OleanModule> read_olean(std::span<const std::string_view> parts, std::string module,
                               const olean::BinderTable& binders) {
  TRY(Region region, Region::open(parts));
  CompiledModule compiled(parts, region);
  OleanModule result;
  result.lean_version = region.lean_version();
  result.constants = compiled.constants().size();
  std::size_t text = 0;
  for (const Constant& constant : compiled.constants()) {
    const NameText& name = compiled.names().at(constant.name);
    if (name.internal || name.text.empty()) continue;
    result.declarations.push_back(declaration(compiled, constant, binders));
    result.declarations.back().module = module;
    text += text_in(result.declarations.back());
    if (text > kTextPerByte * region.bytes() + kFreeText)
      region.damaged("its content is larger than the file can hold", constant.type);
    if (!region.damage().empty()) break;
  }
  result.imports = compiled.imports();
  if (!region.damage().empty()) return damaged(region);
  return result;
}

Result<void> read_binders(std::span<const std::string_view> parts, olean::BinderTable& binders) {
  TRY(Region region, Region::open(parts));
  CompiledModule compiled(parts, region);
  olean::BinderTable found;
  for (const Constant& constant : compiled.constants()) {
    const NameText& name = compiled.names().at(constant.name);
    std::string letters = name.internal ? "" : compiled.expressions().binders(constant.type);
    // Constants missing from the table have explicit arguments only.
    if (letters.find_first_not_of('e') != std::string::npos) found.emplace(name.text, std::move(letters));
  }
  if (!region.damage().empty()) return damaged(region);
  binders.merge(found);
  return {};
}

}  // namespace leanbridge::index
