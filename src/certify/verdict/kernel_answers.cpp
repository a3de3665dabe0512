#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/base/try.hpp"
#include "core/io/one_shot.hpp"
#include "core/io/task_group.hpp"
#include "core/lean/toolchain.hpp"
#include "core/olean/constant_reader.hpp"
#include "export_closure.hpp"
#include "steps.hpp"
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::certify {

namespace fs = std::filesystem;
using olean::ConstantReader;
using olean::constants_in;
using olean::TermTable;

namespace {

constexpr const char* kExportName = "export.ndjson";

struct Answer {
  KernelAnswer answer = KernelAnswer::Failed;
  std::string why;   ///< a predicate without its subject; empty if it accepts
  std::string says;  ///< its output
};

constexpr const char* kConfigName = "nanoda.json";

std::string said_by(const RunResult& run) {
  return quotable(run.errors.empty() ? run.output : run.errors);
}

/// "The export is larger." as "the export is larger".
std::string as_clause(std::string sentence) {
  if (sentence.ends_with('.')) sentence.pop_back();
  if (!sentence.empty() && !sentence.starts_with('`'))
    sentence.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence.front())));
  return sentence;
}

Answer answer_of(const RunResult& run, Panic panic) {
  if (run.timed_out) return {KernelAnswer::Failed, "did not end in time", ""};
  switch (end_of_replay(run, panic)) {
    case ReplayEnd::Accepted:
      return {KernelAnswer::Accepted, "", ""};
    case ReplayEnd::Rejected:
      return {KernelAnswer::Rejected, "does not accept the solution's declarations", said_by(run)};
    case ReplayEnd::Failed:
      break;
  }
  return {KernelAnswer::Failed, "failed with exit code " + std::to_string(run.exit_code), said_by(run)};
}

/// A kernel that was not asked yet. `bin`: the folder of the toolchain's programs; "": its version is
/// unknown.
KernelResult result_of(std::string name, const std::string& program, const std::string& sha256,
                       const fs::path& bin, const std::string& version) {
  KernelResult result{std::move(name), program, sha256, {}, KernelAnswer::NotAsked, {}, {}, {}};
  if (!version.empty() && fs::path(program).parent_path() == bin) result.version = version;
  result.defects = lean::defects_of_kernel(result.name, result.version.value_or(""));
  return result;
}

void note(KernelResult& result, const Answer& answer) {
  result.answer = answer.answer;
  if (!answer.why.empty()) result.why = answer.why;
  if (!answer.says.empty()) result.says = answer.says;
}

/// Lets the kernel read `folder`/export.ndjson. Creates `work`, the only folder that the kernel can write to.
/// Errors: why it cannot be started, Cancelled.
asio::awaitable<Result<Answer>> run_on_export(const LeanRunner& runner, io::Pool& pool,
                                              const ExportKernel& kernel, fs::path folder, fs::path work,
                                              const std::vector<std::string>& axioms, io::CancelScope scope) {
  const fs::path file = folder / kExportName;
  const fs::path config = work / kConfigName;
  const auto prepare = [work, config, content = nanoda_config(file, axioms)]() -> Result<void> {
    std::error_code ignored;
    fs::create_directories(work, ignored);
    return write_new_file(config, content);
  };
  CO_CHECK(co_await pool.run(prepare, scope));
  std::vector<std::string> command = kernel.command;
  command.push_back((kernel.input == ExportKernel::Input::NanodaConfig ? config : file).string());
  RunPlaces places;
  places.readable.push_back(std::move(folder));
  for (const fs::path& own : kernel.files) places.readable.push_back(own.parent_path());
  places.writable = std::move(work);
  CO_TRY(const RunResult run, co_await runner.run_other(std::move(command), std::move(places), scope));
  co_return answer_of(run, kernel.panic);
}

using SharedFolder = std::shared_ptr<const TemporaryFolder>;

/// The longest time that a kernel outside --kernels may delay a verdict.
constexpr auto kUnaskedTime = std::chrono::minutes(2);

