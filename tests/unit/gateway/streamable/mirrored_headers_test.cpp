// Headers that repeat the message: what contradicts it is refused, with examples of the specification.

#include "gateway/streamable/mirrored_headers.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::streamable::test {

using nlohmann::json;

namespace {

struct Given {
  http::IncomingRequest head;
  rpc::Request message{rpc::Id(1), "tools/call", nullptr};
  json schema;

  explicit Given(json arguments = json::object()) {
    message.params = {{"name", "lean_goal"},
                      {"arguments", std::move(arguments)},
                      {"_meta", {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"}}}};
    head.fields = {
        {"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "tools/call"}, {"mcp-name", "lean_goal"}};
    schema = {{"properties",
               {{"region", {{"type", "string"}, {"x-mcp-header", "Region"}}},
                {"at",
                 {{"type", "object"},
                  {"properties", {{"line", {{"type", "integer"}, {"x-mcp-header", "Line"}}}}}}}}}};
  }
  Given& set(const std::string& name, std::string value) {
    remove(name);
    head.fields.emplace_back(name, std::move(value));
    return *this;
  }
  Given& remove(const std::string& name) {
    std::erase_if(head.fields, [&](const auto& field) { return field.first == name; });
    return *this;
  }
  bool fits() const { return !header_mismatch(head, message, schema); }
};

}  // namespace

TEST_CASE("Headers that say what the message says fit", "[streamable][headers]") {
  CHECK(Given().fits());
  CHECK(Given().set("mcp-name", "=?base64?bGVhbl9nb2Fs?=").fits());
}

TEST_CASE("A missing or different header does not fit", "[streamable][headers]") {
  for (const char* name : {"mcp-protocol-version", "mcp-method", "mcp-name"}) {
    CHECK_FALSE(Given().remove(name).fits());
    CHECK_FALSE(Given().set(name, "other").fits());
  }
  CHECK_FALSE(Given().set("mcp-method", "TOOLS/CALL").fits());
}

TEST_CASE("A resource is named by its URI, and a list by nothing", "[streamable][headers]") {
  Given given;
  given.message.method = "resources/read";
  given.message.params["uri"] = "lean://diagnostics/A.lean";
  given.set("mcp-method", "resources/read").set("mcp-name", "lean://diagnostics/A.lean");
  CHECK(given.fits());
  given.message.method = "tools/list";
  CHECK(given.set("mcp-method", "tools/list").remove("mcp-name").fits());
}

TEST_CASE("Mirrored arguments are compared as the values they are", "[streamable][headers]") {
  CHECK(Given({{"region", "us-west1"}}).set("mcp-param-region", "us-west1").fits());
  CHECK_FALSE(Given({{"region", "us-west1"}}).fits());
  CHECK_FALSE(Given({{"region", "us-west1"}}).set("mcp-param-region", "us-west2").fits());
  CHECK(Given({{"region", nullptr}}).fits());
  CHECK_FALSE(Given().set("mcp-param-region", "us-west1").fits());
  CHECK(Given({{"at", {{"line", 42}}}}).set("mcp-param-line", "42.0").fits());
  CHECK_FALSE(Given({{"at", {{"line", 42}}}}).set("mcp-param-line", "43").fits());
  CHECK_FALSE(Given({{"at", {{"line", 42}}}}).set("mcp-param-line", "forty-two").fits());
}

TEST_CASE("Base64 in headers is strict", "[streamable][headers]") {
  CHECK(decoded_value("=?base64?SGVsbG8sIOS4lueVjA==?=") == "Hello, 世界");
  CHECK(decoded_value("=?base64?IHBhZGRlZCA=?=") == " padded ");
  CHECK(decoded_value("=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=") == "=?base64?literal?=");
  CHECK(decoded_value("SGVsbG8=") == "SGVsbG8=");                    // no prefix: as it is
  CHECK(decoded_value("=?base64?SGVsbG8=") == "=?base64?SGVsbG8=");  // no suffix
  CHECK_FALSE(decoded_value("=?base64?SGVsbG8?="));                  // padding is missing
  CHECK_FALSE(decoded_value("=?base64?SGVs!!!bG8=?="));
  CHECK_FALSE(decoded_value("=?base64?SG=sbG8=?="));
  CHECK(decoded_value("=?base64?"
                      "?=") == "");
  CHECK_FALSE(Given({{"region", "é"}}).set("mcp-param-region", "é").fits());  // not sendable as it is
}

}  // namespace leanbridge::streamable::test
