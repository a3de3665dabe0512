#include "text_compiler.hpp"

#include "certify/untrusted/run.hpp"
#include "core/base/files.hpp"
#include "core/base/try.hpp"
#include "core/lean/build_output.hpp"
#include "core/text/lean_header.hpp"
#include "core/text/lean_names.hpp"
#include "foundations.hpp"
#include "image.hpp"
#include "steps.hpp"
#include <fcntl.h>

#include <sstream>
#include <utility>

namespace leanbridge::certify {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxCompiled = std::size_t{512} << 20U;  // bytes

}  // namespace

std::vector<lean::CompilerMessage> messages_in(const std::string& printed) {
  std::vector<lean::CompilerMessage> messages;
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);)
    if (auto message = lean::read_compiler_message(line)) messages.push_back(std::move(*message));
  return messages;
}

Result<void> write_parts(const fs::path& folder, const fs::path& name,
                         const std::vector<std::string>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    TRY_DONE(write_new_file(part_of(folder / name, kModuleParts[i]), parts[i]));
  }
  return {};
}

Result<void> copy_modules(const fs::path& from, const fs::path& to, const std::vector<std::string>& modules) {
  for (const std::string& module : modules) {
    const fs::path name = text::path_of_module(module).value_or(module);
    for (const std::string_view extension : kModuleParts) {
      const fs::path part = part_of(name, extension);
      const auto file = RegularFile::open(from / part, RegularFile::Links::Refuse);
      if (!file && file.error().kind == FileProblem::Kind::Missing) continue;
      const auto bytes =
          file ? file->read(kMaxCompiled) : FileResult<std::string>(tl::unexpected(file.error()));
      if (!bytes) return tl::unexpected(bytes.error().to_error((from / part).string()));
      TRY_DONE(write_new_file(to / part, *bytes));
    }
  }
  return {};
}

Result<std::vector<std::string>> read_parts(const fs::path& folder, const std::string& name, bool is_module) {
  std::vector<std::string> parts;
  for (const std::string_view extension : kModuleParts) {
    if (!parts.empty() && !is_module) break;
    const std::string part = name + std::string(extension);
    const fs::path path = folder / part;
    const auto file = RegularFile::open(path, RegularFile::Links::Refuse);
    if (!file && !parts.empty() && file.error().kind == FileProblem::Kind::Missing) break;
    if (!file) return tl::unexpected(file.error().to_error(part));
    auto bytes = file->read(kMaxCompiled);
    if (!bytes) return tl::unexpected(bytes.error().to_error(part));
    parts.push_back(std::move(*bytes));
  }
  if (parts.size() == 2) return fail(ErrorKind::Internal, "The compiled module has two of its three parts.");
  return parts;
}

Result<SharedSet> open_set(std::vector<std::string> parts, const std::vector<fs::path>& search_path,
                           SharedImports known) {
  const std::vector<std::string_view> bytes(parts.begin(), parts.end());
  TRY_DONE(check_image(bytes));
  TRY(auto set,
      olean::ModuleSet::open(olean::ModuleBytes(std::move(parts)), {}, search_path, std::move(known)));
  return SharedSet(std::move(set));
}

namespace {

constexpr const char* kPlain = "plain";  // the folder of a text that shows how this Lean compiles

/// The first error: "line 3: …"; "": none. Reads no further: Lean may have printed much.
std::string first_error_in(const std::string& printed) {
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);) {
    const auto message = lean::read_compiler_message(line);
    if (message && message->severity == lean::Severity::Error)
      return "line " + std::to_string(message->start.line) + ": " + quotable(message->message);
  }
  return {};
}

/// The reason why a run of the compiler failed; without one if it succeeded.
CompiledText end_of_compiler(const RunResult& run) {
  CompiledText compiled;
  constexpr int kKilled = 128;
  if (!run.stopped.empty()) {
    compiled.timed_out = true;  // so far, nothing shows that it is wrong
    compiled.why = "Compiling it was ended: " + run.stopped + ".";
  } else if (run.timed_out) {
    compiled.timed_out = true;
    compiled.why = "Compiling it did not end in time.";
  } else if (run.exit_code > kKilled) {
    compiled.timed_out = true;  // so far, nothing shows that it is wrong
    compiled.why = "Compiling it was ended by signal " + std::to_string(run.exit_code - kKilled) +
                   ", perhaps for lack of memory.";
  } else if (run.exit_code != 0) {
    compiled.error = first_error_in(run.output);
    compiled.why =
        "It does not compile." + (compiled.error.empty() ? "" : " Lean says, in " + compiled.error);
  }
  return compiled;
}

}  // namespace

