#include "receipts.hpp"

#include "certify/command/certify_options.hpp"
#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/lean/axioms.hpp"
#include "core/text/word_list.hpp"
#include "requests.hpp"

#include <utility>

namespace leanbridge::app {

namespace {

constexpr std::size_t kMaxReceipt = std::size_t{64} << 20U;  // bytes

std::optional<std::string> optional_path(const std::string& file) {
  return file.empty() ? std::nullopt : std::optional(absolute_path(file).string());
}

}  // namespace

Result<certify::ReceiptQuestion> question_of(const Options& options) {
  const CertifyOptions& given = options.of<CertifyOptions>();
  certify::ReceiptQuestion question;
  if (given.git.empty())
    question.challenge = optional_path(given.files.front());
  else
    question.revision = given.git;
  question.solution = absolute_path(given.files.back()).string();
  question.project_root = optional_path(options.project_root);
  question.lake = options.lake;
  question.names = given.names;
  question.allowed_axioms = given.allowed_axioms;
  for (const std::string& axiom : given.permitted_axioms.value_or(std::vector<std::string>()))
    if (!text::contains(lean::standard_axioms(), axiom)) question.allowed_axioms.push_back(axiom);
  question.holes = given.holes;
  question.options = given.lean_options;
  question.without_replay = given.without_replay;
  question.trust_packages = given.trust_packages;
  question.kernel = given.kernel;
  question.memory_mb = given.memory_mb;
  question.baseline = optional_path(given.baseline);
  if (question.baseline) {
    auto hash = sha256_of_file(*question.baseline);
    if (!hash) return tl::unexpected(hash.error().to_error(*question.baseline));
    question.baseline_sha256 = std::move(*hash);
  }
  return question;
}

Options options_of(const certify::ReceiptQuestion& question, Options given) {
  given.project_root = question.project_root.value_or("");
  CertifyOptions& asked = given.of<CertifyOptions>();
  asked.files.clear();
  if (question.challenge) asked.files.push_back(*question.challenge);
  asked.files.push_back(question.solution);
  asked.git = question.revision.value_or("");
  asked.names = question.names;
  asked.holes = question.holes;
  return given;
}

Result<certify::Receipt> load_receipt(const std::string& file) {
  const auto text = read_regular_file(file, kMaxReceipt);
  if (!text) return tl::unexpected(text.error().to_error(file));
  return certify::read_receipt(*text, file);
}

}  // namespace leanbridge::app
