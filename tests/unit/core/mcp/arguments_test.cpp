#include "core/mcp/tool.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::mcp {

using nlohmann::json;

namespace {

enum class Format { Text, Structured };
wire::Names<Format> names_of(Format) {
  return {{Format::Text, "text"}, {Format::Structured, "structured"}};
}

struct Params {
  std::string file_path;
  std::optional<int> column;
  std::optional<double> ratio;
  Format format = Format::Text;
  bool deep = true;
  std::vector<std::string> names;

  static wire::Fields fields() {
    return {wire::field<&Params::file_path>("Which file"), wire::field<&Params::column>().at_least(1),
            wire::field<&Params::ratio>().at_least(0.5),   wire::field<&Params::format>().with_default(),
            wire::field<&Params::deep>().with_default(),   wire::field<&Params::names>().with_default()};
  }
};

struct Answer {
  std::string answer;
  static wire::Fields fields() { return wire::fields<&Answer::answer>(); }
};

Tool tool() {
  Tool tool;
  tool.name = "t";
  tool.title = "Title";
  tool.description = "What it is for.";
  tool.arguments = Params::fields();
  tool.output = Answer::fields();
  return tool;
}

std::optional<double> timeout_in(json given) {
  const auto arguments = check_arguments(tool(), std::move(given));
  if (!arguments) FAIL(arguments.error().message);
  return wire::read<WaitParams>(*arguments).timeout_s;
}
Params accepted(json given) {
  const auto arguments = check_arguments(tool(), std::move(given));
  if (!arguments) FAIL(arguments.error().message);
  return wire::read<Params>(*arguments);
}
/// The refusal's message and hint.
std::string refused(json given) {
  const auto arguments = check_arguments(tool(), std::move(given));
  REQUIRE_FALSE(arguments.has_value());
  CHECK(arguments.error().kind == ErrorKind::InvalidArgument);
  return arguments.error().message + " | " + arguments.error().hint;
}
bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("what weak models write is taken for what is meant", "[mcp]") {
  const Params params = accepted({{"file_path", "A.lean"},
                                  {"column", ""},
                                  {"ratio", ""},
                                  {"format", ""},
                                  {"deep", "False"},
                                  {"names", "[\"a\", \"b\"]"},
                                  {"timeout_s", ""}});
  CHECK_FALSE(params.column);
  CHECK_FALSE(params.ratio);
  CHECK(params.format == Format::Text);
  CHECK_FALSE(params.deep);
  CHECK(params.names == std::vector<std::string>{"a", "b"});
  CHECK(accepted({{"file_path", "A.lean"}, {"deep", ""}, {"names", ""}}).deep);
  CHECK(accepted({{"file_path", "A.lean"}, {"deep", "TRUE"}}).deep);
  CHECK(accepted({{"file_path", ""}}).file_path.empty());  // a text may be empty
  CHECK(contains(refused({{"file_path", "A.lean"}, {"names", "[1, 2]"}}), "must be an array of strings"));
  CHECK(contains(refused({{"file_path", "A.lean"}, {"names", "a"}}), "must be an array of strings"));
  CHECK(contains(refused({{"file_path", "A.lean"}, {"deep", "no"}}), "must be a boolean"));
}

TEST_CASE("arguments of every type", "[mcp]") {
  const json given = {{"file_path", "A.lean"},  {"column", 3},   {"ratio", 0.5},
                      {"format", "structured"}, {"deep", false}, {"names", {"a", "b"}},
                      {"timeout_s", 2.5}};
  const Params params = accepted(given);
  CHECK(params.file_path == "A.lean");
  CHECK(params.column == 3);
  CHECK(params.ratio == 0.5);
  CHECK(params.format == Format::Structured);
  CHECK_FALSE(params.deep);
  CHECK(params.names == std::vector<std::string>{"a", "b"});
  CHECK(timeout_in(given) == 2.5);
}

TEST_CASE("optional arguments may be left out or null", "[mcp]") {
  for (const json& given : {json{{"file_path", "A"}}, json{{"file_path", "A"},
                                                           {"column", nullptr},
                                                           {"format", nullptr},
                                                           {"deep", nullptr},
                                                           {"names", nullptr},
                                                           {"ratio", nullptr},
                                                           {"timeout_s", nullptr}}}) {
    const Params params = accepted(given);
    CHECK_FALSE(params.column.has_value());
    CHECK(params.format == Format::Text);
    CHECK(params.deep);
    CHECK(params.names.empty());
    CHECK_FALSE(timeout_in(given).has_value());
  }
}

TEST_CASE("required arguments may not", "[mcp]") {
  CHECK(contains(refused(json::object()), "'file_path' is missing. | file_path: Which file."));
  CHECK(contains(refused({{"file_path", nullptr}}), "'file_path' must be a string, not null"));
}

TEST_CASE("aliases stand for the argument that the tool has", "[mcp]") {
  const Params params = accepted({{"file", "A"}, {"col", 2}});
  CHECK(params.file_path == "A");
  CHECK(params.column == 2);
  CHECK(
      contains(refused({{"file", "A"}, {"file_path", "B"}}), "'file' and 'file_path' are the same argument"));
  Tool other = tool();
  other.arguments.erase(other.arguments.begin() + 1);
  CHECK_FALSE(check_arguments(other, {{"file", "A"}, {"col", 2}}).has_value());
}

TEST_CASE("unknown arguments are named, with those there are", "[mcp]") {
  const std::string refusal = refused({{"file_path", "A"}, {"colum", 1}});
  CHECK(contains(refusal, "unknown argument 'colum'"));
  CHECK(contains(refusal, "file_path, column, ratio, format, deep, names, timeout_s, verbose"));
  Tool quick = tool();
  quick.waits = false;
  CHECK_FALSE(check_arguments(quick, {{"file_path", "A"}, {"timeout_s", 1}}).has_value());
}

TEST_CASE("an unknown argument: what is probably meant", "[mcp]") {
  CHECK(contains(refused({{"file_path", "A"}, {"colum", 1}}),
                 "| Did you mean column? Its arguments are: file_path"));
  CHECK(contains(refused({{"path", "A"}}), "| Did you mean file_path?"));
  CHECK(contains(refused({{"file_path", "A"}, {"theorem_name", "x"}}), "| Its arguments are"));
  Tool attempts = tool();
  attempts.arguments.push_back(wire::named_field<&Params::names>("snippets"));
  const auto wrong = check_arguments(attempts, {{"file_path", "A"}, {"tactics", {"simp"}}});
  REQUIRE_FALSE(wrong);
  CHECK(contains(wrong.error().hint, "Did you mean snippets?"));
}

TEST_CASE("numbers and truth values may be written as texts", "[mcp]") {
  const Params params = accepted({{"file_path", "7"}, {"column", "7"}, {"ratio", "0.75"}, {"deep", "false"}});
  CHECK(params.file_path == "7");
  CHECK(params.column == 7);
  CHECK(params.ratio == 0.75);
  CHECK_FALSE(params.deep);
  CHECK(timeout_in({{"file_path", "A"}, {"timeout_s", "2.5"}}) == 2.5);
  CHECK(contains(refused({{"file_path", "A"}, {"column", "0"}}), "at least 1, not 0."));
  for (const char* text : {" 7", "7 ", "seven", "7.5", "nan", "inf", "1e300", "0x7", "+7"})
    CHECK(contains(refused({{"file_path", "A"}, {"column", text}}), "'column' must be an integer"));
  CHECK(contains(refused({{"file_path", "A"}, {"deep", "yes"}}), "a boolean"));
}

TEST_CASE("wrong types are named, with the right one", "[mcp]") {
  CHECK(contains(refused({{"file_path", 7}}), "'file_path' must be a string, not 7."));
  CHECK(contains(refused({{"file_path", "A"}, {"column", "7th"}}),
                 "'column' must be an integer, not \"7th\"."));
  CHECK(contains(refused({{"file_path", "A"}, {"column", 1.5}}), "an integer"));
  CHECK(contains(refused({{"file_path", "A"}, {"column", true}}), "an integer"));
  CHECK(contains(refused({{"file_path", "A"}, {"ratio", "x"}}), "a number"));
  CHECK(contains(refused({{"file_path", "A"}, {"deep", 1}}), "a boolean"));
  CHECK(contains(refused({{"file_path", "A"}, {"names", {"a", 1}}}), "an array of strings"));
  CHECK(contains(refused({{"file_path", "A"}, {"names", "a"}}), "an array of strings"));
  CHECK(contains(refused({{"file_path", json::object()}}), "a string, not {}"));
  CHECK(refused({{"file_path", std::vector<std::string>(1000, "long")}}).size() < 300);
}

TEST_CASE("integers: whole numbers in the range of int", "[mcp]") {
  CHECK(accepted({{"file_path", "A"}, {"column", 3.0}}).column == 3);
  CHECK(accepted({{"file_path", "A"}, {"column", 2147483647}}).column == 2147483647);
  for (const json& wrong : {json(2147483648), json(-2147483649), json(1e300), json(18446744073709551615u)})
    CHECK(contains(refused({{"file_path", "A"}, {"column", wrong}}), "an integer"));
}

TEST_CASE("minima and choices", "[mcp]") {
  CHECK(contains(refused({{"file_path", "A"}, {"column", 0}}), "'column' must be at least 1, not 0."));
  CHECK(contains(refused({{"file_path", "A"}, {"column", -5}}), "at least 1"));
  CHECK(contains(refused({{"file_path", "A"}, {"ratio", 0.25}}), "at least 0.5"));
  const std::string negative = refused({{"file_path", "A"}, {"timeout_s", -1}});
  CHECK(contains(negative, "at least 0"));
  CHECK_FALSE(contains(negative, "columns"));
  CHECK(contains(refused({{"file_path", "A"}, {"format", "json"}}),
                 "'format' cannot be \"json\". | Pass one of: text, structured."));
}

TEST_CASE("a time-out without end is a day", "[mcp]") {
  CHECK(timeout_in({{"file_path", "A"}, {"timeout_s", 1e308}}) == 86400);
  CHECK(timeout_in({{"file_path", "A"}, {"timeout_s", 0}}) == 0);
}

TEST_CASE("every tool takes verbose: the whole answer, with texts above the budget", "[mcp]") {
  Tool quick = tool();
  quick.waits = false;
  const auto call = [&](json given) {
    const auto arguments = check_arguments(quick, std::move(given));
    REQUIRE(arguments);
    return new_call(*arguments, {5, 600});
  };
  const auto plain = call({{"file_path", "A"}}), whole = call({{"file_path", "A"}, {"verbose", true}});
  CHECK(plain->detail == wire::Detail::Brief);
  CHECK(plain->text_budget == 600);
  CHECK(whole->detail == wire::Detail::Full);
  CHECK(whole->text_budget == 0);
  CHECK_FALSE(whole->has_timeout);
  CHECK(whole->scope.deadline > io::Clock::now());
  CHECK(whole->scope.deadline < io::Clock::now() + std::chrono::seconds(6));
}

TEST_CASE("the output schema requires only what a brief answer has", "[mcp]") {
  Tool one = tool();
  one.output.push_back(wire::named_field<&Answer::answer>("echo").only_full());
  one.output.push_back(wire::named_field<&Answer::answer>("reason").omit_empty());
  const json output = describe(one)["outputSchema"];
  CHECK(output["required"] == json::array({"answer"}));
  CHECK(output["properties"].size() == 3);
}

TEST_CASE("the schema shows defaults that say something", "[mcp]") {
  Tool one = tool();
  one.defaults = wire::write(Params());
  one.defaults["ratio"] = 60.0;
  const json properties = describe(one)["inputSchema"]["properties"];
  CHECK(properties["deep"]["default"] == true);
  CHECK(properties["ratio"]["default"].dump() == "60");
  for (const char* name : {"file_path", "column", "format", "names"})
    CHECK_FALSE(properties[name].contains("default"));
}

TEST_CASE("describe() gives a flat schema of what the check accepts", "[mcp]") {
  const json described = describe(tool());
  CHECK(described["name"] == "t");
  CHECK(described["title"] == "Title");
  CHECK(described["description"] == "What it is for.");
  const json& input = described["inputSchema"];
  CHECK(input["type"] == "object");
  CHECK_FALSE(input.contains("additionalProperties"));
  CHECK_FALSE(input["properties"].contains("verbose"));
  CHECK(input["required"] == json::array({"file_path"}));
  CHECK(input["properties"]["file_path"] == json({{"type", "string"}, {"description", "Which file"}}));
  CHECK(input["properties"]["column"] == json({{"type", "integer"}}));
  CHECK(input["properties"]["ratio"] == json({{"type", "number"}}));
  CHECK(input["properties"]["format"]["enum"] == json::array({"text", "structured"}));
  CHECK(input["properties"]["names"] == json({{"type", "array"}, {"items", {{"type", "string"}}}}));
  CHECK_FALSE(input["properties"].contains("timeout_s"));
  Tool slow = tool();
  slow.shows_timeout = true;
  CHECK(describe(slow)["inputSchema"]["properties"]["timeout_s"] == json({{"type", "number"}}));
  const std::string text = input.dump();
  for (const char* word : {"anyOf", "oneOf", "allOf", "$ref", "\"file\"", "\"col\""})
    CHECK_FALSE(contains(text, word));
  CHECK(described["outputSchema"]["type"] == "object");
  CHECK(described["outputSchema"]["properties"]["answer"]["type"] == "string");
  CHECK(described["annotations"] == json({{"readOnlyHint", true},
                                          {"destructiveHint", false},
                                          {"idempotentHint", true},
                                          {"openWorldHint", false}}));
}

TEST_CASE("A tool that runs the caller's text says so, whatever else it says of itself", "[mcp]") {
  Tool tool;
  tool.name = "t";
  tool.annotations.read_only = true;
  tool.caller_code = true;
  CHECK(describe(tool)["annotations"] == json({{"readOnlyHint", false},
                                               {"destructiveHint", true},
                                               {"idempotentHint", false},
                                               {"openWorldHint", true}}));
}

TEST_CASE("describe() of a tool without arguments", "[mcp]") {
  Tool bare;
  bare.name = "bare";
  bare.waits = false;
  CHECK(describe(bare)["inputSchema"] == json({{"type", "object"}, {"properties", json::object()}}));
  CHECK(check_arguments(bare, json::object()).has_value());
  CHECK_FALSE(check_arguments(bare, {{"file", "x"}}).has_value());
}

namespace {

struct GoalPlace {
  std::string file_path;
  int line = 1;
  std::optional<int> column;

