#include "world.hpp"

#include "calls.hpp"
#include "core/document/scratch_pool.hpp"

#include <algorithm>

namespace leanbridge::faults {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

// How long after its deadline an answer may come. What the bridge still has to do then takes no virtual time,
// but it may be reading the disk.
constexpr double kSlackMs = 50;

std::filesystem::path project_folder(const Bench& bench, std::uint64_t seed) {
  return bench.folder / ("p" + std::to_string(seed));
}

}  // namespace

void Tally::add(const Tally& other) {
  calls += other.calls;
  answers += other.answers;
  partial += other.partial;
  errors += other.errors;
  cancelled += other.cancelled;
  starts += other.starts;
  for (const auto& [kind, count] : other.error_kinds) error_kinds[kind] += count;
  for (const auto& [tool, count] : other.tools) tools[tool] += count;
}

World::World(Bench& bench, VirtualClock& clock, Trace& trace, std::uint64_t seed)
    : bench_(bench),
      clock_(clock),
      trace_(trace),
      seed_(seed),
      random_(seed),
      faults_(Faults::draw(random_)),
      disk_(project_folder(bench, seed), random_.fork()),
      texts_(random_.fork(), !faults_.strict()),
      judge_(disk_, faults_),
      next_tool_(seed) {
  trace_.say("seed", std::to_string(seed) + (is_over_http() ? " over HTTP " : " ") + faults_.describe());
}

World::~World() {
  if (session_) session_->close();
  session_.reset();
  if (network_) network_->close();
  network_.reset();
  processes_.reset();
  bench_.end();
}

// --- the parts

