#include "certify.hpp"

#include "conclude.hpp"
#include "core/base/sha256.hpp"
#include "core/base/try.hpp"
#include "core/lean/project.hpp"
#include "lake_comparator.hpp"

#include <utility>

namespace leanbridge::certify {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

asio::awaitable<Result<void>> run_steps(Job& job) {
  if (job.request.comparator) {
    CO_CHECK(co_await require_comparator(job));
  }
  CO_TRY(Inputs inputs, co_await read_inputs(job));
  CO_TRY(const Compiled compiled, co_await compile(job, inputs));
  CO_TRY(Compared compared, co_await compare(job, inputs, compiled));
  CO_CHECK(co_await conclude(job, inputs, compiled, std::move(compared)));
  if (!job.request.comparator) co_return Result<void>{};
  co_return co_await ask_comparator(job);
}

}  // namespace

asio::awaitable<Result<Certificate>> certify(Request request, io::Pool& pool, io::CancelScope scope) {
  Job job{std::move(request), pool, std::move(scope), {}};
  if (const auto done = co_await run_steps(job); !done) {
    if (done.error().kind != ErrorKind::Timeout) co_return tl::unexpected(done.error());
    decide_late(job.certificate, done.error().message);
  }
  co_return std::move(job.certificate);
}

asio::awaitable<Result<json>> record_baseline(fs::path root, std::string lake, io::Spawn spawn,
                                              io::Pool& pool, io::CancelScope scope) {
  const auto create = []() -> Result<std::shared_ptr<const TemporaryFolder>> {
    return TemporaryFolder::create();
  };
  CO_TRY(const auto temporary, co_await pool.run(create, scope));
  CO_TRY(const Toolchain toolchain,
         co_await find_toolchain(spawn, lake, lean::environment_for_lake(), temporary->path(),
                                 ToolchainChoice{root, ""}, scope));
  const auto hash = [root, toolchain]() -> Result<json> {
    Baseline baseline;
    KnownHashes known;
    TRY(baseline.programs, hashes_of_programs(toolchain.sysroot, toolchain.lean, known));
    TRY(baseline.toolchain, hashes_below(toolchain.library()));
    const std::vector<lean::Package> packages = lean::packages_of(root);
    for (const fs::path& folder : build_folders(root, packages)) {
      TRY(FileHashes found, hashes_below(folder));
      baseline.modules.merge(found);
    }
    for (const lean::Package& package : packages) {
      if (!package.is_fetched) continue;
      TRY(baseline.packages[package.name], PackageRecord::of(package));
    }
    TRY(baseline.checkers, hashes_of_checkers(root));
    return baseline.to_json();
  };
  co_return co_await pool.run(hash, scope);
}

json record_of(const Certificate& certificate) {
  json value = wire::write(certificate);
  std::string hash = sha256_of(value.dump(-1, ' ', true, json::error_handler_t::replace));
  return {{"certificate", std::move(value)}, {"sha256", std::move(hash)}};
}

}  // namespace leanbridge::certify
