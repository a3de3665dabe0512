#pragma once
/// Kernels that read an export, and the choice of kernels to ask. Private to this module.

#include "core/base/error.hpp"
#include "kernel.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

/// The words of --kernels. Without --kernels, all kernels that are found are asked, and one acceptance is
/// enough.
struct KernelSelection {
  bool all = false;                  ///< all kernels that are found
  std::optional<std::size_t> first;  ///< this many of them
  std::vector<std::string> named;    ///< by their names, or as commands

  bool is_given() const { return all || first || !named.empty(); }

  /// InvalidArgument: the words cannot be combined.
  static Result<KernelSelection> from(const std::vector<std::string>& words);
};

struct ExportKernel {
  std::string name;
  std::vector<std::string> command;  ///< without the file to read
  enum class Input {
    Export,
    NanodaConfig,  ///< a JSON file that names the export
  } input = Input::Export;
  Panic panic = Panic::Rejects;
  bool is_of_toolchain = false;
  std::string sha256;  ///< of the kernel's program
  /// These must not change while an untrusted program runs; their folders are readable in the sandbox.
  std::vector<std::filesystem::path> files;
};

/// The places to search for kernels.
struct ExportKernelPlaces {
  KernelSelection selection;
  std::filesystem::path sysroot;
  std::string path;  ///< the user's PATH, to find nanoda; may be empty
  /// Folders that the judged party can write to: programs there are never found by PATH.
  std::vector<std::filesystem::path> untrusted;
};

/// Finds the toolchain's kernels and nanoda; with names, only the named ones. InvalidArgument: a command
/// names no program. Blocking.
Result<std::vector<ExportKernel>> find_export_kernels(const ExportKernelPlaces& places);

/// nanoda's configuration as JSON.
std::string nanoda_config(const std::filesystem::path& file, const std::vector<std::string>& axioms);

}  // namespace leanbridge::certify
