// The help of a command line of our own, and what a person sees of answers and reports.

#include "core/program/help/help.hpp"

#include "core/program/answer_text.hpp"
#include "core/program/documents.hpp"
#include "core/program/place_word.hpp"
#include "core/program/usage_hint.hpp"
#include "core/terminal/cells.hpp"
#include <CLI/CLI.hpp>
#include <catch2/catch.hpp>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace leanbridge::app {

using nlohmann::json;

namespace {

struct SomeCommands {
  CLI::App app{"A program", "leanbridge"};
  int jobs = 1;
  std::string level, file;
  std::vector<std::string> inputs;

  SomeCommands() {
    app.add_option("--log-level", level, "How much")->check(CLI::IsMember({"debug", "info"}));
    CLI::App* check = app.add_subcommand("check", "Check all");
    check->footer("  leanbridge check A   one\n  leanbridge check A B\n\nExit status: 0.");
    check->add_option("INPUT", inputs, "Files or folders, as many as there are, of whatever size")
        ->required();
    check->add_option("--jobs", jobs, "Workers")->check(CLI::Range(1, 64));
    check->add_option("--junit", file, "A report")->type_name("FILE");
    app.add_subcommand("view", "Show a file");
    app.require_subcommand(0, 1);
  }

  std::string complaint(std::vector<std::string> words) {
    const std::vector<std::string> typed = words;
    std::reverse(words.begin(), words.end());
    try {
      app.parse(words);
    } catch (const CLI::ParseError& error) {
      return usage_message(app, error, typed);
    }
    return "";
  }
};

const CLI::App& check_of(const SomeCommands& commands) {
  return *find_command(commands.app, {"check"});
}

}  // namespace

TEST_CASE("help has no ranges, fits the window, and shows examples to copy", "[app][help]") {
  const SomeCommands commands;
  const std::string wide = help_text(check_of(commands), {100, Paint(false)});
  CHECK(wide.find("Usage: leanbridge check [OPTIONS] INPUT...") != std::string::npos);
  CHECK(wide.find("  --jobs N                Workers\n") != std::string::npos);
  CHECK(wide.find("  leanbridge check A    one\n") != std::string::npos);
  CHECK(wide.find(" in [") == std::string::npos);
  CHECK(wide.find("\x1b") == std::string::npos);
  for (const std::size_t width : {std::size_t{30}, std::size_t{40}, std::size_t{60}, std::size_t{80}}) {
    const std::string text = help_text(check_of(commands), {width, Paint(false)});
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      CHECK(cells_of(text.substr(at, end - at)) <= width);
      at = end + 1;
    }
  }
  CHECK(help_text(commands.app, {100, Paint(false)}).find("--log-level debug|info") != std::string::npos);
}

TEST_CASE("the help of the program begins with its commands", "[app][help]") {
  const SomeCommands commands;
  const std::string text = help_text(commands.app, {100, Paint(false)});
  CHECK(text.find("To begin:\n  view") < text.find("Proofs:\n  check"));
  CHECK(text.find("Proofs:") < text.find("Options:"));
  // A program without some of the commands, such as the core alone, has no empty groups.
  CHECK(text.find("Servers:") == std::string::npos);
}

TEST_CASE("help as JSON says how each value is completed", "[app][help]") {
  const SomeCommands commands;
  const json tree = help_json(commands.app);
  CHECK(tree["words"] == json({"leanbridge"}));
  const json& check = tree["commands"][0];
  CHECK(check["usage"] == "leanbridge check [OPTIONS] INPUT...");
  CHECK(check["examples"].dump() == R"([["leanbridge check A","one"],["leanbridge check A B",""]])");
  CHECK(check["notes"] == json({"Exit status: 0."}));
  json kinds = json::object();
  for (const json& each : check["options"]) kinds[each["names"].back().get<std::string>()] = each["kind"];
  CHECK(kinds == json({{"--help", "flag"}, {"--jobs", "number"}, {"--junit", "file"}}));
  CHECK(tree["options"][1]["choices"] == json({"debug", "info"}));
}

