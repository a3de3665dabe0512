#include "core/rpc/message.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::rpc {
namespace {

using nlohmann::json;

template <class T>
T parsed(std::string_view text) {
  auto message = parse_message(text);
  REQUIRE(message.has_value());
  REQUIRE(std::holds_alternative<T>(*message));
  return std::get<T>(std::move(*message));
}

InvalidMessage refused(std::string_view text) {
  const auto message = parse_message(text);
  REQUIRE_FALSE(message.has_value());
  return message.error();
}

}  // namespace

TEST_CASE("a message with a method is a request or a notification", "[rpc]") {
  const auto request =
      parsed<Request>(R"({"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"a":[1]},"extra":1})");
  CHECK(request.id == Id(0));
  CHECK(request.method == "tools/call");
  CHECK(request.params == json::parse(R"({"a":[1]})"));

  const auto notification = parsed<Notification>(R"({"jsonrpc":"2.0","method":"exit"})");
  CHECK(notification.method == "exit");
  CHECK(notification.params.is_null());
  CHECK(parsed<Notification>(R"({"jsonrpc":"2.0","method":"m","params":null})").params.is_null());
  CHECK(parsed<Notification>(R"({"jsonrpc":"2.0","method":"m","params":[1]})").params == json::parse("[1]"));
  // `method` decides, even if members of a response are present.
  CHECK(parsed<Request>(R"({"jsonrpc":"2.0","id":"x","method":"m","result":1})").id == Id("x"));
}

TEST_CASE("a message without a method is a response", "[rpc]") {
  const auto result = parsed<Response>(R"({"jsonrpc":"2.0","id":"a","result":null})");
  CHECK(result.id == Id("a"));
  CHECK(std::get<Success>(result.outcome).result.is_null());

  const auto error =
      parsed<Response>(R"({"jsonrpc":"2.0","id":3,"error":{"code":-32801,"message":"old","data":[1]}})");
  CHECK(error.id == Id(3));
  CHECK(std::get<RpcError>(error.outcome) == RpcError{kContentModified, "old", json::parse("[1]")});

  // Without an id: an error about something that the peer could not read.
  for (const char* text : {R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}})",
                           R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"?"}})"}) {
    CHECK(parsed<Response>(text).id == std::nullopt);
  }
  CHECK(std::holds_alternative<Success>(
      parsed<Response>(R"({"jsonrpc":"2.0","id":1,"result":{},"error":null})").outcome));
  // A malformed error is still an error.
  const auto odd =
      std::get<RpcError>(parsed<Response>(R"({"jsonrpc":"2.0","id":1,"error":{"code":1e300}})").outcome);
  CHECK(odd == RpcError{kInternalError, "error without a message", nullptr});
  CHECK(
      std::get<RpcError>(parsed<Response>(R"({"jsonrpc":"2.0","id":1,"error":{"code":99999999999}})").outcome)
          .code == kInternalError);
}

TEST_CASE("what is not JSON is a parse error", "[rpc]") {
  for (const std::string& text :
       {std::string(""), std::string("{"), std::string("hello"), std::string("{}x"),
        std::string(R"({"jsonrpc":"2.0","method":"m)"), std::string("{\"a\":\"\xFF\"}"),
        std::string("{\"a\":\"\xC3\"}"), std::string("[1e999]"), std::string("\0", 1)}) {
    CAPTURE(text);
    const InvalidMessage error = refused(text);
    CHECK(error.code == kParseError);
    CHECK(error.answerable);
    CHECK(error.id == std::nullopt);
  }
  CHECK(refused("\"" + std::string(1'000'000, 'a')).message.size() < 1000);  // does not quote it all
}