/// Tells a function on the pool that its wait has ended, when it is destroyed.
class PoolWait {
 public:
  ~PoolWait() { *over_ = true; }
  std::function<bool()> is_over() const {
    return [over = over_] { return over->load(); };
  }

 private:
  std::shared_ptr<std::atomic<bool>> over_ = std::make_shared<std::atomic<bool>>(false);
};

/// The constants that the statements of the theorems mention.
Result<std::vector<olean::ConstantId>> mentions_of(olean::ModuleSet& set,
                                                   const std::vector<olean::ConstantId>& theorems) {
  TermTable terms;
  ConstantReader reader(terms, set);
  std::vector<olean::ConstantId> found;
  for (const olean::ConstantId id : theorems) {
    const auto constant = reader.read(id);
    TRY_DONE(set.undamaged());
    for (const std::string& key : constants_in(terms, constant->type))
      if (const auto mentioned = set.find(key)) found.push_back(*mentioned);
  }
  return found;
}

/// Writes the same export to each of the files, which must be new.
Result<ExportFacts> export_to(const std::vector<fs::path>& files, olean::ModuleSet& set,
                              const std::vector<olean::ConstantId>& of,
                              const std::function<bool()>& is_over) {
  std::vector<Descriptor> out;
  for (const fs::path& file : files) {
    out.emplace_back(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (!out.back())
      return fail(ErrorKind::InvalidArgument,
                  "Cannot write " + file.string() + ": " + std::strerror(errno) + ".");
  }
  const auto write = [&](std::string_view part) {
    return std::ranges::all_of(out, [&](const Descriptor& one) { return write_all(one.get(), part); });
  };
  return export_closure(set, of, write, {}, is_over);
}

/// A new file that is written beside another one, and replaces it when it is complete.
class NewFile {
 public:
  explicit NewFile(fs::path file) : file_(std::move(file)), written_(file_) {
    written_ += "." + std::to_string(::getpid()) + ".partial";
  }
  const fs::path& written() const { return written_; }

  /// `is_whole`: if false, removes the file.
  Result<void> finish(bool is_whole) const {
    std::error_code error, ignored;
    if (is_whole) fs::rename(written_, file_, error);
    if (!is_whole || error) fs::remove(written_, ignored);
    if (!error) return {};
    return fail(ErrorKind::InvalidArgument, "Cannot write " + file_.string() + ": " + error.message() + ".");
  }

 private:
  fs::path file_, written_;
};

class Panel {
 public:
  Panel(Job& job, const Inputs& inputs, const Compilation& compiled, SharedSet solution)
      : job_(job), inputs_(inputs), compiled_(compiled), solution_(std::move(solution)) {}

  asio::awaitable<Result<void>> ask() {
    list_kernels();
    CO_CHECK(co_await write_export());
    const auto executor = co_await asio::this_coro::executor;
    io::TaskGroup tasks;
    const std::size_t first = inputs_.kernel.command.empty() ? 0 : 1;
    if (first == 1) tasks.start(executor, ask_one(0, nullptr));
    for (std::size_t i = 0; i < inputs_.export_kernels.size(); ++i)
      tasks.start(executor, ask_one(first + i, &inputs_.export_kernels[i]));
    // The tasks end with the scope of the job, and refer to this object until then.
    while (tasks.running() > 0) co_await tasks.wait(io::CancelScope(std::chrono::minutes(1)));
    co_return finish();
  }

 private:
  std::vector<KernelResult>& results() { return job_.certificate.kernels; }
  io::Clock::duration remaining() const {
    return std::max(job_.scope.deadline - io::Clock::now(), io::Clock::duration::zero());
  }

  void list_kernels() {
    const fs::path bin = fs::path(job_.certificate.toolchain.lean).parent_path();
    const auto add = [&](std::string name, const std::vector<std::string>& command,
                         const std::string& sha256) {
      results().push_back(
          result_of(std::move(name), command.front(), sha256, bin, job_.certificate.toolchain.version));
    };
    const Kernel& kernel = inputs_.kernel;
    if (!kernel.command.empty())
      add(fs::path(kernel.command.front()).filename().string(), kernel.command, kernel.sha256);
    for (const ExportKernel& other : inputs_.export_kernels) add(other.name, other.command, other.sha256);
  }

  /// Writes the file for the export kernels: the theorems in question with everything below them.
  asio::awaitable<Result<void>> write_export() {
    if (inputs_.export_kernels.empty() && !job_.request.export_file) co_return Result<void>();
    job_.request.on_step("exporting the proofs");
    CO_TRY(folder_, co_await create_folder());
    const PoolWait wait;
    const auto scope = job_.scope.with_timeout(remaining() / 3);
    const auto write = [solution = solution_, judged = job_.certificate.judged,
                        file = folder_->path() / "export" / kExportName, copy = job_.request.export_file,
                        is_over = wait.is_over()]() -> Result<ExportFacts> {
      std::vector<olean::ConstantId> theorems;
      for (const std::string& key : judged) theorems.push_back(solution->find(key).value());
      std::vector<fs::path> files = {file};
      const auto export_them = [&] {
        return solution.use([&](olean::ModuleSet& set) { return export_to(files, set, theorems, is_over); });
      };
      if (!copy) return export_them();
      const NewFile kept(*copy);
      if (std::error_code ignored; fs::exists(fs::symlink_status(kept.written(), ignored)))
        return fail(ErrorKind::InvalidArgument, kept.written().string() + " is there already.",
                    "Remove it if nobody needs it.");
      files.push_back(kept.written());
      auto facts = export_them();
      TRY_DONE(kept.finish(facts.has_value()));
      return facts;
    };
    auto facts = co_await job_.pool.run(write, scope);
    if (facts)
      job_.certificate.exported = std::move(*facts);
    else if (job_.scope.cancel->cancelled() || job_.request.export_file)
      co_return tl::unexpected(facts.error());
    else
      export_problem_ = "could read nothing, since " + as_clause(facts.error().message);
    co_return Result<void>();
  }

  asio::awaitable<Result<SharedFolder>> create_folder() {
    const auto create = []() -> Result<SharedFolder> {
      TRY(auto folder, TemporaryFolder::create());
      std::error_code ignored;
      for (const char* const name : {"export", "challenge", "work"})
        fs::create_directory(folder->path() / name, ignored);
      return folder;
    };
    co_return co_await job_.run(create);
  }

  /// Asks a kernel; null means the one that replays modules.
  asio::awaitable<void> ask_one(std::size_t at, const ExportKernel* kernel) {
    job_.request.on_step("replaying the proofs in a kernel");
    auto answer = kernel ? co_await ask_about_export(at, *kernel) : co_await replay();
    KernelResult& result = results()[at];
    if (!answer) {
      result.answer = KernelAnswer::Failed;
      result.why = "could not be run: " + as_clause(answer.error().message);
      if (!error_) error_ = answer.error();
      co_return;
    }
    note(result, *answer);
  }

  // --- the kernel that replays modules

  asio::awaitable<Result<Answer>> replay() {
    CO_TRY(Answer answer, co_await replay_parts(compiled_.solution.parts));
    if (answer.answer != KernelAnswer::Rejected) co_return answer;
    job_.request.on_step("asking the kernel about the challenge");
    CO_TRY(const Answer about_challenge, co_await replay_parts(compiled_.challenge_parts));
    co_return about_challenge.answer == KernelAnswer::Accepted ? answer : unfit(answer);
  }

  /// The answer of a kernel that rejects everything, because it belongs to another version or needs other
  /// arguments.
  static Answer unfit(const Answer& answer) { return {KernelAnswer::Failed, kUnfit, answer.says}; }

  /// Replays the project's modules and the candidate with these parts. The kernel reads exactly the bytes
  /// that were compared, in a folder that did not exist while the solution was compiled.
  asio::awaitable<Result<Answer>> replay_parts(std::vector<std::string> parts) {
    const std::vector<std::string>& modules = compiled_.project.modules;
    const auto prepare = [from = inputs_.modules(), modules,
                          parts = std::move(parts)]() -> Result<SharedFolder> {
      TRY(auto fresh, TemporaryFolder::create());
      std::error_code ignored;
      fs::create_directory(fresh->path() / "work", ignored);
      TRY_DONE(copy_modules(from, fresh->path() / "modules", modules));
      TRY_DONE(write_parts(fresh->path() / "modules", kCandidate, parts));
      return fresh;
    };
    CO_TRY(const auto fresh, co_await job_.run(prepare));
    const fs::path folder = fs::canonical(fresh->path());
    std::vector<std::string> command = inputs_.kernel.command;
    command.insert(command.end(), modules.begin(), modules.end());
    command.emplace_back(kCandidate);
    RunPlaces places;
    places.search_path = inputs_.earlier_path();
    places.search_path.insert(places.search_path.begin(), folder / "modules");
    for (const fs::path& file : inputs_.kernel.files) places.readable.push_back(file.parent_path());
    places.writable = folder / "work";
    CO_TRY(const RunResult run,
           co_await inputs_.runner.run_other(std::move(command), std::move(places), job_.scope));
    co_return answer_of(run, Panic::Fails);
  }

  // --- kernels that read an export

  asio::awaitable<Result<Answer>> ask_about_export(std::size_t at, const ExportKernel& kernel) {
    if (!export_problem_.empty()) co_return Answer{KernelAnswer::Failed, export_problem_, ""};
    CO_TRY(Answer answer, co_await read_export(at, kernel, "export"));
    if (answer.answer != KernelAnswer::Rejected) co_return answer;
    CO_CHECK(co_await write_challenge_export());
    CO_TRY(const Answer about_challenge, co_await read_export(at, kernel, "challenge"));
    co_return about_challenge.answer == KernelAnswer::Accepted ? answer : unfit(answer);
  }

  /// Exports the constants that the statements mention. It leaves out the challenge's theorems, which rest on
  /// sorryAx: some kernels refuse that.
  asio::awaitable<Result<void>> write_challenge_export() {
    // Several kernels may ask for it at the same time.
    if (!std::exchange(is_challenge_begun_, true)) challenge_export_.set(co_await export_challenge());
    if (co_await challenge_export_.wait(job_.scope) == io::WaitStatus::Ready)
      co_return challenge_export_.value();
    co_return fail(ErrorKind::Timeout, "The challenge was not exported in time.");
  }

  asio::awaitable<Result<void>> export_challenge() {
    const PoolWait wait;
    const auto write = [challenge = compiled_.challenge, names = job_.request.names,
                        file = folder_->path() / "challenge" / kExportName,
                        is_over = wait.is_over()]() -> Result<void> {
      return challenge.use([&](olean::ModuleSet& set) -> Result<void> {
        TRY(const auto keys, asked_keys(set, names));
        std::vector<olean::ConstantId> theorems;
        for (const std::string& key : keys) theorems.push_back(set.find(key).value());
        TRY(const auto mentioned, mentions_of(set, theorems));
        TRY_DONE(export_to({file}, set, mentioned, is_over));
        return {};
      });
    };
    co_return co_await job_.run(write);
  }

  asio::awaitable<Result<Answer>> read_export(std::size_t at, const ExportKernel& kernel, const char* what) {
    const fs::path folder = fs::canonical(folder_->path());
    io::Clock::duration limit = remaining() * 9 / 10;
    if (!inputs_.selection.is_given()) limit = std::min<io::Clock::duration>(limit, kUnaskedTime);
    co_return co_await run_on_export(inputs_.runner, job_.pool, kernel, folder / what,
                                     folder / "work" / std::to_string(at) / what, job_.request.all_axioms(),
                                     job_.scope.with_timeout(limit));
  }

  Result<void> finish() {
    Certificate& certificate = job_.certificate;
    if (results().empty()) return {};
    if (certificate.kernel && !inputs_.kernel.command.empty())
      certificate.kernel->answer = results().front().answer;
    for (const KernelResult& result : results())
      certificate.kernel_replayed |= result.answer == KernelAnswer::Accepted;
    if (job_.scope.cancel->cancelled()) return fail(ErrorKind::Cancelled, "The call was cancelled.");
    if (certificate.kernel_replayed) return {};
    if (remaining() == io::Clock::duration::zero())
      return fail(ErrorKind::Timeout, results().front().name + " did not end in time.");
    if (error_ && results().size() == 1) return tl::unexpected(*error_);
    return {};
  }

  Job& job_;
  const Inputs& inputs_;
  const Compilation& compiled_;
  SharedSet solution_;
  SharedFolder folder_;
  std::string export_problem_;  ///< a clause; "": it is there
  bool is_challenge_begun_ = false;
  io::OneShot<Result<void>> challenge_export_;
  std::optional<Error> error_;  ///< of the first that could not be run
};

}  // namespace

