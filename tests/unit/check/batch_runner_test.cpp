// The runner against a Lean whose every answer follows from its text: which worker gets a text, what happens
// when Lean fails, and what ends a run.

#include "check/batch/runner.hpp"
#include "core/document/store_fixture.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>

namespace leanbridge::batch {

using namespace document::test;

namespace {

constexpr int kCrashed = -32902;
constexpr std::int64_t kMegabyte = 1 << 20;

Item candidate(std::string id, std::string body, std::string module = "A") {
  Item item;
  item.id = std::move(id);
  item.text = "import " + std::move(module) + "\n" + std::move(body);
  return item;
}

struct RunnerFixture : StoreFixture {
  RunnerFixture() {
    document::StoreLimits limits;
    limits.scratch.max_workers = 4;
    limits.scratch.look_every = std::chrono::milliseconds(5);
    limits.scratch.measure = [sizes = sizes](int) { return sizes->all(); };
    make_store(limits);
    lake.on_message = [this](FakeServer& server, const json& message) {
      FakeLake::well_behaved(server, message);
      answer(server, message);
    };
    options.workers = 1;
    options.timeout = std::chrono::minutes(5);
    options.quiet_limit = std::chrono::milliseconds(250);
    options.worker_of = [](int, const std::string&) { return 1; };
    options.cpu_seconds = [this](int) { return cpu_seconds(); };
    examiners.scrutinise = [this](document::DocumentHandle, Item item,
                                  io::CancelScope) -> asio::awaitable<Result<Scrutiny>> {
      const auto found = findings.find(item.id);
      co_return found == findings.end() ? Scrutiny() : found->second;
    };
    examiners.compiled_axioms = [](std::shared_ptr<document::DocumentStore>, Item,
                                   io::CancelScope) -> asio::awaitable<Result<Examiners::Axioms>> {
      co_return Examiners::Axioms{std::nullopt, "not compiled"};
    };
  }

  // The store outlives these members, and still closes its documents.
  ~RunnerFixture() {
    lake.on_message = [](FakeServer& server, const json& message) {
      FakeLake::well_behaved(server, message);
    };
  }
  RunnerFixture(const RunnerFixture&) = delete;
  RunnerFixture& operator=(const RunnerFixture&) = delete;

  /// Plays what Lean would do with the text.
  void answer(FakeServer& server, const json& message) {
    const std::string method = message.value("method", "");
    const json params = message.value("params", json::object());
    if (method == kOpen) {
      const json& document = params["textDocument"];
      const auto uri = document["uri"].get<std::string>();
      texts[uri] = document["text"].get<std::string>();
      sizes->set(uri, 50);
      if (++opened > 1) stays_busy = false;
    } else if (method == kChange) {
      std::string& text = texts[params["textDocument"]["uri"].get<std::string>()];
      const json& change = params["contentChanges"][0];
      const text::Text before(text);
      const auto at = [&](const char* end) {
        const json& place = change["range"][end];
        return before.offset_at(
            {place["line"].get<std::uint32_t>(), place["character"].get<std::uint32_t>()});
      };
      text.replace(at("start"), at("end") - at("start"), change["text"].get<std::string>());
    } else if (method == kBarrier) {
      elaborate(server, message, params["uri"].get<std::string>(), params["version"].get<std::int64_t>());
    }
  }
  void elaborate(FakeServer& server, const json& barrier, const std::string& where, std::int64_t version) {
    const std::string& text = texts[where];
    const auto has = [&](std::string_view word) { return text.find(word) != std::string::npos; };
    const bool only_header = text.find('\n') == std::string::npos;
    if (!only_header) elaborated.push_back(text);
    if (only_header && std::exchange(header_deaths, std::max(header_deaths - 1, 0)) > 0)
      return server.refuse(barrier, kCrashed, "died");
    if (has("frees")) stays_busy = false;
    computing = has("forever") || (has("slow") && stays_busy);
    if (computing || has("sleeps")) return;
    if (has("grows")) return sizes->set(where, 500);
    if (has("crash") || (has("once") && !std::exchange(died, true)))
      return server.refuse(barrier, kCrashed, "died");
    if (has("server") && !std::exchange(died, true)) return server.exit(1);
    if (has("both") && std::exchange(server_deaths, std::max(server_deaths - 1, 0)) > 0) {
      server.refuse(barrier, kCrashed, "died");
      return server.exit(137);
    }
    if (has("Missing")) {
      server.progress(where, version, {{0, 1}}, 2);
      server.diagnostics(where, version, {"unknown module Missing"});
    }
    if (has("import Broken")) {
      server.progress(where, version, {{0, 1}}, 2);
      server.diagnostics(where, version,
                         {"`lake setup-file` failed:\n\nstderr:\nwarning: Broken.lean:1:2: unused variable\n"
                          "error: Broken.lean:2:0: no\nerror: Lean exited with code 1\n"});
    }
    json said = json::array();
    const auto say = [&](int line, int severity, const std::string& what) {
      const json place = {{"line", line}, {"character", 0}};
      said.push_back(
          {{"range", {{"start", place}, {"end", place}}}, {"severity", severity}, {"message", what}});
    };
    if (has("wrong")) say(1, 1, "unsolved goals\n⊢ False");
    if (has("sorry")) say(1, 2, "declaration uses `sorry`");
    int line = 0;
    std::istringstream lines(text);
    for (std::string each; std::getline(lines, each); ++line) {
      if (each.starts_with("#print axioms")) say(line, 3, "'t' depends on axioms: [propext]");
      if (each.starts_with("example : (False")) say(line, 1, "type mismatch");
    }
    if (!said.empty())
      server.notify("textDocument/publishDiagnostics",
                    {{"uri", where}, {"version", version}, {"diagnostics", said}});
    server.reply(barrier, json::object());
  }

