#include "export_kernels.hpp"

#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/base/try.hpp"
#include "core/lean/project.hpp"
#include "sandbox.hpp"
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace leanbridge::certify {

namespace fs = std::filesystem;

namespace {

using Input = ExportKernel::Input;

struct KnownKernel {
  const char* name;
  const char* program;  ///< in the toolchain's bin
  std::vector<std::string> arguments;
  Input input = Input::Export;
  Panic panic = Panic::Rejects;
};

constexpr const char* kNanoda = "nanoda";

/// Called as in `lake check --paranoid`, for the kernels that releases have contained since 4.35 (Lean's
/// src/lake/Lake/CLI/Check.lean).
const std::vector<KnownKernel>& known_kernels() {
  static const std::vector<KnownKernel> kKnown = {
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
    const bool is_untrusted =
        std::any_of(places.untrusted.begin(), places.untrusted.end(), [&](const fs::path& untrusted) {
          const fs::path where = fs::weakly_canonical(untrusted, error);
          return lean::is_within(folder, where) ||
                 lean::is_within(fs::weakly_canonical(folder, error), where) || lean::is_within(real, where);
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
  for (const KnownKernel& known : known_kernels()) {
    const auto asked = std::find(named.begin(), named.end(), known.name);
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
