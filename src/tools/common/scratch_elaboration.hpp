#pragma once
/// What Lean says of a whole text that is no file: elaborated in a scratch document. Private to this module.

#include "open_file.hpp"

#include <string>
#include <vector>

namespace leanbridge::tools {

struct Trial {
  text::Text text;
  std::vector<lean::Diagnostic> diagnostics;
  bool complete = false;       ///< all of the text is elaborated; else the time was up
  bool header_failed = false;  ///< Lean gave up at the imports
  std::vector<document::LineRange> still_elaborating;

  /// No diagnostic of severity error, and nothing left unsaid.
  bool is_accepted() const;
};

/// Has `text` elaborated, as a file that belongs to no library, and lets the call's progress tell of it. A
/// time that is up is no error: see `complete`. WorkerCrashed, Cancelled, LeanUnavailable; Timeout when no
/// scratch document became free.
asio::awaitable<Result<Trial>> elaborate_text(std::shared_ptr<mcp::Call> call,
                                              std::shared_ptr<document::DocumentStore> project,
                                              std::string text, io::CancelScope scope);
/// The same as a text for `file`: with the options of its library.
asio::awaitable<Result<Trial>> elaborate_text(std::shared_ptr<mcp::Call> call, const OpenFile& file,
                                              std::string text, io::CancelScope scope);

/// The fields that every answer from a trial has: partial, timed_out, still_elaborating_lines.
nlohmann::json finish_trial(nlohmann::json answer, const Trial& trial);
/// Its schema: the tool's own properties and of those what an agent has to look at; every byte is paid for.
void answers_from_trial(mcp::Tool& tool, nlohmann::json properties, std::vector<std::string> always);

/// All that is for agents to see, as `diagnostics`, with `total` and `truncated`.
void add_diagnostics(nlohmann::json& answer, const text::Text& text,
                     const std::vector<lean::Diagnostic>& all);

}  // namespace leanbridge::tools
