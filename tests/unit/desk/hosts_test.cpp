// The table of hosts: each one's form, and what an entry starts.

#include "desk/hosts/hosts.hpp"

#include "desk/hosts/host_program.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

#include <map>
#include <optional>

namespace leanbridge::app::hosts {

using nlohmann::json;
using test::TestFolder;

namespace {

const Launch kLaunch = {"/bin/leanbridge", {"--tools", "core"}, {{"A", "1"}}};

std::string text_for(const char* word) {
  const Host& host = *find_host(word);
  return file_text(host, "lean", entry_for(host, kLaunch, json()));
}

EnvironmentLookup variables(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const std::string& name) -> std::optional<std::string> {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
}

}  // namespace

TEST_CASE("each host's own form", "[hosts]") {
  const json common = {{"command", "/bin/leanbridge"}, {"args", {"--tools", "core"}}, {"env", {{"A", "1"}}}};
  for (const char* word : {"claude-code", "claude-desktop", "gemini", "cursor", "claude"})
    CHECK(json::parse(text_for(word)) == json({{"mcpServers", {{"lean", common}}}}));
  json typed = common;
  typed["type"] = "stdio";
  CHECK(json::parse(text_for("vscode")) == json({{"servers", {{"lean", typed}}}}));
  CHECK(json::parse(text_for("zed")) == json({{"context_servers", {{"lean", common}}}}));
  CHECK(json::parse(text_for("opencode")) ==
        json::parse(R"({"mcp": {"lean": {"type": "local", "enabled": true,
    "command": ["/bin/leanbridge", "--tools", "core"], "timeout": 600000, "environment": {"A": "1"}}}})"));
  CHECK(text_for("codex") ==
        "[mcp_servers.lean]\nargs = [\"--tools\", \"core\"]\ncommand = \"/bin/leanbridge\"\n"
        "tool_timeout_sec = 600\n\n[mcp_servers.lean.env]\nA = \"1\"\n");
  CHECK(find_host("other") == nullptr);
  CHECK(host_words().size() == all_hosts().size());
}

TEST_CASE("the commands of hosts' own programs", "[hosts]") {
  const auto added = [](const char* word, Scope scope, bool exists = false) {
    const Host& host = *find_host(word);
    std::string all;
    for (const HostCommand& command :
         commands_to_add(host, scope, "lean", entry_for(host, kLaunch, json()), exists))
      all += shell_line(command) + "\n";
    return all;
  };
  const auto removed = [](const char* word, Scope scope) {
    std::string all;
    for (const HostCommand& command : commands_to_remove(*find_host(word), scope, "lean"))
      all += shell_line(command) + "\n";
    return all;
  };
  CHECK(added("claude-code", Scope::User) ==
        "claude mcp add --env A=1 --scope user lean -- /bin/leanbridge --tools core\n");
  CHECK(added("claude-code", Scope::Project, true) ==
        "claude mcp remove --scope project lean\n"
        "claude mcp add --env A=1 --scope project lean -- /bin/leanbridge --tools core\n");
  CHECK(added("codex", Scope::User) == "codex mcp add lean --env A=1 -- /bin/leanbridge --tools core\n");
  CHECK(added("gemini", Scope::Project) ==
        "gemini mcp add --scope project --env A=1 lean /bin/leanbridge -- --tools core\n");
  CHECK(
      added("vscode", Scope::User) ==
      R"(code --add-mcp '{"args":["--tools","core"],"command":"/bin/leanbridge","env":{"A":"1"},"name":"lean",)"
      R"("type":"stdio"}')"
      "\n");
  CHECK(removed("claude-code", Scope::User) == "claude mcp remove --scope user lean\n");
  CHECK(removed("codex", Scope::User) == "codex mcp remove lean\n");
  CHECK(removed("gemini", Scope::Project) == "gemini mcp remove --scope project lean\n");
  for (const char* word : {"codex", "vscode"}) CHECK(added(word, Scope::Project).empty());
  for (const char* word : {"claude-desktop", "cursor", "zed", "opencode"})
    for (const Scope scope : {Scope::User, Scope::Project})
      CHECK((added(word, scope) + removed(word, scope)).empty());
  CHECK(shell_line({"a", "", "b c", "it's"}) == R"(a '' 'b c' 'it'\''s')");
}

