#include "fixtures.hpp"

#include <algorithm>
#include <chrono>

namespace leanbridge::conformance {

using nlohmann::json;

namespace {

constexpr auto kStep = std::chrono::milliseconds(50);

// One red pixel, and eight samples of silence.
constexpr const char* kPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";
constexpr const char* kWav = "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==";

json text(const std::string& words) {
  return {{"type", "text"}, {"text", words}};
}
json image() {
  return {{"type", "image"}, {"data", kPng}, {"mimeType", "image/png"}};
}
json audio() {
  return {{"type", "audio"}, {"data", kWav}, {"mimeType", "audio/wav"}};
}
json embedded(const std::string& uri, const char* type, const std::string& words) {
  return {{"type", "resource"}, {"resource", {{"uri", uri}, {"mimeType", type}, {"text", words}}}};
}
json content(json blocks) {
  return {{"content", std::move(blocks)}};
}

// Every keyword of the dialect that a listing could lose.
json rich_schema() {
  return json::parse(R"({
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": {"$anchor": "addressDef", "type": "object",
                          "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
    "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
                   "contactMethod": {"type": "string", "enum": ["phone", "email"]},
                   "phone": {"type": "string"}, "email": {"type": "string"}},
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": false})");
}

struct ContentTool {
  const char* name;
  const char* description;
  json (*schema)();
  asio::awaitable<json> (*answer)(Fixtures& fixtures, std::shared_ptr<mcp::ProxiedCall> call);
};

json no_arguments() {
  return {{"type", "object"}, {"additionalProperties", false}};
}

template <json (*blocks)()>
asio::awaitable<json> at_once(Fixtures&, std::shared_ptr<mcp::ProxiedCall>) {
  co_return content(blocks());
}

json one_image() {
  return json::array({image()});
}
json one_audio() {
  return json::array({audio()});
}
json one_resource() {
  return json::array(
      {embedded("test://embedded-resource", "text/plain", "The text of an embedded resource.")});
}
json one_of_each() {
  return json::array({text("Three kinds of content:"), image(),
                      embedded("test://mixed-content-resource", "application/json", R"({"value":123})")});
}
json one_text() {
  return json::array({text("The arguments fit the schema.")});
}
json no_input() {
  return json::array({text("This would need the user's input, which this server never asks a client for.")});
}

asio::awaitable<json> with_progress(Fixtures&, std::shared_ptr<mcp::ProxiedCall> call) {
  for (const int done : {0, 50, 100}) {
    if (done > 0) co_await io::sleep_for(kStep, call->scope);
    if (call->on_progress) call->on_progress({{"progress", done}, {"total", 100}});
  }
  co_return content(json::array({text("All of 100.")}));
}

asio::awaitable<json> with_logging(Fixtures& fixtures, std::shared_ptr<mcp::ProxiedCall> call) {
  for (const char* words : {"Tool execution started", "Tool processing data", "Tool execution completed"}) {
    fixtures.log("info", words);
    co_await io::sleep_for(kStep, call->scope);
  }
  co_return content(json::array({text("Three messages were logged.")}));
}

template <mcp::Session::List list>
asio::awaitable<json> with_change(Fixtures& fixtures, std::shared_ptr<mcp::ProxiedCall>) {
  fixtures.changed(list);
  co_return content(json::array({text("The list has changed.")}));
}

const std::vector<ContentTool>& content_tools() {
  using List = mcp::Session::List;
  static const std::vector<ContentTool> all = {
      {"test_image_content", "Answers with an image.", no_arguments, at_once<one_image>},
      {"test_audio_content", "Answers with audio.", no_arguments, at_once<one_audio>},
      {"test_embedded_resource", "Answers with a resource.", no_arguments, at_once<one_resource>},
      {"test_multiple_content_types", "Answers with text, image and resource.", no_arguments,
       at_once<one_of_each>},
      {"test_tool_with_progress", "Reports its progress.", no_arguments, with_progress},
      {"test_tool_with_logging", "Logs while it works.", no_arguments, with_logging},
      {"test_logging_tool", "Logs while it works.", no_arguments, with_logging},
      {"test_streaming_elicitation", "Would ask the user.", no_arguments, at_once<no_input>},
      {"test_trigger_tool_change", "Changes the list of tools.", no_arguments, with_change<List::Tools>},
      {"test_trigger_prompt_change", "Changes the list of prompts.", no_arguments,
       with_change<List::Prompts>},
      {"json_schema_2020_12_tool", "Has a schema with many keywords.", rich_schema, at_once<one_text>},
  };
  return all;
}

const ContentTool* find_content_tool(const std::string& name) {
  const auto& all = content_tools();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const ContentTool& tool) { return tool.name == name; });
  return found == all.end() ? nullptr : &*found;
}

