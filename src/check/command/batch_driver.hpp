#pragma once
/// The common part of the commands that read an item per line of JSON and write a line with its verdict:
/// reading, ids, the answers of an earlier run, and a reader of the verdicts that may be slow or gone.

#include "check/batch/verdict.hpp"
#include "core/io/byte_stream.hpp"
#include "core/program/output.hpp"
#include "line_input.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace leanbridge::app {

/// Reads the verdicts of an earlier run (`--resume`), if there was one. `add` gets each line, and returns
/// false if the line is no verdict; the number of these is reported on stderr. Locks the file if stdout
/// continues it. Returns true if stdout continues the file and the file ends in the middle of a line, because
/// its run was killed. InvalidArgument if the file cannot be read. Blocking.
Result<bool> read_earlier(const std::string& name, const std::function<bool(const std::string&)>& add);

/// Reads a line at `place` ("items.jsonl:3") by `read`. The place becomes the id if the line has none.
template <class Item, class Bad>
tl::expected<Item, Bad> read_whole(const LineInput::Line& line, const std::string& place,
                                   tl::expected<Item, Bad> (*read)(std::string_view, const std::string&)) {
  if (line.too_long) return tl::unexpected(Bad{place, place + ": the line is longer than 16 MiB"});
  return read(line.text, place);
}

/// Why an item whose id is taken cannot be used, as a clause.
std::string used_before(const std::string& place, const std::string& id);

/// Belongs to the loop's thread, and outlives its coroutines.
class BatchDriver {
 public:
  using Line = LineInput::Line;

  /// `on_lost` is called once if the verdicts cannot be written any more, after a message on stderr.
  BatchDriver(asio::io_context& context, io::Pool& pool, const StandardStream& out,
              std::function<void()> on_lost);

  /// Call it before the first verdict. `cut_off`: see read_earlier().
  void begin(bool cut_off);

  // --- items in

  /// Reads `name` from now on; "-" is stdin. The errors of LineInput::open().
  Result<void> open(const std::string& name);
  /// The next line of the input; nullopt at its end, and after stop_reading().
  asio::awaitable<Result<std::optional<Line>>> next_line();
  /// The place of a line: "stdin:3".
  std::string place_of(const Line& line) const;
  /// Reserves an id; false if it was taken before.
  bool take_id(std::string_view id);
  void stop_reading();

  // --- verdicts out

  /// Queues a whole line, and waits while its reader is far behind. False: there is no reader any more.
  asio::awaitable<bool> write(std::string line);
  /// Waits until the reader has everything; false if it reads nothing for 10 s. Verdicts must still reach a
  /// reader that reads, however slowly.
  asio::awaitable<bool> drain();
  /// Drops lines that have not been read.
  void close() { output_->close(); }

  // --- its end

  /// Ends all waits in scope().
  void cancel() { cancel_->cancel(); }
  bool cancelled() const { return cancel_->cancelled(); }
  const std::shared_ptr<io::CancelSource>& cancel_source() const { return cancel_; }
  /// A scope that ends with cancel().
  io::CancelScope scope() const { return io::CancelScope(io::kNoDeadline, cancel_); }

  /// Prints an error on stderr, without disturbing the line of progress.
  void print(const Error& error);

 private:
  asio::io_context& context_;

 public:
  ProgressLine progress{context_};

 private:
  io::Pool& pool_;
  std::shared_ptr<io::OutgoingQueue> output_;
  std::shared_ptr<LineInput> input_;
  std::shared_ptr<io::CancelSource> cancel_ = std::make_shared<io::CancelSource>();
  batch::KnownVerdicts ids_;  // without verdicts: the most compact set of ids
};

}  // namespace leanbridge::app
