#include "line_input.hpp"

#include "core/base/try.hpp"
#include <boost/asio/buffer.hpp>

#include <utility>

namespace leanbridge::app {

namespace {

constexpr std::size_t kReadSize = 256u << 10;  // bytes

}  // namespace

Result<std::shared_ptr<LineInput>> LineInput::open(asio::io_context& context, const std::string& name) {
  auto input = std::make_shared<LineInput>();
  if (name == "-") {
    input->name_ = "stdin";
    input->descriptor_ = std::make_unique<StandardStream>(STDIN_FILENO, O_RDONLY);
    if (!input->descriptor_->valid())
      return fail(ErrorKind::InvalidArgument, "stdin is not open.", "Pass a file instead.");
    input->stream_ = std::make_shared<asio::posix::stream_descriptor>(context, input->descriptor_->fd());
    return input;
  }
  input->name_ = name;
  auto file = RegularFile::open(name);
  if (!file) return tl::unexpected(file.error().to_error(name));
  input->file_ = std::make_shared<const RegularFile>(std::move(*file));
  return input;
}

asio::awaitable<Result<std::optional<LineInput::Line>>> LineInput::next(io::Pool& pool,
                                                                        io::CancelScope scope) {
  for (;;) {
    if (closed_) co_return std::nullopt;
    if (auto line = lines_.next()) co_return line;
    if (ended_) co_return std::nullopt;
    auto chunk = file_ ? co_await read_file(pool, scope) : co_await read_stream();
    if (closed_) co_return std::nullopt;
    CO_TRY(const std::string bytes, std::move(chunk));
    ended_ = bytes.empty();
    if (ended_)
      lines_.end();
    else
      lines_.feed(bytes);
  }
}

void LineInput::close() {
  closed_ = true;
  boost::system::error_code ignored;
  if (stream_) stream_->close(ignored);
}

asio::awaitable<Result<std::string>> LineInput::read_file(io::Pool& pool, io::CancelScope scope) const {
  const auto read = [file = file_, name = name_]() -> Result<std::string> {
    std::string chunk(kReadSize, '\0');
    const auto size = file->read_some(chunk.data(), chunk.size());
    if (!size) return tl::unexpected(size.error().to_error(name));
    chunk.resize(*size);
    return chunk;
  };
  co_return co_await pool.run(read, scope);
}

asio::awaitable<Result<std::string>> LineInput::read_stream() const {
  std::string chunk(kReadSize, '\0');
  boost::system::error_code error;
  const auto stream = stream_;
  const std::size_t size =
      co_await stream->async_read_some(asio::buffer(chunk), asio::redirect_error(asio::use_awaitable, error));
  if (error && error != asio::error::eof && error != asio::error::operation_aborted)
    co_return fail(ErrorKind::Internal, "stdin: " + error.message() + ".");
  chunk.resize(error ? 0 : size);
  co_return chunk;
}

}  // namespace leanbridge::app
