#include "constant_reader.hpp"

namespace leanbridge::olean {

using olean::ConstantId;
using olean::ConstantInfo;
using olean::InfoKind;
using olean::Object;
using olean::Ref;

namespace {

constexpr std::size_t kMaxNamesInList = 100'000;  // names in a list, or rules of a recursor

}  // namespace

TermReader& ConstantReader::terms_of(olean::SetModule& module) {
  return readers_.try_emplace(&module, terms_, module).first->second;
}

std::vector<TermId> ConstantReader::name_list(olean::SetModule& module, Ref list) {
  std::vector<TermId> names;
  while (!olean::is_boxed(list)) {
    const Object cell = module.region.constructor(list);
    names.push_back(terms_.add_text(olean::key_of(module, module.region.field(cell, 0))));
    list = module.region.field(cell, 1);
    if (names.size() > kMaxNamesInList) {
      module.region.damaged("a list of names is too long", list);
      break;
    }
  }
  if (olean::is_boxed(list) && list != olean::kBoxedZero) module.region.damaged("a list has no end", list);
  return names;
}

std::optional<ConstantTerms> ConstantReader::read(ConstantId id, Proofs proofs) {
  olean::SetModule& module = *set_.constants()[id].module;
  TermReader& reader = terms_of(module);
  olean::Region& region = module.region;
  const ConstantInfo info = set_.info(id);
  ConstantTerms terms;
  terms.kind = info.kind;
  terms.is_unsafe = info.is_unsafe;
  terms.is_partial = info.is_partial;
  terms.level_params = name_list(module, region.field(region.constructor(info.common), 1));
  const auto type = reader.expression(info.type);
  if (!type) return std::nullopt;
  terms.type = *type;
  if (info.value && (info.kind != InfoKind::Theorem || proofs == Proofs::Read)) {
    terms.value = reader.expression(*info.value);
    if (!terms.value) return std::nullopt;
  }
  // The fields after the ConstantVal, in the order of Lean's src/Lean/Declaration.lean.
  const Object value = region.constructor(region.field(region.constructor(set_.constants()[id].info), 0));
  const auto number = [&](std::size_t i) { terms.numbers.push_back(reader.number(region.field(value, i))); };
  const auto names = [&](std::size_t i) {
    const auto list = name_list(module, region.field(value, i));
    terms.names.insert(terms.names.end(), list.begin(), list.end());
    terms.numbers.push_back(std::to_string(list.size()));
  };
  switch (info.kind) {
    case InfoKind::Inductive:  // numParams, numIndices, all, ctors, numNested
      number(1);
      number(2);
      names(3);
      names(4);
      break;
    case InfoKind::Constructor:  // induct, cidx, numParams, numFields
      terms.names.push_back(terms_.add_text(olean::key_of(module, region.field(value, 1))));
      number(2);
      number(3);
      number(4);
      break;
    case InfoKind::Recursor: {  // all, numParams, numIndices, numMotives, numMinors, rules; k
      names(1);
      for (std::size_t i = 2; i < 6; ++i) number(i);
      terms.numbers.emplace_back(value.scalars.empty() ? "" : std::to_string(value.scalars[0]));
      for (Ref list = info.rules.value_or(olean::kBoxedZero); !olean::is_boxed(list);) {
        const Object cell = region.constructor(list);
        const Object rule = region.constructor(region.field(cell, 0));
        terms.names.push_back(terms_.add_text(olean::key_of(module, region.field(rule, 0))));
        terms.numbers.push_back(reader.number(region.field(rule, 1)));
        const auto rhs = reader.expression(region.field(rule, 2));
        if (!rhs || terms.rules.size() > kMaxNamesInList) return std::nullopt;
        terms.rules.push_back(*rhs);
        list = region.field(cell, 1);
      }
      break;
    }
    default:
      break;
  }
  if (!region.damage().empty()) return std::nullopt;
  return terms;
}

}  // namespace leanbridge::olean
