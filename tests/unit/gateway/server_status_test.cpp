// What a server says about itself: every line as Prometheus reads it.

#include "gateway/serving/server_status.hpp"

#include <catch2/catch.hpp>

#include <sstream>

namespace leanbridge::app::test {

namespace {

ServerStatus example() {
  ServerStatus status;
  status.version = "1.2";
  status.url = "http://127.0.0.1:8765/mcp";
  status.uptime_s = 7;
  status.connections = 3;
  status.mcp = {.sessions = 2, .calls = 1, .streams = 1, .refused_calls = 4, .resumed_streams = 5};
  status.projects = {{"/p", lean::Server::State::Ready, 7, 3, 1, 6, {{"file:///p/A.lean", 42, 2 << 20}}}};
  mcp::CallCounts counts;
  for (const double ms : {0.5, 2.0, 50'000.0}) {
    ++counts.calls;
    counts.latency.add(ms);
  }
  counts.errors = 1;
  status.tools["lean_\"goal\""] = counts;
  return status;
}

bool has_line(const std::string& text, const std::string& wanted) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line == wanted) return true;
  return false;
}

}  // namespace

TEST_CASE("Metrics have the values of the status", "[http][metrics]") {
  const std::string text = metrics_text(example());
  for (const char* line :
       {R"(leanbridge_calls_total{tool="lean_\"goal\""} 3)",
        R"(leanbridge_call_errors_total{tool="lean_\"goal\""} 1)",
        R"(leanbridge_call_duration_seconds_bucket{tool="lean_\"goal\"",le="0.001"} 1)",
        R"(leanbridge_call_duration_seconds_bucket{tool="lean_\"goal\"",le="0.003"} 2)",
        R"(leanbridge_call_duration_seconds_bucket{tool="lean_\"goal\"",le="30"} 2)",
        R"(leanbridge_call_duration_seconds_bucket{tool="lean_\"goal\"",le="+Inf"} 3)",
        R"(leanbridge_call_duration_seconds_count{tool="lean_\"goal\""} 3)", "leanbridge_connections 3",
        "leanbridge_sessions 2", "leanbridge_calls_in_progress 1", "leanbridge_refused_calls_total 4",
        "leanbridge_documents_open 1", "leanbridge_workers 1", "leanbridge_worker_memory_bytes 2097152",
        "leanbridge_lean_requests_waiting 6", "leanbridge_lean_restarts_total 2",
        "# TYPE leanbridge_call_duration_seconds histogram", "# TYPE leanbridge_connections gauge"}) {
    INFO(line);
    CHECK(has_line(text, line));
  }
}

TEST_CASE("Each metric is described once, before its values", "[http][metrics]") {
  std::istringstream lines(metrics_text(example()));
  std::set<std::string> described;
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    std::istringstream words(line);
    std::string first, second, name;
    words >> first >> second >> name;
    if (first == "#") {
      if (second == "TYPE") CHECK(described.insert(name).second);
      continue;
    }
    std::string metric = first.substr(0, first.find('{'));
    for (const char* suffix : {"_bucket", "_sum", "_count"})
      if (metric.starts_with("leanbridge_call_duration_seconds") && metric.ends_with(suffix))
        metric.resize(metric.size() - std::string(suffix).size());
    CHECK(described.contains(metric));
  }
  CHECK(described.size() > 10);
}

TEST_CASE("The table shows what is in the status", "[http][metrics]") {
  const std::string table = status_table(status_json(example()));
  for (const char* part :
       {"leanbridge 1.2 at http://127.0.0.1:8765/mcp", "3 connections, 2 sessions, 1 call, 1 stream, ",
        "/p  (ready, 1 document, 6 requests waiting, started 3 times)", "2 MB  pid 42", "file:///p/A.lean",
        "lean_\"goal\""}) {
    INFO(part);
    CHECK(table.find(part) != std::string::npos);
  }
  CHECK_FALSE(status_table(nlohmann::json::object()).empty());  // of a stranger
}

}  // namespace leanbridge::app::test
