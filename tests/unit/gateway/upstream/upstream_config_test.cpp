#include "gateway/upstream/config.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::upstream {

using leanbridge::test::TestFolder;

namespace {

std::optional<std::string> variables(const std::string& name) {
  if (name == "KEY") return "s3cr€t";
  if (name == "EMPTY") return "";
  return std::nullopt;
}

Config toml(const std::string& text) {
  return parse_config(text, "/w/.leanbridge/mcp-servers.toml", Origin::User, "/w", variables);
}
Config json_file(const std::string& text) {
  return parse_config(text, "/w/.mcp.json", Origin::User, "/w", variables);
}

const char* const kStdio = R"([[servers]]
name = "docs"
transport = "stdio"
command = "docs-mcp"
args = ["--quiet", "${KEY}"]
env = { TOKEN = "${KEY}", MODE = "${NONE:-fast}" }
timeout_s = 1.5
tools = ["a"]
)";

}  // namespace

TEST_CASE("TOML: a stdio server with everything", "[upstream][config]") {
  const Config config = toml(kStdio);
  REQUIRE(config.problems.empty());
  REQUIRE(config.servers.size() == 1);
  const ServerConfig& server = config.servers.front();
  CHECK(server.name == "docs");
  CHECK(server.transport == TransportKind::Stdio);
  CHECK(server.command == "docs-mcp");
  CHECK(server.args == std::vector<std::string>{"--quiet", "s3cr€t"});
  CHECK(server.env.at("TOKEN") == Secret("s3cr€t"));
  CHECK(server.env.at("MODE") == Secret("fast"));
  CHECK(server.timeout == std::chrono::milliseconds(1500));
  CHECK(server.tools == std::vector<std::string>{"a"});
  CHECK(server.directory == "/w");
  CHECK(server.line == 1);
  // The text that is consented to contains no secret.
  CHECK(server.definition["env"]["TOKEN"] == "${KEY}");
}

TEST_CASE("TOML: a remote server with an auth block", "[upstream][config]") {
  const Config config = toml(R"(
[[servers]]
name = "remote"
transport = "http"
url = "https://mcp.example.org/mcp"
headers = { "X-Key" = "${KEY}" }
[servers.auth]
auth_type = "oauth"
token_url = "https://id.example.org/token"
client_id = "abc"
client_secret = "s3"
scope = "read"
)");
  REQUIRE(config.problems.empty());
  const ServerConfig& server = config.servers.at(0);
  CHECK(server.transport == TransportKind::Http);
  CHECK(server.headers.at("X-Key") == Secret("s3cr€t"));
  REQUIRE(server.auth);
  CHECK(server.auth->token_url == "https://id.example.org/token");
  CHECK(server.auth->client_secret == Secret("s3"));
  CHECK(server.auth->parameters == std::map<std::string, std::string>{{"scope", "read"}});
}

TEST_CASE("TOML: each bad entry is told of with its line, and the others stay", "[upstream][config]") {
  const std::string good = kStdio;
  const auto problem_of = [&](const std::string& entry) {
    const Config config = toml(good + "[[servers]]\n" + entry);
    REQUIRE(config.problems.size() == 1);
    CHECK(config.servers.size() == 1);
    CHECK(config.problems[0].line == 9);
    CHECK_FALSE(config.problems[0].fix.empty());
    return config.problems[0].message;
  };
  CHECK(problem_of("transport = \"stdio\"\ncommand = \"x\"\n") == "'name' is missing.");
  CHECK(problem_of("name = 7\ntransport = \"stdio\"\ncommand = \"x\"\n") == "'name' is missing.");
  CHECK(problem_of("name = \"x\"\ncommand = \"x\"\n") == "'transport' is missing.");
  CHECK(problem_of("name = \"x\"\ntransport = \"pigeon\"\n") == "Unknown transport 'pigeon'.");
  CHECK(problem_of("name = \"x\"\ntransport = \"stdio\"\n") == "'command' is missing.");
  CHECK(problem_of("name = \"x\"\ntransport = \"http\"\n") == "'url' is missing.");
  CHECK(problem_of("name = \"x\"\ntransport = \"http\"\nurl = \"ftp://x\"\n") ==
        "'url' is not an http or https address.");
  CHECK(problem_of("name = \"x\"\ntransport = \"stdio\"\ncommand = \"x\"\nargs = \"y\"\n") ==
        "'args' is not a list.");
  CHECK(problem_of("name = \"x\"\ntransport = \"stdio\"\ncommand = \"${NONE}\"\n") ==
        "'command': the environment variable NONE is not set.");
  CHECK(problem_of("name = \"x\"\ntransport = \"stdio\"\ncommand = \"x\"\ntimeout_s = -1\n") ==
        "The timeout is not a number between 0 and 86400 seconds.");
  CHECK(problem_of(
            "name = \"x\"\ntransport = \"http\"\nurl = \"http://x\"\nheaders = { A = \"b\\r\\nC: d\" }\n") ==
        "The header 'A' is not valid.");
  CHECK(problem_of("name = \"docs\"\ntransport = \"stdio\"\ncommand = \"x\"\n") ==
        "The file has another server with this name.");
}

