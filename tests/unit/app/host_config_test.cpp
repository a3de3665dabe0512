// Editing the configuration files of hosts: what is written, and that nothing else changes.

#include "app/hosts/config_file.hpp"
#include "app/hosts/config_text.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>
#include <sys/stat.h>

namespace leanbridge::app::hosts {

using nlohmann::json;
using test::TestFolder;

namespace {

const json kEntry = {{"command", "/bin/leanbridge"}, {"args", {"--tools", "core"}}, {"env", {{"A", "1"}}}};
const EntryPath kPath = {"mcpServers", "lean"};
const EntryPath kTomlPath = {"mcp_servers", "lean"};

std::string added(const std::string& text, ConfigFormat format = ConfigFormat::JsonWithComments) {
  return with_entry({"F", format, text}, format == ConfigFormat::Toml ? kTomlPath : kPath, kEntry).value();
}

std::string taken(const std::string& text, ConfigFormat format = ConfigFormat::JsonWithComments) {
  return without_entry({"F", format, text}, format == ConfigFormat::Toml ? kTomlPath : kPath).value();
}

std::string why_refused(const std::string& text, ConfigFormat format, const EntryPath& path) {
  const auto after = with_entry({"F", format, text}, path, kEntry);
  REQUIRE_FALSE(after);
  CHECK(after.error().kind == ErrorKind::InvalidArgument);
  return after.error().message;
}

}  // namespace

TEST_CASE("a new JSON file", "[hosts]") {
  const std::string whole = R"({
  "mcpServers": {
    "lean": {
      "args": ["--tools", "core"],
      "command": "/bin/leanbridge",
      "env": {
        "A": "1"
      }
    }
  }
}
)";
  CHECK(added("") == whole);
  CHECK(added(" \n") == whole);
  CHECK(json_text({{"mcpServers", {{"lean", kEntry}}}}) == whole);
  CHECK(taken(whole).empty());
}

TEST_CASE("an entry comes and goes without a trace", "[hosts]") {
  for (const char* text : {
           "{\n  \"a\": 1\n}\n",
           "{\"a\": 1}",
           "{ \"a\": [1, 2] }\n",
           "{\n  // mine\n  \"a\": {\"b\": \"}\"}, // \"quoted\"\n  /* last, */\n}\n",
           "{\n\t\"mcpServers\": {\n\t\t\"other\": {\"command\": \"x\"} // o\n\t}\n}\n",
           "{\n    \"mcpServers\": {\n        \"other\": {\"command\": \"x\"},\n    },\n    \"z\": 1,\n}",
           "{\"mcpServers\": {\"other\": {\"url\": \"https://x//y\"}}, \"z\": 1}",
           "{\r\n  \"a\": \"\\\"//\"\r\n}\r\n",
           "\xef\xbb\xbf{\n  \"a\": 1\n}\n",
       }) {
    INFO(text);
    const std::string with = added(text);
    CHECK(read_document({"F", ConfigFormat::JsonWithComments, with}).value()["mcpServers"]["lean"] == kEntry);
    CHECK(added(with) == with);
    CHECK(taken(with) == text);
    CHECK(taken(text) == text);
    if (std::string(text).find("\r\n") != std::string::npos) CHECK(with.find("\n\n") == std::string::npos);
  }
}

TEST_CASE("an entry between others, and the file's indentation", "[hosts]") {
  CHECK(added("{\n\t\"mcpServers\": {\n\t\t\"x\": 1 // one\n\t}\n}\n") ==
        "{\n\t\"mcpServers\": {\n\t\t\"x\": 1, // one\n\t\t\"lean\": {\n\t\t\t\"args\": [\"--tools\", "
        "\"core\"],\n"
        "\t\t\t\"command\": \"/bin/leanbridge\",\n\t\t\t\"env\": {\n\t\t\t\t\"A\": "
        "\"1\"\n\t\t\t}\n\t\t}\n\t}\n}\n");
  CHECK(taken("{\"mcpServers\": {\"lean\": {\"a\": 1}, \"x\": 1}}") == "{\"mcpServers\": {\"x\": 1}}");
  CHECK(taken("{\n \"mcpServers\": {\n  \"x\": 1,\n  \"lean\": {},\n  \"y\": 2\n }\n}") ==
        "{\n \"mcpServers\": {\n  \"x\": 1,\n  \"y\": 2\n }\n}");
  CHECK(taken("{\n \"mcpServers\": {\n  \"lean\": {}, // why\n  \"y\": 2\n }\n}") ==
        "{\n \"mcpServers\": {\n  // why\n  \"y\": 2\n }\n}");
  // A comment is somebody's, and keeps the file.
  CHECK(taken("{\n  // note\n  \"mcpServers\": {\n    \"lean\": {}\n  }\n}\n") == "{\n  // note\n}\n");
}

