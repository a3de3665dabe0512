#pragma once
/// What the commands have in common that take an item per line of JSON and write a line with its verdict:
/// reading, ids, what an earlier run has answered, and a reader of the verdicts who may be slow or gone.

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
/// false for one that is no verdict; how many there were is said on stderr. Locks the file if stdout
/// continues it. Returns whether stdout continues it and it ends in the middle of a line, since its run was
/// killed. InvalidArgument if the file cannot be read. Blocking.
Result<bool> read_earlier(const std::string& name, const std::function<bool(const std::string&)>& add);

/// What `read` makes of a line at `place` ("items.jsonl:3"). An id that it lacks is the place.
template <class Item, class Bad>
tl::expected<Item, Bad> read_whole(const LineInput::Line& line, const std::string& place,
                                   tl::expected<Item, Bad> (*read)(std::string_view, const std::string&)) {
  if (line.too_long) return tl::unexpected(Bad{place, place + ": the line is longer than 16 MiB"});
  return read(line.text, place);
}

/// Why an item is none whose id another one has, as a clause.
std::string used_before(const std::string& place, const std::string& id);

/// Belongs to the loop's thread, and outlives its coroutines.
class BatchDriver {
 public:
  using Line = LineInput::Line;

  /// `on_lost` is called once if the verdicts cannot be written any more; it has been said on stderr then.
  BatchDriver(asio::io_context& context, io::Pool& pool, const StandardStream& out,
              std::function<void()> on_lost);

  /// Call it before the first verdict. `cut_off`: see read_earlier().
  void begin(bool cut_off);

  // --- items in

  /// Reads `name` from now on; "-" is stdin. The errors of LineInput::open().
  Result<void> open(const std::string& name);
  /// The next line of it; nullopt at its end, and after stop_reading().
  asio::awaitable<Result<std::optional<Line>>> next_line();
  /// Where a line is: "stdin:3".
  std::string place_of(const Line& line) const;
  /// Takes an id; false if it was taken before.
  bool take_id(std::string_view id);
  void stop_reading();

  // --- verdicts out

  /// Queues a whole line, and waits while its reader is far behind. False: nobody reads any more.
  asio::awaitable<bool> write(std::string line);
  /// Waits until the reader has everything; false if it takes nothing for 10 s. Verdicts must still reach a
  /// reader that reads, however slowly.
  asio::awaitable<bool> drain();
  /// Gives up what has not been read.
  void close() { output_->close(); }

  // --- its end

  /// Ends all that waits in scope().
  void cancel() { cancel_->cancel(); }
  bool cancelled() const { return cancel_->cancelled(); }
  const std::shared_ptr<io::CancelSource>& cancel_source() const { return cancel_; }
  /// Until cancel().
  io::CancelScope scope() const { return io::CancelScope(io::kNoDeadline, cancel_); }

  /// Says on stderr what went wrong, without disturbing the line of progress.
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
