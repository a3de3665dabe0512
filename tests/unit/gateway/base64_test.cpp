#include "gateway/encoding/base64.hpp"

#include <catch2/catch.hpp>

namespace leanbridge {

TEST_CASE("Base64 there and back", "[base][base64]") {
  for (const std::string& bytes : {std::string(), std::string("a"), std::string("ab"), std::string("abc"),
                                   std::string("\0\xff\x80x", 4)}) {
    CAPTURE(bytes);
    CHECK(from_base64(to_base64(bytes)) == bytes);
  }
  CHECK(to_base64("abc") == "YWJj");
  CHECK(to_base64("ab") == "YWI=");
  CHECK(to_base64("a") == "YQ==");
}

TEST_CASE("Base64 is read strictly", "[base][base64]") {
  for (const char* const bad : {"YQ", "YQ=", "YQ===", "Y===", "YW Jj", "YWJj\n", "Y=Jj", "YW-j", "===="})
    CHECK_FALSE(from_base64(bad));
}

}  // namespace leanbridge
