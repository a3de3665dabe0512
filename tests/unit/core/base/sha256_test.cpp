#include "core/base/sha256.hpp"

#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

using namespace leanbridge;

// The examples of FIPS 180-4 and their neighbours at the block size.
TEST_CASE("SHA-256 of known texts") {
  CHECK(sha256_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST_CASE("pieces give the digest of the whole") {
  const std::string text(1000, 'a');
  Sha256 digest;
  for (std::size_t at = 0; at < text.size(); at += 63) digest.add(std::string_view(text).substr(at, 63));
  CHECK(digest.finish() == sha256_of(text));
}

TEST_CASE("a file is read whole") {
  const test::TestFolder folder;
  const std::string text(std::size_t{3} << 20U, 'y');
  const auto file = folder.write("large", text);
  CHECK(sha256_of_file(file).value() == sha256_of(text));
  CHECK_FALSE(sha256_of_file(folder / "missing").has_value());
}
