#include "core/olean/olean_writer.hpp"
#include "search/index/readers.hpp"
#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace leanbridge;
using namespace leanbridge::index;
using namespace leanbridge::olean;
using leanbridge::test::OleanWriter;

namespace {

using Ref = OleanWriter::Ref;

Result<OleanModule> read_bytes(const std::string& bytes, const BinderTable& binders = {}) {
  const std::string_view part = bytes;
  return read_olean(std::span(&part, 1), "Some.Module", binders);
}

/// `∀ (n m : Nat), n + m = m + n`, with all that notation hides.
Ref add_comm_type(OleanWriter& w) {
  const Ref nat = w.constant("Nat");
  const auto sum = [&](unsigned a, unsigned b) {
    const Ref instance = w.app(w.constant("instHAdd"), {nat, w.constant("instAddNat")});
    return w.app(w.app(w.constant("HAdd.hAdd"), {nat, nat, nat, instance}), {w.bvar(a), w.bvar(b)}, 2);
  };
  const Ref equal = w.app(w.app(w.constant("Eq"), {nat}), {sum(1, 0), sum(0, 1)}, 2);
  return w.forall("n", nat, w.forall("m", nat, equal, OleanWriter::Explicit, 1));
}

std::string small_module(OleanWriter& w) {
  const Ref nat = w.constant("Nat");
  const Ref hidden = w.component(w.component(w.name("_private.Some.Module"), "0"), "Nat");
  const Ref to_nat = w.forall("n", nat, nat);
  const Ref list_of = w.forall("α", w.type(),
                               w.forall("a._@.Some.Module", w.app(w.constant("List"), {w.bvar(0)}, 1),
                                        w.app(w.constant("List"), {w.bvar(1)}, 2)),
                               OleanWriter::Implicit);
  const std::vector<Ref> constants{
      w.constant_info(0, "Nat.add_comm", add_comm_type(w)),
      w.constant_info(5, "Nat", w.type()),
      w.constant_info(6, "Nat.succ", to_nat),
      w.constant_info(6, "Nat.zero", nat),
      w.constant_info(7, "Nat.rec", to_nat),
      w.constant_info(1, "Nat.casesOn", to_nat),
      w.constant_info(1, w.component(hidden, "secret"), to_nat),
      w.constant_info(2, "Nat.add_comm._proof_1", add_comm_type(w)),
      w.constant_info(1, "Nat.match_1", to_nat),
      w.constant_info(1, "Nat.match_of", to_nat),
      w.constant_info(1, "term_+_", w.constant("Lean.TrailingParserDescr")),
      w.constant_info(1, w.component(w.number(0), "a b"), list_of),
      w.constant_info(1, "x₁.instAddNat", w.app(w.constant("Add"), {nat})),
      w.constant_info(0, "propext", w.prop()),
  };
  const auto position = [&](unsigned line, unsigned column) {
    return w.constructor(0, {w.number(line), w.number(column)});
  };
  const auto range = [&](unsigned line, unsigned column) {
    return w.constructor(0, {position(line, column), w.number(column), position(line, 99), w.number(99)});
  };
  const std::vector<Ref> entries{
      w.pair(w.name("_private.Lean.AddDecl.0.Lean.privateConstKindsExt"),
             w.array({w.pair(w.name("Nat.add_comm"), w.number(1))})),
      w.pair(w.name("Lean.docStringExt"),
             w.array({w.pair(w.name("Nat.succ"), w.string(" The next ⟨number⟩. "))})),
      w.pair(w.name("Lean.declRangeExt"),
             w.array({w.pair(w.name("Nat.succ"), w.pair(range(7, 0), range(8, 4)))})),
      w.pair(w.name("Lean.Meta.globalInstanceExtension"),
             w.array({w.constructor(0, {w.name("x₁.instAddNat")})})),
      w.pair(w.name("Lean.Linter.deprecatedAttr"), w.array({w.pair(w.name("Nat.match_of"), w.number(0))})),
      w.pair(w.name("Lean.unknownExtension"), w.array({w.number(7)})),
  };
  return w.module({w.name("Init.Prelude"), w.name("Init.Core")}, constants, entries);
}

const Declaration* find(const OleanModule& module, std::string_view name) {
  const auto& all = module.declarations;
  const auto at = std::find_if(all.begin(), all.end(), [&](const Declaration& d) { return d.name == name; });
  return at == all.end() ? nullptr : &*at;
}

}  // namespace