void World::begin() {
  disk_.write("lakefile.toml", "name = \"p\"\n");
  disk_.write("Base.lean", texts_.module(false));
  files_ = {"A.lean", "B.lean"};
  if (random_.percent(50)) files_.push_back("C.lean");
  for (const std::string& file : files_) disk_.write(file, texts_.file());

  document::WorkspaceOptions options;
  options.root = disk_.folder();
  options.directory = disk_.folder();
  options.lake = "/bin/true";  // must exist, although a model is started in its place
  if (random_.percent(30)) options.limits.max_open = 1 + random_.below(2);
  options.limits.scratch.max_workers = 1 + random_.below(3);
  const bool crowded = random_.percent(15);
  options.limits.scratch.measure = [this, crowded](int) {
    std::vector<lean::WorkerProcess> workers;
    for (std::string& uri : processes_->open_files())
      workers.push_back({std::move(uri), 0, (crowded ? std::int64_t{4} : std::int64_t{1}) << 30});
    return workers;
  };
  options.spawn = [this](asio::io_context&, const io::ChildCommand& command,
                         io::ChildProcess::Events events) -> Result<std::shared_ptr<io::ChildProcess>> {
    if (command.argv.at(1) != "serve") return fail(ErrorKind::LeanUnavailable, "There is no model of it.");
    return processes_->spawn(std::move(events));
  };
  bench_.begin(std::move(options), [this, random = random_.fork()](io::Pool::Task task) mutable {
    const bool slow = random.percent(faults_.slow_disk);
    bench_.schedule->after(std::chrono::microseconds(slow ? random.between(1, 30'000) : 1), std::move(task));
  });
  const auto read = [this](const std::string& module) { return disk_.content(module + ".lean"); };
  processes_.emplace(*bench_.context, faults_, random_.fork(), trace_, read);
  const auto ready = [this] { bench_.workspace->start_early(); };
  if (is_over_http())
    network_ = std::make_shared<Network>(
        *bench_.context, *bench_.registry, random_.fork(), trace_,
        Network::Events{[this](const std::string& text) { receive(text); }, [this](int id) { lose(id); },
                        [this](int id) { lose(id); }, ready});
  else
    session_ = std::make_shared<mcp::Session>(
        *bench_.context, *bench_.registry, mcp::SessionOptions{},
        [this](std::string&& text) { receive(text); }, ready);
  send({{"id", "init"},
        {"method", "initialize"},
        {"params", {{"protocolVersion", "2025-11-25"}, {"capabilities", json::object()}}}});
  if (random_.percent(80)) send({{"method", "notifications/initialized"}, {"params", json::object()}});
}

void World::send(json message) {
  message["jsonrpc"] = "2.0";
  const std::string text = message.dump();
  trace_.say("call", text);
  if (network_) return network_->send(message);
  asio::post(*bench_.context, [session = session_, text] { session->receive(text); });
}

void World::edit() {
  const std::string& file = random_.of(files_);
  const auto content = disk_.content(file);
  if (!content) return disk_.write(file, texts_.file());
  const int kind = random_.between(1, 100);
  if (kind <= 6) {
    trace_.say("disk", "Base.lean changes");
    return disk_.write("Base.lean", texts_.module(true));
  }
  if (kind <= 8) {
    trace_.say("disk", file + " is removed");
    disturb(file);
    return disk_.remove(file);
  }
  if (kind <= 9) {
    trace_.say("disk", "the lakefile changes");
    for (const std::string& each : files_) disturb(each);
    return disk_.write("lakefile.toml", "name = \"p\" # " + texts_.module(false));
  }
  if (kind <= 12) return disk_.write(file, *content);  // touched
  std::string text = texts_.edited(*content);
  if (kind <= 20 && former_.contains(file)) text = former_[file];
  if (random_.percent(30)) former_[file] = *content;
  trace_.say("disk", file + " changes to " + json(text).dump());
  disk_.write(file, text);
}

void World::place_in(json& arguments, const std::string& file, bool column) {
  const auto lines = split_lines(disk_.content(file).value_or(""));
  std::size_t line = random_.below(lines.size() + (random_.percent(5) ? 3 : 0));
  for (int tries = 0; tries < 4 && line < lines.size() && !lines[line].starts_with("  "); ++tries)
    line = random_.below(lines.size());
  arguments["line"] = line + 1;
  // Only columns of lines where all ways of counting agree; the unit tests of `text` cover the others.
  if (!column || line >= lines.size()) return;
  const bool odd = lines[line].find("𝓝") != std::string::npos;
  arguments["column"] =
      odd || random_.percent(50) ? std::min<std::size_t>(lines[line].size() + 1, 3) : lines[line].size() + 1;
}

json World::arguments_for(const std::string& tool, const std::string& file) {
  json arguments = {{"file_path", file}};
  if (tool == "lean_goal" || tool == "lean_check") {
    place_in(arguments, file, tool == "lean_goal" && random_.percent(25));
    if (random_.percent(15)) arguments["format"] = "structured";
  }
  if (tool == "lean_hover_info") {
    place_in(arguments, file, true);
    if (!arguments.contains("column")) arguments["column"] = 1;
  }
  if (tool == "lean_multi_attempt") {
    place_in(arguments, file, random_.percent(20));
    arguments["snippets"] = json::array();
    for (int i = random_.between(1, 4); i > 0; --i) arguments["snippets"].push_back(texts_.snippet());
    if (random_.percent(30)) arguments["parallel"] = false;
  }
  if (tool == "lean_diagnostic_messages" && random_.percent(50)) {
    const auto lines = split_lines(disk_.content(file).value_or(""));
    const std::size_t first = random_.below(lines.size());
    if (random_.percent(50)) arguments["start_line"] = first + 1;
    arguments["end_line"] = first + 1 + random_.below(lines.size() - first);
    for (const std::string& line : lines)
      if (line.starts_with("theorem ") && random_.percent(3))
        arguments["declaration_name"] = line.substr(8, line.find(' ', 8) - 8);
  }
  if (tool == "lean_reset" && random_.percent(40)) arguments["server"] = true;
  return arguments;
}

void World::call() {
  static const std::vector<std::string> kTools = {"lean_goal",
                                                  "lean_goal",
                                                  "lean_goal",
                                                  "lean_goal",
                                                  "lean_check",
                                                  "lean_check",
                                                  "lean_check_all",
                                                  "lean_check_all",
                                                  "lean_sync",
                                                  "lean_diagnostic_messages",
                                                  "lean_diagnostic_messages",
                                                  "lean_hover_info",
                                                  "lean_hover_info",
                                                  "lean_open",
                                                  "lean_multi_attempt",
                                                  "lean_multi_attempt"};
  static const std::vector<double> kTimeouts = {0.02, 0.2, 1, 5, 60, 60, 60, 120};
  std::string tool = random_.of(kTools);
  if (random_.percent(4)) tool = random_.percent(60) ? "lean_close" : "lean_reset";
  const std::string& file = random_.of(files_);
  if (random_.percent(25)) return call_any(file, random_.of(kTimeouts));
  send_call(tool, arguments_for(tool, file), file, random_.of(kTimeouts));
}

void World::call_any(const std::string& file, double timeout_s) {
  std::vector<const mcp::Tool*> others;
  for (const mcp::Tool& tool : bench_.registry->tools())
    if (!is_known_well(tool.name)) others.push_back(&tool);
  // In turn, with a different first one in each run, so that a few dozen runs call all of them.
  const mcp::Tool& tool = *others[next_tool_++ % others.size()];
  send_call(tool.name, arguments_from(tool, file, disk_.content(file).value_or(""), random_, texts_), file,
            timeout_s);
}

int World::send_call(const std::string& tool, json arguments, const std::string& file, double timeout_s) {
  CallRecord call;
  call.id = next_id_++;
  call.tool = tool;
  call.file = file;
  call.timeout_s = timeout_s;
  if (bench_.registry->find(tool)->waits) arguments["timeout_s"] = timeout_s;
  arguments["verbose"] = true;  // the judge reads what a brief answer leaves out
  call.arguments = arguments;
  call.start_ms = trace_.elapsed_ms();
  call.file_moment = disk_.now(file);
  call.base_moment = disk_.now("Base.lean");
  const bool restarts = arguments.value("server", false);
  for (const auto& [id, other] : calls_) call.disturbed = call.disturbed || other.tool == "lean_reset";
  if (restarts)
    for (const std::string& each : files_) disturb(each);
  else if (tool == "lean_close" || tool == "lean_reset")
    disturb(file);
  // The next call notices a changed configuration.
  if (disk_.now("lakefile.toml") > 0) call.disturbed = true;
  calls_[call.id] = call;
  ++tally_.calls;
  ++tally_.tools[tool];
  json params = {{"name", tool}, {"arguments", std::move(arguments)}};
  if (random_.percent(10)) params["_meta"] = {{"progressToken", call.id}};
  send({{"id", call.id}, {"method", "tools/call"}, {"params", std::move(params)}});
  return call.id;
}

void World::disturb(const std::string& file) {
  for (auto& [id, call] : calls_)
    if (call.file == file) call.disturbed = true;
}

void World::cancel() {
  if (calls_.empty()) return;
  auto chosen = calls_.begin();
  std::advance(chosen, static_cast<std::ptrdiff_t>(random_.below(calls_.size())));
  const int id = chosen->first;
  send({{"method", "notifications/cancelled"}, {"params", {{"requestId", id}}}});
  // It may have been answered before this is read.
  if (!network_) asio::post(*bench_.context, [this, id] { lose(id); });
}

void World::lose(int id) {
  if (calls_.erase(id) > 0) ++tally_.cancelled;
  answered_.insert(id);
}

std::size_t World::calls_under_way() const {
  return network_ ? network_->calls_under_way() : session_->calls_under_way();
}

void World::receive(const std::string& text) {
  const json message = json::parse(text);
  trace_.say("answr", text);
  if (message.contains("method")) return;  // progress
  if (message["id"] == "init") return;
  if (message["id"].is_null()) return trace_.fail("a line of ours was not understood: " + text);
  const int id = message["id"].get<int>();
  const auto found = calls_.find(id);
  if (found == calls_.end())
    return trace_.fail(answered_.contains(id) ? "a second answer, or one to a cancelled call"
                                              : "an answer to nothing");
  CallRecord call = found->second;
  calls_.erase(found);
  answered_.insert(id);
  on_result(std::move(call), message);
}

void World::on_result(CallRecord call, const json& message) {
  const auto blame = [&](const std::string& what) {
    trace_.fail("call " + std::to_string(call.id) + " " + call.tool + " " + call.arguments.dump() + ": " +
                what);
  };
  if (trace_.elapsed_ms() > call.start_ms + call.timeout_s * 1000 + kSlackMs) blame("the answer is overdue");
  if (!message.contains("result")) return blame("a JSON-RPC error: " + message.dump());
  const json& result = message["result"];
  if (result.value("isError", false)) {
    ++tally_.errors;
    const json body = json::parse(result["content"][0].value("text", "{}"), nullptr, false);
    if (body.is_object() && body.contains("error")) ++tally_.error_kinds[body["error"].value("kind", "?")];
  } else if (result["structuredContent"].value("partial", false)) {
    ++tally_.partial;
    if (call.tool == "lean_goal" && !result["structuredContent"].value("timed_out", false))
      early_.push_back(call.file);
  } else {
    ++tally_.answers;
    ++right_;
  }
  if (const auto wrong = judge_.check(call, result, mirror_of(call.file)))
    blame(*wrong + "\n  " + result.dump().substr(0, 1500));
}

std::shared_ptr<document::DocumentStore> World::table() const {
  const auto projects = bench_.workspace->projects();
  return projects.empty() ? nullptr : projects.begin()->second;
}

std::optional<Mirror> World::mirror_of(const std::string& file) const {
  const auto project = table();
  const auto document = project ? project->find(disk_.folder() / file) : nullptr;
  if (!document) return std::nullopt;
  const auto by = io::Clock::now() - std::chrono::microseconds(static_cast<int>(kSlackMs * 1000));
  const document::Version version = document->state.version();
  return Mirror{document->state.text().str(), version,
                processes_->lines_reported(document->uri, version, by)};
}

// --- time

void World::wait(io::Clock::duration time) {
  const auto until = io::Clock::now() + time;
  VirtualClock::settle(*bench_.context);
  while (io::Clock::now() < until && trace_.failures().empty()) {
    // Something always waits: the end of the run.
    io::Timer end(*bench_.context, until);
    end.async_wait([](const boost::system::error_code&) {});
    clock_.step(*bench_.context, until);
    look_for_overdue();
  }
}

void World::look_for_overdue() {
  for (const auto& [id, call] : calls_)
    if (trace_.elapsed_ms() > call.start_ms + call.timeout_s * 1000 + kSlackMs)
      return trace_.fail("call " + std::to_string(id) + " " + call.tool + " " + call.arguments.dump() +
                         " has not ended by its deadline");
}

void World::wait_for_calls() {
  while (!calls_.empty() && trace_.failures().empty()) wait(milliseconds(200));
}

// --- the script

void World::act() {
  const int kind = random_.between(1, 100);
  if (kind <= 30)
    edit();
  else if (kind <= 90)
    call();
  else if (kind <= 96)
    cancel();
  else
    wait(seconds(random_.between(1, 12)));
  if (random_.percent(60))
    wait(std::chrono::microseconds(random_.between(0, random_.percent(80) ? 40'000 : 600'000)));
}

void World::heal_and_check() {
  trace_.say("heal", "no more faults");
  processes_->heal();
  judge_.heal();
  if (network_) network_->heal();
  for (const std::string& file : files_) disk_.write(file, texts_.harmless_file());
  disk_.write("Base.lean", texts_.module(false));
  wait(seconds(15));  // any back-off is over by then
  send_call("lean_reset", {{"file_path", files_[0]}, {"server", true}}, files_[0], 90);
  wait_for_calls();
  right_ = 0;
  early_.clear();
  int asked = 0;
  for (const std::string& file : files_)
    for (const char* tool : {"lean_check_all", "lean_goal", "lean_multi_attempt"}) {
      json arguments = {{"file_path", file}};
      if (tool != std::string("lean_check_all")) arguments["line"] = 4;
      if (tool == std::string("lean_multi_attempt")) arguments["snippets"] = {"tac_last"};
      send_call(tool, std::move(arguments), file, 90);
      ++asked;
    }
  wait_for_calls();
  // Now Lean is done, and nothing is missing.
  for (const std::string& file : std::exchange(early_, {}))
    send_call("lean_goal", {{"file_path", file}, {"line", 4}}, file, 90);
  wait_for_calls();
  if (trace_.failures().empty() && right_ != asked)
    trace_.fail("the bridge does not recover: " + std::to_string(asked - right_) +
                " calls failed without a fault");
}

void World::run() {
  begin();
  for (int steps = random_.between(8, 40); steps > 0 && trace_.failures().empty(); --steps) act();
  wait_for_calls();
  if (trace_.failures().empty()) check_idle();
  if (trace_.failures().empty()) heal_and_check();
  if (trace_.failures().empty()) end();
  tally_.starts = processes_ ? processes_->starts() : 0;
}

// --- nothing remains

void World::check_idle() {
  wait(seconds(30));  // cancelled calls end, scratch documents are measured
  if (calls_under_way() > 0) trace_.fail("calls are under way that have been answered");
  const auto project = table();
  if (!project) return;
  std::size_t open = 0;
  for (const auto& document : project->documents()) {
    open += document->state.open();
    if (document->usage.in_use > 0) trace_.fail(document->name + " is in use by nobody");
    if (document->disk.syncing) trace_.fail(document->name + " is being synchronised by nobody");
    if (document->changed.has_waiters()) trace_.fail(document->name + " is waited on by nobody");
  }
  for (const auto& slot : project->scratch()->slots()) {
    open += slot.open;
    if (slot.in_use) trace_.fail(slot.name + " is in use by nobody");
  }
  // One barrier for each open document and nothing else; the handshake has its own deadline.
  open += project->server().state() == lean::Server::State::Starting;
  if (project->server().pending_requests() > open)
    trace_.fail(std::to_string(project->server().pending_requests()) + " requests to Lean are pending for " +
                std::to_string(open) + " open documents");
}

void World::end() {
  check_idle();
  for (const std::string& file : files_) send_call("lean_close", {{"file_path", file}}, file, 1);
  wait_for_calls();
  wait(std::chrono::minutes(6));  // scratch documents are closed when nobody has used them for a while
  const auto project = table();
  if (project->open_count() > 0) trace_.fail("documents are open that were closed");
  if (!project->scratch()->slots().empty()) trace_.fail("scratch documents are left");
  if (project->server().pending_requests() > 0) trace_.fail("requests to Lean are pending for nobody");
  for (const std::string& uri : processes_->open_files()) trace_.fail("Lean still has " + uri + " open");

  if (network_) network_->end();
  if (session_) session_->close();
  asio::co_spawn(*bench_.context, bench_.projects->stop(milliseconds(300)), asio::detached);
  const auto limit = io::Clock::now() + std::chrono::minutes(10);
  while (clock_.step(*bench_.context, limit) && io::Clock::now() < limit) {
  }
  if (processes_->running() > 0) trace_.fail("a lake serve is left");
  // Every coroutine has ended: nothing waits for anything.
  if (!bench_.context->stopped()) trace_.fail("something still waits in the loop");
}

}  // namespace leanbridge::faults
