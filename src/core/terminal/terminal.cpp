#include "terminal.hpp"

#include "cells.hpp"
#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace leanbridge::app {

namespace {

constexpr std::size_t kUnknownWindow = 100;
constexpr std::size_t kMinWindow = 20;
constexpr std::size_t kMaxBarCells = 24;
constexpr std::size_t kMinBarCells = 8;

// One of the eight colours that each terminal shows in its own shade.
const char* code_of(Style style) {
  switch (style) {
    case Style::Plain:
      break;
    case Style::Ok:
      return "32";
    case Style::Warning:
      return "33";
    case Style::Error:
      return "1;31";
    case Style::Name:
      return "36";
    case Style::Heading:
      return "1";
    case Style::Faint:
      return "2";
  }
  return "";
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value;
}

}  // namespace

bool is_terminal(std::FILE* stream) {
  return ::isatty(::fileno(stream)) != 0;
}

std::size_t width_of(std::FILE* stream) {
  winsize size{};
  const bool known = ::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? std::max<std::size_t>(size.ws_col, kMinWindow) : kUnknownWindow;
}

std::size_t height_of(std::FILE* stream) {
  winsize size{};
  return ::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

std::string Paint::operator()(Style style, std::string_view text) const {
  if (!on_ || style == Style::Plain || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code_of(style), text);
}

Paint paint_for(std::FILE* stream) {
  const char* kind = std::getenv("TERM");
  return Paint(is_terminal(stream) && !is_set("NO_COLOR") && kind && std::string_view(kind) != "dumb");
}

std::string bar_of(const io::Progress& progress, std::size_t width) {
  const bool has_bar = progress.total > 0;
  const std::string text =
      one_line(has_bar && !progress.beside_bar.empty() ? progress.beside_bar : progress.message);
  std::string line;
  if (has_bar) {
    const double share = std::clamp(progress.done / progress.total, 0.0, 1.0);
    const std::string numbers = fmt::format("{:3.0f} %  {:.0f}/{:.0f}", std::floor(100 * share),
                                            std::min(progress.done, progress.total), progress.total);
    // If space is short, the bar shrinks first, but not below its minimum.
    const std::size_t wanted = numbers.size() + cells_of(text) + 6;
    const std::size_t cells = std::clamp(width > wanted ? width - wanted : 0, kMinBarCells, kMaxBarCells);
    const auto filled = static_cast<std::size_t>(share * static_cast<double>(cells));
    line = "[" + std::string(filled, '#') + std::string(cells - filled, '.') + "] " + numbers;
    if (!text.empty()) line += "  " + text;
  } else {
    line = text;
  }
  return cells_of(line) > width ? fitted(line, width) : line;
}

void ProgressLine::clear() {
  if (!std::exchange(shown_, std::nullopt)) return;
  resized_.cancel();
  std::fputs("\r\x1b[K", stderr);
}

void ProgressLine::show(io::Progress progress) {
  if (!is_terminal(stderr)) return;
  const bool is_new = !shown_;
  shown_ = std::move(progress);
  draw();
  if (is_new) wait_for_resize();
}

void ProgressLine::draw() {
  // Leaves the last cell empty: some terminals move to the next line once it is written.
  const std::size_t width = width_of(stderr) - 1;
  // If the window became narrower, the line takes several rows: removes its upper rows, too.
  for (; cells_ > width + 1; cells_ -= width + 1) std::fputs("\r\x1b[K\x1b[A", stderr);
  const std::string line = bar_of(*shown_, width);
  std::fprintf(stderr, "\r\x1b[K%s", line.c_str());
  std::fflush(stderr);
  cells_ = cells_of(line);
}

void ProgressLine::wait_for_resize() {
  boost::system::error_code ignored;
  resized_.add(SIGWINCH, ignored);
  resized_.async_wait([this](boost::system::error_code error, int) {
    if (error || !shown_) return;
    draw();
    wait_for_resize();
  });
}

}  // namespace leanbridge::app
