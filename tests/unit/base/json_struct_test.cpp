#include "leanbridge/base/json_struct.hpp"

#include <catch2/catch.hpp>

namespace leanbridge {

using nlohmann::json;

namespace {

enum class Colour { Red, Blue };
wire::Names<Colour> names_of(Colour) {
  return {{Colour::Red, "red"}, {Colour::Blue, "blue"}};
}

struct Place {
  std::string file;
  int line = 1;

  static wire::Fields fields() {
    return {wire::field<&Place::file>("file"),
            wire::field<&Place::line>("line", "From 1").with_default().at_least(1)};
  }
};

struct Tree {
  std::string name;
  std::vector<Tree> children;

  static wire::Fields fields() {
    return {wire::field<&Tree::name>("name"), wire::field<&Tree::children>("children")};
  }
};

struct All {
  Place at;
  bool flag = false;
  double number = 0;
  std::optional<int> maybe;
  wire::Nullable<std::string> null_or_text;
  std::optional<wire::Nullable<std::vector<std::string>>> both;
  Colour colour = Colour::Blue;
  std::vector<std::array<int, 2>> pairs;
  std::map<std::string, int> map;
  json any;
  std::variant<std::string, Tree> either;

  static wire::Fields fields() {
    return {wire::flatten<&All::at>(),
            wire::field<&All::flag>("flag"),
            wire::field<&All::number>("number"),
            wire::field<&All::maybe>("maybe"),
            wire::field<&All::null_or_text>("null_or_text"),
            wire::field<&All::both>("both"),
            wire::field<&All::colour>("colour").with_default(),
            wire::field<&All::pairs>("pairs"),
            wire::field<&All::map>("map"),
            wire::field<&All::any>("any"),
            wire::field<&All::either>("either").unlisted()};
  }
};

}  // namespace

TEST_CASE(
    "json_struct: an empty optional is absent, an empty Nullable is null, members of a part stand beside the "
    "others") {
  CHECK(wire::write(All()) ==
        json::parse(R"({"file": "", "line": 1, "flag": false, "number": 0.0, "null_or_text": null,
      "colour": "blue", "pairs": [], "map": {}, "any": null, "either": ""})"));
  All all;
  all.at = {"A.lean", 3};
  all.maybe = 0;
  all.null_or_text = std::string("text");
  all.both = wire::Nullable<std::vector<std::string>>();
  all.pairs = {{1, 2}};
  all.map["x"] = 1;
  all.any = {{"deep", true}};
  all.either = Tree{"root", {Tree{"leaf", {}}}};
  CHECK(wire::write(all) ==
        json::parse(R"({"file": "A.lean", "line": 3, "flag": false, "number": 0.0, "maybe": 0,
      "null_or_text": "text", "both": null, "colour": "blue", "pairs": [[1, 2]], "map": {"x": 1}, "any": {"deep": true},
      "either": {"name": "root", "children": [{"name": "leaf", "children": []}]}})"));
  all.both = std::vector<std::string>{"a"};
  CHECK(wire::write(all)["both"] == json{"a"});
}

TEST_CASE("json_struct: what is absent keeps the struct's own value") {
  const auto tree =
      wire::read<Tree>(json::parse(R"({"name": "a", "children": [{"name": "b", "children": []}]})"));
  CHECK(tree.children.at(0).name == "b");
  CHECK(wire::read<Place>({{"file", "x"}}).line == 1);
  CHECK(wire::read<Place>({{"file", "x"}, {"line", 4.0}}).line == 4);
  CHECK(wire::read<std::vector<Colour>>({"red", "blue"}) == std::vector{Colour::Red, Colour::Blue});
  CHECK_FALSE(wire::read<wire::Nullable<int>>(nullptr));
  CHECK(*wire::read<std::optional<int>>(3) == 3);
  CHECK_THROWS_AS(wire::read<Place>({{"file", 3}}), json::exception);
}

TEST_CASE("json_struct: members are required unless they are optional or have a default") {
  std::vector<std::string> required, listed;
  for (const wire::Field* field : wire::members_of(wire::fields_of<All>())) {
    if (field->required) required.push_back(field->name);
    if (field->listed) listed.push_back(field->name);
  }
  CHECK(required ==
        std::vector<std::string>{"file", "flag", "number", "null_or_text", "pairs", "map", "any", "either"});
  CHECK(listed.back() == "any");
  CHECK(wire::fields_of<Place>()[1].minimum == 1.0);
}

TEST_CASE("json_struct: the type of a value, seen from outside") {
  const auto fits = [](const auto& of, const json& value) {
    return wire::has_type(value, wire::value_type<std::decay_t<decltype(of)>>());
  };
  CHECK(fits(1, 3));
  CHECK(fits(1, 3.0));
  CHECK_FALSE(fits(1, 3.5));
  CHECK_FALSE(fits(1, 1e12));
  CHECK_FALSE(fits(1, "3"));
  CHECK(fits(1.0, 3.5));
  CHECK(fits(std::vector<std::string>(), json{"a", "b"}));
  CHECK_FALSE(fits(std::vector<std::string>(), json{"a", 1}));
  CHECK_FALSE(fits(std::vector<std::string>(), "a"));
  CHECK(fits(wire::Nullable<int>(), nullptr));
  CHECK_FALSE(fits(std::optional<int>(), nullptr));
  CHECK(fits(Place(), json::object()));
  CHECK_FALSE(fits(true, 1));
  CHECK(wire::value_type<Colour>().choices() == std::vector<std::string>{"red", "blue"});
  CHECK(wire::value_type<std::optional<Colour>>().choices() == std::vector<std::string>{"red", "blue"});
}

}  // namespace leanbridge
