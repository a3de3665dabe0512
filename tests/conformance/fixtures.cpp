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

// Every keyword of the dialect that might get lost in a listing.
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
  asio::awaitable<mcp::ProxiedResult> (*answer)(Fixtures& fixtures, json arguments,
                                                std::shared_ptr<mcp::ProxiedCall> call);
};

json no_arguments() {
  return {{"type", "object"}, {"additionalProperties", false}};
}

template <json (*blocks)()>
asio::awaitable<mcp::ProxiedResult> at_once(Fixtures&, json, std::shared_ptr<mcp::ProxiedCall>) {
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

// --- tools that ask the client: by requests in the legacy era, by `input_required` in the modern one

json text_argument(const char* name) {
  return {
      {"type", "object"}, {"properties", {{name, {{"type", "string"}}}}}, {"required", json::array({name})}};
}
json with_prompt() {
  return text_argument("prompt");
}
json with_message() {
  return text_argument("message");
}

json with_mirrored_argument() {
  json schema = text_argument("region");
  schema["properties"]["region"]["x-mcp-header"] = "Region";
  return schema;
}

json object_of(json properties, json required) {
  return {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
}
json text_field(const char* name) {
  return object_of({{name, {{"type", "string"}}}}, json::array({name}));
}
json flag_field(const char* name) {
  return object_of({{name, {{"type", "boolean"}}}}, json::array({name}));
}

json elicitation(const std::string& message, json schema) {
  return {{"message", message}, {"requestedSchema", std::move(schema)}};
}
json sampling(const std::string& words, int tokens) {
  return {{"messages", json::array({{{"role", "user"}, {"content", text(words)}}})}, {"maxTokens", tokens}};
}

asio::awaitable<mcp::ProxiedResult> ask(Fixtures& fixtures, std::string method, json params,
                                        const char* words, std::shared_ptr<mcp::ProxiedCall> call) {
  if (!mcp::can_answer(call->capabilities, method))
    co_return fail(ErrorKind::NotSupported, "The client does not offer " + method + ".");
  const mcp::HostAnswer answer = co_await fixtures.host->ask(method, std::move(params), call->scope);
  if (!answer) co_return fail(ErrorKind::BackendError, answer.error().message);
  co_return content(json::array({text(words + answer->dump())}));
}

asio::awaitable<mcp::ProxiedResult> ask_model(Fixtures& fixtures, json arguments,
                                              std::shared_ptr<mcp::ProxiedCall> call) {
  return ask(fixtures, "sampling/createMessage", sampling(arguments.value("prompt", ""), 100),
             "LLM response: ", std::move(call));
}

asio::awaitable<mcp::ProxiedResult> ask_user(Fixtures& fixtures, json arguments,
                                             std::shared_ptr<mcp::ProxiedCall> call) {
  const json text_type = {{"type", "string"}};
  json schema = object_of({{"username", text_type}, {"email", text_type}}, {"username", "email"});
  return ask(fixtures, "elicitation/create", elicitation(arguments.value("message", ""), std::move(schema)),
             "User response: ", std::move(call));
}

template <const char* const& kProperties>
asio::awaitable<mcp::ProxiedResult> ask_form(Fixtures& fixtures, json,
                                             std::shared_ptr<mcp::ProxiedCall> call) {
  json schema = {{"type", "object"}, {"properties", json::parse(kProperties)}};
  return ask(fixtures, "elicitation/create", elicitation("Please fill in the form.", std::move(schema)),
             "Elicitation completed: ", std::move(call));
}

constexpr const char* kDefaults = R"({
  "name": {"type": "string", "default": "John Doe"},
  "age": {"type": "integer", "default": 30},
  "score": {"type": "number", "default": 95.5},
  "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
  "verified": {"type": "boolean", "default": true}})";
constexpr const char* kEnums = R"({
  "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
  "titledSingle": {"type": "string", "oneOf": [{"const": "value1", "title": "First Option"},
    {"const": "value2", "title": "Second Option"}, {"const": "value3", "title": "Third Option"}]},
  "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"],
    "enumNames": ["Option One", "Option Two", "Option Three"]},
  "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
  "titledMulti": {"type": "array", "items": {"anyOf": [{"const": "value1", "title": "First Choice"},
    {"const": "value2", "title": "Second Choice"}, {"const": "value3", "title": "Third Choice"}]}}})";

