#include "core/base/json_struct.hpp"

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
    return {wire::field<&Place::file>(), wire::field<&Place::line>("From 1").with_default().at_least(1)};
  }
};

struct Tree {
  std::string name;
  std::vector<Tree> children;

  static wire::Fields fields() { return wire::fields<&Tree::name, &Tree::children>(); }
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
            wire::field<&All::flag>(),
            wire::field<&All::number>(),
            wire::field<&All::maybe>(),
            wire::field<&All::null_or_text>(),
            wire::field<&All::both>(),
            wire::field<&All::colour>().with_default(),
            wire::field<&All::pairs>(),
            wire::field<&All::map>(),
            wire::field<&All::any>(),
            wire::field<&All::either>().unlisted()};
  }
};

struct Note {
  std::string text;
  bool noise = false;

  bool is_noise() const { return noise; }
  static wire::Fields fields() { return {wire::field<&Note::text>().omit_empty()}; }
};

struct Part {
  bool partial = false;
  bool timed_out = false;

  static wire::Fields fields() {
    return {wire::field<&Part::partial>().omit_empty(), wire::field<&Part::timed_out>().omit_empty()};
  }
};

struct Answer {
  wire::Nullable<std::string> type;
  int warnings = 0;
  std::vector<Note> notes;
  std::optional<bool> maybe;
  wire::Nullable<bool> known;
  bool complete = true;
  int total = 0;
  bool truncated = false;
  std::string echo = "asked";
  Note note;
  Part part;

  static wire::Fields fields() {
    return {wire::field<&Answer::type>().omit_empty(),
            wire::field<&Answer::warnings>().omit_empty(),
            wire::field<&Answer::notes>(),
            wire::field<&Answer::maybe>(),
            wire::field<&Answer::known>().omit_value(false),
            wire::field<&Answer::complete>().omit_value(true),
            wire::field<&Answer::total>().only_if<&Answer::truncated>(),
            wire::field<&Answer::truncated>().omit_empty(),
            wire::field<&Answer::echo>().only_full(),
            wire::field<&Answer::note>().omit_empty(),
            wire::flatten<&Answer::part>()};
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

TEST_CASE("json_struct: a brief object has no members that say nothing; a full one has all") {
  const auto brief = [](const Answer& answer) { return wire::write(answer, wire::Detail::Brief); };
  Answer answer;
  answer.known = false;
  CHECK(brief(answer) == json::parse(R"({"notes": []})"));
  CHECK(
      wire::write(answer) ==
      json::parse(R"({"type": null, "warnings": 0, "notes": [], "known": false, "complete": true, "total": 0,
      "truncated": false, "echo": "asked", "note": {"text": ""}, "partial": false, "timed_out": false})"));
  answer.known = {};
  answer.type = std::string("Nat");
  answer.warnings = 2;
  answer.maybe = false;
  answer.complete = false;
  answer.total = 7;
  answer.truncated = true;
  answer.note.text = "x";
  answer.part = {true, true};
  CHECK(brief(answer) ==
        json::parse(R"({"type": "Nat", "warnings": 2, "notes": [], "maybe": false, "known": null,
      "complete": false, "total": 7, "truncated": true, "note": {"text": "x"}, "partial": true, "timed_out": true})"));
}

TEST_CASE("json_struct: a brief list has no noise") {
  Answer answer;
  answer.notes = {{"a", false}, {"b", true}, {"", false}};
  CHECK(wire::write(answer, wire::Detail::Brief)["notes"] == json::parse(R"([{"text": "a"}, {}])"));
  CHECK(wire::write(answer)["notes"].size() == 3);
}

TEST_CASE("json_struct: what a brief object may lack is not always present") {
  std::vector<std::string> always;
  for (const wire::Field* field : wire::members_of(wire::fields_of<Answer>()))
    if (field->always_present()) always.emplace_back(field->name);
  CHECK(always == std::vector<std::string>{"notes"});
}

TEST_CASE("json_struct: members are required unless they are optional or have a default") {
  std::vector<std::string> required, listed;
  for (const wire::Field* field : wire::members_of(wire::fields_of<All>())) {
    if (field->required) required.emplace_back(field->name);
    if (field->listed) listed.emplace_back(field->name);
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
