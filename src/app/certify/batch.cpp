#include "batch.hpp"

#include "leanbridge/base/files.hpp"
#include "leanbridge/base/try.hpp"
#include "leanbridge/batch/item.hpp"
#include "leanbridge/io/byte_stream.hpp"
#include "leanbridge/io/fair_semaphore.hpp"
#include "leanbridge/io/pool.hpp"
#include "leanbridge/io/task_group.hpp"

#include "app/appended_output.hpp"
#include "app/commands/output.hpp"
#include "app/file_lines.hpp"
#include "app/interrupts.hpp"
#include "app/standard_stream.hpp"
#include "requests.hpp"
#include <boost/asio/buffer.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <unordered_set>
#include <utility>

namespace leanbridge::app {

namespace {

constexpr std::size_t kPairChunk = 256u << 10;
/// How long a reader of stdout may take for nothing at the end.
constexpr auto kReaderGrace = std::chrono::seconds(10);

/// The lines of a file or of stdin, as they arrive.
class PairLines {
 public:
  static Result<std::shared_ptr<PairLines>> open(asio::io_context& context, const std::string& name) {
    auto lines = std::make_shared<PairLines>();
    lines->name_ = name == "-" ? "stdin" : name;
    if (name == "-") {
      lines->descriptor_ = std::make_unique<StandardStream>(STDIN_FILENO, O_RDONLY);
      if (!lines->descriptor_->valid())
        return fail(ErrorKind::InvalidArgument, "stdin is not open.", "Pass a file to --input.");
      lines->stream_ = std::make_shared<asio::posix::stream_descriptor>(context, lines->descriptor_->fd());
      return lines;
    }
    auto file = RegularFile::open(name);
    if (!file) return tl::unexpected(file.error().to_error(name));
    lines->file_ = std::make_shared<const RegularFile>(std::move(*file));
    return lines;
  }

  const std::string& name() const { return name_; }

  /// nullopt at the end, and after close().
  asio::awaitable<Result<std::optional<batch::LineReader::Line>>> next(io::Pool& pool,
                                                                       io::CancelScope scope) {
    for (;;) {
      if (auto line = lines_.next()) co_return line;
      if (ended_) co_return std::nullopt;
      const auto chunk = file_ ? co_await read_file(pool, scope) : co_await read_stream();
      if (!chunk) co_return tl::unexpected(chunk.error());
      if (closed_) co_return std::nullopt;  // what is left of a line is not all of it
      ended_ = chunk->empty();
      if (ended_)
        lines_.end();
      else
        lines_.feed(*chunk);
    }
  }
  void close() {
    closed_ = true;
    boost::system::error_code ignored;
    if (stream_) stream_->close(ignored);
  }

 private:
  asio::awaitable<Result<std::string>> read_file(io::Pool& pool, io::CancelScope scope) {
    const auto read = [file = file_, name = name_]() -> Result<std::string> {
      std::string chunk(kPairChunk, '\0');
      const auto size = file->read_some(chunk.data(), chunk.size());
      if (!size) return tl::unexpected(size.error().to_error(name));
      chunk.resize(*size);
      return chunk;
    };
    co_return co_await pool.run(read, scope);
  }

  asio::awaitable<Result<std::string>> read_stream() {
    std::string chunk(kPairChunk, '\0');
    boost::system::error_code error;
    const auto stream = stream_;
    const std::size_t size = co_await stream->async_read_some(
        asio::buffer(chunk), asio::redirect_error(asio::use_awaitable, error));
    if (error && error != asio::error::eof && error != asio::error::operation_aborted)
      co_return fail(ErrorKind::Internal, "stdin: " + error.message() + ".");
    chunk.resize(error ? 0 : size);
    co_return chunk;
  }

