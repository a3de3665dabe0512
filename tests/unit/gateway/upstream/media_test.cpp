#include "gateway/upstream/media.hpp"

#include "support/test_folder.hpp"
#include <catch2/catch.hpp>
#include <sys/stat.h>

namespace leanbridge::upstream {

namespace fs = std::filesystem;
using nlohmann::json;
using test::content_of;
using test::TestFolder;

namespace {

unsigned mode_of(const fs::path& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777U;
}

json image(const std::string& data, const std::string& type = "image/png") {
  return {{"type", "image"}, {"data", data}, {"mimeType", type}};
}

}  // namespace

TEST_CASE("What a block holds", "[upstream][media]") {
  CHECK(media_of(image("aGk=")).value()->bytes == "hi");
  CHECK(media_of(image("aGk")).value()->bytes == "hi");
  CHECK(media_of(image("aG\r\nk=")).value()->bytes == "hi");
  CHECK(media_of(image("")).value()->bytes.empty());
  for (const char* wrong : {"aG!k", "a", "aGk=x", "aGk-_"}) CHECK_FALSE(media_of(image(wrong)));
  const auto other = media_of({{"type", "audio"}, {"data", {{"data", "aGk="}}}, {"mime_type", "audio/wav"}});
  CHECK((other.value()->bytes == "hi" && other.value()->mime_type == "audio/wav"));
  const auto text = media_of({{"type", "resource"}, {"resource", {{"uri", "a://b/c.txt"}, {"text", "λ"}}}});
  CHECK((text.value()->bytes == "λ" && text.value()->uri == "a://b/c.txt"));
  const json blob = {{"type", "resource"}, {"resource", {{"uri", "u"}, {"blob", "aGk="}}}};
  CHECK(media_of(blob).value()->bytes == "hi");
  for (const json& none : {json({{"type", "text"}, {"text", "a"}}), json(3), json({{"type", 3}}),
                           json({{"type", "resource"}}), json({{"type", "resource_link"}, {"uri", "u"}})})
    CHECK_FALSE(media_of(none).value());
  CHECK(holds_media(json::array({image("")})));
  CHECK_FALSE(holds_media(json::array({{{"type", "text"}}, 3})));
  CHECK_FALSE(holds_media("image"));
}

TEST_CASE("Media become private files that say what they are", "[upstream][media]") {
  const TestFolder folder;
  MediaFolder media(folder / "a/media/");
  const json content = {
      {{"type", "text"}, {"text", "x"}},
      image("aGk=", "image/jpeg; q=1"),
      image("?"),
      {{"type", "resource"},
       {"resource", {{"uri", "x://h/../Re port.pdf?a=/b"}, {"blob", "aGk="}, {"mimeType", "x/y"}}}}};
  const auto saved = media.save(content, "my server-../tool λ");
  REQUIRE(saved.size() == 3);
  CHECK(saved[0].block == 1);
  CHECK(saved[0].file == folder / "a/media/my-server-tool-image-1.jpg");
  CHECK(content_of(saved[0].file) == "hi");
  CHECK(mode_of(saved[0].file) == 0600);
  CHECK(mode_of(folder / "a/media") == 0700);
  CHECK((saved[1].file.empty() && saved[1].problem.find("base64") != std::string::npos));
  CHECK(saved[2].file == folder / "a/media/my-server-tool-Re-port-1.bin");

  const json result = with_paths({{"content", content}}, saved);
  CHECK(result["content"].size() == 5);
  const auto text = result["content"][4]["text"].get<std::string>();
  CHECK(text.find(saved[0].file.string()) != std::string::npos);
  CHECK(text.find("not saved") != std::string::npos);
  CHECK(with_paths({{"content", content}}, {})["content"].size() == 4);
}

TEST_CASE("No file is overwritten, and no link followed", "[upstream][media]") {
  const TestFolder folder;
  MediaFolder media(folder / "m");
  REQUIRE(media.save(json::array({image("aGk=")}), "s")[0].file == folder / "m/s-image-1.png");
  fs::create_symlink(folder / "elsewhere", folder / "m/s-image-2.png");
  CHECK(media.save(json::array({image("YWE=")}), "s")[0].file == folder / "m/s-image-3.png");
  CHECK(content_of(folder / "m/s-image-1.png") == "hi");
  CHECK_FALSE(fs::exists(folder / "elsewhere"));
}

TEST_CASE("A folder that others can write to, a file, and too much", "[upstream][media]") {
  const TestFolder folder;
  fs::create_directory(folder / "open");
  ::chmod((folder / "open").c_str(), 0777);
  const auto refused = MediaFolder(folder / "open").save(json::array({image("aGk=")}), "s");
  REQUIRE(refused.size() == 1);
  CHECK(refused[0].problem.find("not private") != std::string::npos);
  CHECK(fs::is_empty(folder / "open"));

  const fs::path file = folder.write("file", "x");
  CHECK_FALSE(MediaFolder(file).save(json::array({image("aGk=")}), "s")[0].problem.empty());

  MediaFolder small(folder / "small", 3);
  CHECK(small.save(json::array({image("aGk=")}), "s")[0].problem.empty());
  CHECK_FALSE(small.save(json::array({image("aGk=")}), "s")[0].problem.empty());
}

}  // namespace leanbridge::upstream
