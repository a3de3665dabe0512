#pragma once
/// Lean's messages about lines of a file, for a caller that waits for no others.

#include "compiler_fallback.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::ide {

struct LineQuestion {
  FileParams file;
  int start_line = 1;
  std::optional<int> end_line;  ///< absent: to the end of the file
  std::optional<std::string> declaration_name;
  std::optional<lean::Severity> severity;
  bool interactive = false;

  static wire::Fields fields() {
    return {wire::flatten<&LineQuestion::file>(),
            wire::field<&LineQuestion::start_line>().with_default().at_least(1),
            wire::field<&LineQuestion::end_line>().at_least(1),
            wire::field<&LineQuestion::declaration_name>(),
            wire::field<&LineQuestion::severity>(),
            wire::field<&LineQuestion::interactive>("Also Lean's tagged messages").with_default()};
  }
};

/// These fields are in every answer, brief or not: callers written for lean-lsp-mcp read them by name.
struct WholeFileStatus : FileStatus {
  static wire::Fields fields() {
    wire::Fields all = FileStatus::fields();
    for (wire::Field& field : all)
      if (field.name == "partial" || field.name == "timed_out" || field.name == "still_elaborating_lines")
        field.in_brief = wire::InBrief::Always;
    return all;
  }
};

struct LineMessages {
  bool success = false;
  DiagnosticList messages;
  std::vector<std::string> failed_dependencies;  ///< the source files of imports that failed to build
  std::optional<std::string> reason;             ///< why success is false without an error
  std::optional<std::vector<nlohmann::json>> diagnostics;  ///< Lean's tagged messages
  WholeFileStatus file;

  static wire::Fields fields() {
    return {wire::field<&LineMessages::success>(),
            wire::flatten<&LineMessages::messages>(),
            wire::field<&LineMessages::failed_dependencies>(),
            wire::field<&LineMessages::reason>(),
            wire::field<&LineMessages::diagnostics>(),
            wire::flatten<&LineMessages::file>()};
  }
};

/// The messages that touch the lines. A theorem there that Lean has not announced is no success, nor are
/// lines below an `#exit`. Errors: InvalidArgument for lines or a declaration that the file has not; those of
/// open_file(); for tagged messages those of DocumentHandle::rpc_request_at(), too.
asio::awaitable<Result<LineMessages>> messages_about(Lean& lean, std::shared_ptr<io::Operation> operation,
                                                     LineQuestion question);

/// By the compiler, which has no tagged messages: if they are wanted, the error is `why`.
asio::awaitable<Result<LineMessages>> compiled_messages_about(Lean& lean,
                                                              std::shared_ptr<io::Operation> operation,
                                                              LineQuestion question, Error why);

}  // namespace leanbridge::ide
