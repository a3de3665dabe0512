#pragma once
/// Rows in columns: aligned for people, with tabs between fields for programs.

#include "terminal.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::app {

class Table {
 public:
  struct Column {
    std::string title;
    std::size_t max_percent = 0;  ///< of the width; 0: as much as it needs
    bool rest = false;            ///< takes the width that the other columns leave
    Style style = Style::Plain;   ///< the style of its texts on a terminal
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Adds a row with one text per column. `below` is printed under it, indented and untruncated, on terminals
  /// only.
  void add(std::vector<std::string> texts, std::string below = {});
  bool empty() const { return rows_.empty(); }

  /// The table, aligned for a terminal of that width, with titles if there are any.
  std::string aligned(std::size_t width, const Paint& paint = Paint(false)) const;
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
