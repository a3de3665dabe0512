#include "server_status.hpp"

#include "core/base/counted.hpp"
#include "core/base/json.hpp"
#include <fmt/format.h>

#include <algorithm>

namespace leanbridge::app {

using nlohmann::json;

namespace {

constexpr double kMsPerSecond = 1000;
constexpr double kBytesPerMb = 1024.0 * 1024.0;

// Escapes the value of a label: backslash, quote and newline.
std::string label(const std::string& value) {
  std::string text;
  for (const char c : value) {
    if (c == '\n') {
      text += "\\n";
      continue;
    }
    if (c == '\\' || c == '"') text += '\\';
    text += c;
  }
  return text;
}

class MetricsWriter {
 public:
  void head(const char* name, const char* type, const char* help) {
    text_ += fmt::format("# HELP leanbridge_{} {}\n# TYPE leanbridge_{} {}\n", name, help, name, type);
  }
  void value(const std::string& name, double value) {
    text_ += fmt::format("leanbridge_{} {}\n", name, value);
  }
  void single(const char* name, const char* type, const char* help, double number) {
    head(name, type, help);
    value(name, number);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void write_tools(MetricsWriter& out, const std::map<std::string, mcp::CallCounts>& tools) {
  const auto each = [&](const char* name, const char* help, std::uint64_t mcp::CallCounts::*count) {
    out.head(name, "counter", help);
    for (const auto& [tool, counts] : tools)
      out.value(fmt::format("{}{{tool=\"{}\"}}", name, label(tool)), static_cast<double>(counts.*count));
  };
  each("calls_total", "Calls of tools that have ended.", &mcp::CallCounts::calls);
  each("call_errors_total", "Calls that ended with an error.", &mcp::CallCounts::errors);
  each("calls_cancelled_total", "Calls that were cancelled.", &mcp::CallCounts::cancelled);
  out.head("call_duration_seconds", "histogram", "How long calls took.");
  for (const auto& [tool, counts] : tools) {
    const std::string name = label(tool);
    std::uint64_t so_far = 0;
    for (std::size_t i = 0; i < Latency::kBoundsMs.size(); ++i) {
      so_far += counts.latency.classes()[i];
      out.value(fmt::format("call_duration_seconds_bucket{{tool=\"{}\",le=\"{}\"}}", name,
                            Latency::kBoundsMs[i] / kMsPerSecond),
                static_cast<double>(so_far));
    }
    const auto count = static_cast<double>(counts.latency.count());
    out.value(fmt::format("call_duration_seconds_bucket{{tool=\"{}\",le=\"+Inf\"}}", name), count);
    out.value(fmt::format("call_duration_seconds_sum{{tool=\"{}\"}}", name),
              counts.latency.total_ms() / kMsPerSecond);
    out.value(fmt::format("call_duration_seconds_count{{tool=\"{}\"}}", name), count);
  }
}

struct LeanTotals {
  std::size_t documents = 0, workers = 0, pending = 0;
  std::int64_t bytes = 0;
  int restarts = 0;
};

LeanTotals totals_of(const std::vector<ide::LeanHealth>& projects) {
  LeanTotals totals;
  for (const ide::LeanHealth& project : projects) {
    totals.documents += static_cast<std::size_t>(std::max(0, project.open_documents));
    totals.workers += project.workers.size();
    totals.pending += project.pending_requests;
    totals.restarts += std::max(0, project.starts - 1);
    for (const lean::WorkerProcess& worker : project.workers) totals.bytes += worker.resident_bytes;
  }
  return totals;
}

// A number of the status, or 0.
double number_in(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

}  // namespace

std::string metrics_text(const ServerStatus& status) {
  MetricsWriter out;
  write_tools(out, status.tools);
  const auto gauge = [&](const char* name, const char* help, double value) {
    out.single(name, "gauge", help, value);
  };
  const auto counter = [&](const char* name, const char* help, double value) {
    out.single(name, "counter", help, value);
  };
  gauge("connections", "Open connections.", static_cast<double>(status.connections));
  gauge("sessions", "Sessions of the era with a handshake.", static_cast<double>(status.mcp.sessions));
  gauge("calls_in_progress", "Requests without an answer yet.", static_cast<double>(status.mcp.calls));
  gauge("event_streams", "Open streams of events.", static_cast<double>(status.mcp.streams));
  counter("refused_calls_total", "Requests refused because of a quota.",
          static_cast<double>(status.mcp.refused_calls));
  counter("refused_connections_total", "Connections closed because of a quota.",
          static_cast<double>(status.refused_connections));
  counter("resumed_streams_total", "Streams that a client has resumed.",
          static_cast<double>(status.mcp.resumed_streams));
  const LeanTotals lean = totals_of(status.projects);
  gauge("projects", "Lean projects in use.", static_cast<double>(status.projects.size()));
  gauge("documents_open", "Open documents.", static_cast<double>(lean.documents));
  gauge("workers", "Lean processes, one for each open document.", static_cast<double>(lean.workers));
  gauge("worker_memory_bytes", "Resident memory of all workers; shared pages count for each.",
        static_cast<double>(lean.bytes));
  gauge("lean_requests_waiting", "Requests to Lean without an answer yet.",
        static_cast<double>(lean.pending));
  counter("lean_restarts_total", "Starts of lake serve after the first of each project.", lean.restarts);
  gauge("memory_bytes", "Resident memory of this server, without Lean.",
        static_cast<double>(status.own_bytes));
  gauge("uptime_seconds", "Time since the start.", status.uptime_s);
  gauge("draining", "1 while the server ends.", status.draining ? 1 : 0);
  return out.take();
}

json status_json(const ServerStatus& status) {
  json projects = json::array();
  for (const ide::LeanHealth& project : status.projects) {
    json workers = json::array();
    for (const lean::WorkerProcess& worker : project.workers)
      workers.push_back({{"file", worker.uri}, {"pid", worker.pid}, {"memory_bytes", worker.resident_bytes}});
    projects.push_back({{"root", project.root},
                        {"server", wire::name_of(project.state)},
                        {"starts", project.starts},
                        {"open_documents", std::max(0, project.open_documents)},
                        {"pending_requests", project.pending_requests},
                        {"workers", std::move(workers)}});
  }
  json tools = json::object();
  for (const auto& [name, counts] : status.tools) {
    tools[name] = mcp::to_json(counts);
    tools[name].erase("histogram_ms");  // the metrics have it
  }
  return {{"version", status.version},
          {"url", status.url},
          {"uptime_s", status.uptime_s},
          {"draining", status.draining},
          {"connections", status.connections},
          {"sessions", status.mcp.sessions},
          {"calls_in_progress", status.mcp.calls},
          {"event_streams", status.mcp.streams},
          {"memory_bytes", status.own_bytes},
          {"projects", std::move(projects)},
          {"tools", std::move(tools)}};
}

std::string status_table(const json& status) {
  const auto number = [](const json& of, const char* name, const char* noun) {
    return counted(static_cast<std::size_t>(std::clamp(number_in(of, name), 0.0, 1e15)), noun);
  };
  std::string text = fmt::format(
      "leanbridge {} at {}, up {:.0f} s{}\n{}, {}, {}, {}, {:.0f} MB\n", text_member(status, "version"),
      text_member(status, "url"), number_in(status, "uptime_s"),
      is_true(status, "draining") ? ", draining" : "", number(status, "connections", "connection"),
      number(status, "sessions", "session"), number(status, "calls_in_progress", "call"),
      number(status, "event_streams", "stream"), number_in(status, "memory_bytes") / kBytesPerMb);
  for (const json& project : status.value("projects", json::array())) {
    text += fmt::format("\n{}  ({}, {}, {} waiting, started {})\n", text_member(project, "root"),
                        text_member(project, "server"), number(project, "open_documents", "document"),
                        number(project, "pending_requests", "request"), number(project, "starts", "time"));
    for (const json& worker : project.value("workers", json::array()))
      text += fmt::format("  {:>8.0f} MB  pid {:<8.0f} {}\n", number_in(worker, "memory_bytes") / kBytesPerMb,
                          number_in(worker, "pid"), text_member(worker, "file"));
  }
  const json tools = status.value("tools", json::object());
  if (!tools.empty())
    text += fmt::format("\n{:<28} {:>8} {:>7} {:>10} {:>9} {:>9}\n", "tool", "calls", "errors", "cancelled",
                        "mean ms", "max ms");
  for (const auto& [name, counts] : tools.items())
    text +=
        fmt::format("{:<28} {:>8.0f} {:>7.0f} {:>10.0f} {:>9.1f} {:>9.1f}\n", name,
                    number_in(counts, "calls"), number_in(counts, "errors"), number_in(counts, "cancelled"),
                    number_in(counts, "mean_ms"), number_in(counts, "max_ms"));
  return text;
}

}  // namespace leanbridge::app
