#pragma once
/// Kernels that read an export, and which of all kernels are asked. Private to this module.

#include "core/base/error.hpp"
#include "kernel.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

/// The words of --kernels. Without any, all kernels that are found are asked, and one acceptance is enough.
struct KernelSelection {
  bool all = false;                  ///< all that are found
  std::optional<std::size_t> first;  ///< so many of them
  std::vector<std::string> named;    ///< by their names, or as commands

  bool is_given() const { return all || first || !named.empty(); }

  /// InvalidArgument: the words do not go together.
  static Result<KernelSelection> from(const std::vector<std::string>& words);
};

struct ExportKernel {
  std::string name;
  std::vector<std::string> command;  ///< without the file that it reads
  enum class Input {
    Export,
    NanodaConfig,  ///< a JSON file that names the export
  } input = Input::Export;
  Panic panic = Panic::Rejects;
  bool is_of_toolchain = false;
  std::string sha256;  ///< of its program
  /// None may change while something untrusted runs; their folders are readable in the sandbox.
  std::vector<std::filesystem::path> files;
};

/// Where they are looked for.
struct ExportKernelPlaces {
  KernelSelection selection;
  std::filesystem::path sysroot;
  std::string path;  ///< the user's PATH, for nanoda; may be empty
  /// Programs in these folders are never found by PATH: whoever is judged can write there.
  std::vector<std::filesystem::path> untrusted;
};

/// Finds the kernels of the toolchain, and nanoda. With names, just the named ones. InvalidArgument: a
/// command names no program. Blocking.
Result<std::vector<ExportKernel>> find_export_kernels(const ExportKernelPlaces& places);

/// nanoda's configuration as JSON.
std::string nanoda_config(const std::filesystem::path& file, const std::vector<std::string>& axioms);

}  // namespace leanbridge::certify
