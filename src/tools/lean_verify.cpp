// lean_verify: what a theorem rests on, from Lean, and what in its file deserves a look, from the text.

#include "leanbridge/lean/axioms.hpp"
#include "leanbridge/text/trust_scan.hpp"

#include "trial.hpp"

#include <algorithm>

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

// A file that does not end its last command cannot swallow these: a keyword begins a new one. One that does
// not end a comment can, and then there is no answer.
std::string with_question(std::string text, const std::string& name) {
  return std::move(text) + "\n\n#check @_root_." + name + "\n#print axioms _root_." + name + "\n";
}

struct Axioms {
  std::optional<std::vector<std::string>> names;  ///< nullopt: Lean did not tell
  std::string why_not;
  bool refused_in_module = false;
  bool unknown_name = false;
};

// Only what Lean says at our own two lines counts: the file itself can print anything.
Axioms axioms_in(const Trial& trial) {
  Axioms axioms;
  if (!trial.complete)
    axioms.why_not = "Lean did not get through the file in time.";
  else if (trial.header_failed)
    axioms.why_not = "Lean cannot load the file's imports.";
  else
    axioms.why_not = "Lean gave no list of axioms; is the end of the file inside a comment?";
  const int print_line = trial.text.line_count();
  for (const lean::Diagnostic& diagnostic : trial.diagnostics) {
    const int line = trial.text.position_at(diagnostic.range.start).line;
    const std::string& message = diagnostic.message;
    const bool is_error = diagnostic.severity == lean::Severity::Error;
    if (line == print_line - 1 && is_error) axioms.unknown_name = true;
    if (line != print_line || !is_shown(diagnostic)) continue;
    if (is_error) {
      axioms.why_not = message;
      axioms.refused_in_module = message.find("`module`") != std::string::npos;
    } else if (auto names = lean::read_axioms(message)) {
      axioms.names = std::move(names);
    }
  }
  return axioms;
}

// `A/B c.lean` -> `A.«B c»`, by the path below the project root. Empty for one that no module name can have:
// a file name may hold anything, a command for Lean too.
std::string module_of(const std::string& relative_path) {
  std::string module;
  // A range-for would not keep the path alive that replace_extension() is a reference to.
  const std::filesystem::path path = std::filesystem::path(relative_path).replace_extension();
  for (const auto& part : path) {
    const std::string word = part.string();
    const bool plain = text::is_lean_name(word) && word.find('.') == std::string::npos;
    const std::string name = plain ? word : "«" + word + "»";
    if (!text::is_lean_name(name)) return {};
    module += (module.empty() ? "" : ".") + name;
  }
  return module;
}

// Lean's warning stands at the name of the declaration.
bool warned_of_sorry(const Trial& trial, const std::string& name) {
  return std::any_of(trial.diagnostics.begin(), trial.diagnostics.end(),
                     [&](const lean::Diagnostic& diagnostic) {
                       if (!is_sorry(diagnostic)) return false;
                       const std::size_t begin = trial.text.offset_at(diagnostic.range.start);
                       const std::size_t end = trial.text.offset_at(diagnostic.range.end);
                       const std::string written = trial.text.str().substr(begin, end - begin);
                       return name == written || name.ends_with("." + written);
                     });
}

json non_standard(const std::vector<std::string>& axioms) {
  json names = json::array();
  for (const std::string& axiom : axioms)
    if (!lean::is_standard_axiom(axiom)) names.push_back(axiom);
  return names;
}

json scan(const std::string& text) {
  json warnings = json::array();
  for (const text::TrustFinding& finding : text::scan_for_trust(text)) {
    if (warnings.size() == kMaxItems) break;
    warnings.push_back({{"line", finding.line}, {"pattern", finding.pattern}});
  }
  return warnings;
}

Answer answer_verify(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments arguments) {
  std::string name = arguments.string("theorem_name");
  if (name.starts_with("_root_.")) name.erase(0, std::string_view("_root_.").size());
  if (!text::is_lean_name(name))
    co_return fail(ErrorKind::InvalidArgument, "theorem_name is not the name of a declaration.",
                   "Pass the full name with its namespaces, like Nat.add_comm.");
  const auto file = co_await open_file(environment, call, arguments);
  if (!file) co_return tl::unexpected(file.error());
  const std::string source = file->text().str();
  const auto trial = co_await try_text(call, *file, with_question(source, name), call->scope);
  if (!trial) co_return tl::unexpected(trial.error());
  Axioms axioms = axioms_in(*trial);
  if (axioms.unknown_name)
    co_return fail(ErrorKind::InvalidArgument,
                   "There is no " + name + " at the end of " + file->document().name + ".",
                   "Pass the full name with its namespaces; a theorem that does not elaborate has none.");
  const std::string module = module_of(file->document().name);
  if (axioms.refused_in_module && !module.empty()) {
    const std::string importing = with_question("import " + module, name);
    const auto second = co_await try_text(call, *file, importing, call->scope);
    if (second && axioms_in(*second).names) axioms = axioms_in(*second);
  }

  json result = {{"axioms", nullptr}, {"uses_sorry", nullptr}, {"trusted", false}, {"trust", nullptr}};
  if (axioms.names) {
    result["axioms"] = *axioms.names;
    result["trust"] = lean::trust_of(*axioms.names);
    result["trusted"] = result["trust"] == "standard";
    result["uses_sorry"] = result["trust"] == "incomplete";
    result["non_standard_axioms"] = non_standard(*axioms.names);
  } else {
    result["reason"] = axioms.why_not;
    if (warned_of_sorry(*trial, name)) {
      result["uses_sorry"] = true;
      result["trust"] = "incomplete";
    }
  }
  result["warnings"] = arguments.boolean("scan_source", true) ? scan(source) : json::array();
  co_return finish_trial(std::move(result), *trial);
}

}  // namespace

mcp::Tool lean_verify(Environment& environment) {
  using mcp::Argument;
  using mcp::ArgumentType;
  mcp::Tool tool;
  tool.name = "lean_verify";
  tool.title = "Axioms of a theorem";
  tool.group = "build";
  tool.description =
      "The axioms that a theorem rests on, and words in its file that can defeat trust. trusted: only the "
      "three "
      "standard axioms; axioms null (see reason) proves nothing.";
  tool.arguments = {file_argument(),
                    Argument::required_("theorem_name", ArgumentType::String, "With its namespaces"),
                    Argument::optional_("scan_source", ArgumentType::Boolean, "Default true")};
  answers_from_trial(tool,
                     {{"axioms", schema::nullable(schema::list({}))},
                      {"warnings", schema::list({})},
                      {"uses_sorry", schema::nullable(schema::boolean())},
                      {"trusted", schema::boolean()}},
                     {"axioms", "warnings", "trusted"});
  tool.handler = handled_by(environment, answer_verify);
  return tool;
}

}  // namespace leanbridge::tools