TEST_CASE("TOML: what is wrong with the whole file", "[upstream][config]") {
  const Config broken = toml("[[servers]]\nname = \n");
  REQUIRE(broken.problems.size() == 1);
  CHECK(broken.problems[0].line == 2);
  CHECK(broken.problems[0].describe().starts_with("/w/.leanbridge/mcp-servers.toml:2: Invalid TOML: "));
  CHECK(toml("servers = 3\n").problems.size() == 1);
  CHECK(toml("").problems.empty());
  CHECK(toml("a = \"\xff\"").problems.size() == 1);
  CHECK(toml(std::string(2u << 20, '#')).problems.size() == 1);
  const Config auth = toml(std::string(kStdio) + "[auth]\nclient_id = \"x\"\n");
  CHECK(auth.servers.size() == 1);
  REQUIRE(auth.problems.size() == 1);
  CHECK(auth.problems[0].fix.find("[servers.auth]") != std::string::npos);
}

TEST_CASE("JSON: the forms of hosts", "[upstream][config]") {
  const Config host = json_file(R"({"mcpServers": {
  "a": {"command": "x", "args": ["${CLAUDE_PROJECT_DIR:-.}"], "timeout": 2000},
  "b": {"type": "sse", "url": "http://localhost:1/sse"},
  "«c» 😀": {"url": "https://x/mcp"}, "off": {"command": "y", "disabled": true}, "off2": {"enabled": false}
}})");
  CHECK(host.problems.empty());
  REQUIRE(host.servers.size() == 3);
  CHECK(host.find("a")->args == std::vector<std::string>{"."});
  CHECK(host.find("a")->timeout == std::chrono::seconds(2));
  CHECK(host.find("a")->line == 2);
  CHECK(host.find("b")->transport == TransportKind::Sse);
  CHECK(host.find("«c» 😀")->transport == TransportKind::Http);
  CHECK(json_file(R"({"servers": {"a": {"type": "stdio", "command": "x"}}})").servers.size() == 1);
  const Config list =
      json_file(R"({"mcp": {"a": {"type": "local", "command": ["x", "y"], "environment": {"E": "1"}}}})");
  REQUIRE(list.servers.size() == 1);
  CHECK(list.servers[0].command == "x");
  CHECK(list.servers[0].args == std::vector<std::string>{"y"});
  CHECK(list.servers[0].env.at("E") == Secret("1"));
}

