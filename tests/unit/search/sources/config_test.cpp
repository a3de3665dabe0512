#include "search/sources/config.hpp"

#include "core/base/log.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <sstream>

namespace leanbridge::search {

using test::TestFolder;

namespace {

struct Sources : ConfigSources {
  std::map<std::string, std::string> variables;
  TestFolder folder;

  Sources() {
    environment = [this](const std::string& name) -> std::optional<std::string> {
      const auto found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::optional(found->second);
    };
  }
  void write(const std::string& toml) { file = folder.write("config.toml", toml); }
  Config read() {
    auto config = read_config(*this);
    INFO((config ? "" : config.error().message));
    REQUIRE(config);
    return std::move(*config);
  }
  std::string complaint() {
    const auto config = read_config(*this);
    REQUIRE_FALSE(config);
    CHECK(config.error().kind == ErrorKind::InvalidArgument);
    return config.error().message;
  }
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

// What must not happen by accident does not compile.
static_assert(!std::is_convertible_v<Secret, std::string>);
static_assert(!std::is_constructible_v<nlohmann::json, Secret>);
static_assert(!fmt::is_formattable<Secret>::value);

TEST_CASE("A secret does not print itself", "[search][config]") {
  std::ostringstream out;
  out << Secret("hunter2") << Secret();
  CHECK(out.str() == "(secret)(no secret)");
}

TEST_CASE("Without anything set the public services are asked", "[search][config]") {
  Sources sources;
  sources.file = sources.folder / "none.toml";
  const Config config = sources.read();
  CHECK(config.loogle.url == "https://loogle.lean-lang.org/json");
  CHECK(config.loogle.is_default);
  CHECK(config.loogle.timeout == std::chrono::seconds(10));
  CHECK(config.leanfinder.url == "https://lean-lsp-proxy.leanfinder.workers.dev");
  CHECK(config.state_search.url.empty());  // discontinued
  CHECK(config.leanexplore_key.empty());
  CHECK(config.leanexplore_backend == ExploreBackend::Automatic);
  CHECK(config.patience == std::chrono::seconds(3));
  CHECK_FALSE(config.offline);
  sources.file_required = true;
  CHECK(contains(sources.complaint(), "none.toml"));
}

TEST_CASE("Flags win over the environment, and it over the file", "[search][config]") {
  Sources sources;
  sources.write(
      "[search]\ntimeout_s = 3\noffline = true\n[search.loogle]\ntimeout_s = 2.5\nurl = 'http://file'\n"
      "headers = { X-Key = 'of the file' }\n[search.hammer]\nurl = 'http://file/'\nenabled = false\n");
  sources.variables = {
      {"LOOGLE_URL", "http://env/json"}, {"LEANSEARCH_URL", "http://env"}, {"LEAN_HAMMER_URL", ""}};
  sources.flags = {{"leansearch.url", "http://flag/api/search"}, {"offline", "false"}};
  const Config config = sources.read();
  CHECK(config.loogle.url == "http://env/json");
  CHECK_FALSE(config.loogle.is_default);
  CHECK(config.leansearch.url == "http://flag/api/search");
  CHECK(config.hammer.url == "http://file/retrieve");
  CHECK_FALSE(config.hammer.enabled);
  CHECK_FALSE(config.offline);
  CHECK(config.loogle.timeout == std::chrono::milliseconds(2500));
  CHECK(config.hammer.timeout == std::chrono::seconds(3));
  REQUIRE(config.loogle.headers.size() == 1);
  CHECK(config.loogle.headers[0].second.reveal() == "of the file");
}

TEST_CASE("Base and full URLs are the same service, and the public one stays itself", "[search][config]") {
  Sources sources;
  sources.variables = {{"LEAN_STATE_SEARCH_URL", "https://premise-search.com/"},
                       {"LEANEXPLORE_URL", "http://a/api/v2"},
                       {"LEAN_FINDER_URL", "http://b/"},
                       {"LEANSEARCHCLIENT_LOOGLE_API_URL", "http://c/json"}};
  Config config = sources.read();
  CHECK(config.state_search.url == "https://premise-search.com/api/search");
  CHECK_FALSE(config.state_search.is_default);
  CHECK(config.leanexplore.url == "http://a/api/v2");
  CHECK(config.leanfinder.url == "http://b");
  CHECK(config.loogle.url == "http://c/json");
  sources.variables = {{"LEANEXPLORE_URL", "http://a"}};
  CHECK(sources.read().leanexplore.url == "http://a/api/v2");
}

TEST_CASE("What is wrong is named with its place, without its value", "[search][config]") {
  Sources sources;
  const auto in_file = [&](const std::string& toml) {
    sources.write(toml);
    const std::string complaint = sources.complaint();
    CHECK(contains(complaint, "config.toml:"));
    CHECK_FALSE(contains(complaint, "hunter2"));
    return complaint;
  };
  CHECK(contains(in_file("[search]\n\n[search.loogle]\nurl = 'ftp://hunter2'\n"), ":4: search.loogle.url"));
  CHECK(contains(in_file("[search]\nofline = true\n"), ":2: search.ofline is not a setting"));
  CHECK(contains(in_file("[search.loogle]\nlocal = 'relative'\n"), "absolute"));
  CHECK(contains(in_file("[search.loogle]\nheaders = { A = 1 }\n"), ":2: search.loogle.headers"));
  CHECK(contains(in_file("[search.loogle]\nheaders = { A = \"hunter2\\u000A\" }\n"), "control"));
  CHECK(contains(in_file("[search.loogle]\nheaders = { \"A:\" = 'hunter2' }\n"), "header"));
  CHECK(contains(in_file("[search.leanexplore]\nkey = [1]\n"), ":2: search.leanexplore.key"));
  CHECK(contains(in_file("[search]\ntimeout_s = 0\n"), "seconds"));
  CHECK(contains(in_file("[search]\ntimeout_s = 'nan'\n"), "seconds"));
  CHECK(contains(in_file("[serch]\n"), ":1: serch"));
  CHECK(contains(in_file("search = 1\n"), ":1: search"));
  CHECK(contains(in_file("[search\n"), ":1"));
  CHECK(contains(in_file("a = '\xff'\n"), ":1"));
  sources.file.clear();
  sources.variables = {{"LOOGLE_HEADERS", "hunter2"}};
  CHECK(contains(sources.complaint(), "LOOGLE_HEADERS"));
  sources.variables = {{"LOOGLE_URL", "https://x?hunter2"}};
  CHECK(contains(sources.complaint(), "LOOGLE_URL"));
  sources.variables.clear();
  sources.flags = {{"leanexplore.key", "hunter 2"}};
  CHECK(contains(sources.complaint(), "--leanexplore-key"));
  CHECK_FALSE(contains(sources.complaint(), "hunter"));
}

TEST_CASE("Every setting can be set everywhere", "[search][config]") {
  for (const Setting& setting : settings()) {
    INFO(setting.key);
    CHECK_FALSE(setting.help.empty());
    CHECK(flag_of(setting).find_first_of("._") == std::string::npos);
    Sources sources;
    bool accepted = false;  // a value of the right kind is accepted
    for (const char* value :
         {"true", "http://127.0.0.1:1", "5", "/absolute", "{\"A\": \"b\"}", "word", "api"}) {
      sources.flags = {{setting.key, value}};
      accepted = accepted || read_config(sources).has_value();
    }
    CHECK(accepted);
  }
}

TEST_CASE("LeanExplore's backend, and how long a silent service is waited for", "[search][config]") {
  Sources sources;
  sources.write("[search]\npatience_s = 0.5\n[search.leanexplore]\nbackend = 'local'\n");
  CHECK(sources.read().patience == std::chrono::milliseconds(500));
  CHECK(sources.read().leanexplore_backend == ExploreBackend::Local);
  sources.flags = {{"leanexplore.backend", "api"}, {"patience_s", "2"}};
  CHECK(sources.read().leanexplore_backend == ExploreBackend::Api);
  CHECK(sources.read().patience == std::chrono::seconds(2));
  sources.flags["leanexplore.backend"] = "cloud";
  CHECK(contains(sources.complaint(), "--leanexplore-backend must be auto, api or local"));
}

TEST_CASE("The user's file is where XDG says", "[search][config]") {
  Sources sources;
  CHECK(default_config_file(sources.environment).empty());
  sources.variables = {{"HOME", "/home/u"}};
  CHECK(default_config_file(sources.environment) == "/home/u/.config/leanbridge/config.toml");
  sources.variables["XDG_CONFIG_HOME"] = "/etc/x";
  CHECK(default_config_file(sources.environment) == "/etc/x/leanbridge/config.toml");
  sources.variables["XDG_CONFIG_HOME"] = "relative";
  CHECK(default_config_file(sources.environment) == "/home/u/.config/leanbridge/config.toml");
}

TEST_CASE("A local Loogle is a program, or the installed one", "[search][config]") {
  Sources sources;
  CHECK_FALSE(sources.read().local_loogle.installed);
  sources.variables["LEAN_LOOGLE_LOCAL"] = "true";
  CHECK(sources.read().local_loogle.installed);
  CHECK(sources.read().local_loogle.program.empty());
  sources.variables["LEAN_LOOGLE_CACHE_DIR"] = "/installed";
  CHECK(sources.read().local_loogle.cache == "/installed");
  sources.flags["loogle.cache_dir"] = "below";
  CHECK(sources.read().local_loogle.cache == std::filesystem::absolute("below"));
  sources.variables["LEANBRIDGE_LOOGLE"] = "/opt/loogle";
  CHECK(sources.read().local_loogle.program == "/opt/loogle");
  sources.flags["loogle.local"] = "true";  // --loogle-local
  CHECK(sources.read().local_loogle.program == "/opt/loogle");
  sources.flags["loogle.local"] = "false";
  CHECK(sources.read().local_loogle.program.empty());
  CHECK_FALSE(sources.read().local_loogle.installed);
  sources.flags["loogle.local"] = "opt/loogle";
  CHECK(sources.complaint() == "--loogle-local must be true, false, or an absolute path.");
}

}  // namespace leanbridge::search
