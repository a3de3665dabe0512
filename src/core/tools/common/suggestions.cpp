#include "suggestions.hpp"

#include "core/base/json.hpp"
#include "core/base/similar.hpp"
#include "core/ide/open_file.hpp"
#include "core/lean/advice.hpp"
#include "core/lean/project.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/lean_names.hpp"
#include "core/text/silencers.hpp"
#include "core/text/text.hpp"

#include <algorithm>
#include <map>

namespace leanbridge::tools {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr auto kSuggestionWait = std::chrono::seconds(1);
constexpr std::size_t kMaxSuggestions = 3;
constexpr std::size_t kMaxNamesPerAnswer = 3;  // the number of unknown names to look up
constexpr std::size_t kMaxSuggestedFiles = 5000;

// The path as files of the project are named: relative, with `A.B` read as the module that is probably meant.
std::string path_in(const fs::path& root, const std::string& given) {
  fs::path path = given;
  if (path.is_absolute()) path = path.lexically_relative(root);
  std::string name = path.lexically_normal().string();
  if (path.extension() == ".lean") return name;
  if (const auto module = text::path_of_module(name)) name = module->string();
  return name + ".lean";
}

asio::awaitable<std::vector<std::string>> files_like(Environment& environment, fs::path root,
                                                     std::string given, io::CancelScope scope) {
  const auto look = [root, given]() -> Result<std::vector<std::string>> {
    const std::vector<std::string> files = lean::lean_files_below(root, kMaxSuggestedFiles);
    const std::string path = path_in(root, given);
    if (path != given && std::ranges::binary_search(files, path)) return std::vector{path};
    return closest_names(path, files, kMaxSuggestions, '/');
  };
  const auto found = co_await environment.pool.run(look, scope.with_timeout(kSuggestionWait));
  co_return found ? *found : std::vector<std::string>();
}

// The project of the call's file, or else the current one; null: there is none.
std::shared_ptr<document::DocumentStore> project_in_question(Environment& environment,
                                                             const json& arguments) {
  if (const std::string file = text_member(arguments, "file_path"); !file.empty())
    if (const auto location = environment.workspace.locate(file)) return location->project;
  const auto project = environment.workspace.project("");
  return project ? *project : nullptr;
}

// Full names of the declarations in the call's file, as far as Lean has its text.
std::vector<std::string> names_in_file(Environment& environment, const json& arguments) {
  const std::string file = text_member(arguments, "file_path");
  if (file.empty()) return {};
  const auto location = environment.workspace.locate(file);
  const auto document = location ? location->project->find(location->path) : nullptr;
  return document ? text::names_declared_in(document->state.text().str()) : std::vector<std::string>();
}

// Known declarations that resemble a name. Short names such as `h` and `foo` are hypotheses and variables;
// theorems of a library have longer names.
asio::awaitable<std::vector<KnownName>> matches_of(Environment& environment, fs::path project,
                                                   std::string name, io::CancelScope scope) {
  if (!environment.names || name.find_first_of("._") == std::string::npos) co_return std::vector<KnownName>();
  co_return co_await environment.names->names_like(std::move(project), std::move(name),
                                                   scope.with_timeout(kSuggestionWait));
}

std::vector<std::string> closest_of(const std::string& name, std::vector<std::string> own,
                                    const std::vector<KnownName>& matches) {
  for (const KnownName& found : matches) own.push_back(found.name);
  return closest_names(name, own, kMaxSuggestions);
}

asio::awaitable<std::string> suggestion_for(Environment& environment, json arguments, std::string name,
                                            io::CancelScope scope) {
  const auto project = project_in_question(environment, arguments);
  const auto matches = co_await matches_of(environment, project ? project->root() : fs::path(), name, scope);
  auto own = names_in_file(environment, arguments);
  const auto exact = std::ranges::find_if(matches, [&](const KnownName& match) {
    return match.name == name && !match.module.empty() && !match.is_private;
  });
  // The file itself declares it further below.
  if (exact != matches.end() && std::ranges::count(own, name) == 0)
    co_return "The index has it in " + exact->module + ": add `import " + exact->module +
        "`, unless the file has that.";
  co_return did_you_mean(closest_of(name, std::move(own), matches));
}

// Calls `found(message, name)` for each error without a hint in which Lean says that it does not know a name.
template <class Json, class Found>
void for_each_unknown(Json& value, Found found) {
  if (value.is_object() && text_member(value, "severity") == "error" && !value.contains("hint"))
    if (const auto name = lean::unknown_name(text_member(value, "message"))) found(value, *name);
  if (value.is_structured())
    for (auto& inner : value) for_each_unknown(inner, found);
}

std::string place_words(text::Position at) {
  return "line " + std::to_string(at.line) + ", column " + std::to_string(at.column);
}

void put_first(std::string& hint, const std::string& sentence) {
  if (!sentence.empty()) hint = hint.empty() ? sentence : sentence + " " + hint;
}

}  // namespace

