// What a login reads and decides, without any server: challenges, metadata, proofs, the browser's answer.
#include "gateway/upstream/oauth/login.hpp"
#include "gateway/upstream/oauth/metadata.hpp"
#include "gateway/upstream/oauth/redirect_listener.hpp"
#include "gateway/upstream/oauth/token_requests.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::upstream {

using nlohmann::json;

TEST_CASE("The parameters of a Bearer challenge", "[upstream][oauth]") {
  const auto check = [](const std::string& header, const std::string& metadata, const std::string& scope,
                        const std::string& error) {
    INFO(header);
    const auto challenge = bearer_challenge(header);
    REQUIRE(challenge);
    CHECK(challenge->resource_metadata == metadata);
    CHECK(challenge->scope == scope);
    CHECK(challenge->error == error);
  };
  check("Bearer", "", "", "");
  check(R"(Bearer resource_metadata="https://a/b?c=d,e", scope="x y", error="insufficient_scope")",
        "https://a/b?c=d,e", "x y", "insufficient_scope");
  check(R"(bEARER realm="a \"quoted\", name" , Scope=one ,error = "e")", "", "one", "e");
  check(R"(Negotiate abc/+==, Bearer scope="a")", "", "a", "");
  check(R"(Basic realm="scope=\"no\"", scope="no", Bearer scope="yes", Digest scope="neither")", "", "yes",
        "");
  check(R"(Bearer scope="first", scope="second")", "", "first", "");
  check(R"(Bearer scope="not closed)", "", "not closed", "");
  check(R"(Bearer scope="ends in \)", "", "ends in \\", "");
  check(R"(Bearer error="e", ///, scope="lost")", "", "", "e");
  for (const char* none :
       {"", "Basic", R"(Basic realm="Bearer")", "DPoP algs=\"x\"", "=,=", "/////", "Bearerx a=b"}) {
    INFO(none);
    CHECK_FALSE(bearer_challenge(none));
  }
}

TEST_CASE("Scopes are sets", "[upstream][oauth]") {
  CHECK(join_scopes(split_scopes("  b a\tb ")) == "a b");
  CHECK(join_scopes(split_scopes("")).empty());
  CHECK(join_scopes(split_scopes("a \x1b[31mb c\"d \xe2\x80\xae"
                                 "e \xf3\xa0\x81\x81 f")) == "a f");
}