  std::shared_ptr<Runner> make_runner() {
    const auto keep = [this](Report report) -> asio::awaitable<void> {
      order.push_back(report.id);
      reports[report.id] = std::move(report);
      co_return;
    };
    return std::make_shared<Runner>(pool, store, options, examiners, keep);
  }
  /// Judges the items; true if the run ended well.
  bool judge(const std::vector<Item>& items) {
    runner = make_runner();
    for (const Item& item : items) runner->add(item);
    runner->close();
    return loop.run(runner->run(std::make_shared<io::CancelSource>())).has_value();
  }
  Verdict verdict(const std::string& id) {
    REQUIRE(reports.contains(id));
    return reports[id].verdict;
  }

  /// A core for the text that the worker has, and one for what an earlier one left.
  double cpu_seconds() {
    const std::lock_guard lock(sizes->mutex);
    const auto now = io::Clock::now();
    const double passed = std::chrono::duration<double>(now - std::exchange(cpu_seen, now)).count();
    return cpu += passed * ((computing ? 1 : 0) + (stays_busy ? 1 : 0));
  }

  struct Sizes {
    void set(const std::string& uri, std::int64_t megabytes) {
      const std::lock_guard lock(mutex);
      bytes[uri] = megabytes * kMegabyte;
    }
    std::vector<lean::WorkerProcess> all() {
      const std::lock_guard lock(mutex);
      std::vector<lean::WorkerProcess> found;
      for (const auto& [uri, size] : bytes) found.push_back({uri, 1, size});
      return found;
    }
    std::mutex mutex;
    std::map<std::string, std::int64_t> bytes;
  };
  std::shared_ptr<Sizes> sizes = std::make_shared<Sizes>();
  std::map<std::string, std::string> texts;  // Lean's texts, by URI
  std::vector<std::string> elaborated;       // the texts below the header that Lean got
  int opened = 0;
  bool died = false;
  int header_deaths = 0;                 // so many workers die when they have only the header
  int server_deaths = 0;                 // so often the server dies with a worker
  std::atomic<bool> computing = false;   // whether the worker looks busy
  std::atomic<bool> stays_busy = false;  // whatever text the first worker gets
  double cpu = 0;
  io::Clock::time_point cpu_seen = io::Clock::now();
  RunnerOptions options;
  Examiners examiners;
  std::map<std::string, Scrutiny> findings;
  std::shared_ptr<Runner> runner;
  std::map<std::string, Report> reports;
  std::vector<std::string> order;
};

}  // namespace

TEST_CASE_METHOD(RunnerFixture, "items of one header share a worker, and Lean never has two of them",
                 "[batch][runner]") {
  const std::vector<Item> items = {candidate("a", "theorem a : True := trivial"), candidate("b", "wrong"),
                                   candidate("c", "sorry"), candidate("d", "theorem d : True := trivial")};
  REQUIRE(judge(items));
  CHECK(verdict("a") == Verdict::Ok);
  CHECK(verdict("b") == Verdict::Error);
  CHECK(verdict("c") == Verdict::Sorry);
  CHECK(verdict("d") == Verdict::Ok);
  CHECK(opened == 1);
  CHECK(runner->loads() == 1);
  CHECK_FALSE(reports["a"].header_reused);
  CHECK(reports["b"].header_reused);
  CHECK(reports["b"].diagnostics.front().line == 2);
  CHECK(elaborated == std::vector<std::string>{items[0].text, items[1].text, items[2].text, items[3].text});
}

TEST_CASE_METHOD(RunnerFixture,
                 "a header that differs in a comment gets a worker that has not imported the other",
                 "[batch][runner]") {
  Item commented = candidate("b", "x");
  commented.text = "-- mine\n" + commented.text;
  REQUIRE(judge({candidate("a", "x"), commented}));
  CHECK(runner->loads() == 2);
  CHECK(opened == 2);
  CHECK_FALSE(reports["b"].header_reused);
}

TEST_CASE_METHOD(RunnerFixture, "a runaway is ended by the next edit, and its worker goes on",
                 "[batch][runner]") {
  Item runaway = candidate("b", "forever");
  runaway.timeout_s = 0.05;
  REQUIRE(judge({candidate("a", "x"), runaway, candidate("c", "x"), runaway, runaway, runaway, runaway,
                 candidate("d", "x")}));
  CHECK(verdict("b") == Verdict::Timeout);
  CHECK(verdict("d") == Verdict::Ok);
  CHECK(reports["d"].header_reused);
  CHECK(opened == 1);
}

TEST_CASE_METHOD(RunnerFixture,
                 "a worker whose items only waited is replaced after a few: they may hold its threads",
                 "[batch][runner]") {
  Item sleeper = candidate("b", "sleeps");
  sleeper.timeout_s = 0.05;
  REQUIRE(judge({sleeper, sleeper, sleeper, candidate("a", "x"), sleeper, candidate("c", "x")}));
  CHECK(reports["a"].header_reused);
  CHECK_FALSE(reports["c"].header_reused);
  CHECK(opened == 2);
}

TEST_CASE_METHOD(RunnerFixture, "items do not wait while the worker frees what a runaway had built",
                 "[batch][runner]") {
  Item runaway = candidate("b", "forever");
  runaway.timeout_s = 0.05;
  options.quiet_limit = std::chrono::seconds(20);
  stays_busy = true;
  REQUIRE(judge(
      {candidate("a", "x"), runaway, candidate("c", "x"), candidate("d", "frees"), candidate("e", "x")}));
  CHECK(verdict("b") == Verdict::Timeout);
  CHECK(reports["c"].header_reused);
  CHECK(reports["e"].header_reused);
  CHECK(opened == 1);
}

TEST_CASE_METHOD(RunnerFixture, "a worker that goes on computing for a runaway is replaced",
                 "[batch][runner]") {
  Item runaway = candidate("a", "forever");
  runaway.timeout_s = 0.05;
  stays_busy = true;
  runner = make_runner();
  runner->add(runaway);
  runner->add(candidate("b", "x"));
  auto running = loop.start(runner->run(std::make_shared<io::CancelSource>()));
  const auto is_open = [](const document::ScratchPool::SlotState& slot) { return slot.open; };
  REQUIRE(loop.until([&] {
    const auto slots = store->scratch()->slots();
    return reports.contains("b") && std::none_of(slots.begin(), slots.end(), is_open);
  }));
  runner->add(candidate("c", "x"));
  runner->close();
  CHECK(loop.finish(running).has_value());
  CHECK(reports["b"].header_reused);
  CHECK_FALSE(reports["c"].header_reused);
  CHECK(opened == 2);
}

TEST_CASE_METHOD(RunnerFixture,
                 "an item that runs out of time beside what a runaway left is tried again, alone",
                 "[batch][runner]") {
  Item runaway = candidate("a", "forever"), slow = candidate("b", "slow");
  runaway.timeout_s = slow.timeout_s = 0.1;
  options.quiet_limit = std::chrono::seconds(20);
  stays_busy = true;
  REQUIRE(judge({runaway, slow, candidate("c", "x")}));
  CHECK(verdict("a") == Verdict::Timeout);
  CHECK(verdict("b") == Verdict::Ok);
  CHECK_FALSE(reports["b"].header_reused);
  CHECK(reports["c"].header_reused);
  CHECK(opened == 2);
}

TEST_CASE_METHOD(RunnerFixture, "an item is blamed for the death of its worker only if it dies each time",
                 "[batch][runner]") {
  REQUIRE(judge({candidate("a", "crash"), candidate("b", "once"), candidate("c", "x")}));
  CHECK(verdict("a") == Verdict::Crash);
  CHECK(verdict("b") == Verdict::Ok);
  CHECK(verdict("c") == Verdict::Ok);
  CHECK(opened == 5);  // three for a, two for b
}

TEST_CASE_METHOD(RunnerFixture, "the death of the server is nobody's fault", "[batch][runner]") {
  REQUIRE(judge({candidate("a", "server"), candidate("b", "x")}));
  CHECK(verdict("a") == Verdict::Ok);
  CHECK(verdict("b") == Verdict::Ok);
  CHECK(lake.runs.size() == 2);
}

TEST_CASE_METHOD(RunnerFixture, "nor is that of a worker which the server reports before it dies too",
                 "[batch][runner]") {
  server_deaths = 3;
  REQUIRE(judge({candidate("a", "both"), candidate("b", "x")}));
  CHECK(verdict("a") == Verdict::Ok);
  CHECK(verdict("b") == Verdict::Ok);
  CHECK(lake.runs.size() == 4);
}

TEST_CASE_METHOD(RunnerFixture, "an item is not blamed for the death of a worker that had only its header",
                 "[batch][runner]") {
  header_deaths = 5;
  REQUIRE(judge({candidate("a", "x"), candidate("b", "crash")}));
  CHECK(verdict("a") == Verdict::Ok);
  CHECK(verdict("b") == Verdict::Crash);
  CHECK(lake.runs.size() == 1);
}

TEST_CASE_METHOD(RunnerFixture, "a header with which Lean dies each time ends with a verdict",
                 "[batch][runner]") {
  header_deaths = 1000;
  REQUIRE(judge({candidate("a", "x")}));
  CHECK(verdict("a") == Verdict::Crash);
  CHECK(elaborated.empty());
}

TEST_CASE_METHOD(RunnerFixture, "a comment that never ends in a header is the error of its item",
                 "[batch][runner]") {
  header_deaths = 1000;
  Item endless = candidate("a", "x");
  endless.text = "import A /- /- -/\ntheorem x : True := x\n";
  REQUIRE(judge({endless}));
  CHECK(verdict("a") == Verdict::Error);
  CHECK(reports["a"].diagnostics.front().message == "unterminated comment");
  CHECK(elaborated.empty());
}

TEST_CASE_METHOD(RunnerFixture, "imports that cannot be loaded are the error of each item that has them",
                 "[batch][runner]") {
  REQUIRE(judge({candidate("a", "x", "Missing"), candidate("b", "y", "Missing"), candidate("c", "x")}));
  CHECK(verdict("a") == Verdict::Error);
  CHECK(reports["a"].reason == "Lean could not load the imports.");
  CHECK(reports["a"].diagnostics.front().message == "unknown module Missing");
  CHECK(verdict("b") == Verdict::Error);
  CHECK(reports["b"].reason == "Lean could not load the imports.");
  CHECK(verdict("c") == Verdict::Ok);
}

TEST_CASE_METHOD(RunnerFixture, "an import that does not compile is no error of the items that have it",
                 "[batch][runner]") {
  REQUIRE(judge({candidate("a", "x", "Broken"), candidate("c", "x")}));
  CHECK(verdict("a") == Verdict::NotReached);
  CHECK(reports["a"].reason == "`Broken`, which this file imports, does not compile: line 2: no");
  CHECK(reports["a"].diagnostics.empty());
  CHECK(verdict("c") == Verdict::Ok);
}

TEST_CASE_METHOD(RunnerFixture, "a worker in which a program ran judges nobody else", "[batch][runner]") {
  REQUIRE(judge({candidate("a", "#eval 1"), candidate("b", "x"), candidate("c", "x")}));
  CHECK(opened == 2);
  CHECK_FALSE(reports["b"].header_reused);
  CHECK(reports["c"].header_reused);
}

TEST_CASE_METHOD(RunnerFixture, "what only the compiled text shows decides", "[batch][runner]") {
  findings["a"] = {Scrutiny::Finding::Sorry, "a contains a sorry", false, false};
  findings["b"] = {Scrutiny::Finding::Unknown, "not known", false, false};
  findings["c"] = {Scrutiny::Finding::Unknown, "no time", true, false};
  REQUIRE(judge({candidate("a", "x"), candidate("b", "x"), candidate("c", "x")}));
  CHECK(verdict("a") == Verdict::Sorry);
  CHECK(reports["a"].reason == "a contains a sorry");
  CHECK(verdict("b") == Verdict::Error);
  CHECK(reports["b"].reason == "not known");
  CHECK(verdict("c") == Verdict::Timeout);
}

TEST_CASE_METHOD(RunnerFixture, "a theorem that is not there, or proves something else, is an error",
                 "[batch][runner]") {
  Item absent = candidate("a", "theorem u : True := trivial"),
       other = candidate("b", "theorem t : True := trivial"),
       good = candidate("c", "theorem t : True := trivial");
  absent.theorem = other.theorem = good.theorem = "t";
  other.statement = "False";
  good.statement = "True";
  REQUIRE(judge({absent, other, good}));
  CHECK(verdict("a") == Verdict::Error);
  CHECK(reports["a"].reason == "The text does not declare t.");
  CHECK(verdict("b") == Verdict::Error);
  CHECK(reports["b"].reason == "t does not prove the statement: type mismatch");
  CHECK(verdict("c") == Verdict::Ok);
}

TEST_CASE_METHOD(RunnerFixture, "axioms, where the text cannot answer in Lean's place", "[batch][runner]") {
  options.axioms = true;
  findings["b"].commands_suffice = false;
  REQUIRE(judge({candidate("a", "theorem t : True := trivial"), candidate("b", "theorem t : True := trivial"),
                 candidate("c", "wrong")}));
  REQUIRE(reports["a"].axioms);
  CHECK(**reports["a"].axioms == std::vector<std::string>{"propext"});
  REQUIRE(reports["b"].axioms);
  CHECK_FALSE(reports["b"].axioms->has_value());
  CHECK(reports["b"].axioms_reason == "not compiled");
  CHECK_FALSE(reports["c"].axioms);
}

TEST_CASE_METHOD(RunnerFixture, "the first unsolved goals, if asked for", "[batch][runner]") {
  options.goals = true;
  REQUIRE(judge({candidate("a", "wrong"), candidate("b", "x")}));
  CHECK(reports["a"].goals == std::vector<std::string>{"⊢ False"});
  CHECK_FALSE(reports["b"].goals);
}

TEST_CASE_METHOD(RunnerFixture, "a worker above its memory: the item is blamed only on a worker of its own",
                 "[batch][runner]") {
  options.worker_limit = [](std::size_t) { return 100 * kMegabyte; };
  REQUIRE(judge({candidate("a", "x"), candidate("b", "grows"), candidate("c", "x")}));
  CHECK(verdict("b") == Verdict::Memory);
  CHECK(verdict("c") == Verdict::Ok);
  CHECK(std::count_if(elaborated.begin(), elaborated.end(),
                      [](const std::string& text) { return contains(text, "grows"); }) == 2);
}

TEST_CASE_METHOD(RunnerFixture,
                 "a worker near its limit is replaced before the next item, which would get the blame",
                 "[batch][runner]") {
  options.worker_limit = [](std::size_t) { return 100 * kMegabyte; };
  examiners.scrutinise = [this](document::DocumentHandle handle, Item item,
                                io::CancelScope scope) -> asio::awaitable<Result<Scrutiny>> {
    if (item.id == "a") sizes->set(handle.document().uri, 90);
    co_await store->scratch()->measure(scope);
    co_return Scrutiny();
  };
  REQUIRE(judge({candidate("a", "x"), candidate("b", "x"), candidate("c", "x")}));
  CHECK_FALSE(reports["b"].header_reused);
  CHECK(reports["c"].header_reused);
  CHECK(runner->loads() == 2);
}

TEST_CASE_METHOD(RunnerFixture, "workers are added once the first is measured", "[batch][runner]") {
  options.workers = 0;
  std::int64_t seen = 0;
  options.workers_for = [&](std::int64_t bytes) {
    seen = bytes;
    return 3;
  };
  std::vector<Item> items;
  for (int i = 0; i < 20; ++i) items.push_back(candidate(std::to_string(i), "x"));
  REQUIRE(judge(items));
  CHECK(seen == 50 * kMegabyte);
  CHECK(runner->workers() == 3);
  CHECK(reports.size() == 20);
}

TEST_CASE_METHOD(RunnerFixture, "a lane that turns to another header has one worker, not two",
                 "[batch][runner]") {
  options.worker_limit = [](std::size_t) { return 0; };
  REQUIRE(judge({candidate("a", "x", "A"), candidate("b", "x", "B"), candidate("c", "x", "C")}));
  CHECK(runner->loads() == 3);
  const auto slots = store->scratch()->slots();
  CHECK(std::count_if(slots.begin(), slots.end(), [](const auto& slot) { return slot.open; }) == 1);
}

TEST_CASE_METHOD(RunnerFixture, "what throws ends the run as a failure, not as complete", "[batch][runner]") {
  examiners.scrutinise = [](document::DocumentHandle, Item,
                            io::CancelScope) -> asio::awaitable<Result<Scrutiny>> {
    throw std::runtime_error("broken");
    co_return Scrutiny();
  };
  CHECK_FALSE(judge({candidate("a", "x"), candidate("b", "x")}));
  CHECK(reports.empty());
}

TEST_CASE_METHOD(RunnerFixture, "stopping begins nothing more, and what is under way is judged",
                 "[batch][runner]") {
  Item runaway = candidate("a", "forever");
  runaway.timeout_s = 0.1;
  runner = make_runner();
  runner->add(runaway);
  runner->add(candidate("b", "x"));
  auto running = loop.start(runner->run(std::make_shared<io::CancelSource>()));
  REQUIRE(loop.until([&] { return !elaborated.empty(); }));
  runner->stop();
  CHECK(loop.finish(running).has_value());
  CHECK(order == std::vector<std::string>{"a"});
  CHECK_FALSE(loop.run(runner->wait_for_room(patient())));
}

TEST_CASE_METHOD(RunnerFixture, "cancelling ends what is under way, without a verdict", "[batch][runner]") {
  const auto cancel = std::make_shared<io::CancelSource>();
  runner = make_runner();
  runner->add(candidate("a", "forever"));
  auto running = loop.start(runner->run(cancel));
  REQUIRE(loop.until([&] { return !elaborated.empty(); }));
  cancel->cancel();
  CHECK(loop.finish(running).has_value());
  CHECK(reports.empty());
  REQUIRE(
      loop.until([&] { return texts.begin()->second == "import A"; }));  // Lean computes nothing more for it
}

TEST_CASE_METHOD(RunnerFixture, "a list that is given up keeps what was judged", "[batch][runner]") {
  runner = make_runner();
  const io::CancelScope scope(io::kNoDeadline);
  const std::vector<Item> items = {candidate("a", "x"), candidate("b", "forever"), candidate("c", "x")};
  auto judging = loop.start(leanbridge::batch::judge(runner, items, scope));
  REQUIRE(loop.until([&] { return order.size() == 1 && computing; }));
  scope.cancel->cancel();
  const auto ended = loop.finish(judging);
  REQUIRE_FALSE(ended.has_value());
  CHECK(ended.error().kind == ErrorKind::Cancelled);
  CHECK(order == std::vector<std::string>{"a"});
  REQUIRE(loop.until([&] { return texts.begin()->second == "import A"; }));
}

TEST_CASE_METHOD(RunnerFixture, "without Lean nothing is judged, and the error says so", "[batch][runner]") {
  lake.on_message = [](FakeServer& server, const json&) { server.exit(1); };
  runner = make_runner();
  runner->add(candidate("a", "x"));
  runner->close();
  const auto ended = loop.run(runner->run(std::make_shared<io::CancelSource>()));
  REQUIRE_FALSE(ended.has_value());
  CHECK(ended.error().kind == ErrorKind::LeanUnavailable);
  CHECK(reports.empty());
}

TEST_CASE_METHOD(RunnerFixture, "whoever adds items waits while as many as are allowed wait already",
                 "[batch][runner]") {
  options.schedule.max_items = 2;
  runner = make_runner();
  auto running = loop.start(runner->run(std::make_shared<io::CancelSource>()));
  const auto add_all = [](std::shared_ptr<Runner> to) -> asio::awaitable<int> {
    int added = 0;
    for (; added < 30 && co_await to->wait_for_room(patient()); ++added)
      to->add(candidate(std::to_string(added), "x"));
    to->close();
    co_return added;
  };
  auto adding = loop.start(add_all(runner));
  CHECK(loop.finish(adding) == 30);
  CHECK(loop.finish(running).has_value());
  CHECK(reports.size() == 30);
}

}  // namespace leanbridge::batch
