#include "certify.hpp"
#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/base/try.hpp"
#include "export_closure.hpp"
#include "export_run.hpp"
#include "inputs.hpp"
#include <fcntl.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

namespace leanbridge::certify {

namespace fs = std::filesystem;

namespace {

struct Prepared {
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
Result<Prepared> prepare(const fs::path& file, const fs::path& folder, const ExportKernelPlaces& places) {
  std::error_code ignored;
  fs::create_directory(folder, ignored);
  Prepared prepared;
  TRY(prepared.sha256, copy_hashed(file, folder / kExportName));
  TRY(prepared.kernels, find_export_kernels(places));
  if (places.selection.first && prepared.kernels.size() > *places.selection.first)
    prepared.kernels.resize(*places.selection.first);
  return prepared;
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
  CO_TRY(const Prepared prepared, co_await pool.run(work, scope));
  StoredExport checked{prepared.sha256, {}};
  for (const ExportKernel& kernel : prepared.kernels) {
    job.request.on_step("asking " + kernel.name);
    KernelResult result = result_of(kernel.name, kernel.command.front(), kernel.sha256, sysroot / "bin", "");
    const std::string number = std::to_string(checked.kernels.size());
    CO_TRY(const Answer answer,
           co_await run_on_export(runner, pool, kernel, folder / "export", folder / "work" / number,
                                  job.request.allowed_axioms, scope));
    note(result, answer);
    checked.kernels.push_back(std::move(result));
  }
  co_return checked;
}

}  // namespace leanbridge::certify
