#include "upstream_files.hpp"

namespace leanbridge::app {

std::filesystem::path upstream_workspace(const Options& options) {
  std::filesystem::path workspace = options.project_root;
  if (workspace.empty()) workspace = upstream::environment_variable("CLAUDE_PROJECT_DIR").value_or("");
  std::error_code ignored;
  if (workspace.empty()) workspace = std::filesystem::current_path(ignored);
  const std::filesystem::path real = std::filesystem::canonical(workspace, ignored);
  return real.empty() ? workspace : real;
}

upstream::TrustFile trust_file() {
  return upstream::TrustFile(upstream::TrustFile::default_path());
}

upstream::Allowed read_upstreams(const Options& options) {
  return read_upstreams(options, upstream::Selection::parse(options.upstream));
}

upstream::Allowed read_upstreams(const Options& options, const upstream::Selection& selection) {
  return upstream::load_allowed(upstream_workspace(options),
                                upstream::environment_variable("HOME").value_or(""), selection, trust_file());
}

}  // namespace leanbridge::app
