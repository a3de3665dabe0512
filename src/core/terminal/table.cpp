#include "table.hpp"

#include "cells.hpp"

#include <algorithm>
#include <cstdio>

namespace leanbridge::app {

namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kMinTable = 40;
constexpr std::size_t kMinRest = 12;  // even in a very narrow terminal
constexpr std::size_t kBelowIndent = 4;

}  // namespace

void Table::add(std::vector<std::string> texts, std::string below) {
  for (std::string& text : texts) text = one_line(text);
  texts.resize(columns_.size());
  rows_.push_back({std::move(texts), one_line(below)});
}

std::vector<std::size_t> Table::widths(std::size_t width) const {
  std::vector<std::size_t> all;
  std::size_t others = kGap * (columns_.size() - 1);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t needed = cells_of(columns_[i].title);
    for (const Row& row : rows_) needed = std::max(needed, cells_of(row.texts[i]));
    if (columns_[i].max_percent > 0) needed = std::min(needed, width * columns_[i].max_percent / 100);
    all.push_back(needed);
    if (!columns_[i].rest) others += needed;
  }
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (columns_[i].rest) all[i] = std::min(all[i], std::max(kMinRest, width > others ? width - others : 0));
  return all;
}

std::string Table::aligned(std::size_t width, const Paint& paint) const {
  const std::vector<std::size_t> each = widths(width);
  std::string text;
  const auto add_line = [&](const auto& text_of, const auto& style_of) {
    std::string line, spaces;
    for (std::size_t i = 0; i < each.size(); ++i) {
      std::string cell = fitted(text_of(i), each[i]);
      const std::size_t written = cell.find_last_not_of(' ') + 1;
      if (written > 0) line += std::exchange(spaces, "") + paint(style_of(i), cell.substr(0, written));
      spaces += cell.substr(written) + std::string(kGap, ' ');
    }
    text += line + "\n";
  };
  if (std::ranges::any_of(columns_, [](const Column& c) { return !c.title.empty(); }))
    add_line([&](std::size_t i) { return columns_[i].title; }, [](std::size_t) { return Style::Heading; });
  for (const Row& row : rows_) {
    add_line([&](std::size_t i) { return row.texts[i]; }, [&](std::size_t i) { return columns_[i].style; });
    if (!row.below.empty()) text += wrapped_block(row.below, width, kBelowIndent);
  }
  return text;
}

std::string Table::tabbed() const {
  std::string text;
  for (const Row& row : rows_)
    for (std::size_t i = 0; i < row.texts.size(); ++i)
      text += row.texts[i] + (i + 1 < row.texts.size() ? "\t" : "\n");
  return text;
}

void Table::print() const {
  const std::string text =
      is_terminal(stdout) ? aligned(std::max(kMinTable, width_of(stdout)), paint_for(stdout)) : tabbed();
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace leanbridge::app