TEST_CASE("JSON: bad input", "[upstream][config]") {
  CHECK(json_file("{\n\n  oops}").problems.at(0).line == 3);
  CHECK(json_file("[]").problems.size() == 1);
  CHECK(json_file(R"({"mcpServers": []})").problems.size() == 1);
  CHECK(json_file(R"({"mcpServers": {"a": 1, "b": {"command": 3}, "c": {}, "": {"command": "x"}}})")
            .problems.size() == 4);
  CHECK(json_file("{}").problems.empty());
  CHECK(json_file(R"({"mcpServers": {"a": {"command": "x", "timeout": 1e999}}})").problems.size() == 1);
  const std::string deep = "// \"\n" + std::string(100'000, '[') + std::string(100'000, ']');
  CHECK(json_file(R"({"mcpServers": {"a": {"command": "x", "other": )" + deep + "}}}").problems.size() == 1);
}

TEST_CASE("Variables", "[upstream][config]") {
  CHECK(expand_variables("a${KEY}b${KEY}", variables).value() == "as3cr€tbs3cr€t");
  CHECK(expand_variables("$KEY $$ {}", variables).value() == "$KEY $$ {}");
  CHECK(expand_variables("${NONE:-}", variables).value().empty());
  CHECK(expand_variables("${EMPTY}", variables).value().empty());
  CHECK(expand_variables("${EMPTY:-x}", variables).value() == "x");
  CHECK_FALSE(expand_variables("${NONE}", variables));
  CHECK_FALSE(expand_variables("${KEY", variables));
  CHECK_FALSE(expand_variables("${}", variables));
}

TEST_CASE("An error quotes what is written, never what a variable stands for", "[upstream][config]") {
  const auto lookup = [](const std::string& name) -> std::optional<std::string> {
    if (name == "KEY") return "s3cret\nvalue";
    return std::nullopt;
  };
  for (const char* entry :
       {R"({"type": "${KEY}"})", R"({"command": "x", "args": "${KEY}"})", R"({"command": "x", "cwd": 3})",
        R"({"url": "${KEY}"})", R"({"url": "https://x", "headers": {"${KEY}": "y"}})",
        R"({"url": "https://x", "headers": {"A": "${KEY}"}})", R"({"command": "x", "env": {"${KEY}=": ""}})",
        R"({"url": "https://x", "auth": {"type": "${KEY}"}})",
        R"({"url": "https://x", "auth": {"type": "bearer", "token": "${KEY}"}})",
        R"({"command": "x", "timeout": "${KEY}"})", R"({"command": "${NONE}${KEY}"})",
        R"({"command": "x", "env": {"a\nb": "${NONE}"}})"}) {
    INFO(entry);
    const std::string text = std::string(R"({"mcpServers": {"a": )") + entry + "}}";
    const Config config = parse_config(text, "/w/.mcp.json", Origin::Workspace, "/w", lookup);
    REQUIRE(config.problems.size() == 1);
    const std::string said = config.problems[0].describe();
    CHECK(said.find("s3cret") == std::string::npos);
    CHECK(said.find('\n') == std::string::npos);
  }
  const Config type = parse_config(R"({"mcpServers": {"a": {"type": "${KEY}"}}})", "/w/.mcp.json",
                                   Origin::Workspace, "/w", lookup);
  CHECK(type.problems.at(0).message == "Unknown transport '${KEY}'.");
}

TEST_CASE("Before consent nothing is expanded, and the environment decides nothing", "[upstream][config]") {
  const TestFolder folder;
  folder.write("w/.mcp.json", R"({"mcpServers": {
    "a": {"type": "${KEY}"}, "b": {"command": "${KEY}", "env": {"E": "${KEY}"}},
    "c": {"url": "${KEY}", "headers": {"A": "${NONE}"}},
    "d": {"url": "https://x", "auth": {"type": "bearer", "token": "${NONE:-a b}"}}}})");
  ConfigSources sources;
  sources.workspace = folder / "w";
  std::vector<std::string> asked;
  sources.variables = [&](const std::string& name) -> std::optional<std::string> {
    asked.push_back(name);
    return name == "KEY" ? std::optional<std::string>("s3cret") : std::nullopt;
  };
  sources.allowed = [](const ServerConfig& server) { return server.name == "b"; };
  std::vector<ServerConfig> refused;
  sources.refused = [&](ServerConfig server) { refused.push_back(std::move(server)); };
  const Config config = load_config(sources);
  CHECK(asked == std::vector<std::string>{"KEY", "KEY"});  // only b's
  REQUIRE(config.servers.size() == 1);
  CHECK(config.servers[0].command == "s3cret");
  CHECK_FALSE(config.servers[0].as_written);
  CHECK(config.servers[0].in_written_form("no program 's3cret'") == "no program '${KEY}'");
  REQUIRE(config.problems.size() == 1);
  CHECK(config.problems[0].message == "Unknown transport '${KEY}'.");
  REQUIRE(refused.size() == 2);
  CHECK(refused[0].url == "${KEY}");
  CHECK(refused[0].as_written);
  // After consent, problems are reported in the words of the file.
  sources.allowed = {};
  const Config all = load_config(sources);
  REQUIRE(all.problems.size() == 3);
  for (const ConfigProblem& problem : all.problems)
    CHECK(problem.describe().find("s3cret") == std::string::npos);
}

