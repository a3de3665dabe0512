#pragma once
/// How all commands print: exit codes, JSON, errors, progress, tables. Terminals get aligned columns,
/// everything else gets fields between tabs.

#include "leanbridge/base/error.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::app {

/// Exit codes; 0 is success.
inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;
inline constexpr int kUndecided = 3;  ///< nothing speaks against it, but not everything could be judged
inline constexpr int kInterrupted = 130;

/// Prints on stdout: indented on a terminal, on one line otherwise.
void print_json(const nlohmann::json& value);

/// {"kind", "message", "hint"}, as in a tool error.
nlohmann::json error_json(const Error& error);

/// Prints on stderr, on one line.
void print_error(const Error& error);
/// Prints the error and returns kUsage.
int usage(const Error& error);
/// Prints the error and returns the exit code: kUsage for InvalidArgument, which means a wrong command line,
/// kFailed otherwise.
int report(const Error& error);

/// Prints the error, as JSON on stdout if that is what is printed, and returns the exit code of a command
/// that judges: kUsage for a wrong command line or file, kUndecided otherwise.
int report_undecided(const Error& error, bool as_json);

/// Whether a person sees what is printed and can answer: all three streams are terminals.
bool is_interactive();
/// Asks on stderr. The answer, trimmed; empty at the end of the input.
std::string asked(const std::string& question);
/// Asks, and takes only a yes for a yes.
bool agreed(const std::string& question);

/// A line on stderr that is overwritten with each update and cleared at the end. Only if stderr is a
/// terminal.
class ProgressLine {
 public:
  ProgressLine() = default;
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }
  void show(const std::string& text);
  void clear();

 private:
  bool shown_ = false;
};

/// The text on one line, without anything that a terminal would interpret: control characters, escape
/// sequences, and characters that change the direction of writing. Invalid UTF-8 is replaced.
std::string one_line(std::string_view text);

/// One line of preformatted text: removes the same characters, but keeps tabs and spaces.
std::string printable_line(std::string_view text);

/// The number of terminal cells that the text takes: 2 for wide characters, 0 for combining ones. Terminals
/// disagree on emoji sequences; each part counts here.
std::size_t cells_of(std::string_view text);

/// The text in exactly `width` cells: padded with spaces, or truncated with an ellipsis.
std::string fitted(std::string_view text, std::size_t width);

/// The text up to its first full stop, on one line. Empty for an empty text.
std::string first_sentence(std::string_view text);

class Table {
 public:
  struct Column {
    std::string title;
    std::size_t max_percent = 0;  ///< of the width; 0: as much as it needs
    bool rest = false;            ///< takes what the other columns leave
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Adds a row with one text per column. `below` is printed under it, indented and untruncated, on terminals
  /// only.
  void add(std::vector<std::string> texts, std::string below = {});
  bool empty() const { return rows_.empty(); }

  /// Aligned for a terminal of that width, with titles if there are any.
  std::string aligned(std::size_t width) const;
  /// One line per row, with tabs between the untruncated fields, and without titles.
  std::string tabbed() const;
  /// Prints on stdout: aligned on a terminal, tabbed otherwise.
  void print() const;

 private:
  struct Row {
    std::vector<std::string> texts;
    std::string below;
  };
  std::vector<std::size_t> widths(std::size_t width) const;
  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

}  // namespace leanbridge::app