TEST_CASE("misspelt words are named in the order they were typed", "[app][help]") {
  CHECK(SomeCommands().complaint({"chekc", "--log-levle", "x", "A"}) ==
        "leanbridge: There is no command chekc. Did you mean check?\n"
        "leanbridge: There is no option --log-levle. Did you mean --log-level?\n"
        "Run `leanbridge help check`.\n");
  CHECK(SomeCommands().complaint({"check", "A", "--jbos", "--junti"}) ==
        "leanbridge: There is no option --jbos. Did you mean --jobs?\n"
        "leanbridge: There is no option --junti. Did you mean --junit?\n"
        "Run `leanbridge help check`.\n");
  CHECK(SomeCommands().complaint({"check"}) ==
        "leanbridge check: INPUT is required.\nRun `leanbridge help check`.\n");
  CHECK(SomeCommands().complaint({"lean_goal", "A.lean"}).find("leanbridge call lean_goal") !=
        std::string::npos);
}

TEST_CASE("a document is named where a reader finds it", "[app][help]") {
  const std::filesystem::path prefix =
      std::filesystem::temp_directory_path() / ("leanbridge-documents-" + std::to_string(::getpid()));
  const auto docs = prefix / "share/doc/leanbridge/docs";
  std::filesystem::create_directories(docs);
  std::ofstream(docs / "search.md") << "x";
  const std::string here = (docs / "search.md").string();
  for (const char* folder : {"bin", "lib/leanbridge"})
    CHECK(with_documents("See docs/search.md.", prefix / folder, "https://a.b/c") == "See " + here + ".");
  CHECK(with_documents("docs/none.md", prefix / "bin", "https://a.b/c").starts_with("https://a.b/c/blob/v"));
  CHECK(with_documents("(docs/none.md)", prefix / "bin", "") == "(docs/none.md of its sources)");
  for (const char* same : {"a/docs/search.md", "docs/Search.md", "docs/", "docs of it"})
    CHECK(with_documents(same, prefix / "bin", "https://a.b/c") == same);
  std::filesystem::remove_all(prefix);
}

TEST_CASE("FILE:LINE:COLUMN", "[app][help]") {
  const PlaceWord place = read_place_word("No.lean:12:5");
  CHECK(place.file == "No.lean");
  CHECK(place.line == 12);
  CHECK(place.column == 5);
  CHECK(read_place_word("No.lean:12").column == std::nullopt);
  CHECK(read_place_word("No.lean").line == std::nullopt);
  CHECK(read_place_word("a:0").file == "a:0");
  CHECK(read_place_word("a:x:3").file == "a:x");
}

TEST_CASE("a number that is no line is said to be that, wherever it stands", "[app][help]") {
  const std::string digits(309, '1');
  const std::string fault = "There is no line or column [a number of 309 digits].";
  for (const std::string& word : {"No.lean:" + digits, "No.lean:1:" + digits, "No.lean:" + digits + ":1"}) {
    CHECK(read_place_word(word).fault == fault);
    CHECK(read_place_word(word).line == std::nullopt);
  }
  CHECK(read_place_word("a:0").fault == "There is no line or column 0.");
  CHECK(read_place_word("a:1000000001").fault == "There is no line or column 1000000001.");
  for (const char* word : {"a:x:3", "a:3:4", "a:1000000000", "a", "a:", "a:x", "a:-1"})
    CHECK(read_place_word(word).fault.empty());
}

TEST_CASE("an answer as text: short members on a line, texts and messages as blocks", "[app][help]") {
  const json answer = {
      {"state", "error"},
      {"success", false},
      {"nothing", nullptr},
      {"goals", {"n : Nat\n⊢ n = n", "⊢ True"}},
      {"items", {{{"line", 3}, {"column", 5}, {"severity", "error"}, {"message", "no\x1b[2J\ngoals"}}}},
      {"names", {"a", "b"}}};
  CHECK(answer_text(answer, {}, 60, Paint(false)) ==
        "goals:\n  n : Nat\n  ⊢ n = n\n  ⊢ True\n"
        "items:\n  3:5 error\n    no\n    goals\n"
        "names: a, b\nstate: error\nsuccess: no\n");
}

