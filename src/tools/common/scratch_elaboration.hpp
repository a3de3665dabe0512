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

/// What every answer from a trial says of it.
struct TrialStatus {
  bool partial = false;
  bool timed_out = false;
  std::vector<std::array<int, 2>> still_elaborating_lines;  ///< first and last, from 1

  static wire::Fields fields();
};
TrialStatus status_of(const Trial& trial);

/// Messages for agents to see, up to kMaxItems.
struct TrialMessages {
  std::vector<DiagnosticItem> diagnostics;
  int total = 0;
  bool truncated = false;

  static wire::Fields fields();
};
TrialMessages messages_of(const text::Text& text, const std::vector<lean::Diagnostic>& all);

}  // namespace leanbridge::tools