asio::awaitable<lean::ImportSnapshots::Found> TextCompiler::find_snapshot(std::string source, fs::path file,
                                                                          std::vector<std::string> options) {
  Batch* const batch = job_.batch();
  if (!batch || inputs_.has_modules()) co_return nullptr;
  const std::vector<fs::path> search_path = inputs_.earlier_path();
  lean::ColdRun run = {inputs_.runner.toolchain().lean.string(), search_path, options, std::move(file),
                       std::move(source)};
  const auto compile = [this, search_path, options = std::move(options)](
                           std::vector<std::string> arguments, fs::path folder) -> asio::awaitable<bool> {
    arguments.insert(arguments.begin(), options.begin(), options.end());
    const auto end = co_await inputs_.runner.run_lean(std::move(arguments),
                                                      {search_path, {}, std::move(folder)}, job_.scope);
    co_return end && end->succeeded();
  };
  co_return co_await batch->snapshots.find(std::move(run), compile, job_.pool, job_.scope);
}

asio::awaitable<Result<CompiledText>> TextCompiler::compile(std::string source, fs::path relative,
                                                            std::string folder,
                                                            std::vector<std::string> more_options) {
  const fs::path sources = inputs_.folder / (folder + "-source"), out = inputs_.folder / (folder + "-out");
  const fs::path file = sources / (relative.string() + ".lean");
  const auto write = [=]() -> Result<void> {
    std::error_code ignored;
    fs::create_directory(out, ignored);
    return write_new_file(file, source);
  };
  CO_CHECK(co_await job_.run(write));
  const std::string olean = std::string(kCandidate) + kOlean;
  std::vector<std::string> options;
  for (const std::string& option : job_.request.options) options.push_back("-D" + option);
  options.insert(options.end(), more_options.begin(), more_options.end());
  std::vector<std::string> arguments = {"--json", "-R", sources.string(), "-o", (out / olean).string()};
  arguments.insert(arguments.end(), options.begin(), options.end());
  RunPlaces places;
  places.search_path = inputs_.lean_path();
  places.readable = {sources};
  places.writable = out;
  const auto snapshot = co_await find_snapshot(source, file.lexically_relative(sources), std::move(options));
  if (snapshot) {
    arguments.push_back(snapshot->argument());
    places.readable.push_back(snapshot->folder());
  }
  arguments.push_back(file.string());
  CO_TRY(RunResult run,
         co_await inputs_.runner.run_lean(std::move(arguments), std::move(places), job_.scope));
  CompiledText compiled = end_of_compiler(run);
  compiled.printed = std::move(run.output);
  compiled.is_cut = run.output_cut;
  if (!compiled.why.empty()) co_return compiled;
  bool in_parts = text::parse_lean_header(source).is_module || folder == kPlain;
  std::error_code ignored;
  if (!in_parts && fs::exists(out / (olean + ".private"), ignored)) {
    CO_TRY(in_parts, co_await compiles_all_in_parts());
  }
  const auto read = [=] { return read_parts(out, kCandidate, in_parts); };
  auto parts = co_await job_.run(read);
  if (!parts && is_end_of_wait(parts.error())) co_return tl::unexpected(parts.error());
  if (parts)
    compiled.parts = std::move(*parts);
  else
    compiled.why = "Compiling it left no file that can be read: " + parts.error().message;
  co_return compiled;
}

asio::awaitable<Result<bool>> TextCompiler::compiles_all_in_parts() {
  if (!all_in_parts_) {
    CO_TRY(const CompiledText compiled, co_await compile("\n", std::string(kCandidate), kPlain));
    if (compiled.timed_out) co_return fail(ErrorKind::Timeout, "An empty text: " + compiled.why);
    if (!compiled.why.empty())
      co_return fail(ErrorKind::LeanUnavailable, "An empty text: " + compiled.why,
                     "Run `leanbridge doctor`.");
    all_in_parts_ = compiled.parts.size() > 1;
  }
  co_return *all_in_parts_;
}

}  // namespace leanbridge::certify
