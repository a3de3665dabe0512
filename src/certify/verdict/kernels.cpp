#include "kernels.hpp"

#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/base/try.hpp"
#include "core/lean/project.hpp"
#include "core/lean/source_folders.hpp"
#include "core/lean/toolchain.hpp"
#include "core/text/untrusted.hpp"
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <string_view>

namespace leanbridge::certify {

namespace fs = std::filesystem;

namespace {

constexpr const char* kChecker = "lean4checker";

bool is_runnable(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

/// The program with this path, or with this name in the toolchain or the system. Never a program from another
/// folder of PATH.
std::optional<fs::path> program_named(const std::string& name, const fs::path& sysroot) {
  if (name.find('/') != std::string::npos) {
    const fs::path path = absolute_path(name);
    return is_runnable(path) ? std::optional(path) : std::nullopt;
  }
  if (const fs::path own = sysroot / "bin" / name; is_runnable(own)) return own;
  return find_system_program(name);
}

/// The lean4checkers that were built, the project's own packages' first.
std::vector<fs::path> checkers_of(const fs::path& root) {
  std::vector<fs::path> folders = {root};
  for (const lean::Package& package : lean::packages_of(root)) folders.push_back(package.folder);
  std::vector<fs::path> found;
  for (const fs::path& folder : folders)
    if (fs::path program = lean::product_folders(folder).programs / kChecker; is_runnable(program))
      found.push_back(std::move(program));
  return found;
}

/// The libraries beside a program of a toolchain, which may be another one than the project's.
std::vector<fs::path> libraries_beside(const fs::path& program) {
  const fs::path sysroot = program.parent_path().parent_path();
  std::error_code ignored;
  const bool is_toolchain =
      program.parent_path().filename() == "bin" && fs::is_directory(sysroot / "lib/lean", ignored);
  return is_toolchain ? libraries_of(sysroot) : std::vector<fs::path>();
}

std::string name_below(const fs::path& root, const fs::path& program) {
  return program.lexically_relative(root).generic_string();
}

}  // namespace

Result<std::vector<std::string>> read_command(const std::string& command, const fs::path& sysroot,
                                              const std::string& option) {
  std::vector<std::string> words;
  std::istringstream rest(command);
  for (std::string word; rest >> word;) words.push_back(std::move(word));
  if (words.empty()) return fail(ErrorKind::InvalidArgument, option + " names no program.");
  const auto program = program_named(words.front(), sysroot);
  if (!program)
    return fail(
        ErrorKind::InvalidArgument, option + " names " + words.front() + ", which is not a program.",
        "Pass its path, or the name of a program of the toolchain, or in /usr/bin or /usr/local/bin.");
  words.front() = program->string();
  // Makes files absolute, since the kernel runs in another folder.
  for (std::size_t i = 1; i < words.size(); ++i) {
    std::error_code ignored;
    if (!words[i].starts_with('-') && fs::is_regular_file(words[i], ignored))
      words[i] = absolute_path(words[i]).string();
  }
  return words;
}

std::vector<fs::path> files_of_command(const std::vector<std::string>& command) {
  std::vector<fs::path> files;
  for (const std::string& word : command) {
    std::error_code ignored;
    if (fs::path(word).is_absolute() && fs::is_regular_file(word, ignored)) files.emplace_back(word);
  }
  if (command.empty()) return files;
  for (fs::path& library : libraries_beside(command.front())) files.push_back(std::move(library));
  return files;
}

Result<FileHashes> hashes_of_checkers(const fs::path& root) {
  FileHashes hashes;
  for (const fs::path& program : checkers_of(root)) {
    const auto hash = sha256_of_file(program);
    if (!hash) return tl::unexpected(hash.error().to_error(program.string()));
    hashes.emplace(name_below(root, program), *hash);
  }
  return hashes;
}

Result<Kernel> find_kernel(const KernelPlaces& places) {
  Kernel kernel;
  if (!places.command.empty()) {
    TRY(kernel.command, read_command(places.command, places.sysroot, "--kernel"));
  } else if (const fs::path own = places.sysroot / "bin/leanchecker"; is_runnable(own)) {
    kernel.command = {own.string()};
  } else {
    for (const fs::path& program : checkers_of(places.root)) {
      bool trusted = places.trust_packages;
      if (!trusted && places.known) {
        const auto known = places.known->find(name_below(places.root, program));
        const auto hash = sha256_of_file(program);
        trusted = known != places.known->end() && hash && *hash == known->second;
      }
      if (trusted && kernel.command.empty()) kernel.command = {program.string()};
      if (!trusted && !kernel.untrusted) kernel.untrusted = program;
    }
    if (const auto other = find_system_program(kChecker); kernel.command.empty() && other)
      kernel.command = {other->string()};
  }
  kernel.files = files_of_command(kernel.command);
  if (!kernel.command.empty()) {
    auto hash = sha256_of_file(kernel.command.front());
    if (!hash) return tl::unexpected(hash.error().to_error(kernel.command.front()));
    kernel.sha256 = std::move(*hash);
  }
  return kernel;
}

ReplayEnd end_of_replay(const RunResult& run, Panic panic) {
  if (run.timed_out) return ReplayEnd::Failed;
  if (run.exit_code == 0) return ReplayEnd::Accepted;
  constexpr int kPanic = 101;
  if (run.exit_code != 1 && (run.exit_code != kPanic || panic == Panic::Fails)) return ReplayEnd::Failed;
  // Lean's messages when it could not check. Its programs exit with 1 then, too.
  constexpr auto kGaveUp = std::to_array<std::string_view>(
      {"INTERNAL PANIC", "out of memory", "deterministic timeout", "deep recursion", "excessive memory",
       "(kernel) interrupted", "Stack overflow"});
  const auto is_said = [&](std::string_view words) {
    return run.errors.find(words) != std::string::npos || run.output.find(words) != std::string::npos;
  };
  return std::ranges::any_of(kGaveUp, is_said) ? ReplayEnd::Failed : ReplayEnd::Rejected;
}

KernelAdvice how_to_replay(std::string_view version, const Kernel& kernel) {
  const std::string release = "v" + std::string(version);
  if (kernel.untrusted) {
    const std::string path = text::shell_word(kernel.untrusted->string());
    return {"Make sure that nobody has replaced " + path +
                "; a baseline that is recorded once it is built vouches for it.",
            "--kernel " + path};
  }
  if (lean::ships_leanchecker(version))
    return {
        "Install the release, which has the leanchecker that this toolchain lacks: elan toolchain install "
        "leanprover/lean4:" +
            release,
        "--kernel ~/.elan/toolchains/leanprover--lean4---" + release + "/bin/leanchecker"};
  return {"Build a kernel: git clone -b " + release +
              " https://github.com/leanprover/lean4checker && (cd lean4checker && lake build)",
          "--kernel lean4checker/.lake/build/bin/lean4checker"};
}

namespace {

using Input = ExportKernel::Input;

struct ListedKernel {
  const char* name;
  const char* program;  ///< in the toolchain's bin
  std::vector<std::string> arguments;
  Input input = Input::Export;
  Panic panic = Panic::Rejects;
};

constexpr const char* kNanoda = "nanoda";

/// Called as in `lake check --paranoid`, for the kernels that releases have contained since 4.35 (Lean's
/// src/lake/Lake/CLI/Check.lean).
const std::vector<ListedKernel>& listed_kernels() {
  static const std::vector<ListedKernel> kKnown = {
      {"leanchecker-paranoid",
       "leanchecker-paranoid",
       {"--silent", "--from-export"},
       Input::Export,
       Panic::Fails},
      {"lean4lean", "lean4lean", {"--import"}, Input::Export, Panic::Fails},
      {kNanoda, "nanoda_bin", {}, Input::NanodaConfig},
      {"con-leche", "con-leche", {}},
      {"con-ron", "con-ron", {}},
  };
  return kKnown;
}

/// A program that the user has installed: in a folder of the system, or on PATH outside of the untrusted
/// folders, even after following links.
std::optional<fs::path> find_own_program(const std::string& name, const ExportKernelPlaces& places) {
  if (auto found = find_system_program(name)) return found;
  std::string_view rest = places.path;
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const fs::path folder(rest.substr(0, colon));
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    std::error_code error;
    const fs::path real = fs::canonical(folder / name, error);
    if (!folder.is_absolute() || error || !is_program(real)) continue;
    const bool is_untrusted = std::ranges::any_of(places.untrusted, [&](const fs::path& untrusted) {
      const fs::path where = fs::weakly_canonical(untrusted, error);
      return lean::is_within(folder, where) || lean::is_within(fs::weakly_canonical(folder, error), where) ||
             lean::is_within(real, where);
    });
    if (!is_untrusted) return real;
  }
  return std::nullopt;
}

Result<ExportKernel> complete(ExportKernel kernel) {
  kernel.files = files_of_command(kernel.command);
  auto hash = sha256_of_file(kernel.command.front());
  if (!hash) return tl::unexpected(hash.error().to_error(kernel.command.front()));
  kernel.sha256 = std::move(*hash);
  return kernel;
}

/// Reads a command. It gets the export as its last argument or, if its program is a nanoda, a configuration.
Result<ExportKernel> kernel_of_command(const std::string& words, const fs::path& sysroot) {
  ExportKernel kernel;
  TRY(kernel.command, read_command(words, sysroot, "--kernels"));
  kernel.name = fs::path(kernel.command.front()).filename().string();
  if (kernel.name.find(kNanoda) != std::string::npos) kernel.input = Input::NanodaConfig;
  return complete(std::move(kernel));
}

}  // namespace

Result<KernelSelection> KernelSelection::from(const std::vector<std::string>& words) {
  KernelSelection selection;
  for (const std::string& word : words) {
    std::size_t count = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
    if (word == "all")
      selection.all = true;
    else if (error == std::errc() && end == word.data() + word.size())
      selection.first = count;
    else
      selection.named.push_back(word);
  }
  const int kinds = int{selection.all} + int{selection.first.has_value()} + int{!selection.named.empty()};
  if (kinds > 1 || selection.first == 0)
    return fail(ErrorKind::InvalidArgument, "--kernels takes all, a number from 1, or names.",
                "Pass one of them, such as --kernels all or --kernels nanoda,lean4lean.");
  return selection;
}

Result<std::vector<ExportKernel>> find_export_kernels(const ExportKernelPlaces& places) {
  std::vector<ExportKernel> found;
  std::vector<std::string> named = places.selection.named;
  for (const ListedKernel& known : listed_kernels()) {
    const auto asked = std::ranges::find(named, known.name);
    if (!places.selection.named.empty()) {
      if (asked == named.end()) continue;
      named.erase(asked);
    }
    ExportKernel kernel{known.name, {}, known.input, known.panic, true, {}, {}};
    std::optional<fs::path> program = places.sysroot / "bin" / known.program;
    if (!is_program(*program)) {
      kernel.is_of_toolchain = false;
      program =
          known.name == std::string_view(kNanoda) ? find_own_program(known.program, places) : std::nullopt;
    }
    if (!program) {
      if (places.selection.named.empty()) continue;
      return fail(ErrorKind::InvalidArgument, "The kernel " + std::string(known.name) + " was not found.",
                  "Releases of Lean have it since 4.35; or pass a command that reads an export.");
    }
    kernel.command = {program->string()};
    kernel.command.insert(kernel.command.end(), known.arguments.begin(), known.arguments.end());
    TRY(kernel, complete(std::move(kernel)));
    found.push_back(std::move(kernel));
  }
  for (const std::string& words : named) {
    TRY(ExportKernel kernel, kernel_of_command(words, places.sysroot));
    found.push_back(std::move(kernel));
  }
  return found;
}

std::string nanoda_config(const fs::path& file, const std::vector<std::string>& axioms) {
  return nlohmann::json{
      {"export_file_path", file.string()},    {"use_stdin", false},    {"permitted_axioms", axioms},
      {"unpermitted_axiom_hard_error", true}, {"nat_extension", true}, {"string_extension", true},
      {"print_success_message", false},       {"num_threads", 2}}
      .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace leanbridge::certify