  static wire::Fields fields() {
    return {wire::field<&GoalPlace::file_path>("Which file"),
            wire::field<&GoalPlace::line>("Line").at_least(1), wire::field<&GoalPlace::column>().at_least(1)};
  }
};

struct GoalParams {
  std::optional<GoalPlace> goal_at;
  static wire::Fields fields() { return {wire::field<&GoalParams::goal_at>("A place")}; }
};

struct ListParams {
  std::vector<std::map<std::string, json>> items;

  static wire::Fields fields() { return wire::fields<&ListParams::items>(); }
};

}  // namespace

TEST_CASE("a list of objects is called that when its members are none", "[mcp]") {
  Tool with_list;
  with_list.name = "t";
  with_list.arguments = ListParams::fields();
  CHECK(check_arguments(with_list, {{"items", {{{"code", "x"}}}}}));
  const auto refusal = check_arguments(with_list, {{"items", {"x"}}});
  REQUIRE_FALSE(refusal);
  CHECK(contains(refusal.error().message, "'items' must be an array of objects, not [\"x\"]."));
}

TEST_CASE("an object is checked like the whole: types, unknown and missing members, aliases", "[mcp]") {
  Tool with_place;
  with_place.name = "t";
  with_place.arguments = GoalParams::fields();
  const auto arguments =
      check_arguments(with_place, {{"goal_at", {{"file", "A.lean"}, {"line", 3}, {"col", nullptr}}}});
  REQUIRE(arguments);
  const auto place = wire::read<GoalParams>(*arguments).goal_at;
  REQUIRE(place);
  CHECK(place->file_path == "A.lean");
  CHECK(place->line == 3);
  CHECK_FALSE(place->column);
  const auto [given, part] = GENERATE(table<json, std::string>({
      {json{{"goal_at", "A.lean:3"}}, "'goal_at' must be an object"},
      {json{{"goal_at", {{"file_path", "A"}}}}, "'goal_at.line' is missing"},
      {json{{"goal_at", {{"file_path", "A"}, {"line", 0}}}}, "'goal_at.line' must be at least 1"},
      {json{{"goal_at", {{"file_path", "A"}, {"line", 1}, {"row", 1}}}}, "unknown argument 'goal_at.row'"},
      {json{{"goal_at", {{"file_path", "A"}, {"file", "B"}, {"line", 1}}}}, "same argument"},
  }));
  const auto refusal = check_arguments(with_place, given);
  REQUIRE_FALSE(refusal);
  CHECK(contains(refusal.error().message, part));
  const json input = describe(with_place)["inputSchema"]["properties"]["goal_at"];
  CHECK(input["type"] == "object");
  CHECK(input["required"] == json({"file_path", "line"}));
  CHECK(input["properties"]["line"]["type"] == "integer");
}

TEST_CASE("a number of 309 digits is an error that says so", "[mcp][arguments]") {
  const std::string digits(309, '9');
  // A double holds a number of 309 digits, too, if the first is 1.
  for (const std::string& text : {digits, std::string(309, '1')})
    CHECK(check_arguments(tool(), {{"file_path", "A"}, {"column", text}}).error().message ==
          "t: argument 'column' must be an integer, not \"[a number of 309 digits]\".");
  const auto object = arguments_from_words(tool(), {R"({"column": -)" + digits + "}"});
  CHECK(object.error().message == "t: '{\"column\": -[a number of 309 digits]}' is not a JSON object.");
}

}  // namespace leanbridge::mcp