constexpr const char* kWithResource = "test_prompt_with_embedded_resource";
constexpr const char* kWithImage = "test_prompt_with_image";

json messages(json first, const char* question) {
  return {{"messages", json::array({{{"role", "user"}, {"content", std::move(first)}},
                                    {{"role", "user"}, {"content", text(question)}}})}};
}

}  // namespace

json Fixtures::tools() const {
  json all = json::array();
  for (const ContentTool& tool : content_tools())
    all.push_back({{"name", tool.name}, {"description", tool.description}, {"inputSchema", tool.schema()}});
  return all;
}

bool Fixtures::knows_tool(const std::string& name) const {
  return find_content_tool(name) != nullptr;
}

asio::awaitable<mcp::ProxiedResult> Fixtures::call_tool(std::string name, json,
                                                        std::shared_ptr<mcp::ProxiedCall> call) {
  co_return co_await find_content_tool(name)->answer(*this, call);
}

json Fixtures::prompts() const {
  return json::array(
      {{{"name", kWithResource},
        {"description", "A resource, and a question about it."},
        {"arguments",
         json::array({{{"name", "resourceUri"}, {"description", "Which one."}, {"required", true}}})}},
       {{"name", kWithImage}, {"description", "An image, and a question about it."}}});
}

bool Fixtures::knows_prompt(const std::string& name) const {
  return name == kWithResource || name == kWithImage;
}

asio::awaitable<mcp::ProxiedResult> Fixtures::get_prompt(std::string name, json arguments,
                                                         std::shared_ptr<mcp::ProxiedCall>) {
  if (name == kWithImage) co_return messages(image(), "What is on this image?");
  if (!arguments.is_object() || !arguments.contains("resourceUri") || !arguments["resourceUri"].is_string())
    co_return fail(ErrorKind::InvalidArgument, name + " needs resourceUri, a string.");
  const std::string uri = arguments["resourceUri"].get<std::string>();
  co_return messages(embedded(uri, "text/plain", "The text of " + uri + "."), "What does this resource say?");
}

struct TextResult {
  std::string text;
  static wire::Fields fields() { return {wire::field<&TextResult::text>("text")}; }
};

std::vector<mcp::Tool> own_tools() {
  const auto tool = [](const char* name, const char* description, mcp::Tool::Handler handler) {
    mcp::Tool made;
    made.name = made.title = name;
    made.group = "proof";
    made.description = description;
    made.output = TextResult::fields();
    made.waits = false;
    made.handler = std::move(handler);
    return made;
  };
  return {tool("test_simple_text", "Answers with a text.",
               [](std::shared_ptr<mcp::Call>, json) -> asio::awaitable<Result<json>> {
                 co_return json{{"text", "A simple text."}};
               }),
          tool("test_error_handling", "Fails.",
               [](std::shared_ptr<mcp::Call>, json) -> asio::awaitable<Result<json>> {
                 co_return fail(ErrorKind::NotSupported, "This tool always fails.", "Call another one.");
               })};
}

std::vector<mcp::Prompt> own_prompts() {
  return {{"test_simple_prompt",
           "Simple",
           "Without arguments.",
           {},
           [](const auto&) { return "A simple prompt."; }},
          {"test_prompt_with_arguments",
           "With arguments",
           "With two arguments.",
           {{"arg1", "the first"}, {"arg2", "the second"}},
           [](const mcp::Prompt::Values& values) {
             return "arg1='" + values.at("arg1") + "', arg2='" + values.at("arg2") + "'";
           }}};
}

std::vector<mcp::Resource> own_resources() {
  const auto resource = [](const char* uri, const char* name, const char* description) {
    mcp::Resource made;
    made.uri = uri;
    made.name = made.title = name;
    made.description = description;
    made.read = [](std::shared_ptr<mcp::Call>, std::string path) -> asio::awaitable<Result<json>> {
      co_return json{{"text", "The content of a resource."}, {"id", path}};
    };
    return made;
  };
  mcp::Resource watched = resource("test://watched-resource", "watched", "One that can be subscribed to.");
  watched.watch = [](const std::string&) -> Result<mcp::Watch> {
    return [](io::CancelScope scope, std::function<void()> changed) -> asio::awaitable<void> {
      changed();
      co_await io::sleep_for(std::chrono::hours(1), scope);
    };
  };
  return {resource("test://static-text", "text", "One that never changes."), std::move(watched),
          resource("test://template/{path}/data", "template", "One for each id.")};
}

}  // namespace leanbridge::conformance