TEST_CASE("OpenCode 2's own form, in files that have it", "[hosts]") {
  const Host& host = *find_host("opencode");
  const json second = json::parse(R"({"mcp": {"servers": {"x": {"command": ["y"]}}}})");
  CHECK(entry_path(host, "lean", second) == EntryPath{"mcp", "servers", "lean"});
  CHECK(entry_for(host, kLaunch, second)["timeout"] == json({{"request", 600000}}));
  CHECK_FALSE(entry_for(host, kLaunch, second).contains("enabled"));
  const json first = json::parse(R"({"mcp": {"servers": {"command": ["y"]}}})");  // a server of that name
  CHECK(entry_path(host, "lean", first) == EntryPath{"mcp", "lean"});
}

TEST_CASE("where each host's file is", "[hosts]") {
  const auto home = variables({{"HOME", "/h"}});
  const auto file = [&](const char* word, const char* project = "") {
    return config_file(*find_host(word), project, home).string();
  };
  CHECK(file("claude-code") == "/h/.claude.json");
  CHECK(file("claude-code", "/p") == "/p/.mcp.json");
  CHECK(file("claude-desktop", "/p") == "/h/.config/Claude/claude_desktop_config.json");
  CHECK(file("codex") == "/h/.codex/config.toml");
  CHECK(file("codex", "/p") == "/p/.codex/config.toml");
  CHECK(file("gemini", "/p") == "/p/.gemini/settings.json");
  CHECK(file("cursor") == "/h/.cursor/mcp.json");
  CHECK(file("vscode") == "/h/.config/Code/User/mcp.json");
  CHECK(file("vscode", "/p") == "/p/.vscode/mcp.json");
  CHECK(file("zed", "/p") == "/p/.zed/settings.json");
  CHECK(file("opencode") == "/h/.config/opencode/opencode.json");
  const auto moved = variables({{"HOME", "/h"}, {"CODEX_HOME", "/c"}, {"XDG_CONFIG_HOME", "relative"}});
  CHECK(config_file(*find_host("codex"), "", moved).string() == "/c/config.toml");
  CHECK(config_file(*find_host("zed"), "", moved).string() == "/h/.config/zed/settings.json");
  CHECK(config_file(*find_host("zed"), "", variables({})).empty());
  const TestFolder folder;
  folder.write("opencode.jsonc", "{}");
  CHECK(config_file(*find_host("opencode"), folder.path(), home).string() ==
        (folder / "opencode.jsonc").string());
  folder.write(".codex/config.toml", "");
  const auto here = variables({{"HOME", folder.path().string()}});
  CHECK(is_installed(*find_host("codex"), here));
  CHECK_FALSE(is_installed(*find_host("zed"), here));
  CHECK_FALSE(is_installed(*find_host("claude-code"), here));
  folder.write("bin/claude", "");
  std::filesystem::permissions(folder / "bin/claude", std::filesystem::perms::owner_all);
  CHECK(is_installed(*find_host("claude-code"), variables({{"PATH", (folder / "bin").string()}})));
}

TEST_CASE("where the files of desktop programs are on macOS", "[hosts]") {
  const TestFolder folder;
  folder.write("Library/Application Support/Claude/config.json", "");
  const std::string home = folder.path().string();
  const auto mac = variables({{"HOME", home}, {"XDG_CONFIG_HOME", "/x"}});
  const auto file = [&](const char* word) { return config_file(*find_host(word), "", mac).string(); };
  CHECK(file("claude-desktop") == home + "/Library/Application Support/Claude/claude_desktop_config.json");
  CHECK(file("vscode") == home + "/Library/Application Support/Code/User/mcp.json");
  CHECK(file("zed") == "/x/zed/settings.json");
  CHECK(file("cursor") == home + "/.cursor/mcp.json");
  CHECK(is_installed(*find_host("claude-desktop"), mac));
  CHECK_FALSE(is_installed(*find_host("vscode"), mac));
}