TEST_CASE("what a user has added to the entry stays", "[hosts]") {
  const std::string text =
      "{\n  \"mcpServers\": {\n    \"lean\": {\n      \"command\": \"/old/leanbridge\", // here\n"
      "      \"args\": [\"--tools\", \"core\"],\n      \"autoApprove\": [\"lean_goal\"],\n"
      "      \"env\": {\"MINE\": \"x\"}\n    }\n  }\n}\n";
  CHECK(added(text) ==
        "{\n  \"mcpServers\": {\n    \"lean\": {\n      \"command\": \"/bin/leanbridge\", // here\n"
        "      \"args\": [\"--tools\", \"core\"],\n      \"autoApprove\": [\"lean_goal\"],\n"
        "      \"env\": {\"MINE\": \"x\", \"A\": \"1\"}\n    }\n  }\n}\n");
}

TEST_CASE("JSON that is refused, with its place", "[hosts]") {
  const auto why = [](const std::string& text, ConfigFormat format = ConfigFormat::JsonWithComments) {
    return why_refused(text, format, kPath);
  };
  CHECK(why("{\n  \"a\": }\n") == "F:2:8: this is not valid JSON.");
  CHECK(why("{\"a\": 1") == "F:1:8: this is not valid JSON.");
  CHECK(why("[]") == "F:1:1: this is not an object.");
  CHECK(why("{\n  /* a") == "F:2:3: this comment has no end.");
  CHECK(why("{\n  // a\n}", ConfigFormat::Json) ==
        "F:2:3: a comment, which this host does not accept in this file.");
  CHECK(why("{\"a\": 1,}", ConfigFormat::Json) == "F:1:9: this is not valid JSON.");
  CHECK(why("{\n  \"mcpServers\": []\n}") == "F:2:17: 'mcpServers' is not an object.");
  CHECK(why("{\"mcpServers\": {\"lean\": 1}}") == "F:1:25: 'lean' is not an object.");
  CHECK(why("{\"mcpServers\": {},\n \"mcpServers\": {}}") == "F:2:2: 'mcpServers' occurs twice.");
  CHECK(why("{\"a\": 1e999}") == "F:1:1: the JSON has a number that is out of range.");
  CHECK(why(std::string(600, '[')).find("F:1:") == 0);
}

TEST_CASE("a TOML table comes and goes without a trace", "[hosts]") {
  const std::string table =
      "[mcp_servers.lean]\nargs = [\"--tools\", \"core\"]\ncommand = \"/bin/leanbridge\"\nenv = { A = \"1\" "
      "}\n";
  CHECK(added("", ConfigFormat::Toml) == table);
  CHECK(toml_table(kTomlPath, kEntry) == table);
  CHECK(taken(table, ConfigFormat::Toml).empty());
  for (const char* text : {
           "model = \"o\" # mine\n",
           "# only a comment\n",
           "a = \"\"\"\n[mcp_servers.lean]\n\"\"\"\n\n[mcp_servers.x]\ncommand = 'y' # [z]\nargs = [ # "
           "many\n  \"]\",\n]\n",
           "[mcp_servers.\"le.an\"]\ncommand = \"x\"\n",
           "[[profiles]]\nname = 'a'\n",
       }) {
    INFO(text);
    const std::string with = added(text, ConfigFormat::Toml);
    CHECK(with == std::string(text) + "\n" + table);
    CHECK(added(with, ConfigFormat::Toml) == with);
    CHECK(taken(with, ConfigFormat::Toml) == text);
  }
}

