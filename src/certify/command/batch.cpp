#include "certify/command/certify_options.hpp"
#include "certify_options.hpp"
#include "check/command/batch_driver.hpp"
#include "check/command/file_lines.hpp"
#include "core/base/counted.hpp"
#include "core/base/try.hpp"
#include "core/io/fair_semaphore.hpp"
#include "core/io/pool.hpp"
#include "core/io/seconds.hpp"
#include "core/io/task_group.hpp"
#include "core/program/interrupts.hpp"
#include "requests.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

namespace leanbridge::app {

namespace {

class PairRun {
 public:
  PairRun(const Options& options, double seconds, certify::EarlierVerdicts known, certify::EarlierCosts costs,
          const StandardStream& out)
      : options_(options),
        given_(options.of<CertifyOptions>()),
        seconds_(seconds),
        known_(std::move(known)),
        costs_(std::move(costs)),
        turns_(static_cast<std::size_t>(given_.jobs)),
        pool_(static_cast<std::size_t>(std::max(2, given_.jobs))),
        driver_(context_, pool_, out, [this] { stop(); }) {}

  int run(bool cut_off) {
    if (const auto opened = driver_.open(given_.input); !opened) return usage(opened.error());
    driver_.begin(cut_off);
    io::spawn(context_, run_all());
    context_.run();
    return conclude();
  }

 private:
  asio::awaitable<void> run_all() {
    const auto read = co_await read_pairs();
    complete_ = read.has_value();
    if (!read && read.error().kind != ErrorKind::Cancelled) driver_.print(read.error());
    co_await tasks_.wait(io::CancelScope(io::kNoDeadline));
    complete_ = complete_ && !lost_ && !driver_.cancelled();
    driver_.progress.clear();
    const bool all_is_read = co_await driver_.drain();
    complete_ = complete_ && all_is_read;
    context_.stop();
  }

  asio::awaitable<Result<void>> read_pairs() {
    for (;;) {
      auto turn = co_await turns_.acquire(driver_.scope());
      if (!turn) co_return call_cancelled();
      CO_TRY(auto line, co_await driver_.next_line());
      if (driver_.cancelled()) co_return call_cancelled();
      if (!line) co_return Result<void>();
      tasks_.start(context_.get_executor(), take_line(std::move(*line), std::move(*turn)));
    }
  }

  asio::awaitable<void> take_line(batch::LineReader::Line line, io::FairSemaphore::Permit turn) {
    const io::FairSemaphore::Permit held = std::move(turn);  // until the pair is judged
    try {
      co_await judge_line(std::move(line));
    } catch (const std::exception& error) {  // the pair is not judged, so the run must not look complete
      lost_ = true;
      driver_.print(Error(ErrorKind::Internal, error.what()));
    }
  }

  asio::awaitable<void> judge_line(batch::LineReader::Line line) {
    const std::string place = driver_.place_of(line);
    const auto number = static_cast<std::int64_t>(line.number);
    const auto pair = read_whole(line, place, certify::read_pair);
    const std::string id = pair ? pair->id : pair.error().id;
    if (!driver_.take_id(id))
      co_return co_await answer_invalid({place, {}, used_before(place, id), std::nullopt, number});
    if (!pair) co_return co_await answer_invalid({id, {}, pair.error().why, std::nullopt, number});
    const io::CancelScope scope(io::to_duration(pair->timeout_s.value_or(seconds_)), driver_.cancel_source());
    const auto prepare = [given = *pair, &options = options_] { return request_of(options, given); };
    auto asked = co_await pool_.run(prepare, scope);
    if (asked && asked->asked_sha256)
      if (const auto verdict = known_.find(id, *asked->asked_sha256)) {
        counts_.add(*verdict);
        ++counts_.skipped;
        co_return;
      }
    if (!asked) co_return co_await answer_error(id, number, asked.error(), {});
    certify::JudgedPair judged{id, asked->asked_sha256, {}};
    certify::Request& request = asked->request;
    request.at_once = given_.jobs > 1;
    request.batch = batch_;
    request.with_cost = given_.cost_limit.has_value();
    request.on_step = [this, id](const std::string& step) { show(id + ": " + step); };
    judged.certificate.allowed_axioms = request.all_axioms();
    auto certificate = co_await certify::certify(std::move(request), pool_, scope);
    if (!certificate)
      co_return co_await answer_error(id, number, certificate.error(), std::move(judged.certificate));
    judged.certificate = std::move(*certificate);
    if (auto& cost = judged.certificate.cost; cost && !given_.cost_baseline.empty()) {
      dearer_ += costs_.compare(id, *given_.cost_limit, *cost);
      unmeasured_ += cost->why_not ? 1 : 0;
    }
    co_await answer(judged);
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

  /// A mistake in the question makes the pair invalid. After any other failure, the pair counts as not
  /// judged.
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
    co_await driver_.write(std::move(line));
  }