asio::awaitable<std::vector<std::string>> names_like(Environment& environment, fs::path project,
                                                     std::string name, std::vector<std::string> own,
                                                     io::CancelScope scope) {
  const auto matches = co_await matches_of(environment, std::move(project), name, scope);
  co_return closest_of(name, std::move(own), matches);
}

asio::awaitable<Error> with_suggestions(Environment& environment, std::shared_ptr<mcp::Call> call,
                                        json arguments, Error error) {
  if (call->scope.cancel->cancelled()) co_return error;
  const std::string file = text_member(arguments, "file_path");
  const bool no_file = error.kind == ErrorKind::FileNotFound ||
                       (error.kind == ErrorKind::InvalidArgument && fs::path(file).extension() != ".lean");
  if (!file.empty() && no_file) {
    const auto project = project_in_question(environment, arguments);
    if (project)
      put_first(error.hint,
                did_you_mean(co_await files_like(environment, project->root(), file, call->scope)));
  } else if (const auto name = lean::unknown_name(error.message)) {
    put_first(error.hint, co_await suggestion_for(environment, std::move(arguments), *name, call->scope));
  }
  co_return error;
}

bool has_unknown_name(const json& answer) {
  bool has = false;
  for_each_unknown(answer, [&has](const json&, const std::string&) { has = true; });
  return has;
}

asio::awaitable<json> with_suggested_names(Environment& environment, std::shared_ptr<mcp::Call> call,
                                           json arguments, json answer) {
  std::map<std::string, std::string> suggestions;  // by unknown name
  for_each_unknown(answer, [&suggestions](const json&, const std::string& name) {
    if (suggestions.size() < kMaxNamesPerAnswer) suggestions.emplace(name, "");
  });
  for (auto& [name, suggestion] : suggestions)
    suggestion = co_await suggestion_for(environment, arguments, name, call->scope);
  for_each_unknown(answer, [&suggestions](json& message, const std::string& name) {
    const auto found = suggestions.find(name);
    if (found != suggestions.end() && !found->second.empty()) message["hint"] = found->second;
  });
  co_return answer;
}

namespace {

/// A declaration, and where its first tactic is.
struct PlacedProof {
  std::string of;
  std::optional<std::string> at;
};

PlacedProof proof_of(const document::DocumentState& file, const text::ProofLayout::Declaration& declaration) {
  const std::string& source = file.text().str();
  const std::size_t length = declaration.end - declaration.start;
  const auto site = text::declarations(std::string_view(source).substr(declaration.start, length)).front();
  PlacedProof proof{"the " + site.keyword, std::nullopt};
  for (const text::NamedDeclaration& each : text::named_declarations(source))
    if (declaration.start <= each.site.keyword_offset && each.site.keyword_offset < declaration.end &&
        !each.full_name.empty()) {
      proof.of = each.full_name;
      break;
    }
  const auto first =
      file.layout().first_mark(source, declaration.start, declaration.last_code.end, text::is_tactic);
  if (first) proof.at = place_words(file.text().position_at(first->begin));
  return proof;
}

}  // namespace

std::optional<std::string> where_proof_begins(const document::DocumentState& file, std::size_t offset) {
  const std::string& source = file.text().str();
  const auto exit = text::find_exit(source);
  if (exit && file.text().position_at(offset).line > *exit) return not_checked_below(*exit);
  text::ProofLayout& layout = file.layout();
  const auto here = layout.declaration_at(source, offset);
  if (here && offset <= here->last_code.end) {
    const PlacedProof proof = proof_of(file, *here);
    return proof.at ? "The proof of " + proof.of + " begins at " + *proof.at + "."
                    : "There are no tactics in " + proof.of + ": lean_term_goal shows what a term must be.";
  }

  // A command that declares nothing may have tactics; they are skipped.
  const auto proof_at = [&](const text::ProofLayout::Mark& tactic) {
    const auto declaration = layout.declaration_at(source, tactic.begin);
    return declaration ? std::optional(proof_of(file, *declaration)) : std::nullopt;
  };
  std::optional<PlacedProof> above, below;
  for (auto tactic = layout.last_mark(source, 0, offset, text::is_tactic); tactic && !above;
       tactic = layout.last_mark(source, 0, tactic->begin, text::is_tactic))
    above = proof_at(*tactic);
  for (auto tactic = layout.first_mark(source, offset, source.size(), text::is_tactic); tactic && !below;
       tactic = layout.first_mark(source, tactic->begin + 1, source.size(), text::is_tactic))
    below = proof_at(*tactic);
  if (!above) std::swap(above, below);
  if (!above) return std::nullopt;
  const std::string first = "The proof of " + above->of + " begins at " + *above->at;
  return first + (below ? ", that of " + below->of + " at " + *below->at : "") + ".";
}

}  // namespace leanbridge::tools
