#include "tool_calls.hpp"

#include "core/base/json.hpp"
#include "core/base/log.hpp"
#include "project_argument.hpp"
#include "tasks.hpp"
#include "tool_result.hpp"

#include <algorithm>

namespace leanbridge::mcp {

using nlohmann::json;

namespace {

constexpr auto kProgressInterval = std::chrono::seconds(1);

double milliseconds_since(io::Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(io::Clock::now() - start).count();
}

std::string spaced(const std::string& sentence) {
  return sentence.empty() ? "" : " " + sentence;
}

// Progress must increase with every message, even while Lean works on a single line: elapsed time adds a
// fraction of a line.
class MonotonicProgress {
 public:
  double next(double done) {
    ++ticks_;
    const double fraction = static_cast<double>(ticks_) / static_cast<double>(ticks_ + 60);
    last_ = std::max(done + fraction, std::nextafter(last_, last_ + 1));
    return last_;
  }

 private:
  double last_ = 0;
  int ticks_ = 0;
};

}  // namespace

asio::awaitable<Result<json>> run(const Tool* tool, std::shared_ptr<Call> call, json arguments) {
  try {
    auto answer = co_await tool->handler(call, std::move(arguments));
    if (answer) {
      cut_to_budget(*answer, call->text_budget);
      bound_answer(*answer);
    } else {
      cut_to_budget(answer.error().message, call->text_budget);
      cut_to_budget(answer.error().hint, call->text_budget);
    }
    co_return answer;
  } catch (const std::exception& error) {
    leanbridge::log::error("{}: {}", tool->name, error.what());
    co_return fail(ErrorKind::Internal, tool->name + " failed: " + error.what(),
                   "This is a bug in leanbridge; other calls still work.");
  }
}

ToolCalls::ToolCalls(std::shared_ptr<Connection> connection, ToolRegistry& tools,
                     std::shared_ptr<ClientLog> log, std::shared_ptr<ProxiedCalls> proxied)
    : connection_(std::move(connection)), tools_(tools), log_(std::move(log)), proxied_(std::move(proxied)) {}

void ToolCalls::call(Era era, json params, rpc::Responder responder) {
  if (era == Era::Modern) connection_->ready();
  if (!params.is_object() || !params.contains("name") || !params["name"].is_string())
    return responder.error(invalid_params("tools/call needs params.name, a string."));
  const std::string name = params["name"].get<std::string>();
  const Tool* tool = tools_.find(name);
  if (!tool && !proxied_->provider_says(&ToolProvider::knows_tool, name))
    return responder.error(invalid_params("Unknown tool " + name + "." + spaced(tools_.meant_by(name))));
  json given = params.value("arguments", json::object());
  if (given.is_null()) given = json::object();
  if (!given.is_object())
    return responder.error(invalid_params("tools/call: params.arguments must be an object."));
  if (!tool) return proxied_->call_tool(era, name, std::move(given), params, std::move(responder));

  const auto refuse = [&](const Error& error) {
    CallCounts& counts = tools_.counts(name);
    ++counts.calls;
    ++counts.errors;
    responder.result(connection_->complete(era, to_tool_error(error)));
  };
  auto project = connection_->options().project_argument ? take_project(*tool, given) : std::string();
  if (!project) return refuse(project.error());
  auto arguments = check_arguments(*tool, std::move(given));
  if (!arguments) return refuse(arguments.error());
  if (!project->empty()) resolve_in_project(*tool, *project, *arguments);
  auto slot = connection_->call_slots().take();
  if (!slot) return refuse(slot.error());
  start(era, *tool, {std::move(*arguments), std::move(*project)}, params, std::move(*slot),
        std::move(responder));
}

void ToolCalls::start(Era era, const Tool& tool, CheckedCall checked, const json& params, CallSlot slot,
                      rpc::Responder responder) {
  auto call =
      new_call(checked.arguments, {connection_->options().timeout_s, connection_->options().text_budget});
  call->project = std::move(checked.project);
  call->scope.cancel->client = connection_->client();
  call->caller = text_member(
      era == Era::Modern ? member(params["_meta"], kMetaClientInfo) : connection_->client_info(), "name");
  responder.on_cancel([cancel = call->scope.cancel](const std::string&) { cancel->cancel(); });
  const json log_level = era == Era::Modern ? params["_meta"].value(kMetaLogLevel, json()) : json();
  const auto asker = std::make_shared<Asker>(Asker{std::move(responder), log_->begin_request(log_level)});
  if (const CallObserver& observe = connection_->options().observe_call)
    asker->observe_end = observe(tool, checked.arguments);

  asio::co_spawn(connection_->context(), run_call(era, &tool, std::move(checked.arguments), call, asker),
                 [self = shared_from_this(), slot = std::move(slot), asker](const std::exception_ptr&) {
                   self->log_->end_request(asker->log_serial);
                 });
  if (const json token = progress_token(params); !token.is_null())
    io::spawn(connection_->context(), report_progress(token, call, asker));
  if (era == Era::Modern && tool.may_be_task && declares_tasks(params))
    io::spawn(connection_->context(), become_task(call, asker));
}

asio::awaitable<void> ToolCalls::run_call(Era era, const Tool* tool, json arguments,
                                          std::shared_ptr<Call> call, std::shared_ptr<Asker> asker) {
  const auto start = io::Clock::now();
  const Result<json> answer = co_await run(tool, call, std::move(arguments));
  const double ms = milliseconds_since(start);

  CallCounts& counts = tools_.counts(tool->name);
  ++counts.calls;
  counts.latency.add(ms);
  const bool cancelled = call->scope.cancel->cancelled();
  if (cancelled)
    ++counts.cancelled;
  else if (!answer)
    ++counts.errors;
  leanbridge::log::debug("{} {} in {:.1f} ms", tool->name,
                         cancelled ? "cancelled"
                         : answer  ? "answered"
                                   : wire_name(answer.error().kind),
                         ms);

  if (asker->observe_end) asker->observe_end({answer, cancelled, ms});

  std::string result = answer
                           ? to_tool_result(*answer, tool->output, connection_->complete(era, json::object()))
                           : rpc::dump(connection_->complete(era, to_tool_error(answer.error())));
  if (!asker->task)
    asker->request.result_text(result);
  else
    connection_->tasks().finish(*asker->task, cancelled ? std::nullopt : std::optional(std::move(result)));
  call->scope.cancel->cancel();  // stops everything that still runs for this call, such as progress
}

asio::awaitable<void> ToolCalls::report_progress(json token, std::shared_ptr<Call> call,
                                                 std::shared_ptr<Asker> asker) {
  const auto self = shared_from_this();
  MonotonicProgress rising;
  for (;;) {
    const io::CancelScope scope(io::kNoDeadline, call->scope.cancel);
    if (co_await io::sleep_for(kProgressInterval, scope) == io::WaitStatus::Cancelled ||
        !asker->request.open())
      co_return;
    Progress progress{0, 0, "working"};
    if (call->progress)
      if (auto now = call->progress()) progress = std::move(*now);
    json params = {
        {"progressToken", token}, {"progress", rising.next(progress.done)}, {"message", progress.message}};
    if (progress.total >= params["progress"]) params["total"] = progress.total;
    connection_->notify_about(asker->request.id(), "notifications/progress", std::move(params));
  }
}

asio::awaitable<void> ToolCalls::become_task(std::shared_ptr<Call> call, std::shared_ptr<Asker> asker) {
  const auto self = shared_from_this();
  TaskStore& tasks = connection_->tasks();
  const io::CancelScope scope(io::kNoDeadline, call->scope.cancel);
  if (co_await io::sleep_for(tasks.limits().moment, scope) == io::WaitStatus::Cancelled ||
      !asker->request.open())
    co_return;
  asker->task = tasks.add(connection_->client_name(), call);
  if (!asker->task) co_return;
  log_->end_request(asker->log_serial);
  json result = connection_->complete(Era::Modern, describe(*asker->task));
  result["resultType"] = "task";
  asker->request.result(std::move(result));
}

}  // namespace leanbridge::mcp