TEST_CASE("what a copy in a cache is started by", "[hosts]") {
  const std::string of_uvx = "/home/a/.cache/uv/archive-v0/x/bin/leanbridge";
  const std::string of_npx = "/home/a/.npm/_npx/1/node_modules/leanbridge/bin/leanbridge";
  CHECK(launch_of("/usr/bin/leanbridge", "")->command == "/usr/bin/leanbridge");
  CHECK(launch_of(of_uvx, "npm pypi")->command == "uvx");
  CHECK(launch_of(of_npx, "npm pypi")->args == std::vector<std::string>{"-y", "leanbridge"});
  for (const auto& [program, published] :
       {std::pair(of_uvx, "npm"), {of_npx, "pypi"}, {of_uvx, ""}, {of_npx, ""}}) {
    const auto refused = launch_of(program, published);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::NotSupported);
    CHECK(refused.error().message.find("no package of this name is published") != std::string::npos);
  }
}

TEST_CASE("what an entry starts", "[hosts]") {
  const auto job = [](const char* entry) { return job_of(words_of(json::parse(entry))); };
  for (const char* ours :
       {R"({"command": "/x/leanbridge"})", R"({"command": "uvx", "args": ["leanbridge@0.2.0"]})",
        R"({"command": ["npx", "-y", "leanbridge"]})",
        R"({"command": "wsl.exe", "args": ["-d", "Debian", "--exec", "/x/leanbridge", "--tools", "core"]})",
        R"({"command": "C:\\Windows\\System32\\wsl.exe", "args": ["-e", "/x/leanbridge"]})",
        R"({"command": "wsl", "args": ["--exec", "/usr/bin/env", "A=/b/c", "/x/leanbridge"]})"})
    CHECK(job(ours) == Job::Leanbridge);
  for (const char* theirs :
       {R"({"command": "uvx", "args": ["lean-lsp-mcp"]})", R"({"command": "lean-lsp-mcp"})",
        R"({"command": "python3", "args": ["-m", "lean_lsp_mcp"]})",
        R"({"command": "uvx", "args": ["--from", "git+https://x/lean-lsp-mcp", "lean-lsp-mcp"]})"})
    CHECK(job(theirs) == Job::LeanLspMcp);
  for (const char* other :
       {R"({"command": "uvx", "args": ["mcp-server-git", "--repository", "/x/leanbridge"]})",
        R"({"command": "docker", "args": ["run", "-e", "A=/x/leanbridge", "git"]})",
        R"({"command": "/x/server", "args": ["leanbridge"]})", R"({"url": "https://x/leanbridge"})", "{}",
        "1"})
    CHECK(job(other) == Job::Other);
}

TEST_CASE("the servers for Lean in a file", "[hosts]") {
  const auto names = [](const char* word, const char* document) {
    std::string all;
    for (const LeanServer& server : lean_servers(*find_host(word), json::parse(document)))
      all += server.name + " ";
    return all;
  };
  CHECK(names("claude-code", R"({"mcpServers": {"a": {"command": "leanbridge"}, "b": {"command": "git"},
    "c": {"command": "uvx", "args": ["lean-lsp-mcp"]}}})") == "a c ");
  CHECK(
      names(
          "opencode",
          R"({"mcp": {"a": {"command": ["leanbridge"], "enabled": false}, "b": {"command": ["leanbridge"]}}})") ==
      "b ");
  CHECK(names("opencode", R"({"mcp": {"servers": {"a": {"command": ["leanbridge"], "disabled": true},
    "b": {"command": ["leanbridge"]}}}})") == "b ");
  for (const char* nothing : {"{}", R"({"mcpServers": 1})", R"({"mcpServers": {"a": 1}})"})
    CHECK(names("claude-code", nothing).empty());
}

}  // namespace leanbridge::app::hosts