namespace {

struct Tried {
  std::string snippet = "simp";
  bool closes = true;
  static wire::Fields fields() { return wire::fields<&Tried::snippet, &Tried::closes>(); }
};
struct AllTried {
  std::vector<Tried> items{{}, {}};
  bool all = true;
  static wire::Fields fields() { return wire::fields<&AllTried::items, &AllTried::all>(); }
};

}  // namespace

TEST_CASE("an answer as text has its members in the order of the tool, inside of lists, too", "[app][help]") {
  CHECK(answer_text(wire::write(AllTried()), AllTried::fields(), 60, Paint(false)) ==
        "items:\n  snippet simp, closes yes\n  snippet simp, closes yes\nall: yes\n");
  CHECK(answer_text({{"items", {{{"message", 7}, {"line", 2}}}}}, {}, 60, Paint(false)) ==
        "items:\n  2 message 7\n");
}

TEST_CASE("an option without its value is said to need one", "[app][help]") {
  CHECK(SomeCommands().complaint({"check", "A", "--jobs"}) ==
        "leanbridge check: --jobs needs a value.\nRun `leanbridge help check`.\n");
}

TEST_CASE("wrong values are answered in our words", "[app][help]") {
  const auto first = [](std::vector<std::string> words) {
    const std::string text = SomeCommands().complaint(std::move(words));
    return text.substr(0, text.find('\n'));
  };
  CHECK(first({"check", "A", "--jobs", "two"}) ==
        "leanbridge check: --jobs takes a number from 1 to 64, not 'two'.");
  CHECK(first({"--log-level", "loud", "view"}) ==
        "leanbridge view: --log-level takes one of debug, info, not 'loud'.");
}

TEST_CASE("seconds, flags, surplus words and missing commands are answered in our words", "[app][help]") {
  const auto first = [](std::vector<std::string> words) {
    SomeCommands commands;
    double seconds = 1;
    bool offline = false;
    int port = 0;
    std::vector<std::string> revisions;
    commands.app.add_option("--timeout", seconds)->check(CLI::Range(0.1, 86400.0));
    commands.app.add_flag("--offline", offline);
    commands.app.add_option("--port", port);
    commands.app.add_subcommand("diff")->add_option("REVISION", revisions)->expected(0, 2);
    CLI::App* index = commands.app.add_subcommand("index");
    index->require_subcommand(1);
    index->add_subcommand("build");
    index->add_subcommand("status");
    const std::string text = commands.complaint(std::move(words));
    return text.substr(0, text.find('\n'));
  };
  CHECK(first({"--timeout", "-1", "view"}) ==
        "leanbridge view: --timeout takes a number from 0.1 to 86400, not '-1'.");
  CHECK(first({"--port", "many", "view"}) == "leanbridge view: --port does not take 'many'.");
  CHECK(first({"--offline=maybe", "view"}) == "leanbridge view: --offline does not take 'maybe'.");
  CHECK(first({"diff", "a", "b", "c"}) == "leanbridge diff: REVISION takes at most 2 values, not 3.");
  CHECK(first({"index"}) == "leanbridge index: a command is missing: build or status.");
}

TEST_CASE("the overview has a line for each command, shortened to fit the window", "[app][help]") {
  SomeCommands commands;
  commands.app.add_subcommand(
      "goal", "Show the goals at a place: all of them, more than fits into one line of this window");
  const std::string text = overview_text(commands.app, {80, Paint(false)});
  CHECK(text ==
        "leanbridge: a live Lean 4 proof session for AI agents, over MCP.\n"
        "  To begin  view     Show a file\n"
        "  Proofs    goal     Show the goals at a place\n"
        "            check    Check all\n\n"
        "leanbridge help NAME explains a command or a tool; --help has all options too.\n");
  CHECK(overview_text(commands.app, {120, Paint(false)}).find("of this window") != std::string::npos);
  CHECK(overview_text(commands.app, {80, Paint(false)}).find("Options:") == std::string::npos);
}

TEST_CASE("a number that is too long to repeat is said to be that", "[app][help]") {
  const std::string digits(309, '9');
  CHECK(SomeCommands().complaint({"check", "A", "--jobs", digits}) ==
        "leanbridge check: --jobs takes a number from 1 to 64, not '[a number of 309 digits]'.\n"
        "Run `leanbridge help check`.\n");
}

}  // namespace leanbridge::app
