#pragma once
/// How all commands print: exit codes, JSON, errors, progress, tables. Terminals get aligned columns, everything
/// else gets fields between tabs.

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
inline constexpr int kInterrupted = 130;

/// On stdout: indented on a terminal, else on one line.
void print_json(const nlohmann::json& value);

/// {"kind", "message", "hint"}, as in a tool's error.
nlohmann::json error_json(const Error& error);

/// On stderr, on one line.
void print_error(const Error& error);
/// The same; returns kUsage.
int usage(const Error& error);
/// The same; returns the exit code: kUsage for InvalidArgument, which is the command line's fault, else
/// kFailed.
int report(const Error& error);

/// One line on stderr that is written again and again, where that is a terminal, and goes at the end.
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

/// The text on one line, without what a terminal would obey: control characters and their sequences, and
/// characters that turn the direction of writing. Invalid UTF-8 is replaced.
std::string one_line(std::string_view text);

/// One line of a text that keeps its form: without the same, but tabs stay.
std::string printable_line(std::string_view text);

/// Cells of a terminal that the text takes: 2 for wide characters, 0 for combining ones. Terminals do not
/// agree on emoji that are joined from several; each part counts here.
std::size_t cells_of(std::string_view text);

/// The text in exactly `width` cells: filled with spaces, or cut with dots at its end.
std::string fitted(std::string_view text, std::size_t width);

/// As far as the first full stop, on one line; empty for an empty text.
std::string first_sentence(std::string_view text);

class Table {
 public:
  struct Column {
    std::string title;
    /// Percent of the width that it takes at most; 0: as much as it needs. The column with `rest` gets what
    /// the others leave.
    std::size_t most = 0;
    bool rest = false;
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// A row with one text for each column; `below` stands under it, indented and whole (on a terminal only).
  void add(std::vector<std::string> texts, std::string below = {});
  bool empty() const { return rows_.empty(); }

  /// Aligned for a terminal of that width, with the titles where there are any.
  std::string aligned(std::size_t width) const;
  /// One line for each row, with tabs between the fields, whole and without titles.
  std::string tabbed() const;
  /// On stdout, as it is.
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