asio::awaitable<Result<void>> ask_kernels(Job& job, const Inputs& inputs, const Compilation& compiled,
                                          SharedSet solution) {
  Panel panel(job, inputs, compiled, std::move(solution));
  co_return co_await panel.ask();
}

namespace {

struct ExportCopy {
  std::string sha256;
  std::vector<ExportKernel> kernels;
};

/// Copies a file, and hashes the copied bytes.
Result<std::string> copy_hashed(const fs::path& file, const fs::path& to) {
  const auto in = RegularFile::open(file);
  if (!in) return tl::unexpected(in.error().to_error(file.string()));
  const Descriptor out(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  Sha256 digest;
  std::vector<char> piece(std::size_t{1} << 20U);
  std::uint64_t left = ExportLimits().bytes;
  for (;;) {
    const auto size = in->read_some(piece.data(), piece.size());
    if (!size) return tl::unexpected(size.error().to_error(file.string()));
    if (*size > left) return fail(ErrorKind::InvalidArgument, file.string() + " is larger than any export.");
    left -= *size;
    digest.add({piece.data(), *size});
    if (!out || !write_all(out.get(), {piece.data(), *size}))
      return fail(ErrorKind::Internal, file.string() + " cannot be copied: " + std::strerror(errno) + ".");
    if (*size < piece.size()) return digest.finish();
  }
}

/// Hashes the very bytes that the kernels read.
Result<ExportCopy> prepare(const fs::path& file, const fs::path& folder, const ExportKernelPlaces& places) {
  std::error_code ignored;
  fs::create_directory(folder, ignored);
  ExportCopy copy;
  TRY(copy.sha256, copy_hashed(file, folder / kExportName));
  TRY(copy.kernels, find_export_kernels(places));
  if (places.selection.first && copy.kernels.size() > *places.selection.first)
    copy.kernels.resize(*places.selection.first);
  return copy;
}

}  // namespace

asio::awaitable<Result<StoredExport>> check_export(Request request, io::Pool& pool, io::CancelScope scope) {
  Job job{std::move(request), pool, scope, {}};
  CO_TRY(const KernelSelection selection, KernelSelection::from(job.request.kernels));
  CO_TRY(const auto temporary, co_await pool.run(create_folders, scope));
  const fs::path folder = fs::canonical(temporary->path());
  ProjectFiles files(job.request.root, pool);
  CO_TRY(const LeanRunner runner, co_await find_lean(job, files, folder));
  const fs::path& sysroot = runner.toolchain().sysroot;
  ExportKernelPlaces places{selection, sysroot, job.request.path, {job.request.root}};
  const auto work = [file = *job.request.export_file, to = folder / "export", places] {
    return prepare(file, to, places);
  };
  CO_TRY(const ExportCopy copy, co_await pool.run(work, scope));
  StoredExport checked{copy.sha256, {}};
  for (const ExportKernel& kernel : copy.kernels) {
    job.request.on_step("asking " + kernel.name);
    KernelResult result = result_of(kernel.name, kernel.command.front(), kernel.sha256, sysroot / "bin", "");
    const std::string number = std::to_string(checked.kernels.size());
    CO_TRY(const Answer answer,
           co_await run_on_export(runner, pool, kernel, folder / "export", folder / "work" / number,
                                  job.request.all_axioms(), scope));
    note(result, answer);
    checked.kernels.push_back(std::move(result));
  }
  co_return checked;
}

}  // namespace leanbridge::certify
