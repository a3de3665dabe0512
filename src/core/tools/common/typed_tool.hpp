#pragma once
/// A tool is a struct of parameters, a struct of results, and a coroutine from one to the other. Schemas,
/// checks, reading and writing follow from the structs (base/json_struct.hpp).

#include "core/base/json_struct.hpp"
#include "core/ide/compiler_fallback.hpp"
#include "core/tools/tools.hpp"
#include "suggestions.hpp"

#include <memory>
#include <string>
#include <utility>

namespace leanbridge::tools {

/// The entry of a tool in tools/list, besides its structs.
struct ToolInfo {
  const char* name = "";
  const char* title = "";
  const char* group = "";
  const char* description = "";
  mcp::Annotations annotations = {};
  bool caller_code = false;    ///< as mcp::Tool::caller_code
  bool waits = true;           ///< takes timeout_s
  bool shows_timeout = false;  ///< as mcp::Tool::shows_timeout
  bool may_be_task = false;    ///< as mcp::Tool::may_be_task
  bool listed = true;          ///< as mcp::Tool::listed
  const char* app = "";        ///< as mcp::Tool::app
};

/// `Env` is the core's Environment, one of a part that extends it, or that of `ide`, whose questions take an
/// io::Operation in place of a call.
template <class Env, class Call, class Params, class Output>
using Handler = asio::awaitable<Result<Output>> (*)(Env&, std::shared_ptr<Call>, Params);

/// Answers without the language server; the error says why the server could not.
template <class Env, class Call, class Params, class Output>
using Fallback = asio::awaitable<Result<Output>> (*)(Env&, std::shared_ptr<Call>, Params, Error);

/// Everything of the tool but its handler.
template <class Params>
mcp::Tool describe_tool(const ToolInfo& info, const wire::Fields& output) {
  mcp::Tool tool;
  tool.name = info.name;
  tool.title = info.title;
  tool.group = info.group;
  tool.description = info.description;
  tool.annotations = info.annotations;
  tool.caller_code = info.caller_code;
  tool.waits = info.waits;
  tool.shows_timeout = info.shows_timeout;
  tool.may_be_task = info.may_be_task;
  tool.listed = info.listed;
  tool.app = info.app;
  tool.arguments = wire::fields_of<Params>();
  tool.defaults = wire::write(Params());
  tool.output = output;
  return tool;
}

namespace detail {

template <class Env, class Asked, class Call, class Params, class Output>
asio::awaitable<Result<nlohmann::json>> answer(Env& environment, Handler<Asked, Call, Params, Output> handler,
                                               Fallback<Asked, Call, Params, Output> fallback,
                                               std::shared_ptr<mcp::Call> call, nlohmann::json arguments) {
  const auto params = wire::read<Params>(arguments);
  auto output = co_await handler(environment, call, params);
  if (!output && fallback &&
      may_fall_back(environment, arguments.at("file_path").get<std::string>(), output.error())) {
    Error why = output.error();
    output = co_await fallback(environment, call, params, std::move(why));
  }
  if (!output) {
    Error error = output.error();
    error = co_await with_suggestions(environment, std::move(call), std::move(arguments), std::move(error));
    co_return tl::unexpected(std::move(error));
  }
  nlohmann::json written = wire::write(*output, call->detail);
  if (has_unknown_name(written))
    written =
        co_await with_suggested_names(environment, std::move(call), std::move(arguments), std::move(written));
  co_return written;
}

}  // namespace detail

/// A tool with a fallback must have the parameter `file_path`.
template <class Env, class Asked, class Call, class Params, class Output>
mcp::Tool make_tool(Env& environment, const ToolInfo& info, Handler<Asked, Call, Params, Output> handler,
                    Fallback<Asked, Call, Params, Output> fallback = nullptr) {
  mcp::Tool tool = describe_tool<Params>(info, wire::fields_of<Output>());
  tool.handler = [&environment, handler, fallback](std::shared_ptr<mcp::Call> call,
                                                   nlohmann::json arguments) {
    return detail::answer(environment, handler, fallback, std::move(call), std::move(arguments));
  };
  return tool;
}

}  // namespace leanbridge::tools