json question(const char* method, json params) {
  return {{"method", method}, {"params", std::move(params)}};
}
json for_user(const std::string& message, json schema) {
  return question("elicitation/create", elicitation(message, std::move(schema)));
}
json for_model(const std::string& words, int tokens) {
  return question("sampling/createMessage", sampling(words, tokens));
}
json for_roots() {
  return question("roots/list", json::object());
}

json input_required(json questions, const std::string& state = {}) {
  json result = {{"resultType", "input_required"}, {"inputRequests", std::move(questions)}};
  if (!state.empty()) result["requestState"] = state;
  return result;
}

// Whether each question was answered with an object.
bool answered(const mcp::ProxiedCall& call, const json& questions) {
  const json answers = call.input.value("inputResponses", json());
  if (!answers.is_object()) return false;
  const auto items = questions.items();
  return std::all_of(items.begin(), items.end(), [&](const auto& each) {
    return answers.contains(each.key()) && answers[each.key()].is_object();
  });
}

mcp::ProxiedResult done(const char* words) {
  return content(json::array({text(words)}));
}

mcp::ProxiedResult refuse(mcp::ProxiedCall& call, int code, const char* why, json data = nullptr) {
  call.refusal = rpc::RpcError{code, why, std::move(data)};
  return fail(ErrorKind::InvalidArgument, why);
}

template <json (*questions)()>
asio::awaitable<mcp::ProxiedResult> after_input(Fixtures&, json, std::shared_ptr<mcp::ProxiedCall> call) {
  if (!answered(*call, questions())) co_return input_required(questions());
  co_return done("Thank you.");
}

// The state is a constant, so any other value was changed on the way.
constexpr const char* kState = "state.5f8c2b";

template <json (*questions)()>
asio::awaitable<mcp::ProxiedResult> after_state(Fixtures&, json, std::shared_ptr<mcp::ProxiedCall> call) {
  const json state = call->input.value("requestState", json());
  if (!state.is_null() && state != kState)
    co_return refuse(*call, rpc::kInvalidParams, "requestState was changed.");
  if (state.is_null() || !answered(*call, questions())) co_return input_required(questions(), kState);
  co_return done("state-ok");
}

json ask_name() {
  return {{"user_name", for_user("What is your name?", text_field("name"))}};
}
json ask_capital() {
  return {{"capital_question", for_model("What is the capital of France?", 100)}};
}
json ask_roots() {
  return {{"client_roots", for_roots()}};
}
json ask_consent() {
  return {{"confirm", for_user("Please confirm", flag_field("ok"))}};
}
json ask_everything() {
  return {{"user_name", for_user("What is your name?", text_field("name"))},
          {"greeting", for_model("Generate a greeting", 50)},
          {"client_roots", for_roots()}};
}

asio::awaitable<mcp::ProxiedResult> in_rounds(Fixtures&, json, std::shared_ptr<mcp::ProxiedCall> call) {
  const std::string state = call->input.value("requestState", "");
  if (state == "round-2") co_return done("Three rounds.");
  if (state == "round-1")
    co_return input_required(
        {{"step2", for_user("Step 2: What is your favorite color?", text_field("color"))}}, "round-2");
  co_return input_required({{"step1", for_user("Step 1: What is your name?", text_field("name"))}},
                           "round-1");
}

asio::awaitable<mcp::ProxiedResult> by_capabilities(Fixtures&, json, std::shared_ptr<mcp::ProxiedCall> call) {
  json questions = json::object();
  const json all = ask_everything();
  for (const auto& [key, each] : all.items())
    if (mcp::can_answer(call->capabilities, each["method"].get<std::string>())) questions[key] = each;
  if (answered(*call, questions)) co_return done("All that this client offers.");
  co_return input_required(std::move(questions));
}

