#include "desk/desk_options.hpp"
#include "desk/shared/handshake.hpp"
#include "gateway/command/gateway_options.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::app {

namespace {

Options a_client() {
  Options options;
  options.project_root = "/home/me/project";
  options.groups = {"proof", "query"};
  options.disabled = {"lean_build"};
  options.named_tools = {"lean_build", "lean_goal"};
  options.no_caller_code = true;
  options.builds = ide::BuildConcurrency::Share;
  options.prewarm_files = {"A.lean"};
  options.timeout_s = 7.5;
  options.max_output_chars = 10;
  options.instructions = "Prove \u201cit\u201d.\n";
  options.descriptions = {{"lean_goal", "Goals."}};
  options.of<UpstreamOptions>().names = "a,b";
  options.of<UpstreamOptions>().lazy = true;
  options.of<UpstreamOptions>().save_media = "/media";
  options.of<SharedOptions>().watchable = true;
  return options;
}

}  // namespace

TEST_CASE("What is a client's own arrives at the shared server, on one line", "[app][shared]") {
  Greeting greeting = greeting_of(a_client());
  greeting.key = "k";
  greeting.first_request = (std::int64_t{3} << 32) + 1;
  greeting.environment.emplace();
  greeting.environment->emplace("TOKEN", "secret");
  const std::string line = to_line(greeting);
  CHECK(line.find('\n') == std::string::npos);
  const auto read = read_greeting(line);
  REQUIRE(read);
  CHECK(read->key == "k");

  Options server;
  server.project_root = "/another";
  server.lake = "/bin/lake";
  server.max_open_files = 3;
  server.disabled = {"lean_goal"};
  const Options own = options_of(*read, server);
  const Options client = a_client();
  CHECK(own.command == nullptr);
  CHECK(own.project_root == client.project_root);
  CHECK(own.groups == client.groups);
  CHECK(own.disabled == client.disabled);
  CHECK(own.named_tools == client.named_tools);
  CHECK(own.no_caller_code);
  CHECK(own.builds == client.builds);
  CHECK(own.prewarm_files == client.prewarm_files);
  CHECK(own.timeout_s == client.timeout_s);
  CHECK(own.max_output_chars == client.max_output_chars);
  CHECK(own.instructions == client.instructions);
  CHECK(own.descriptions == client.descriptions);
  CHECK(own.of<UpstreamOptions>().names == client.of<UpstreamOptions>().names);
  CHECK(own.of<UpstreamOptions>().lazy);
  CHECK(own.of<UpstreamOptions>().save_media == client.of<UpstreamOptions>().save_media);
  CHECK(own.of<SharedOptions>().watchable);
  CHECK(own.environment == greeting.environment);
  CHECK(own.first_request == greeting.first_request);
  CHECK(std::filesystem::path(own.directory).is_absolute());
  // What a process has once stays the server's.
  CHECK(own.lake == server.lake);
  CHECK(own.max_open_files == server.max_open_files);
}

TEST_CASE("A client without other servers tells the shared server no variable", "[app][shared]") {
  const std::string line = to_line(greeting_of(Options()));
  CHECK(line.find("environment") == std::string::npos);
  const auto read = read_greeting(line);
  REQUIRE(read);
  CHECK(!read->environment);
}

TEST_CASE("Anything else than a greeting is refused", "[app][shared]") {
  const std::string line = to_line(greeting_of(a_client()));
  for (const std::string& bad : {std::string(), std::string("{}"), std::string("[1]"), std::string("null"),
                                 line.substr(0, line.size() - 1), std::string("{\"key\": 1}"),
                                 std::string(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})")})
    CHECK(!read_greeting(bad));
  CHECK(!read_welcome("{}"));
  CHECK(!read_welcome(R"({"refused": 1})"));
  CHECK(read_welcome(to_line(Welcome{"no"}))->refused == "no");
  CHECK(read_welcome(to_line(Welcome{}))->refused.empty());
}

TEST_CASE("Variables that are no UTF-8 do not break a greeting", "[app][shared]") {
  Greeting greeting = greeting_of(Options());
  greeting.environment.emplace();
  greeting.environment->emplace("ODD", "\xff\xfe");
  CHECK(read_greeting(to_line(greeting)));
}

}  // namespace leanbridge::app
