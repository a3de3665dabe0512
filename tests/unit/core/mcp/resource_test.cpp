#include "core/mcp/resource.hpp"

#include <catch2/catch.hpp>

using namespace leanbridge::mcp;

namespace {
std::vector<Resource> two() {
  Resource fixed, file;
  fixed.uri = "lean://project";
  file.uri = "lean://file/{path}/outline";
  return {fixed, file};
}
}  // namespace

TEST_CASE("find_resource: what a URI names", "[mcp]") {
  const auto resources = two();
  const auto path = [&](std::string_view uri) -> std::string {
    const auto found = find_resource(resources, uri);
    return found ? found->resource->uri + " " + found->path : "none";
  };
  CHECK(path("lean://project") == "lean://project ");
  CHECK(path("lean://file/Foo.lean/outline") == "lean://file/{path}/outline Foo.lean");
  CHECK(path("lean://file/Foo%2FBar.lean/outline") == "lean://file/{path}/outline Foo/Bar.lean");
  CHECK(path("lean://file/Foo/Bar.lean/outline") == "lean://file/{path}/outline Foo/Bar.lean");
  CHECK(path("lean://file/%2fhome%2fa%20b.lean/outline") == "lean://file/{path}/outline /home/a b.lean");
  CHECK(path("lean://file/%C3%9C.lean/outline") == "lean://file/{path}/outline Ü.lean");
  for (const char* wrong : {"", "lean://", "lean://projects", "lean://project/", "lean://file/outline",
                            "lean://file//outline", "lean://file/A.lean", "lean://file/A%2.lean/outline",
                            "lean://file/A%zz/outline", "file:///A.lean", "LEAN://project"})
    CHECK(path(wrong) == "none");
}

TEST_CASE("describe() tells resources from templates", "[mcp]") {
  const auto resources = two();
  CHECK(describe(resources[0])["uri"] == "lean://project");
  CHECK(describe(resources[1])["uriTemplate"] == "lean://file/{path}/outline");
  CHECK_FALSE(describe(resources[1]).contains("uri"));
}
