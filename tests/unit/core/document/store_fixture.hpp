#pragma once
/// DocumentStore against a FakeLake and a project in a temporary folder.

#include "core/document/document_handle.hpp"
#include "support/fake_lake.hpp"
#include "support/loop.hpp"
#include "support/processes.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::document::test {

using namespace leanbridge::test;
using nlohmann::json;

inline constexpr const char* kOpen = "textDocument/didOpen";
inline constexpr const char* kChange = "textDocument/didChange";
inline constexpr const char* kClose = "textDocument/didClose";
inline constexpr const char* kBarrier = "textDocument/waitForDiagnostics";

struct StoreFixture {
  StoreFixture() : lake(loop.context) {
    write("lakefile.toml", "name = \"p\"\n");
    make_store({});
  }
  StoreFixture(const StoreFixture&) = delete;
  StoreFixture& operator=(const StoreFixture&) = delete;
  ~StoreFixture() {
    if (store) store->server().kill();
    loop.until([&] { return processes_marked(lake.mark()).empty() && children().empty(); });
  }

  void make_store(StoreLimits limits) {
    lean::ServerOptions options;
    options.root = project.path();
    options.lake = lake.program();
    store = DocumentStore::create(loop.context, pool, std::move(options), limits);
  }

  /// Writes a file as if long ago, and at another time than before, so that its identity is trusted.
  std::filesystem::path write(std::string_view name, std::string_view content) {
    const auto path = project.write(name, content);
    age(path, ++writes);
    return path;
  }
  SyncReport sync(std::string_view name) {
    auto synced = loop.run(store->sync(project / name, patient()));
    if (!synced) FAIL(synced.error().message);
    return std::move(*synced);
  }
  Error sync_error(std::string_view name) {
    auto synced = loop.run(store->sync(project / name, patient()));
    REQUIRE_FALSE(synced.has_value());
    return synced.error();
  }
  std::shared_ptr<Document> document(std::string_view name) { return store->find(project / name); }
  std::string uri(std::string_view name) { return "file://" + (project / name).string(); }

  FakeServer& lean() { return lake.run(); }
  /// Waits until everything sent so far has arrived, by a request that is answered: the stream keeps its
  /// order.
  void arrived() {
    const std::size_t had = lean().all("test/arrived").size();
    auto ping = loop.start(store->server().request("test/arrived", json::object(), patient()));
    REQUIRE(loop.until([&] { return lean().all("test/arrived").size() > had; }));
    lean().reply(lean().last("test/arrived"), nullptr);
    loop.finish(ping);
  }
  std::size_t count(const char* method) {
    arrived();
    return lean().all(method).size();
  }
  /// Waits until there are `number` requests of `method`, and returns the newest.
  json question(const char* method, std::size_t number) {
    REQUIRE(loop.until([&] { return lean().all(method).size() >= number; }));
    REQUIRE(lean().all(method).size() == number);
    return lean().last(method);
  }
  /// Lean has elaborated the text of `version`.
  void finish(std::string_view name, Version version) {
    const auto is_it = [&](const json& barrier) {
      return barrier["params"] == json({{"uri", uri(name)}, {"version", version}});
    };
    json found;
    REQUIRE(loop.until([&] {
      for (const json& barrier : lean().all(kBarrier))
        if (is_it(barrier)) found = barrier;
      return !found.is_null();
    }));
    lean().reply(found, json::object());
    REQUIRE(loop.until([&] { return document(name)->state.done(); }));
  }

  Loop loop;
  io::Pool pool;
  TestFolder project;
  FakeLake lake;
  int writes = 0;
  std::shared_ptr<DocumentStore> store;
};

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace leanbridge::document::test
