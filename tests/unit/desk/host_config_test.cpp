// Editing the configuration files of hosts: what is written, and that nothing else changes.

#include "desk/hosts/config_file.hpp"
#include "desk/hosts/config_text.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>
#include <sys/stat.h>

namespace leanbridge::app::hosts {

using nlohmann::json;
using test::TestFolder;

namespace {

const json kEntry = {{"command", "/bin/leanbridge"}, {"args", {"--tools", "core"}}, {"env", {{"A", "1"}}}};
const EntryPath kPath = {"mcpServers", "lean"};

std::string added(const std::string& text, ConfigFormat format = ConfigFormat::JsonWithComments) {
  return with_entry({"F", format, text}, kPath, kEntry).value().text;
}

std::string taken(const std::string& text, ConfigFormat format = ConfigFormat::JsonWithComments) {
  return without_entry({"F", format, text}, kPath).value().text;
}

Error refusal(const std::string& text, ConfigFormat format = ConfigFormat::JsonWithComments) {
  const auto after = with_entry({"F", format, text}, kPath, kEntry);
  REQUIRE_FALSE(after);
  return after.error();
}

}  // namespace

TEST_CASE("a new JSON file", "[hosts]") {
  const std::string whole = R"({
  "mcpServers": {
    "lean": {
      "args": [
        "--tools",
        "core"
      ],
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

TEST_CASE("an entry comes and goes, and nothing else changes", "[hosts]") {
  for (const char* text : {
           "{\n  \"z\": 1,\n  \"a\": [\n    1.5,\n    \"//\"\n  ]\n}\n",
           "{\n\t\"mcpServers\": {\n\t\t\"other\": {\n\t\t\t\"command\": \"x\"\n\t\t}\n\t},\n\t\"a\": "
           "null\n}\n",
           "{\n    \"mcpServers\": {\n        \"z\": {},\n        \"b\": {}\n    }\n}\n",
       }) {
    INFO(text);
    const std::string with = added(text);
    CHECK(read_document({"F", ConfigFormat::Json, with}).value()["mcpServers"]["lean"] == kEntry);
    CHECK(added(with) == with);
    CHECK(taken(with) == text);
    CHECK(taken(text) == text);
  }
  // Written anew, with the same meaning.
  for (const char* text : {"{\"theme\": \"dark\"}", "\xef\xbb\xbf{\r\n  \"a\": 1\r\n}\r\n"})
    CHECK(json::parse(taken(added(text))) == json::parse(text));
}

TEST_CASE("what a user has added to the entry stays", "[hosts]") {
  const json text = {
      {"mcpServers",
       {{"lean",
         {{"command", "/old/leanbridge"}, {"autoApprove", {"lean_goal"}}, {"env", {{"MINE", "x"}}}}}}}};
  json expected = kEntry;
  expected["autoApprove"] = {"lean_goal"};
  expected["env"]["MINE"] = "x";
  CHECK(json::parse(added(text.dump()))["mcpServers"]["lean"] == expected);
}

TEST_CASE("the change that is shown has nothing of other entries", "[hosts]") {
  // On one line, and before and after the place of the change.
  const std::string text = R"({"mcpServers": {"a": {"env": {"TOKEN": "s3cret"}}, "lean": {"command": "/old"},
    "b": {"env": {"TOKEN": "s3cret"}}}, "key": "s3cret"})";
  const ConfigText config = {"F", ConfigFormat::Json, text};
  for (const auto& edit : {with_entry(config, kPath, kEntry), without_entry(config, kPath)}) {
    CHECK(edit->text.find("s3cret") != std::string::npos);
    CHECK(edit->difference.find("s3cret") == std::string::npos);
    CHECK(edit->difference.find("/old") != std::string::npos);
  }
}

TEST_CASE("what an edit would lose is left to the user", "[hosts]") {
  for (const char* text : {"{\n  // mine\n  \"a\": 1\n}", "{\"a\": [1, /* two */ 2],}",
                           "{\"a\": {}, \"a\": {}}", "{\"mcpServers\": {\"x\": 1, \"x\": 2}}"}) {
    INFO(text);
    CHECK(refusal(text).kind == ErrorKind::NotSupported);
    CHECK(read_document({"F", ConfigFormat::JsonWithComments, text}).value().contains("a") ==
          (text[2] != 'm'));
  }
  const ConfigText toml = {"F", ConfigFormat::Toml, "a = 1\n[mcp_servers.lean]\ncommand = \"x\"\n"};
  CHECK(with_entry(toml, {"mcp_servers", "lean"}, kEntry).error().kind == ErrorKind::NotSupported);
  CHECK(without_entry(toml, {"mcp_servers", "lean"}).error().kind == ErrorKind::NotSupported);
  CHECK(without_entry(toml, {"mcp_servers", "other"})->text == toml.text);
}

TEST_CASE("a line that a TOML table lacks is put below its header, and nothing else moves", "[hosts]") {
  const std::string before = "a = 1 # mine\n[mcp_servers.lean]\n", after = "command = \"x\"\n[b]\n";
  const json limit = {{"tool_timeout_sec", 600}};
  const EntryPath path = {"mcp_servers", "lean"};
  const auto edit = with_entry({"F", ConfigFormat::Toml, before + after}, path, limit);
  REQUIRE(edit);
  CHECK(edit->text == before + "tool_timeout_sec = 600\n" + after);
  CHECK(edit->difference == "@@ -2,0 +3 @@\n+tool_timeout_sec = 600\n");
  for (const char* other :
       {"[mcp_servers]\nlean = {command = \"x\"}\n", "s = \"\"\"\n[mcp_servers.lean]\n\"\"\"\n",
        "[mcp_servers.lean]\ntool_timeout_sec = 5\n", "mcp_servers = 3\n", ""}) {
    INFO(other);
    CHECK(with_entry({"F", ConfigFormat::Toml, other}, path, limit).error().kind == ErrorKind::NotSupported);
  }
}

TEST_CASE("JSON that is refused, with its place", "[hosts]") {
  const auto why = [](const std::string& text, ConfigFormat format = ConfigFormat::JsonWithComments) {
    const Error error = refusal(text, format);
    CHECK(error.kind == ErrorKind::InvalidArgument);
    return error.message;
  };
  CHECK(why("{\n  \"a\": }\n") == "F:2:8: this is not valid JSON.");
  CHECK(why("{\"a\": 1") == "F:1:8: this is not valid JSON.");
  CHECK(why("[]") == "F:1:1: this is not an object.");
  CHECK(why("{\n  /* a") == "F:2:3: this is not valid JSON.");
  CHECK(why("{\n  // a\n}", ConfigFormat::Json) == "F:2:3: this is not valid JSON.");
  CHECK(why("{\"a\": 1,}", ConfigFormat::Json) == "F:1:9: this is not valid JSON.");
  CHECK(why("{\n  // {\n  \"a\": }\n") == "F:3:8: this is not valid JSON.");
  CHECK(why("{\n  \"mcpServers\": []\n}") == "F: 'mcpServers' is not an object.");
  CHECK(why("{\"mcpServers\": {\"lean\": 1}}") == "F: 'lean' is not an object.");
  CHECK(why("{\"a\": 1e999}") == "F:1:1: the JSON has a number that is out of range.");
  CHECK(why("{\"a\": " + std::string(600, '[')).find("F:1:") == 0);
}

TEST_CASE("TOML is read and printed", "[hosts]") {
  const EntryPath path = {"mcp_servers", "lean"};
  const std::string table =
      "[mcp_servers.lean]\nargs = [\"--tools\", \"core\"]\ncommand = \"/bin/leanbridge\"\n\n"
      "[mcp_servers.lean.env]\nA = \"1\"\n";
  CHECK(toml_table(path, kEntry) == table);
  CHECK(*find_at(read_document({"F", ConfigFormat::Toml, table}).value(), path) == kEntry);
  const std::string quoted = toml_table({"mcp_servers", "le.an"}, {{"command", "\"\\\n"}});
  CHECK(read_document({"F", ConfigFormat::Toml, quoted}).value()["mcp_servers"]["le.an"]["command"] ==
        "\"\\\n");
  CHECK(read_document({"F", ConfigFormat::Toml, "a = 1\nb = \n"}).error().message.starts_with("F:2:"));
}

TEST_CASE("an entry that says all that is wanted", "[hosts]") {
  json more = kEntry;
  more["env"]["MINE"] = "x";
  more["type"] = "stdio";
  CHECK(has_all_of(more, kEntry));
  CHECK_FALSE(has_all_of(kEntry, more));
  more["env"]["A"] = "2";
  CHECK_FALSE(has_all_of(more, kEntry));
  CHECK_FALSE(has_all_of(1, kEntry));
  json slow = kEntry;
  slow["tool_timeout_sec"] = 600;
  CHECK(has_all_of(kEntry, slow));
}

TEST_CASE("the difference shows changed lines alone", "[hosts]") {
  CHECK(diff_of("a\nb\nc\n", "a\nb\nc\n").empty());
  CHECK(diff_of("a\nb\nc\n", "a\nx\ny\nc\n") == "@@ -2 +2,2 @@\n-b\n+x\n+y\n");
  CHECK(diff_of("", "a\n") == "@@ -0,0 +1 @@\n+a\n");
  CHECK(diff_of("a\nsecret\n}\n", "a\nsecret\n}\nb\n") == "@@ -3,0 +4 @@\n+b\n");
  CHECK(diff_of("a: secret\n", "a: secret,\nb\n") == "@@ -1,0 +2 @@\n+b\n");
  CHECK(diff_of("a\nb\nc\nd\n", "a\nd\n") == "@@ -2,2 +1,0 @@\n-b\n-c\n");
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