  std::string name_;
  batch::LineReader lines_;
  std::shared_ptr<const RegularFile> file_;
  std::unique_ptr<StandardStream> descriptor_;
  std::shared_ptr<asio::posix::stream_descriptor> stream_;
  bool ended_ = false;
  bool closed_ = false;
};

/// What the file of an earlier run has.
struct EarlierRun {
  certify::KnownPairs known;
  bool cut_off = false;  ///< stdout continues it, and it ends in the middle of a line
};

Result<EarlierRun> load_earlier(const std::string& name) {
  EarlierRun run;
  std::error_code ignored;
  if (name.empty() || !std::filesystem::exists(name, ignored)) return run;  // the first run
  if (is_stdout(name))
    if (auto locked = lock_stdout(name); !locked) return tl::unexpected(locked.error());
  std::size_t broken = 0;
  const auto ended = for_each_line(name, [&](const batch::LineReader::Line& line) {
    if (!run.known.add(line.text)) ++broken;
  });
  if (!ended) return tl::unexpected(ended.error());
  run.cut_off = *ended == FileEnd::WithinLine && is_stdout(name);
  if (broken > 0)
    std::fprintf(stderr, "leanbridge: %s: ignoring %zu lines that are no verdicts\n", name.c_str(), broken);
  return run;
}

class PairRun {
 public:
  PairRun(const Options& options, double seconds, EarlierRun earlier, const StandardStream& out)
      : options_(options),
        seconds_(seconds),
        earlier_(std::move(earlier)),
        turns_(static_cast<std::size_t>(options.certify.jobs)),
        pool_(static_cast<std::size_t>(std::max(2, options.certify.jobs))),
        output_(std::make_shared<io::OutgoingQueue>(asio::posix::stream_descriptor(context_, out.fd()))) {
    output_->on_failure = [this](const std::string& reason) {
      progress_.clear();
      print_error(Error(ErrorKind::Internal, "stdout: " + reason + "."));
      stop();
    };
  }

  int run() {
    auto lines = PairLines::open(context_, options_.certify.input);
    if (!lines) return usage(lines.error());
    lines_ = std::move(*lines);
    output_->watch_reader();
    if (earlier_.cut_off) output_->send("\n");
    io::spawn(context_, run_all());
    context_.run();
    return conclude();
  }

 private:
  asio::awaitable<void> run_all() {
    const auto read = co_await read_pairs();
    complete_ = read.has_value();
    if (!read && read.error().kind != ErrorKind::Cancelled) {
      progress_.clear();
      print_error(read.error());
    }
    co_await tasks_.wait(io::CancelScope(io::kNoDeadline));
    complete_ = complete_ && !lost_ && !cancel_->cancelled();
    progress_.clear();
    co_await drain();
    interrupts_.stop();
    context_.stop();
  }

  asio::awaitable<Result<void>> read_pairs() {
    const io::CancelScope scope(io::kNoDeadline, cancel_);
    for (;;) {
      auto turn = co_await turns_.acquire(scope);
      if (!turn) co_return call_cancelled();
      CO_TRY(auto line, co_await lines_->next(pool_, scope));
      if (cancel_->cancelled()) co_return call_cancelled();
      if (!line) co_return Result<void>();
      tasks_.start(context_.get_executor(), take_line(std::move(*line), std::move(*turn)));
    }
  }

  asio::awaitable<void> take_line(batch::LineReader::Line line, io::FairSemaphore::Permit turn) {
    const io::FairSemaphore::Permit held = std::move(turn);  // until the pair is judged
    try {
      co_await judge_line(std::move(line));
    } catch (const std::exception& error) {  // it is not judged, so the run must not look complete
      lost_ = true;
      progress_.clear();
      print_error(Error(ErrorKind::Internal, error.what()));
    }
  }

  asio::awaitable<void> judge_line(batch::LineReader::Line line) {
    const std::string place = lines_->name() + ":" + std::to_string(line.number);
    const auto number = static_cast<std::int64_t>(line.number);
    tl::expected<certify::Pair, certify::BadPair> pair =
        tl::unexpected(certify::BadPair{place, place + ": the line is longer than 16 MiB"});
    if (!line.too_long) pair = certify::read_pair(line.text, place);
    const std::string id = pair ? pair->id : pair.error().id;
    if (!seen_.insert(id).second)
      co_return co_await answer_invalid(
          {place, {}, place + ": the id \"" + id + "\" was used before", std::nullopt, number});
    if (!pair) co_return co_await answer_invalid({id, {}, pair.error().why, std::nullopt, number});
    const io::CancelScope scope(to_duration(pair->timeout_s.value_or(seconds_)), cancel_);
    const auto prepare = [given = *pair, &options = options_] { return request_of(options, given); };
    auto asked = co_await pool_.run(prepare, scope);
    if (asked && asked->asked_sha256)
      if (const auto verdict = earlier_.known.find(id, *asked->asked_sha256)) {
        counts_.add(*verdict);
        ++counts_.skipped;
        co_return;
      }
    if (!asked) co_return co_await answer_error(id, number, asked.error(), {});
    certify::JudgedPair judged{id, asked->asked_sha256, {}};
    certify::Request& request = asked->request;
    request.at_once = options_.certify.jobs > 1;
    request.begun = begun_;
    request.on_step = [this, id](const std::string& step) { show(id + ": " + step); };
    judged.certificate.allowed_axioms = request.allowed_axioms;
    auto certificate = co_await certify::certify(std::move(request), pool_, scope);
    if (!certificate)
      co_return co_await answer_error(id, number, certificate.error(), std::move(judged.certificate));
    judged.certificate = std::move(*certificate);
    co_await answer(judged);
  }

