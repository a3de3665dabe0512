// SHA-256 against known digests, at the lengths where the padding needs another block.

#include "leanbridge/base/sha256.hpp"

#include <catch2/catch.hpp>

namespace leanbridge {

TEST_CASE("SHA-256 of texts of every kind of length", "[base]") {
  const auto of = [](std::size_t length) { return sha256_hex(std::string(length, 'a')); };
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(of(0) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(of(55) == "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  CHECK(of(56) == "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  CHECK(of(64) == "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
  CHECK(of(119) == "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb");
}

}  // namespace leanbridge