TEST_CASE("A name that could hide something is none", "[upstream][config]") {
  for (const char* name : {"a\\u202Eb", "a\\u0085b", "a\\nb"}) {
    const Config config = json_file(std::string(R"({"mcpServers": {")") + name + R"(": {"command": "x"}}})");
    CHECK(config.servers.empty());
    REQUIRE(config.problems.size() == 1);
    CHECK(config.problems[0].server == (std::string(name) == "a\\nb" ? "a b" : "ab"));
  }
}

TEST_CASE("Precedence, and entries without consent", "[upstream][config]") {
  const TestFolder folder;
  const auto entry = [](const std::string& name, const std::string& command) {
    return "[[servers]]\nname = \"" + name + "\"\ntransport = \"stdio\"\ncommand = \"" + command + "\"\n";
  };
  folder.write("w/.leanbridge/mcp-servers.toml", entry("a", "ours"));
  folder.write("w/.radium/mcp-servers.toml", entry("a", "radium") + entry("b", "radium"));
  folder.write("w/.mcp.json", R"({"mcpServers": {"b": {"command": "json"}, "c": {"command": "json"}}})");
  folder.write("h/.leanbridge/mcp-servers.toml", entry("a", "home") + entry("d", "home"));
  folder.write("h/.radium/extensions/x/mcp/e.json", R"({"command": "extension", "transport": "stdio"})");
  folder.write("h/.radium/extensions/x/mcp/d.json", R"({"name": "d", "command": "extension"})");
  folder.write("h/.radium/extensions/x/mcp/readme.txt", "no");
  ConfigSources sources;
  sources.workspace = folder / "w";
  sources.user_home = folder / "h";
  const auto commands = [](const Config& config) {
    std::string text;
    for (const ServerConfig& server : config.servers) text += server.name + "=" + server.command + " ";
    return text;
  };
  CHECK(commands(load_config(sources)) == "a=ours b=radium c=json d=home e=extension ");
  std::vector<std::string> refused;
  sources.allowed = [](const ServerConfig& server) { return server.name == "c"; };
  sources.refused = [&](const ServerConfig& server) {
    refused.push_back(server.name + "=" + server.command);
  };
  CHECK(commands(load_config(sources)) == "a=home c=json d=home e=extension ");
  CHECK(refused == std::vector<std::string>{"a=ours", "a=radium", "b=radium", "b=json"});
}

TEST_CASE("A configuration that is no file is a problem, and holds nobody", "[upstream][config]") {
  const TestFolder folder;
  folder.write("w/file", "");
  REQUIRE(::mkfifo((folder / "w/.mcp.json").c_str(), 0600) == 0);
  std::filesystem::create_directories(folder / "h/.leanbridge/extensions/x/mcp");
  std::filesystem::create_directories(folder / "w/.radium");
  std::filesystem::create_symlink("/dev/zero", folder / "w/.radium/mcp-servers.toml");
  std::filesystem::create_symlink("/dev/zero", folder / "h/.leanbridge/extensions/x/mcp/e.json");
  std::filesystem::resize_file(folder.write("h/.leanbridge/mcp-servers.toml", ""), std::uintmax_t{1} << 40);
  ConfigSources sources;
  sources.workspace = folder / "w";
  sources.user_home = folder / "h";
  const Config config = load_config(sources);
  CHECK(config.servers.empty());
  std::string all;
  for (const ConfigProblem& problem : config.problems)
    all += problem.file.filename().string() + ": " + problem.message + "\n";
  CHECK(all ==
        "mcp-servers.toml: The file cannot be read: it is not a regular file.\n"
        ".mcp.json: The file cannot be read: it is not a regular file.\n"
        "mcp-servers.toml: The file cannot be read: it is larger than 1 MiB.\n"
        "e.json: The file cannot be read: it is not a regular file.\n");
}

}  // namespace leanbridge::upstream