asio::awaitable<mcp::ProxiedResult> needs_model(Fixtures&, json, std::shared_ptr<mcp::ProxiedCall> call) {
  if (!mcp::can_answer(call->capabilities, "sampling/createMessage"))
    co_return refuse(*call, mcp::kMissingClientCapability, "This tool needs the client's model.",
                     {{"requiredCapabilities", {{"sampling", json::object()}}}});
  co_return done("The client has a model.");
}

asio::awaitable<mcp::ProxiedResult> greet(Fixtures&, json arguments, std::shared_ptr<mcp::ProxiedCall>) {
  co_return content(json::array({text("Hello, " + arguments.value("name", "") + "!")}));
}
json with_name() {
  return text_argument("name");
}

asio::awaitable<mcp::ProxiedResult> with_progress(Fixtures&, json, std::shared_ptr<mcp::ProxiedCall> call) {
  for (const int done : {0, 50, 100}) {
    if (done > 0) co_await io::sleep_for(kStep, call->scope);
    if (call->on_progress) call->on_progress({{"progress", done}, {"total", 100}});
  }
  co_return content(json::array({text("All of 100.")}));
}

asio::awaitable<mcp::ProxiedResult> with_logging(Fixtures& fixtures, json,
                                                 std::shared_ptr<mcp::ProxiedCall> call) {
  for (const char* words : {"Tool execution started", "Tool processing data", "Tool execution completed"}) {
    fixtures.log("info", words);
    co_await io::sleep_for(kStep, call->scope);
  }
  co_return content(json::array({text("Three messages were logged.")}));
}

