#pragma once
/// The lines of a file or of stdin, as they arrive.

#include "check/batch/item.hpp"
#include "core/base/files.hpp"
#include "core/io/asio.hpp"
#include "core/io/pool.hpp"
#include "core/program/standard_stream.hpp"

#include <memory>
#include <optional>
#include <string>

namespace leanbridge::app {

/// Belongs to the loop's thread. Hold it by a shared_ptr: close() may end it while next() waits.
class LineInput {
 public:
  using Line = batch::LineReader::Line;

  /// "-" is stdin. InvalidArgument or FileNotFound if it cannot be read.
  static Result<std::shared_ptr<LineInput>> open(asio::io_context& context, const std::string& name);

  /// For messages and ids; "stdin" for stdin.
  const std::string& name() const { return name_; }
  /// The next line that is not blank; nullopt at the end, and after close().
  asio::awaitable<Result<std::optional<Line>>> next(io::Pool& pool, io::CancelScope scope);
  /// Ends the input. An incomplete line is dropped.
  void close();

 private:
  asio::awaitable<Result<std::string>> read_file(io::Pool& pool, io::CancelScope scope) const;
  asio::awaitable<Result<std::string>> read_stream() const;

  std::string name_;
  batch::LineReader lines_;
  std::shared_ptr<const RegularFile> file_;                 // a file; or, if null:
  std::unique_ptr<StandardStream> descriptor_;              // stdin
  std::shared_ptr<asio::posix::stream_descriptor> stream_;  // of descriptor_
  bool ended_ = false;
  bool closed_ = false;
};

}  // namespace leanbridge::app
