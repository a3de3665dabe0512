#include "requests.hpp"

#include "certify/command/certify_options.hpp"
#include "core/base/files.hpp"
#include "core/base/json.hpp"
#include "core/base/sha256.hpp"
#include "core/base/try.hpp"
#include "core/lean/axioms.hpp"
#include "core/lean/imports.hpp"
#include "core/lean/project.hpp"
#include "core/text/lean_names.hpp"
#include "core/text/word_list.hpp"
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::app {

namespace fs = std::filesystem;

namespace {

Result<std::string> load_text(const std::string& file) {
  auto text = read_regular_file(file, lean::kMaxSourceSize);
  if (!text) return tl::unexpected(text.error().to_error(file));
  return std::move(*text);
}

/// The project of the challenge, since the solution may lie anywhere.
fs::path project_around(const Options& options, const fs::path& folder) {
  const fs::path root = options.project_root.empty() ? lean::find_project_root(folder).value_or(folder)
                                                     : absolute_path(options.project_root + "/.");
  return root.has_filename() ? root : root.parent_path();
}

/// The repositories around a folder, including the main repository of a linked working tree.
std::vector<fs::path> repositories_around(const fs::path& folder) {
  constexpr std::size_t kMaxBytes = 4096;
  constexpr std::string_view kMark = "gitdir: ";
  std::vector<fs::path> found;
  for (fs::path above = folder; above.has_relative_path(); above = above.parent_path()) {
    std::error_code ignored;
    if (!fs::exists(above / ".git", ignored)) continue;
    found.push_back(above);
    const auto link = read_regular_file((above / ".git").string(), kMaxBytes);
    if (!link || !link->starts_with(kMark)) continue;
    const std::string path = link->substr(kMark.size(), link->find_first_of("\r\n") - kMark.size());
    fs::path common = (above / path).lexically_normal();
    while (common.has_relative_path() && common.filename() != ".git") common = common.parent_path();
    if (common.has_relative_path()) found.push_back(common.parent_path());
  }
  return found;
}

/// A note if the judged party can write the approval, which then is worthless.
std::string note_on_approval(const Options& options, const fs::path& root) {
  std::error_code ignored;
  const auto real = [&](const fs::path& path) { return fs::weakly_canonical(path, ignored); };
  const fs::path file = absolute_path(options.of<CertifyOptions>().approval);
  const fs::path solution = absolute_path(options.of<CertifyOptions>().files.back());
  for (const fs::path& place : {root, solution.parent_path(), real(root), real(solution).parent_path()}) {
    std::vector<fs::path> folders = repositories_around(place);
    folders.insert(folders.begin(), place);
    for (const fs::path& folder : folders)
      if (lean::is_within(file, folder) || lean::is_within(real(file), real(folder)))
        return "the approval lies in " + folder.string() +
               ", where whoever has written the solution may have written it.";
  }
  return "";
}

/// The request for a question whose texts are still in their files, without those.
certify::Request unread_request(const Options& options, const certify::Question& question) {
  const CertifyOptions& given = options.of<CertifyOptions>();
  certify::Request request;
  static_cast<certify::Question&>(request) = question;
  request.lake = options.lake;
  request.root_is_given = !options.project_root.empty();
  if (const char* const path = std::getenv("PATH")) request.path = path;
  if (!given.export_file.empty()) request.export_file = absolute_path(given.export_file);
  return request;
}

/// The command that was given, without what `complete_with` may add.
std::vector<std::string> command_of(const Options& options) {
  const CertifyOptions& given = options.of<CertifyOptions>();
  std::vector<std::string> words = {"leanbridge", "certify"};
  const auto add_given = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  add_given("--project-root", options.project_root);
  add_given("--lake", options.lake);
  add_given("--input", given.input);
  add_given("--approval", given.approval);
  return certify::command_of(given, std::move(words), given.files);
}

/// The request for a question, with its texts. Errors: InvalidArgument, FileNotFound.
Result<certify::Request> request_for(const Options& options, const certify::Question& question) {
  certify::Request request = unread_request(options, question);
  if (request.file_path) {
    TRY(request.solution, load_text(*request.file_path));
  }
  if (request.challenge_file) {
    TRY(request.challenge, load_text(*request.challenge_file));
  }
  // The challenge's folder decides whose modules are imported.
  const std::string where =
      request.challenge_file ? *request.challenge_file : request.file_path.value_or(".");
  request.root = project_around(options, absolute_path(where).parent_path());
  if (request.challenge_revision) request.file_path = absolute_path(*request.file_path);
  request.command = command_of(options);
  return request;
}

bool is_commit(const std::string& revision) {
  return revision.size() == 40 && revision.find_first_not_of("0123456789abcdef") == std::string::npos;
}

Result<std::optional<std::string>> hash_of_question(const certify::Request& request) {
  const auto& revision = request.challenge_revision;
  if (revision && !is_commit(*revision)) return std::nullopt;
  std::string baseline;
  if (request.baseline) {
    auto hash = sha256_of_file(*request.baseline);
    if (!hash) return tl::unexpected(hash.error().to_error(*request.baseline));
    baseline = std::move(*hash);
  }
  nlohmann::json asked = {sha256_of(request.solution.value()),
                          sha256_of(request.challenge.value_or("")),
                          revision.value_or(""),
                          revision ? request.file_path.value() : "",
                          request.root.string(),
                          request.names,
                          request.all_axioms(),
                          request.options,
                          request.without_replay,
                          request.trust_packages,
                          request.kernel,
                          baseline};
  if (!request.kernels.empty()) asked.push_back(request.kernels);
  return sha256_of(asked.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

}  // namespace

Result<certify::Request> request_of(const Options& options) {
  const CertifyOptions& given = options.of<CertifyOptions>();
  const std::size_t expected = given.challenge_revision ? 1 : 2;
  if (given.files.size() != expected)
    return fail(ErrorKind::InvalidArgument,
                "certify takes " +
                    std::string(expected == 2 ? "a challenge and a solution" : "one file with --git") +
                    "; given: " + std::to_string(given.files.size()) + ".",
                "Run `leanbridge certify --help`.");
  certify::Question question = static_cast<const certify::Question&>(given);
  question.file_path = given.files.back();
  if (expected == 2) question.challenge_file = given.files.front();
  TRY(certify::Request request, request_for(options, question));
  request.comparator = given.comparator;
  request.with_page = !given.page.empty() || !given.approve.empty();
  if (!given.approval.empty() && given.approve.empty()) {
    TRY(const std::string approval, load_text(given.approval));
    TRY(request.approval, certify::read_approval(approval, given.approval));
    request.approval_note = note_on_approval(options, request.root);
  }
  return request;
}

certify::Request request_about_export(const Options& options) {
  certify::Request request = unread_request(options, options.of<CertifyOptions>());
  request.root = project_around(options, absolute_path("."));
  return request;
}

Result<PairRequest> request_of(const Options& options, const certify::Pair& pair) {
  certify::Question question = static_cast<const certify::Question&>(options.of<CertifyOptions>());
  static_cast<certify::Texts&>(question) = pair.texts;
  question.axioms = pair.allowed_axioms;
  question.options.insert(question.options.end(), pair.options.begin(), pair.options.end());
  PairRequest asked;
  TRY(asked.request, request_for(options, question));
  TRY(asked.asked_sha256, hash_of_question(asked.request));
  return asked;
}

namespace {

constexpr std::size_t kMaxReceipt = std::size_t{64} << 20U;  // bytes

std::optional<std::string> optional_path(const std::string& file) {
  return file.empty() ? std::nullopt : std::optional(absolute_path(file).string());
}

}  // namespace

Result<certify::ReceiptQuestion> question_of(const Options& options) {
  const CertifyOptions& given = options.of<CertifyOptions>();
  certify::ReceiptQuestion question;
  question.revision = given.challenge_revision;
  if (!question.revision) question.challenge = optional_path(given.files.front());
  question.solution = absolute_path(given.files.back()).string();
  question.project_root = optional_path(options.project_root);
  question.lake = options.lake;
  question.names = given.names;
  question.terms = static_cast<const certify::Terms&>(given);
  question.terms.allowed_axioms = given.more_axioms();
  if (auto& baseline = question.terms.baseline) {
    baseline = absolute_path(*baseline).string();
    auto hash = sha256_of_file(*baseline);
    if (!hash) return tl::unexpected(hash.error().to_error(*baseline));
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
  asked.challenge_revision = question.revision;
  asked.names = question.names;
  asked.holes = question.terms.holes;
  return given;
}

Result<certify::Receipt> load_receipt(const std::string& file) {
  const auto text = read_regular_file(file, kMaxReceipt);
  if (!text) return tl::unexpected(text.error().to_error(file));
  return certify::read_receipt(*text, file);
}

namespace {

constexpr std::size_t kMaxSize = std::size_t{1} << 20U;
constexpr const char* kFormat =
    "Its members are challenge_module, solution_module, theorem_names and permitted_axioms.";

/// Reads the members of a configuration.
class Configuration {
 public:
  Configuration(nlohmann::json value, std::string name) : value_(std::move(value)), name_(std::move(name)) {}

  tl::unexpected<Error> refused(const std::string& why, const char* hint = kFormat) const {
    return fail(ErrorKind::InvalidArgument, name_ + " " + why, hint);
  }
  /// The question alone, without the members that name programs.
  std::string question() const {
    nlohmann::json question;
    for (const char* member :
         {"challenge_module", "solution_module", "theorem_names", "definition_names", "permitted_axioms"})
      if (const nlohmann::json& found = leanbridge::member(value_, member); !found.is_null())
        question[member] = found;
    return question.dump();
  }
  bool has(const char* member) const {
    const nlohmann::json& found = leanbridge::member(value_, member);
    return !found.is_null() && found != false && !(found.is_structured() && found.empty());
  }
  Result<std::vector<std::string>> words(const char* member) const {
    const nlohmann::json& found = leanbridge::member(value_, member);
    std::vector<std::string> words;
    if (!found.is_array()) return refused("has no list " + std::string(member) + ".");
    for (const nlohmann::json& word : found) {
      if (!word.is_string() || word.get_ref<const std::string&>().empty())
        return refused("has something else than names in " + std::string(member) + ".");
      words.push_back(word.get<std::string>());
    }
    return words;
  }
  /// The file of a module, below the root.
  Result<std::string> file(const char* member, const fs::path& root) const {
    const nlohmann::json& found = leanbridge::member(value_, member);
    if (!found.is_string()) return refused("has no name in " + std::string(member) + ".");
    const auto& module = found.get_ref<const std::string&>();
    const auto path = text::path_of_module(module);
    const bool is_plain = path && !text::has_quotes(module) && module.find('\\') == std::string::npos;
    if (!is_plain) return refused("has no plain name of a module in " + std::string(member) + ": " + module);
    return (root / *path).string() + ".lean";
  }

 private:
  nlohmann::json value_;
  std::string name_;
};

}  // namespace

Result<Options> with_comparator(Options options) {
  CertifyOptions& given = options.of<CertifyOptions>();
  if (given.challenge_revision || given.files.size() != 1 || !given.files.front().ends_with(".json")) {
    if (given.also_comparator)
      return fail(ErrorKind::InvalidArgument, "--also-comparator needs a configuration for comparator.",
                  "Pass a comparator.json in place of two files (docs/verification.md).");
    return options;
  }
  const std::string name = given.files.front();
  const auto text = read_regular_file(name, kMaxSize);
  if (!text) return tl::unexpected(text.error().to_error(name));
  auto value = read_json(*text);
  if (!value.is_object()) return Configuration({}, name).refused("is no JSON object.");
  const Configuration configuration(std::move(value), name);
  if (given.kernels.empty() && (configuration.has("external_kernels") || configuration.has("enable_nanoda")))
    return configuration.refused("asks for further kernels.",
                                 "Programs are named on the command line only: pass --kernels.");
  const fs::path folder = absolute_path(name).parent_path();
  const fs::path root = options.project_root.empty() ? lean::find_project_root(folder).value_or(folder)
                                                     : absolute_path(options.project_root);
  TRY(std::string challenge, configuration.file("challenge_module", root));
  TRY(std::string solution, configuration.file("solution_module", root));
  TRY(std::vector<std::string> names, configuration.words("theorem_names"));
  if (names.empty()) return configuration.refused("names no theorem.");
  if (!given.names.empty()) return configuration.refused("names the theorems.", "Leave out --name.");
  TRY(given.axioms, configuration.words("permitted_axioms"));
  given.holes.emplace();  // without a list nothing is open
  if (configuration.has("definition_names")) {
    TRY(given.holes, configuration.words("definition_names"));
  }
  if (given.also_comparator) given.comparator = configuration.question();
  given.files = {std::move(challenge), std::move(solution)};
  given.names = std::move(names);
  return options;
}

}  // namespace leanbridge::app