TEST_CASE("The proof of RFC 7636, appendix B", "[upstream][oauth]") {
  CHECK(pkce_challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk") ==
        "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
}

TEST_CASE("Random texts are long, of safe characters and different", "[upstream][oauth]") {
  const std::string one = random_text(48), two = random_text(48);
  CHECK(one.size() == 64);  // a code_verifier has 43 to 128
  CHECK(one != two);
  CHECK(one.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") ==
        std::string::npos);
}

TEST_CASE("The name of a resource, and where metadata is", "[upstream][oauth]") {
  CHECK(canonical_resource("HTTPS://MCP.Example.org:443/Mcp/?a=b#c") == "https://mcp.example.org/Mcp/");
  CHECK(canonical_resource("http://127.0.0.1:8080/") == "http://127.0.0.1:8080");
  CHECK(canonical_resource("nothing").empty());
  using List = std::vector<std::string>;
  CHECK(resource_metadata_addresses("https://h/a/mcp?q") ==
        List{"https://h/.well-known/oauth-protected-resource/a/mcp",
             "https://h/.well-known/oauth-protected-resource"});
  CHECK(resource_metadata_addresses("https://h:8443") ==
        List{"https://h:8443/.well-known/oauth-protected-resource"});
  CHECK(issuer_metadata_addresses("https://h") == List{"https://h/.well-known/oauth-authorization-server",
                                                       "https://h/.well-known/openid-configuration"});
  CHECK(issuer_metadata_addresses("https://h/t/1/") ==
        List{"https://h/.well-known/oauth-authorization-server/t/1",
             "https://h/.well-known/openid-configuration/t/1",
             "https://h/t/1/.well-known/openid-configuration"});
}

TEST_CASE("Which addresses of a server's are used", "[upstream][oauth]") {
  const std::string far = "https://mcp.example.org/mcp", near = "http://127.0.0.1:9000/mcp",
                    inside = "https://10.1.2.3/mcp";
  for (const char* good : {"https://id.example.org/x?y", "https://8.8.8.8", "https://[2001:db8::1]/"}) {
    INFO(good);
    CHECK(check_address(good, far, "It"));
  }
  for (const char* bad : {"http://id.example.org",
                          "ftp://id.example.org",
                          "https://user@id.example.org",
                          "https://id.example.org/a b",
                          "https://id.example.org/\nX: y",
                          "https://127.0.0.1",
                          "http://localhost/x",
                          "https://[::1]/",
                          "https://10.0.0.1",
                          "https://192.168.1.1",
                          "https://172.16.0.1",
                          "https://169.254.169.254",
                          "https://100.64.0.1",
                          "https://0.0.0.0",
                          "https://[fe80::1]",
                          "https://[fd00::1]",
                          "https://[::ffff:10.0.0.1]",
                          "https://2130706433/",
                          "",
                          "https://"}) {
    INFO(bad);
    CHECK_FALSE(check_address(bad, far, "It"));
  }
  CHECK(check_address("http://127.0.0.1:1/x", near, "It"));
  CHECK(check_address("http://localhost:1/x", near, "It"));
  CHECK_FALSE(check_address("https://10.1.2.3/x", near, "It"));
  CHECK(check_address("https://10.1.2.3:8443/x", inside, "It"));
  CHECK_FALSE(check_address("https://10.1.2.4/x", inside, "It"));
}

TEST_CASE("The metadata of a resource is for this server", "[upstream][oauth]") {
  const auto read = [](const std::string& resource, const std::string& url) {
    return read_resource_metadata({{"resource", resource}, {"authorization_servers", {"https://i"}}}, url)
        .has_value();
  };
  CHECK(read("https://h/mcp", "https://h/mcp"));
  CHECK(read("https://H:443/mcp", "https://h/mcp?x"));
  CHECK(read("https://h", "https://h/mcp"));
  CHECK(read("https://h/", "https://h/a/mcp"));
  CHECK(read("https://h/a", "https://h/a/mcp"));
  CHECK(read("https://h/a/", "https://h/a/mcp"));
  for (const char* other : {"https://h/mc", "https://h/mcpx", "https://h/mcp/more", "https://h:8443/mcp",
                            "http://h/mcp", "https://other/mcp", "https://h/mcp#x", "", "mcp"}) {
    INFO(other);
    CHECK_FALSE(read(other, "https://h/mcp"));
  }
  CHECK_FALSE(read_resource_metadata({{"resource", "https://h"}}, "https://h"));
  CHECK_FALSE(read_resource_metadata({{"resource", 7}, {"authorization_servers", "https://i"}}, "https://h"));
  CHECK_FALSE(read_resource_metadata(json(), "https://h"));
}

TEST_CASE("The metadata of an issuer is its own", "[upstream][oauth]") {
  const json good = {{"issuer", "https://i/t"},
                     {"token_endpoint", "https://i/token"},
                     {"authorization_endpoint", "https://i/authorize"},
                     {"code_challenge_methods_supported", {"plain", "S256", 7}},
                     {"authorization_response_iss_parameter_supported", true}};
  const auto read = read_issuer_metadata(good, "https://i/t", "https://h");
  REQUIRE(read);
  CHECK(read->challenge_methods == std::vector<std::string>{"plain", "S256"});
  CHECK(read->says_issuer);
  CHECK_FALSE(read->metadata_documents);
  CHECK_FALSE(read->token_endpoint_auth_methods);
  for (const char* other : {"https://i/t/", "https://I/t", "https://i:443/t", "https://i"})
    CHECK_FALSE(read_issuer_metadata(good, other, "https://h"));
  for (const char* member : {"token_endpoint", "authorization_endpoint", "registration_endpoint"}) {
    json bad = good;
    bad[member] = "http://i/x";
    CHECK_FALSE(read_issuer_metadata(bad, "https://i/t", "https://h"));
  }
  json without = good;
  without.erase("token_endpoint");
  CHECK_FALSE(read_issuer_metadata(without, "https://i/t", "https://h"));
  CHECK_FALSE(read_issuer_metadata(json::array(), "https://i/t", "https://h"));
}

TEST_CASE("How credentials are shown to a token endpoint", "[upstream][oauth]") {
  IssuerMetadata issuer;
  CHECK(choose_auth_method(issuer, false) == ClientAuthMethod::None);
  CHECK(choose_auth_method(issuer, true) == ClientAuthMethod::SecretBasic);  // RFC 8414's default
  issuer.token_endpoint_auth_methods = {"private_key_jwt", "client_secret_post"};
  CHECK(choose_auth_method(issuer, true) == ClientAuthMethod::SecretPost);
  issuer.token_endpoint_auth_methods = {"client_secret_post", "client_secret_basic"};
  CHECK(choose_auth_method(issuer, true) == ClientAuthMethod::SecretBasic);
  issuer.token_endpoint_auth_methods = {"none"};
  CHECK(choose_auth_method(issuer, true) == ClientAuthMethod::None);
  CHECK(encode_form({{"a b", "c&d=é"}, {"e", ""}}) == "a%20b=c%26d%3D%C3%A9&e=");
}

TEST_CASE("The browser's answer at the port", "[upstream][oauth]") {
  const http::Fields right = {{"host", "127.0.0.1:4000"}};
  const auto read = [](const std::string& method, const std::string& target, const http::Fields& fields) {
    http::IncomingRequest request;
    request.method = method;
    request.target = target;
    request.fields = fields;
    return read_redirect(request, "4000", "s");
  };
  const auto answer = read("GET", "/callback?code=a%2Bb+c&state=s&iss=https%3A%2F%2Fi", right);
  REQUIRE(answer);
  CHECK(*answer == RedirectParameters{{"code", "a+b c"}, {"state", "s"}, {"iss", "https://i"}});
  CHECK(read("GET", "/callback?state=s", {{"x", "y"}, {"host", "LOCALHOST:4000"}}));
  const auto refused = [&](int status, const std::string& method, const std::string& target,
                           const http::Fields& fields) {
    INFO(method << " " << target);
    const auto result = read(method, target, fields);
    REQUIRE_FALSE(result);
    CHECK(result.error() == status);
  };
  refused(405, "POST", "/callback?state=s", right);
  refused(404, "GET", "/callback", right);
  refused(400, "GET", "/callback?x=y", right);
  refused(404, "GET", "/other?state=s", right);
  for (const http::Fields& wrong : {http::Fields{{"host", "evil.example.org:4000"}},
                                    {{"host", "127.0.0.1"}},
                                    {{"host", "127.0.0.1:4001"}},
                                    {{"host", "127.0.0.1:4000"}, {"host", "evil"}},
                                    {{"x", "y"}}})
    refused(400, "GET", "/callback?state=s", wrong);
  for (const char* twice :
       {"code=a&code=b&state=s", "state=s&state=s", "state=s&code=%zz", "state=s&code=%4"})
    refused(400, "GET", std::string("/callback?") + twice, right);
}

TEST_CASE("Only an answer with the login's state is one, errors too", "[upstream][oauth]") {
  const auto status = [](const std::string& query, const std::string& state) {
    http::IncomingRequest request;
    request.method = "GET";
    request.target = "/callback?" + query;
    request.fields = {{"host", "127.0.0.1:4000"}};
    const auto read = read_redirect(request, "4000", state);
    return read ? 200 : read.error();
  };
  CHECK(status("error=access_denied&state=abc", "abc") == 200);
  CHECK(status("code=x&state=abc", "abc") == 200);
  CHECK(status("error=access_denied", "abc") == 400);
  CHECK(status("error=access_denied&state=abd", "abc") == 400);
  CHECK(status("error=access_denied&state=", "abc") == 400);
  CHECK(status("error=access_denied&state=", "") == 400);  // nobody waits yet
}

TEST_CASE("A configured secret is for the issuer that the user has named", "[upstream][oauth]") {
  ServerConfig server;
  server.name = "r";
  server.url = "https://mcp.example.org/mcp";
  server.auth = AuthConfig{AuthKind::OAuth, "", "id", Secret("s3cret"), {}, {}};
  IssuerMetadata issuer;
  issuer.issuer = "https://id.example.org";
  issuer.token_endpoint = "https://tokens.example.org/token";
  const auto given = [&](const LoginOptions& options = {}) {
    return configured_client(server, options, issuer);
  };
  SECTION("not another one, which the server names") {
    const auto refused = given();
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::InvalidArgument);
    CHECK(refused.error().hint.find("issuer = \"https://id.example.org\"") != std::string::npos);
    LoginOptions by_hand;
    by_hand.client_id = "other";
    by_hand.client_secret = Secret("s3cret");
    CHECK_FALSE(given(by_hand));
    server.auth->parameters["issuer"] = "https://id.example.com";
    CHECK_FALSE(given());
  }
  SECTION("a client without a secret has nothing to lose") {
    server.auth->client_secret = Secret();
    CHECK(given().value()->id == "id");
  }
  SECTION("named in the configuration, or for this login") {
    LoginOptions named;
    named.issuer = "https://id.example.org";
    CHECK(given(named).value()->secret == Secret("s3cret"));
    server.auth->parameters["issuer"] = "https://id.example.org";
    CHECK(given().value()->secret == Secret("s3cret"));
  }
  SECTION("all addresses by hand") {
    issuer.by_hand = true;
    CHECK(given());
  }
  SECTION("the server's own origin, and nothing beyond it") {
    issuer.issuer = "https://mcp.example.org";
    CHECK_FALSE(given());
    issuer.token_endpoint = "https://mcp.example.org/token";
    CHECK(given());
    issuer.revocation_endpoint = "https://tokens.example.org/revoke";
    CHECK_FALSE(given());
  }
}

}  // namespace leanbridge::upstream