  static io::Clock::duration to_duration(double seconds) {
    return std::chrono::duration_cast<io::Clock::duration>(std::chrono::duration<double>(seconds));
  }

  // --- verdicts out

  asio::awaitable<void> answer(const certify::JudgedPair& judged) {
    counts_.add(judged.certificate.verdict);
    co_await write(certify::to_line(judged));
  }

  asio::awaitable<void> answer_invalid(certify::InvalidPair invalid) {
    ++counts_.invalid;
    co_await write(certify::to_line(invalid));
  }

  /// What is wrong with the question is invalid; where something else failed, the pair is not judged.
  asio::awaitable<void> answer_error(std::string id, std::int64_t line, Error error,
                                     certify::Certificate certificate) {
    if (error.kind == ErrorKind::Cancelled) co_return;
    if (error.kind == ErrorKind::InvalidArgument || error.kind == ErrorKind::FileNotFound)
      co_return co_await answer_invalid({std::move(id), {}, error.message, error.hint, line});
    certify::JudgedPair judged{std::move(id), std::nullopt, std::move(certificate)};
    judged.certificate.reason = error.message;
    judged.certificate.complete_with = error.hint;
    judged.certificate.timed_out = error.kind == ErrorKind::Timeout;
    co_await answer(judged);
  }

  asio::awaitable<void> write(std::string line) {
    show("");
    if (!output_->send(std::move(line))) co_return;
    co_await io::wait_until(output_->changed, io::CancelScope(io::kNoDeadline, cancel_),
                            [this] { return output_->closed() || !output_->above_high_water(); });
  }

  // Verdicts must still reach a reader that reads, however slowly.
  asio::awaitable<void> drain() {
    output_->close_when_drained();
    std::size_t left = 0;
    do {
      left = output_->queued_bytes();
      co_await io::wait_until(output_->changed, io::CancelScope(kReaderGrace),
                              [this, left] { return output_->closed() || output_->queued_bytes() < left; });
    } while (!output_->closed() && output_->queued_bytes() < left);
    if (left > 0 && !output_->closed()) complete_ = false;
  }

  void show(const std::string& what) {
    progress_.show(certify::one_line_of(counts_) + (what.empty() ? "" : "; " + what));
  }

  // Begins nothing more, and ends what is under way.
  void stop() {
    cancel_->cancel();
    lines_->close();
  }

  int conclude() {
    progress_.clear();
    std::fprintf(stderr, "leanbridge: %s\n", certify::one_line_of(counts_).c_str());
    if (interrupts_.heard()) return kInterrupted;
    if (!complete_) return kUndecided;
    if (counts_.refused > 0) return kFailed;
    return counts_.incomplete + counts_.invalid > 0 ? kUndecided : 0;
  }

  const Options& options_;
  double seconds_;
  EarlierRun earlier_;
  io::FairSemaphore turns_;  // outlives whoever has one
  asio::io_context context_{1};
  io::Pool pool_;
  std::shared_ptr<io::CancelSource> cancel_ = std::make_shared<io::CancelSource>();
  Interrupts interrupts_{context_, [this] { stop(); },
                         [this] {
                           output_->close();  // wait for no reader
                           stop();
                         }};
  io::TaskGroup tasks_;
  std::shared_ptr<io::OutgoingQueue> output_;
  std::shared_ptr<PairLines> lines_;
  std::shared_ptr<std::optional<std::int64_t>> begun_ = std::make_shared<std::optional<std::int64_t>>();
  std::unordered_set<std::string> seen_;
  certify::PairCounts counts_;
  ProgressLine progress_;
  bool complete_ = false;
  bool lost_ = false;  // a pair
};

}  // namespace

int certify_batch(const Options& options, double seconds) {
  auto earlier = load_earlier(options.certify.resume);
  if (!earlier) return usage(earlier.error());
  const StandardStream out(STDOUT_FILENO, O_WRONLY);
  if (!out.valid())
    return usage(Error(ErrorKind::InvalidArgument, "stdout is not open.", "Verdicts are written to it."));
  return PairRun(options, seconds, std::move(*earlier), out).run();
}

}  // namespace leanbridge::app
