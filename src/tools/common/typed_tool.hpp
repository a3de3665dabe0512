#pragma once
/// A tool is a struct of parameters, a struct of its answer, and a coroutine between them; schemas, checks,
/// reading and writing follow from the structs (base/json_struct.hpp). Private to this module.

#include "leanbridge/base/json_struct.hpp"
#include "leanbridge/tools/tools.hpp"

#include <memory>
#include <utility>

namespace leanbridge::tools {

/// What tools/list says of a tool beside its structs.
struct ToolInfo {
  const char* name = "";
  const char* title = "";
  const char* group = "";
  const char* description = "";
  mcp::Annotations annotations = {};
  bool caller_code = false;  ///< as mcp::Tool::caller_code
  bool waits = true;         ///< takes timeout_s
};

template <class Params, class Output>
using Handler = asio::awaitable<Result<Output>> (*)(Environment&, std::shared_ptr<mcp::Call>, Params);

/// The tool, without its handler.
mcp::Tool describe_tool(const ToolInfo& info, const wire::Fields& params, const wire::Fields& output);

namespace detail {

template <class Params, class Output>
asio::awaitable<Result<nlohmann::json>> answer(Environment& environment, Handler<Params, Output> handler,
                                               std::shared_ptr<mcp::Call> call, nlohmann::json arguments) {
  const auto output = co_await handler(environment, std::move(call), wire::read<Params>(arguments));
  if (!output) co_return tl::unexpected(output.error());
  co_return wire::write(*output);
}

}  // namespace detail

template <class Params, class Output>
mcp::Tool make_tool(Environment& environment, const ToolInfo& info, Handler<Params, Output> handler) {
  mcp::Tool tool = describe_tool(info, wire::fields_of<Params>(), wire::fields_of<Output>());
  tool.handler = [&environment, handler](std::shared_ptr<mcp::Call> call, nlohmann::json arguments) {
    return detail::answer(environment, handler, std::move(call), std::move(arguments));
  };
  return tool;
}

}  // namespace leanbridge::tools