  void show(const std::string& what) {
    driver_.progress.show({0, 0, certify::one_line_of(counts_) + (what.empty() ? "" : "; " + what)});
  }

  // Begins no more pairs, and ends the running ones.
  void stop() {
    driver_.cancel();
    driver_.stop_reading();
  }

  int conclude() {
    driver_.progress.clear();
    std::fprintf(stderr, "leanbridge: %s\n", certify::one_line_of(counts_).c_str());
    if (dearer_ > 0)
      std::fprintf(stderr, "leanbridge: %s dearer than %s allows\n",
                   counted(dearer_, "declaration is", "declarations are").c_str(),
                   given_.cost_baseline.c_str());
    if (unmeasured_ > 0)
      std::fprintf(stderr, "leanbridge: what %s took could not be measured\n",
                   counted(unmeasured_, "pair").c_str());
    if (interrupts_.heard()) return kInterrupted;
    if (!complete_) return kUndecided;
    if (counts_.refused > 0 || dearer_ > 0) return kFailed;
    if (counts_.incomplete + counts_.invalid + unmeasured_ > 0) return kUndecided;
    if (counts_.refuted > 0) return kRefuted;
    return counts_.filled > 0 ? kFilled : 0;
  }

  const Options& options_;
  const CertifyOptions& given_;
  double seconds_;
  certify::EarlierVerdicts known_;  // verdicts of earlier runs
  certify::EarlierCosts costs_;
  io::FairSemaphore turns_;  // outlives all permits
  asio::io_context context_{1};
  io::Pool pool_;
  BatchDriver driver_;
  Interrupts interrupts_{context_, [this](const std::string&) { stop(); },
                         [this] {
                           driver_.close();  // do not wait for the reader
                           stop();
                         }};
  io::TaskGroup tasks_;
  std::shared_ptr<certify::Batch> batch_ = std::make_shared<certify::Batch>();
  certify::PairCounts counts_;
  std::size_t dearer_ = 0;      // number of declarations
  std::size_t unmeasured_ = 0;  // number of pairs that an earlier run did not measure
  bool complete_ = false;
  bool lost_ = false;  // a pair was lost
};

}  // namespace

int certify_batch(const Options& options, double seconds) {
  const CertifyOptions& given = options.of<CertifyOptions>();
  certify::EarlierVerdicts known;
  const auto cut_off = read_earlier(given.resume, [&](const std::string& line) { return known.add(line); });
  if (!cut_off) return usage(cut_off.error());
  certify::EarlierCosts costs;
  if (const std::string& baseline = given.cost_baseline; !baseline.empty()) {
    std::size_t measured = 0;
    const auto read = for_each_line(
        baseline, [&](const LineInput::Line& line) { measured += costs.add(line.text) ? 1 : 0; });
    if (!read) return usage(read.error());
    if (measured == 0)
      return usage(Error(ErrorKind::InvalidArgument, baseline + " tells no costs.",
                         "Pass the verdicts of a run with --input and --cost."));
  }
  const StandardStream out(STDOUT_FILENO, O_WRONLY);
  if (!out.valid())
    return usage(Error(ErrorKind::InvalidArgument, "stdout is not open.", "Verdicts are written to it."));
  return PairRun(options, seconds, std::move(known), std::move(costs), out).run(*cut_off);
}

}  // namespace leanbridge::app