TEST_CASE("an .olean says what its module declares", "[index][olean]") {
  const unsigned width = GENERATE(4U, 8U);
  const unsigned version = GENERATE(1U, 2U);
  CAPTURE(width, version);
  OleanWriter writer(width, version);
  const auto module = read_bytes(small_module(writer));
  REQUIRE(module);
  CHECK(module->imports == std::vector<std::string>{"Init.Prelude", "Init.Core"});
  CHECK(module->lean_version == (version == 2 ? "4.28.0-test" : ""));
  CHECK(module->constants == 14);

  const Declaration* add_comm = find(*module, "Nat.add_comm");
  REQUIRE(add_comm);
  CHECK(add_comm->kind == "theorem");
  CHECK(add_comm->module == "Some.Module");
  CHECK(add_comm->conclusion == "Eq");
  CHECK(add_comm->constants == std::vector<std::string>{"Nat", "Eq", "HAdd.hAdd", "instHAdd", "instAddNat"});
  CHECK(add_comm->signature == "(n m : Nat) : n + m = m + n");
  CHECK(add_comm->approximate);
  CHECK(add_comm->statement ==
        "<Nat> <Nat> : (Eq Nat (HAdd.hAdd _ _ Nat _ #0 #1) (HAdd.hAdd _ _ Nat _ #1 #0))");
  CHECK_FALSE(add_comm->generated);

  const Declaration* succ = find(*module, "Nat.succ");
  REQUIRE(succ);
  CHECK(succ->kind == "constructor");
  CHECK(succ->docstring == "The next ⟨number⟩.");
  CHECK(succ->line == 8);
  CHECK(succ->column == 5);

  CHECK(find(*module, "Nat")->kind == "inductive");
  CHECK(find(*module, "Nat.rec")->generated);
  CHECK(find(*module, "Nat.casesOn")->generated);
  CHECK(find(*module, "Nat.secret")->is_private);
  CHECK(find(*module, "Nat.match_of")->deprecated);
  CHECK(find(*module, "x₁.instAddNat")->kind == "instance");
  CHECK(find(*module, "propext")->kind == "axiom");
  CHECK(find(*module, "«a b»")->signature == "{α : Type} : List α → List α");
  CHECK_FALSE(find(*module, "«a b»")->generated);
  CHECK(find(*module, "«term_+_»")->generated);
  CHECK_FALSE(find(*module, "Nat.match_1"));
  CHECK_FALSE(find(*module, "Nat.add_comm._proof_1"));
}

TEST_CASE("the printer hides what is not explicit, where it knows", "[index][olean]") {
  OleanWriter w(8, 2);
  const Ref nat = w.constant("Nat");
  const Ref twice = w.app(w.constant("List.map"), {nat, nat, w.constant("Nat.succ"), w.constant("l")});
  const std::string bytes =
      w.module({}, {w.constant_info(2, "t", w.app(w.constant("Eq"), {nat, twice, twice}))}, {});
  CHECK(read_bytes(bytes)->declarations.at(0).signature ==
        ": List.map Nat Nat Nat.succ l = List.map Nat Nat Nat.succ l");
  CHECK(read_bytes(bytes, {{"List.map", "iiee"}})->declarations.at(0).signature ==
        ": List.map Nat.succ l = List.map Nat.succ l");

  OleanWriter defining(4, 2);
  const Ref type = defining.forall(
      "α", defining.type(), defining.forall("l", defining.bvar(0), defining.type(), OleanWriter::Instance, 1),
      OleanWriter::Implicit);
  const std::string defined = defining.module({}, {defining.constant_info(1, "f", type)}, {});
  const std::string_view part = defined;
  BinderTable table;
  REQUIRE(read_binders(std::span(&part, 1), table));
  CHECK(table == BinderTable{{"f", "ic"}});
}

