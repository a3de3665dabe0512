#pragma once
/// The terminal behind a stream: whether there is one, its width, colours by meaning, and the one line of
/// progress. On the loop's thread.

#include "core/io/operation.hpp"
#include <boost/asio/signal_set.hpp>

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace leanbridge::app {

/// Whether a person sees the output of the stream.
bool is_terminal(std::FILE* stream);

/// The present width of the terminal in cells; 100 if it is unknown.
std::size_t width_of(std::FILE* stream);

/// Its present height in rows; 0 if it is unknown.
std::size_t height_of(std::FILE* stream);

/// The meaning of a text, which decides its colour.
enum class Style { Plain, Ok, Warning, Error, Name, Heading, Faint };

/// Colours texts, or leaves them as they are.
class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}
  std::string operator()(Style style, std::string_view text) const;
  bool on() const { return on_; }

 private:
  bool on_;
};

/// Paints for a terminal that knows colours, unless NO_COLOR is set (no-color.org).
Paint paint_for(std::FILE* stream);

/// "[#####...............]  25 %  12/48 text" in at most `width` cells; without a total only the text.
std::string bar_of(const io::Progress& progress, std::size_t width);

/// A line on stderr that is overwritten with each update, drawn again when the window changes its size, and
/// cleared at the end. Only if stderr is a terminal.
class ProgressLine {
 public:
  /// Notices changes of the window while `context` runs.
  explicit ProgressLine(asio::io_context& context) : resized_(context) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }
  void show(io::Progress progress);
  void clear();

 private:
  void draw();
  void wait_for_resize();

  asio::signal_set resized_;
  std::optional<io::Progress> shown_;
  std::size_t cells_ = 0;  ///< of the line that is drawn
};

}  // namespace leanbridge::app