template <mcp::Session::List list>
asio::awaitable<mcp::ProxiedResult> with_change(Fixtures& fixtures, json, std::shared_ptr<mcp::ProxiedCall>) {
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
      {"test_streaming_elicitation", "Asks the user.", no_arguments, after_input<ask_name>},
      {"test_sampling", "Asks the client's model.", with_prompt, ask_model},
      {"test_elicitation", "Asks the user.", with_message, ask_user},
      {"test_elicitation_sep1034_defaults", "Asks with defaults.", no_arguments, ask_form<kDefaults>},
      {"test_elicitation_sep1330_enums", "Asks with choices.", no_arguments, ask_form<kEnums>},
      {"test_missing_capability", "Needs the client's model.", no_arguments, needs_model},
      {"test_input_required_result_elicitation", "Asks the user.", no_arguments, after_input<ask_name>},
      {"test_input_required_result_sampling", "Asks the model.", no_arguments, after_input<ask_capital>},
      {"test_input_required_result_list_roots", "Asks for roots.", no_arguments, after_input<ask_roots>},
      {"test_input_required_result_request_state", "Has a state.", no_arguments, after_state<ask_consent>},
      {"test_input_required_result_tampered_state", "Has a state.", no_arguments, after_state<ask_consent>},
      {"test_input_required_result_multiple_inputs", "Asks for everything.", no_arguments,
       after_state<ask_everything>},
      {"test_input_required_result_multi_round", "Asks twice.", no_arguments, in_rounds},
      {"test_input_required_result_capabilities", "Asks for what there is.", no_arguments, by_capabilities},
      {"test_trigger_tool_change", "Changes the list of tools.", no_arguments, with_change<List::Tools>},
      {"test_trigger_prompt_change", "Changes the list of prompts.", no_arguments,
       with_change<List::Prompts>},
      {"greet", "Greets.", with_name, greet},
      {"confirm_delete", "Asks nobody.", no_arguments, at_once<one_text>},
      {"test_mirrored_argument", "Its argument is mirrored in a header.", with_mirrored_argument,
       at_once<one_text>},
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
constexpr const char* kAsking = "test_input_required_result_prompt";
constexpr const char* kBinary = "test://static-binary";

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

asio::awaitable<mcp::ProxiedResult> Fixtures::call_tool(std::string name, json arguments,
                                                        std::shared_ptr<mcp::ProxiedCall> call) {
  co_return co_await find_content_tool(name)->answer(*this, std::move(arguments), call);
}

json Fixtures::prompts() const {
  return json::array(
      {{{"name", kWithResource},
        {"description", "A resource, and a question about it."},
        {"arguments",
         json::array({{{"name", "resourceUri"}, {"description", "Which one."}, {"required", true}}})}},
       {{"name", kWithImage}, {"description", "An image, and a question about it."}},
       {{"name", kAsking}, {"description", "Asks the user first."}}});
}

bool Fixtures::knows_prompt(const std::string& name) const {
  return name == kWithResource || name == kWithImage || name == kAsking;
}

asio::awaitable<mcp::ProxiedResult> Fixtures::get_prompt(std::string name, json arguments,
                                                         std::shared_ptr<mcp::ProxiedCall> call) {
  if (name == kAsking) {
    const json questions = {
        {"user_context", for_user("What context should the prompt use?", text_field("context"))}};
    if (!answered(*call, questions)) co_return input_required(questions);
    co_return messages(text("The context is known."), "What now?");
  }
  if (name == kWithImage) co_return messages(image(), "What is on this image?");
  if (!arguments.is_object() || !arguments.contains("resourceUri") || !arguments["resourceUri"].is_string())
    co_return fail(ErrorKind::InvalidArgument, name + " needs resourceUri, a string.");
  const std::string uri = arguments["resourceUri"].get<std::string>();
  co_return messages(embedded(uri, "text/plain", "The text of " + uri + "."), "What does this resource say?");
}

json Fixtures::resources() const {
  return json::array({{{"uri", kBinary},
                       {"name", "binary"},
                       {"description", "One that is no text."},
                       {"mimeType", "image/png"}}});
}

json Fixtures::resource_templates() const {
  return json::array();
}

bool Fixtures::knows_resource(const std::string& uri) const {
  return uri == kBinary;
}

asio::awaitable<mcp::ProxiedResult> Fixtures::read_resource(std::string uri,
                                                            std::shared_ptr<mcp::ProxiedCall>) {
  co_return json{{"contents", json::array({{{"uri", uri}, {"mimeType", "image/png"}, {"blob", kPng}}})}};
}

Result<mcp::Watch> Fixtures::watch_resource(const std::string& uri) {
  return fail(ErrorKind::NotSupported, uri + " never changes.");
}

bool Fixtures::completes(const json&) const {
  return false;
}

asio::awaitable<mcp::ProxiedResult> Fixtures::complete(json, std::shared_ptr<mcp::ProxiedCall>) {
  co_return fail(ErrorKind::InvalidArgument, "There is nothing to complete.");
}

struct TextResult {
  std::string text;
  static wire::Fields fields() { return wire::fields<&TextResult::text>(); }
};

struct SlowParams {
  double seconds = 1;
  std::string label;
  static wire::Fields fields() {
    return {wire::field<&SlowParams::seconds>().with_default(),
            wire::field<&SlowParams::label>().with_default()};
  }
};

asio::awaitable<bool> sleep_long(std::shared_ptr<mcp::Call> call, double seconds) {
  const auto time = std::chrono::duration_cast<io::Clock::duration>(std::chrono::duration<double>(seconds));
  co_return co_await io::sleep_for(time, call->scope) != io::WaitStatus::Cancelled;
}

asio::awaitable<Result<json>> compute_slowly(std::shared_ptr<mcp::Call> call, json arguments) {
  if (!co_await sleep_long(std::move(call), arguments.value("seconds", 1.0)))
    co_return fail(ErrorKind::Cancelled, "cancelled");
  co_return json{{"text", "Computed."}};
}

asio::awaitable<Result<json>> fail_slowly(std::shared_ptr<mcp::Call> call, json) {
  co_await sleep_long(std::move(call), 1);
  co_return fail(ErrorKind::BackendError, "This job always fails.");
}

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
  const auto job = [&](const char* name, const char* description, mcp::Tool::Handler handler) {
    mcp::Tool made = tool(name, description, std::move(handler));
    made.arguments = SlowParams::fields();
    made.may_be_task = true;
    return made;
  };
  return {job("slow_compute", "Takes its time.", compute_slowly),
          job("failing_job", "Takes its time and fails.", fail_slowly),
          job("protocol_error_job", "Takes its time and fails.", fail_slowly),
          tool("test_simple_text", "Answers with a text.",
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
