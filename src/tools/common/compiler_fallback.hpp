#pragma once
/// The fallback of tools that tell of a file's messages: where the language server cannot be had, the
/// compiler is asked, `lake env lean --json FILE`. It knows messages and nothing else: no goals. Private to
/// this module.

#include "lake_run.hpp"
#include "open_file.hpp"

#include <string>
#include <vector>

namespace leanbridge::tools {

/// What the compiler has said of the whole file.
struct Compiled {
  std::string name;  ///< of the file, for messages
  text::Text text;
  std::vector<lean::Diagnostic> diagnostics;
  bool complete = true;  ///< it came to its end: what is not there is no error
  bool timed_out = false;
  bool header_failed = false;  ///< an import is missing: nothing of the file was looked at
  nlohmann::json how;          ///< `fallback` of the answer
};

/// Compiles the call's file on disk. Where that tells nothing, the error is `why` with what went wrong here,
/// too.
asio::awaitable<Result<Compiled>> diagnose_with_compiler(Environment& environment,
                                                         std::shared_ptr<mcp::Call> call,
                                                         std::string file_path, Error why);

FileStatus status_of(const Compiled& compiled);

/// Whether a tool's error is one for which the compiler is asked: a server that cannot be had, or a worker
/// that dies each time.
bool may_compile_instead(Environment& environment, const std::string& file_path, const Error& why);

template <class Params, class Output>
using Fallback = asio::awaitable<Result<Output>> (*)(Environment&, std::shared_ptr<mcp::Call>, Params, Error);

namespace detail {

template <class Params, class Output>
asio::awaitable<Result<nlohmann::json>> answer_or_compile(Environment& environment,
                                                          Handler<Params, Output> handler,
                                                          Fallback<Params, Output> instead,
                                                          std::shared_ptr<mcp::Call> call,
                                                          nlohmann::json arguments) {
  const auto params = wire::read<Params>(arguments);
  auto output = co_await handler(environment, call, params);
  if (!output && may_compile_instead(environment, arguments.at("file_path"), output.error())) {
    Error why = output.error();
    output = co_await instead(environment, std::move(call), params, std::move(why));
  }
  if (!output) co_return tl::unexpected(output.error());
  co_return wire::write(*output);
}

}  // namespace detail

/// make_tool() for a tool that has such a fallback.
template <class Params, class Output>
mcp::Tool make_tool(Environment& environment, const ToolInfo& info, Handler<Params, Output> handler,
                    Fallback<Params, Output> instead) {
  mcp::Tool tool = describe_tool(info, wire::fields_of<Params>(), wire::fields_of<Output>());
  tool.handler = [&environment, handler, instead](std::shared_ptr<mcp::Call> call, nlohmann::json arguments) {
    return detail::answer_or_compile(environment, handler, instead, std::move(call), std::move(arguments));
  };
  return tool;
}

}  // namespace leanbridge::tools