TEST_CASE("a TOML table that is there already", "[hosts]") {
  CHECK(added("[mcp_servers.lean]\ncommand = \"/old/leanbridge\" # here\nenabled = true\n\n# "
              "next\n[other]\nb = 1\n",
              ConfigFormat::Toml) ==
        "[mcp_servers.lean]\ncommand = \"/bin/leanbridge\" # here\nenabled = true\nargs = [\"--tools\", "
        "\"core\"]\n"
        "env = { A = \"1\" }\n\n# next\n[other]\nb = 1\n");
  CHECK(added("[mcp_servers.lean]\nargs = [\"--tools\", \"core\"]\ncommand = \"/bin/leanbridge\"\n\n"
              "[mcp_servers.lean.env]\nMINE = \"x\"\n",
              ConfigFormat::Toml) ==
        "[mcp_servers.lean]\nargs = [\"--tools\", \"core\"]\ncommand = \"/bin/leanbridge\"\n\n"
        "[mcp_servers.lean.env]\nMINE = \"x\"\nA = \"1\"\n");
  CHECK(taken("a = 1\n[mcp_servers.lean]\ncommand = \"x\"\n[mcp_servers.lean.env]\nB = \"1\"\n# keep\n[c]\nd "
              "= 1\n",
              ConfigFormat::Toml) == "a = 1\n# keep\n[c]\nd = 1\n");
}

TEST_CASE("TOML that is refused, with its place", "[hosts]") {
  const auto why = [](const std::string& text) { return why_refused(text, ConfigFormat::Toml, kTomlPath); };
  CHECK(why("a = 1\nb = \n").starts_with("F:2:"));
  CHECK(why("mcp_servers = 1\n") == "F:1:1: 'mcp_servers' is not an object.");
  CHECK(why("[mcp_servers]\nlean = { command = \"x\" }\n").find("edit it by hand") != std::string::npos);
  CHECK(why("mcp_servers = { x = { command = \"y\" } }\n").find("does not fit") != std::string::npos);
}

TEST_CASE("the difference shows changed lines alone", "[hosts]") {
  CHECK(diff_of("a\nb\nc\n", "a\nb\nc\n").empty());
  CHECK(diff_of("a\nb\nc\n", "a\nx\ny\nc\n") == "@@ -2 +2,2 @@\n-b\n+x\n+y\n");
  CHECK(diff_of("", "a\n") == "@@ -0,0 +1 @@\n+a\n");
  CHECK(diff_of("a\nsecret\n}\n", "a\nsecret\n}\nb\n") == "@@ -3,0 +4 @@\n+b\n");
  CHECK(diff_of("a: secret\n", "a: secret,\nb\n") == "@@ -1,0 +2 @@\n+b\n");
  CHECK(diff_of("a\nb\nc\nd\n", "b\nc\nx\nd\n") == "@@ -1 +0,0 @@\n-a\n@@ -3,0 +3 @@\n+x\n");
}

TEST_CASE("a configuration file is replaced whole, and the old one kept", "[hosts]") {
  const TestFolder folder;
  const auto file = folder / "deep/er/mcp.json";
  REQUIRE(store_config_file(file, "", "one").value().empty());
  CHECK(load_config_file(file).value() == "one");
  ::chmod(file.c_str(), 0600);
  const auto first = store_config_file(file, "one", "two").value().string();
  CHECK(first == file.string() + ".leanbridge-backup");
  CHECK(load_config_file(first).value() == "one");
  const auto second = store_config_file(file, "two", "one").value().string();
  CHECK(second == file.string() + ".leanbridge-backup-2");
  CHECK(store_config_file(file, "one", "three").value().string() == first);  // that text is kept already
  struct stat status {};
  REQUIRE(::stat(file.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600U);
  const auto changed = store_config_file(file, "somebody's", "four");
  REQUIRE_FALSE(changed);
  CHECK(load_config_file(file).value() == "three");
  REQUIRE(store_config_file(file, "three", "").value().string() == file.string() + ".leanbridge-backup-3");
  CHECK_FALSE(std::filesystem::exists(file));
  CHECK(load_config_file(file).value().empty());
}

TEST_CASE("a link to a configuration file stays one", "[hosts]") {
  const TestFolder folder;
  const auto file = folder.write("dotfiles/settings.json", "one");
  std::filesystem::create_symlink(file, folder / "settings.json");
  REQUIRE(store_config_file(folder / "settings.json", "one", "two"));
  CHECK(std::filesystem::is_symlink(folder / "settings.json"));
  CHECK(load_config_file(file).value() == "two");
}

}  // namespace leanbridge::app::hosts
