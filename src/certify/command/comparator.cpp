#include "comparator.hpp"

#include "certify/command/certify_options.hpp"
#include "core/base/files.hpp"
#include "core/base/json.hpp"
#include "core/base/try.hpp"
#include "core/lean/project.hpp"
#include "core/text/lean_names.hpp"
#include "requests.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::app {

namespace fs = std::filesystem;

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
  if (!given.git.empty() || given.files.size() != 1 || !given.files.front().ends_with(".json")) {
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
  TRY(given.permitted_axioms, configuration.words("permitted_axioms"));
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
