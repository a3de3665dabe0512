#include "batch_driver.hpp"

#include "appended_output.hpp"
#include "core/base/try.hpp"
#include "file_lines.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <utility>

namespace leanbridge::app {

namespace {

/// How long a reader of stdout may pause at the end.
constexpr auto kReaderGrace = std::chrono::seconds(10);

}  // namespace

Result<bool> read_earlier(const std::string& name, const std::function<bool(const std::string&)>& add) {
  std::error_code ignored;
  if (name.empty() || !std::filesystem::exists(name, ignored)) return false;  // this is the first run
  const bool is_continued = is_stdout(name);
  if (is_continued) {
    TRY_DONE(lock_stdout(name));
  }
  std::size_t broken = 0;
  TRY(const FileEnd end, for_each_line(name, [&](const LineInput::Line& line) {
        if (!add(line.text)) ++broken;
      }));
  if (broken > 0)
    std::fprintf(stderr, "leanbridge: %s: ignoring %zu lines that are no verdicts\n", name.c_str(), broken);
  return end == FileEnd::WithinLine && is_continued;
}

std::string used_before(const std::string& place, const std::string& id) {
  return place + ": the id \"" + id + "\" was used before";
}

BatchDriver::BatchDriver(asio::io_context& context, io::Pool& pool, const StandardStream& out,
                         std::function<void()> on_lost)
    : context_(context),
      pool_(pool),
      output_(std::make_shared<io::OutgoingQueue>(asio::posix::stream_descriptor(context, out.fd()))) {
  output_->on_failure = [this, on_lost = std::move(on_lost)](const std::string& reason) {
    print(Error(ErrorKind::Internal, "stdout: " + reason + "."));
    on_lost();
  };
}

void BatchDriver::begin(bool cut_off) {
  output_->watch_reader();
  if (cut_off) output_->send("\n");
}

Result<void> BatchDriver::open(const std::string& name) {
  TRY(input_, LineInput::open(context_, name));
  return {};
}

asio::awaitable<Result<std::optional<LineInput::Line>>> BatchDriver::next_line() {
  const auto input = input_;
  co_return co_await input->next(pool_, scope());
}

std::string BatchDriver::place_of(const Line& line) const {
  return input_->name() + ":" + std::to_string(line.number);
}

bool BatchDriver::take_id(std::string_view id) {
  return ids_.add(id, batch::Verdict::Ok);
}

void BatchDriver::stop_reading() {
  if (input_) input_->close();
}

asio::awaitable<bool> BatchDriver::write(std::string line) {
  if (!output_->send(std::move(line))) co_return false;
  co_await io::wait_until(output_->changed, scope(),
                          [this] { return output_->closed() || !output_->above_high_water(); });
  co_return true;
}

asio::awaitable<bool> BatchDriver::drain() {
  output_->close_when_drained();
  std::size_t left = 0;
  do {
    left = output_->queued_bytes();
    co_await io::wait_until(output_->changed, io::CancelScope(kReaderGrace),
                            [this, left] { return output_->closed() || output_->queued_bytes() < left; });
  } while (!output_->closed() && output_->queued_bytes() < left);
  co_return left == 0 || output_->closed();
}

void BatchDriver::print(const Error& error) {
  progress.clear();
  print_error(error);
}

}  // namespace leanbridge::app
