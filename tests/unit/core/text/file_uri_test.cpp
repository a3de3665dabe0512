#include "core/text/file_uri.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::text {

TEST_CASE("a path has one spelling as a URI", "[text]") {
  CHECK(file_uri("/home/me/Foo.lean") == "file:///home/me/Foo.lean");
  CHECK(file_uri("/a b/#1/50%?.lean") == "file:///a%20b/%231/50%25%3F.lean");
  CHECK(file_uri("/Café/ℝ.lean") == "file:///Caf%C3%A9/%E2%84%9D.lean");
  CHECK(file_uri("/a-b_c.d~e/(f)+g@h:i,'j'") == "file:///a-b_c.d~e/%28f%29%2Bg%40h%3Ai%2C%27j%27");
  CHECK(file_uri("/") == "file:///");
}

TEST_CASE("a URI gives its path, however it is escaped", "[text]") {
  CHECK(path_from_uri("file:///home/me/Foo.lean") == "/home/me/Foo.lean");
  CHECK(path_from_uri("file://localhost/x") == "/x");
  CHECK(path_from_uri("FILE://LocalHost/x") == "/x");
  CHECK(path_from_uri("file:/x") == "/x");
  CHECK(path_from_uri("file:///Caf%c3%A9/(x)%23") == "/Café/(x)#");
  CHECK(path_from_uri("file:///a+b") == "/a+b");
}

TEST_CASE("what is no file URI is refused", "[text]") {
  for (const char* uri :
       {"", "/x", "http://x/y", "file:", "file://", "file:x", "file://host/x", "file://localhost",
        "file://localhostx/y", "file:///a%", "file:///a%4", "file:///a%zz", "file:///a%00b", "untitled:1"}) {
    CAPTURE(uri);
    const auto path = path_from_uri(uri);
    REQUIRE_FALSE(path.has_value());
    CHECK(path.error().kind == ErrorKind::InvalidArgument);
    CHECK_FALSE(path.error().hint.empty());
  }
}

TEST_CASE("every byte of a path survives the round trip", "[text]") {
  std::string name = "/";
  for (int byte = 1; byte < 256; ++byte) name.push_back(static_cast<char>(byte));
  CHECK(path_from_uri(file_uri(name)) == std::filesystem::path(name));
}

}  // namespace leanbridge::text
