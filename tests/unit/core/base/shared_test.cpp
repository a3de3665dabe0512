// What several modules share: letters, terminal sequences, JSON from others, secrets, the user's folders.

#include "core/base/ascii.hpp"
#include "core/base/files.hpp"
#include "core/base/json.hpp"
#include "core/base/secret.hpp"
#include "core/base/user_folders.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include <map>

namespace leanbridge {

TEST_CASE("lower case is about ASCII alone", "[base]") {
  CHECK(lower_case("WWW-Authenticate Ä ∀ [") == "www-authenticate Ä ∀ [");
  CHECK(lower_case("").empty());
}

TEST_CASE("JSON of others is read where it is no deeper than can be copied", "[base]") {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(read_json(nested(kMaxJsonNesting)).is_array());
  CHECK(read_json(nested(kMaxJsonNesting + 1)).is_discarded());
  CHECK(read_json(nested(1'000'000)).is_discarded());
  CHECK(read_json("\"" + nested(1000) + "\\\"[\"").is_string());
  for (const char* text : {"", "{", "1e999", "\"\xFF\"", "[1] 2"}) CHECK(read_json(text).is_discarded());
}

TEST_CASE("where a sequence of a terminal ends", "[base]") {
  CHECK(end_of_escape_sequence("\x1b[31mred", 0) == 5);
  CHECK(end_of_escape_sequence("a\x1b[K", 1) == 4);
  CHECK(end_of_escape_sequence("\x1b"
                               "7b",
                               0) == 1);
  CHECK(end_of_escape_sequence("\x1b", 0) == 1);
  CHECK(end_of_escape_sequence("\x1b[", 0) == 2);
  CHECK(end_of_escape_sequence("\x1b[31", 0) == 4);
}

TEST_CASE("members that may be anything", "[base]") {
  const nlohmann::json object = {{"a", "x₁"}, {"b", 1}, {"t", true}, {"f", false}, {"n", nullptr}};
  CHECK(text_member(object, "a") == "x₁");
  for (const char* name : {"b", "n", "none"}) CHECK(text_member(object, name).empty());
  CHECK(is_true(object, "t"));
  for (const char* name : {"f", "a", "b", "n", "none"}) CHECK_FALSE(is_true(object, name));
  for (const nlohmann::json& other : {nlohmann::json(), nlohmann::json("a"), nlohmann::json::array({"a"})}) {
    CHECK(text_member(other, "a").empty());
    CHECK_FALSE(is_true(other, "a"));
  }
}

TEST_CASE("a folder that others can write to is taken from them, or not used", "[base]") {
  const test::TestFolder folder;
  const auto mode_of = [](const std::filesystem::path& path) {
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    return status.st_mode & 07777;
  };
  const auto with_mode = [&](const char* name, mode_t mode) {
    const std::filesystem::path path = folder / name;
    std::filesystem::create_directory(path);
    REQUIRE(::chmod(path.c_str(), mode) == 0);
    return path;
  };
  CHECK(make_private_folder(folder / "new"));
  CHECK(mode_of(folder / "new") == 0700);
  for (const mode_t mode : {mode_t{0777}, mode_t{0775}, mode_t{0722}}) {
    const std::filesystem::path open = with_mode("open", mode);
    CHECK(make_private_folder(open));
    CHECK(mode_of(open) == (mode & ~mode_t{022}));
  }
  CHECK(make_private_folder(with_mode("readable", 0755)));
  CHECK(mode_of(folder / "readable") == 0755);
  const std::filesystem::path shared = with_mode("shared", 01777);
  CHECK_FALSE(make_private_folder(shared));
  CHECK(mode_of(shared) == 01777);
  CHECK_FALSE(make_private_folder(folder.write("file", "")));
  if (::geteuid() == 0) {
    const std::filesystem::path other = with_mode("other", 0700);
    REQUIRE(::chown(other.c_str(), 65534, 65534) == 0);
    CHECK_FALSE(make_private_folder(other));
  }
}

TEST_CASE("secrets that others quote are replaced, also those that are common words", "[base]") {
  CHECK(without_secrets("no hunter2, hunter2", {"", "hunter2"}) == "no (secret), (secret)");
  CHECK(without_secrets("a secret stays one", {"secret"}) == "a (secret) stays one");
  CHECK(without_secrets("see", {"e"}) == "s(secret)(secret)");
  CHECK(without_secrets("abc", {"b"}, "…") == "a…c");
  CHECK(without_secrets("", {"x"}).empty());
}

TEST_CASE("folders of the user", "[base]") {
  const auto folder = [](const std::map<std::string, std::string>& variables) {
    return config_folder([&](const std::string& name) -> std::optional<std::string> {
      const auto found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::optional(found->second);
    });
  };
  CHECK(folder({{"XDG_CONFIG_HOME", "/c"}, {"HOME", "/h"}}) == "/c/leanbridge");
  CHECK(folder({{"XDG_CONFIG_HOME", "c"}, {"HOME", "/h"}}) == "/h/.config/leanbridge");
  CHECK(folder({{"XDG_CONFIG_HOME", ""}, {"HOME", "/h"}}) == "/h/.config/leanbridge");
  CHECK(folder({{"HOME", "h"}}).empty());
  CHECK(folder({}).empty());
}

TEST_CASE("a private folder is one from the beginning, and one that is there stays as it is", "[base]") {
  const test::TestFolder place;
  const auto mode = [](const std::filesystem::path& path) {
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    return status.st_mode & 0777;
  };
  CHECK(make_private_folder(place / "a/b"));
  CHECK(mode(place / "a/b") == 0700);
  REQUIRE(::chmod((place / "a/b").c_str(), 0750) == 0);
  CHECK(make_private_folder(place / "a/b"));
  CHECK(mode(place / "a/b") == 0750);
  place.write("file", "");
  errno = 0;
  CHECK_FALSE(make_private_folder(place / "file"));
  CHECK(errno == EEXIST);
  CHECK_FALSE(make_private_folder(place / "file/below"));
}

}  // namespace leanbridge
