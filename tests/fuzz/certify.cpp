// The judge of compiled modules: a solution's `.olean` comes from whoever wants it certified. The input is a
// solution or, after a byte 0xFE, changes to a well-formed one, of four bytes each: an offset (high byte
// first) and a value.

#include "../unit/core/olean/olean_writer.hpp"
#include "certify/verdict/image.hpp"
#include "certify/verdict/judge.hpp"
#include "fuzz.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace leanbridge::fuzz {
namespace {

using olean::ExprKind;
using olean::InfoKind;
using olean::Object;
using olean::Ref;
using test::OleanWriter;

const std::vector<std::string> kAxioms = {"Nat", "Holds", "fact"};

/// `limit : Nat := 7` and `goal : ∀ n, Holds limit`, proved through a lemma by an axiom.
std::string sample(std::string_view proof) {
  OleanWriter w(8, 2);
  const auto statement = [&] {
    return w.forall("n", w.constant("Nat"), w.app(w.constant("Holds"), {w.constant("limit")}));
  };
  const auto colour = w.name("Colour"), red = w.name("Colour.red");
  return w.named_module(
      {}, {{w.name("Nat"), w.axiom(w.common(w.name("Nat"), w.type()))},
           {w.name("Holds"), w.axiom(w.common(w.name("Holds"), w.forall("n", w.constant("Nat"), w.prop())))},
           {w.name("fact"), w.axiom(w.common(w.name("fact"), statement()))},
           {w.name("cheat"), w.axiom(w.common(w.name("cheat"), statement()))},
           {colour, w.inductive(w.common(colour, w.type()), colour, {red})},
           {red, w.constructor_of(w.common(red, w.constant("Colour")), colour, 0, 0)},
           {w.name("deep"), w.definition(w.common(w.name("deep"), w.constant("Nat")), w.big_natural({3, 1}))},
           {w.name("limit"), w.definition(w.common(w.name("limit"), w.constant("Nat")), w.constant("deep"))},
           {w.name("lemma"), w.theorem(w.common(w.name("lemma"), statement()), w.constant(proof))},
           {w.name("goal"),
            w.theorem(w.common(w.name("goal"), statement()),
                      w.lambda("n", w.constant("Nat"), w.app(w.constant("lemma"), {w.bvar(0)}, 1)))}});
}

/// What a module states and uses, read by simple recursion: an oracle that shares only the reading of objects
/// with the judge.
class Meaning {
 public:
  explicit Meaning(std::string_view bytes) : region_(olean::Region::open(std::span(&bytes, 1))) {
    if (!region_) return;
    const Object data = region_->constructor(region_->root(0));
    imports_ = region_->array(region_->field(data, 0)).count;
    const Object infos = region_->array(region_->field(data, 2));
    for (std::size_t i = 0; i < infos.count; ++i) {
      const Ref info = region_->field(infos, i);
      all_.emplace_back(name(read(info).name), info);
    }
  }

  /// The statement of the goal and the definitions in it; "" if there is none.
  std::string statement() {
    std::string text = std::to_string(imports_) + ";";
    std::set<std::string> seen;
    std::vector<std::string> todo{"goal"};
    while (!todo.empty()) {
      const std::string next = todo.back();
      todo.pop_back();
      if (!seen.insert(next).second) continue;
      const auto info = find(next);
      if (!info) return "";
      const auto constant = read(*info);
      mentioned_.clear();
      text += next + ":" + std::string(keyword(constant.kind)) + ":" + std::to_string(constant.is_unsafe) +
              std::to_string(constant.is_partial) +
              levels(region_->field(region_->constructor(constant.common), 1)) + ":" + term(constant.type, 0);
      if (constant.value && constant.kind != InfoKind::Theorem) text += ":=" + term(*constant.value, 0);
      text += ";";
      todo.insert(todo.end(), mentioned_.begin(), mentioned_.end());
    }
    return text;
  }

  /// The axioms that the goal's proof reaches, including names without a constant.
  std::set<std::string> axioms() {
    std::set<std::string> found, seen;
    std::vector<std::string> todo{"goal"};
    while (!todo.empty()) {
      const std::string next = todo.back();
      todo.pop_back();
      if (!seen.insert(next).second) continue;
      const auto info = find(next);
      if (!info) {
        found.insert(next + " is missing");
        continue;
      }
      const auto constant = read(*info);
      if (constant.kind == InfoKind::Axiom || constant.kind == InfoKind::Quot) found.insert(next);
      mentioned_.clear();
      term(constant.type, 0);
      if (constant.value) term(*constant.value, 0);
      todo.insert(todo.end(), mentioned_.begin(), mentioned_.end());
    }
    return found;
  }

 private:
  olean::ConstantInfo read(Ref info) { return olean::read_constant_info(*region_, info); }

  std::optional<Ref> find(const std::string& wanted) const {
    for (const auto& [name, info] : all_)
      if (name == wanted) return info;
    return std::nullopt;
  }

  std::string name(Ref ref) {
    if (olean::is_boxed(ref)) return "";
    const Object object = region_->constructor(ref);
    const std::string prefix = name(region_->field(object, 0));
    const Ref part = region_->field(object, 1);
    if (object.tag == 2) return prefix + ".#" + std::to_string(part);
    return (prefix.empty() ? "" : prefix + ".") + std::string(region_->string(part));
  }