TEST_CASE("JSON that is no message is an invalid request, with its id when there is one", "[rpc]") {
  struct Row {
    std::string_view text;
    std::optional<Id> id;
    bool answerable;
  };
  const Row rows[] = {
      {"1", std::nullopt, true},
      {"null", std::nullopt, true},
      {"[]", std::nullopt, true},
      {"{}", std::nullopt, true},
      {R"({"jsonrpc":"2.0"})", std::nullopt, true},
      {R"({"id":1,"method":"m"})", Id(1), true},
      {R"({"jsonrpc":"1.0","id":1,"method":"m"})", Id(1), true},
      {R"({"jsonrpc":2.0,"id":"q","method":"m"})", Id("q"), true},
      {R"({"jsonrpc":"2.0","id":1,"method":7})", Id(1), true},
      {R"({"jsonrpc":"2.0","id":1,"method":"m","params":"x"})", Id(1), true},
      {R"({"jsonrpc":"2.0","id":null,"method":"m"})", std::nullopt, true},
      {R"({"jsonrpc":"2.0","id":{},"method":"m"})", std::nullopt, true},
      {R"({"jsonrpc":"2.0","id":1})", Id(1), false},
      {R"({"jsonrpc":"2.0","id":1,"error":null})", Id(1), false},
      {R"({"jsonrpc":"2.0","id":1,"error":"bad"})", Id(1), false},
      {R"({"jsonrpc":"2.0","id":null,"result":1})", std::nullopt, false},
      {R"({"jsonrpc":"2.0","result":1})", std::nullopt, false},
      {R"({"id":1,"result":1})", Id(1), false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const InvalidMessage error = refused(row.text);
    CHECK(error.code == kInvalidRequest);
    CHECK(error.id == row.id);
    CHECK(error.answerable == row.answerable);
  }
}

TEST_CASE("nesting is bounded before anything is built", "[rpc]") {
  const auto nested = [](std::size_t depth) {
    return R"({"jsonrpc":"2.0","method":"m","params":)" + std::string(depth, '[') + std::string(depth, ']') +
           "}";
  };
  CHECK(parse_message(nested(kMaxNesting - 1)).has_value());
  CHECK(refused(nested(kMaxNesting)).code == kParseError);
  CHECK(refused(std::string(5'000'000, '[')).code == kParseError);
  CHECK(refused(R"({"a":)" + std::string(100'000, '{')).code == kParseError);
  // Brackets in strings do not count, escaped quotes do not end a string.
  CHECK(parse_message(R"({"jsonrpc":"2.0","method":"m","params":["\"[[[[\\","[[[["]})", 3).has_value());
  CHECK(parse_message(R"({"jsonrpc":"2.0","method":"m","params":[[],[],[]]})", 3).has_value());
}

TEST_CASE("a batch is handed on as it is", "[rpc]") {
  const auto batch = parsed<Batch>(R"([{"jsonrpc":"2.0","method":"a"},7])");
  REQUIRE(batch.elements.size() == 2);
  CHECK(message_from_json(batch.elements[0]).has_value());
  CHECK_FALSE(message_from_json(batch.elements[1]).has_value());
  CHECK_FALSE(message_from_json(json::parse("[[]]")).has_value());
}

TEST_CASE("serialised messages are single lines that parse to the same", "[rpc]") {
  CHECK(make_request(Id(7), "m", {{"a", "x\ny"}}) ==
        R"({"id":7,"jsonrpc":"2.0","method":"m","params":{"a":"x\ny"}})");
  CHECK(make_notification("exit", nullptr) == R"({"jsonrpc":"2.0","method":"exit"})");
  CHECK(make_result(Id("a"), nullptr) == R"({"id":"a","jsonrpc":"2.0","result":null})");
  CHECK(make_error(Id(1), {kInvalidParams, "no", nullptr}) ==
        R"({"error":{"code":-32602,"message":"no"},"id":1,"jsonrpc":"2.0"})");
  CHECK(make_error(std::nullopt, {kParseError, "no", {{"at", 3}}}) ==
        R"({"error":{"code":-32700,"data":{"at":3},"message":"no"},"jsonrpc":"2.0"})");

  const auto request = parsed<Request>(make_request(Id("é"), "∀", json::array({1, "𝓝"})));
  CHECK(request.id == Id("é"));
  CHECK(request.method == "∀");
  CHECK(request.params == json::array({1, "𝓝"}));
}

TEST_CASE("invalid UTF-8 leaves as U+FFFD, never as an exception", "[rpc]") {
  const std::string text = make_result(Id("i\xFF"), {{"k\xC3", "v\xE2\x88"}});
  CHECK(parse_message(text).has_value());
  CHECK(text.find("\xEF\xBF\xBD") != std::string::npos);
  CHECK(parse_message(make_error(Id(1), {1, "\xFF", "\xFF"})).has_value());
  CHECK(parse_message(make_notification("m\xFF", nullptr)).has_value());
}

TEST_CASE("a message of 5 MB goes through", "[rpc]") {
  const std::string big(5'000'000, 'x');
  const auto response = parsed<Response>(make_result(Id(1), big));
  CHECK(std::get<Success>(response.outcome).result.get_ref<const std::string&>() == big);
}

TEST_CASE("a number that is out of range is not repeated", "[rpc][message]") {
  const auto message =
      parse_message(R"({"jsonrpc":"2.0","id":1,"method":"m","params":[)" + std::string(309, '9') + "]}");
  REQUIRE_FALSE(message);
  CHECK(message.error().message.find("[a number of 309 digits]") != std::string::npos);
  CHECK(message.error().message.find("999") == std::string::npos);
}

}  // namespace leanbridge::rpc