TEST_CASE("later parts of an .olean add to the first", "[index][olean]") {
  OleanWriter exported(4, 2, 0x10000000);
  const std::string first = exported.module({}, {exported.constant_info(0, "a", exported.prop())}, {});
  // The second says what the axiom was by its own copy of the constant: the names of the first cannot be
  // written here.
  OleanWriter server(4, 2, 0x10010000);
  const std::string second = server.module({}, {server.constant_info(1, "b", server.prop())}, {});
  const std::vector<std::string_view> parts{first, second};
  const auto module = read_olean(parts, "M");
  REQUIRE(module);
  CHECK(module->declarations.size() == 2);
  const std::vector<std::string_view> overlapping{first, first};
  CHECK(read_olean(overlapping, "M").error().kind == ErrorKind::Internal);
}

TEST_CASE("an .olean of an unknown version is not supported", "[index][olean]") {
  OleanWriter writer(8, 2);
  std::string bytes = small_module(writer);
  bytes[5] = '\x03';
  const auto module = read_bytes(bytes);
  REQUIRE_FALSE(module);
  CHECK(module.error().kind == ErrorKind::NotSupported);
  CHECK(module.error().message.find("version 3") != std::string::npos);
}

TEST_CASE("a damaged .olean is an error and no crash", "[index][olean]") {
  const unsigned width = GENERATE(4U, 8U);
  OleanWriter writer(width, 2);
  const std::string whole = small_module(writer);
  CHECK_FALSE(read_bytes(""));
  CHECK_FALSE(read_bytes("olean"));
  CHECK_FALSE(read_bytes("oleaf" + whole.substr(5)));
  for (std::size_t size = 0; size < whole.size(); ++size) CHECK_FALSE(read_bytes(whole.substr(0, size)));
  std::mt19937 random(20260101);
  std::size_t errors = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = whole;
    for (int i = 0; i < 3; ++i) bytes[80 + random() % (bytes.size() - 80)] = static_cast<char>(random());
    if (!read_bytes(bytes)) ++errors;
  }
  CHECK(errors > 100);
}

TEST_CASE("an .olean that goes in circles or multiplies is refused or cut", "[index][olean]") {
  OleanWriter w(8, 2);
  // 40 doublings: a trillion nodes as a tree.
  Ref wide = w.constant("Nat");
  for (int i = 0; i < 40; ++i) wide = w.app(w.constant("Prod"), {wide, wide});
  Ref deep = w.constant("Nat");
  for (int i = 0; i < 20000; ++i) deep = w.app(w.constant("f"), {deep});
  std::string bytes = w.module({}, {w.constant_info(2, "wide", wide), w.constant_info(2, "deep", deep)}, {});
  const auto module = read_bytes(bytes);
  REQUIRE(module);
  CHECK(module->declarations.at(0).signature.empty());
  CHECK_FALSE(module->declarations.at(0).approximate);
  CHECK(module->declarations.at(0).constants == std::vector<std::string>{"Prod", "Nat"});
  CHECK(module->declarations.at(1).signature.empty());

  // The application whose function is itself.
  OleanWriter circle(8, 2);
  const Ref loop = circle.app(circle.constant("f"), {circle.number(0)});
  bytes = circle.module({}, {circle.constant_info(2, "loop", loop)}, {});
  const std::size_t function_at = loop - 0x40000000 + 8;
  for (unsigned i = 0; i < 8; ++i) bytes[function_at + i] = static_cast<char>(loop >> (8 * i));
  read_bytes(bytes);  // it must return
}