  std::string levels(Ref list) {
    std::string text;
    for (; !olean::is_boxed(list); list = region_->field(region_->constructor(list), 1))
      text += "," + name(region_->field(region_->constructor(list), 0));
    return text;
  }

  std::string level(Ref ref) {
    if (olean::is_boxed(ref)) return "0";
    const Object object = region_->constructor(ref);
    std::string text = std::to_string(object.tag) + "(";
    if (object.tag == 4) return text + name(region_->field(object, 0)) + ")";
    for (std::size_t i = 0; i < object.count; ++i) text += level(region_->field(object, i)) + ",";
    return text + ")";
  }

  std::string number(Ref ref) {
    if (olean::is_boxed(ref)) return std::to_string(ref);
    return "big" + std::string(region_->object(ref).data);
  }

  std::string term(Ref ref, int depth) {
    constexpr int kMaxDepth = 300;
    if (depth > kMaxDepth) return "deep";
    const Object object = region_->constructor(ref);
    const auto field = [&](std::size_t i) { return region_->field(object, i); };
    const auto sub = [&](std::size_t i) { return term(field(i), depth + 1); };
    switch (static_cast<ExprKind>(object.tag)) {
      case ExprKind::Bvar:
        return "#" + number(field(0));
      case ExprKind::Sort:
        return "S" + level(field(0));
      case ExprKind::Const: {
        const std::string constant = name(field(0));
        mentioned_.insert(constant);
        std::string text = constant + "{";
        for (Ref list = field(1); !olean::is_boxed(list);
             list = region_->field(region_->constructor(list), 1))
          text += level(region_->field(region_->constructor(list), 0)) + ",";
        return text + "}";
      }
      case ExprKind::App:
        return "(" + sub(0) + " " + sub(1) + ")";
      case ExprKind::Lam:
      case ExprKind::Forall:
        return std::string(object.tag == 6 ? "L" : "P") +
               std::to_string(object.scalars.size() > 8 ? object.scalars[8] & 3 : 0) + "(" + sub(1) + "," +
               sub(2) + ")";
      case ExprKind::Let:
        return "T(" + sub(1) + "," + sub(2) + "," + sub(3) + ")";
      case ExprKind::Lit: {
        const Object literal = region_->constructor(field(0));
        const Ref value = region_->field(literal, 0);
        return literal.tag == 0 ? "n" + number(value) : "s" + std::string(region_->string(value));
      }
      case ExprKind::Mdata:
        return sub(1);
      case ExprKind::Proj: {
        const std::string structure = name(field(0));
        mentioned_.insert(structure);
        return "J" + structure + number(field(1)) + sub(2);
      }
      default:
        return "?";
    }
  }

  Result<olean::Region> region_;
  std::size_t imports_ = 0;
  std::vector<std::pair<std::string, Ref>> all_;
  std::set<std::string> mentioned_;
};

/// What the judge certifies must have the challenge's statement and rest on allowed axioms.
void require_proof(const std::string& solution) {
  static const std::string asked = Meaning(sample("cheat")).statement();
  Meaning given(solution);
  require(given.statement() == asked, "what is certified states what the challenge states");
  for (const std::string& axiom : given.axioms())
    require(std::find(kAxioms.begin(), kAxioms.end(), axiom) != kAxioms.end(),
            "what is certified rests on allowed axioms");
}

Result<olean::ModuleSet> open(std::string bytes) {
  return olean::ModuleSet::open(olean::ModuleBytes(std::vector<std::string>{std::move(bytes)}), {}, {});
}

bool is_certified(const std::string& solution) {
  const std::string_view part = solution;
  if (!certify::check_image(std::span(&part, 1))) return false;
  auto given = open(solution);
  auto asked = open(sample("cheat"));
  require(asked.has_value(), "the challenge can be read");
  if (!given) return false;
  certify::Rules question;
  question.names = {"goal"};
  question.allowed_axioms = kAxioms;
  const auto findings = certify::judge(*asked, *given, question);
  require(findings.has_value(), "no solution makes the challenge an error");
  require(findings->names.size() == 1, "each theorem of the challenge has a verdict");
  const bool certified = findings->names.front().verdict == certify::Outcome::Certified;
  require(!certified || !findings->refused, "what is refused as a whole is not certified");
  return certified;
}

std::string changed(std::string bytes, std::string_view changes) {
  for (; changes.size() >= 4; changes.remove_prefix(4)) {
    const auto byte = [&](std::size_t i) {
      return static_cast<std::size_t>(static_cast<unsigned char>(changes[i]));
    };
    bytes[(byte(0) << 16U | byte(1) << 8U | byte(2)) % bytes.size()] = changes[3];
  }
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string proof = sample("fact");
  static const bool sound = is_certified(proof) && !is_certified(sample("cheat"));
  require(sound, "the sample is certified, and not with another axiom");
  const std::string_view input = text_of(data, size);
  const std::string solution =
      input.starts_with('\xFE') ? changed(proof, input.substr(1)) : std::string(input);
  if (is_certified(solution)) require_proof(solution);
  return 0;
}

}  // namespace leanbridge::fuzz
