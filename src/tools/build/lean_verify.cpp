// lean_verify: what a theorem rests on, from what Lean compiled, and what in its file deserves a look.

#include "leanbridge/document/file.hpp"
#include "leanbridge/lean/axioms.hpp"
#include "leanbridge/text/lean_declarations.hpp"
#include "leanbridge/text/trust_scan.hpp"

#include "tools/common/hidden_sorries.hpp"

#include <algorithm>

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

constexpr std::size_t kNamesShown = 20;

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

// Up to the end of the declaration, where that can stand alone: an error below it is none of its own.
std::string beginning_with(const std::string& source, const text::NamedDeclaration& declaration) {
  const std::string cut = source.substr(0, declaration.site.end);
  const auto mutual = cut.rfind("mutual");
  return mutual != std::string::npos && cut.find("\nend", mutual) == std::string::npos ? source : cut;
}

// What is not known of it, or is not as it should be; empty: it is a theorem, or another safe constant.
std::string objection(const index::Foundation& foundation) {
  if (foundation.is_unsafe) return foundation.name + " is unsafe: the kernel has not checked it.";
  if (foundation.is_partial) return foundation.name + " is partial: it need not end.";
  if (!foundation.without_proof.empty())
    return "What " + foundation.without_proof.front() +
           (foundation.without_proof.size() > 1
                ? " and " + std::to_string(foundation.without_proof.size() - 1) + " others rest"
                : " rests") +
           " on is not known: this library was installed without its proofs.";
  return {};
}

json answer_of(const index::Foundation& foundation) {
  const std::string_view trust = lean::trust_of(foundation.axioms);
  const bool sorry = trust == "incomplete";
  json result = {{"theorem_name", foundation.name},
                 {"kind", foundation.kind},
                 {"statement", foundation.statement},
                 {"axioms", foundation.axioms},
                 {"non_standard_axioms", non_standard(foundation.axioms)},
                 {"uses_sorry", sorry},
                 {"trust", trust},
                 {"trusted", trust == "standard" && foundation.kind != "axiom"},
                 {"kernel_replayed", false}};
  if (const std::string why = objection(foundation); !why.empty()) {
    result["trusted"] = false;
    result["reason"] = why;
    // What is not in the list may be in what is not known.
    if (!foundation.without_proof.empty()) {
      if (trust == "standard") result["trust"] = nullptr;
      json names = json::array();
      for (const std::string& name : foundation.without_proof)
        if (names.size() < kNamesShown) names.push_back(name);
      result["without_proof"] = std::move(names);
    }
  }
  return result;
}

json no_answer(const std::string& name, const CompiledModule& module, bool timed_out) {
  json result = {{"theorem_name", name},    {"axioms", nullptr}, {"uses_sorry", nullptr},
                 {"trust", nullptr},        {"trusted", false},  {"kernel_replayed", false},
                 {"reason", module.why_not}};
  if (timed_out) {
    result["partial"] = true;
    result["reason"] = "Compiling was not done by the call's deadline; pass a longer timeout_s.";
  }
  return result;
}

Answer answer_verify(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments arguments) {
  std::string name = arguments.string("theorem_name");
  if (name.starts_with("_root_.")) name.erase(0, std::string_view("_root_.").size());
  if (!text::is_lean_name(name))
    co_return fail(ErrorKind::InvalidArgument, "theorem_name is not the name of a declaration.",
                   "Pass the full name with its namespaces, like Nat.add_comm.");
  const auto location = environment.workspace.locate(arguments.string("file_path"));
  if (!location) co_return tl::unexpected(location.error());
  const std::string file_name = location->path.lexically_relative(location->project->root()).string();
  const auto load = [path = location->path, file_name] { return document::load_file(path, file_name, {}); };
  const auto file = co_await environment.pool.run(load, call->scope);
  if (!file) co_return tl::unexpected(file.error());
  const std::string source = file->text->str();
  // One that several declarations can mean is refused; one that the text does not show may come from a macro
  // or an import.
  auto written = text::find_declarations(source, name);
  if (written.size() > 1 && written.front().full_name != name) {
    const auto declaration = declaration_named(*file->text, name, file_name);
    co_return tl::unexpected(declaration.error());
  }
  if (written.size() == 1) name = written.front().full_name;

  call->progress = [file_name]() -> std::optional<mcp::Progress> {
    return mcp::Progress{0, 0, "compiling " + file_name};
  };
  const std::string beginning = written.size() == 1 ? beginning_with(source, written.front()) : source;
  auto module =
      co_await compile_module(environment, location->project, location->path, beginning, name, call->scope);
  if (module && !module->foundation && beginning != source)
    module =
        co_await compile_module(environment, location->project, location->path, source, name, call->scope);
  call->progress = {};
  if (!module) co_return tl::unexpected(module.error());
  if (module->why_not.empty() && !module->foundation)
    co_return fail(ErrorKind::InvalidArgument, "There is no " + name + " at the end of " + file_name + ".",
                   "Pass the full name with its namespaces; a theorem that does not elaborate has none.");
  std::optional<std::string> unchecked;
  if (module->foundation) {
    const auto found =
        co_await find_unchecked(environment, {location->project, location->path, source}, call->scope);
    if (!found && found.error().kind != ErrorKind::Timeout) co_return tl::unexpected(found.error());
    if (!found) module->foundation.reset();
    if (found) unchecked = *found;
  }
  const bool timed_out = !module->foundation && io::Clock::now() >= call->scope.deadline;
  json result = module->foundation ? answer_of(*module->foundation) : no_answer(name, *module, timed_out);
  if (unchecked) {
    result["trusted"] = false;
    if (result["trust"] == "standard") result["trust"] = nullptr;
    result["reason"] = unchecked_reason(*unchecked);
  }
  result["warnings"] = arguments.boolean("scan_source", true) ? scan(source) : json::array();
  result["timed_out"] = timed_out;
  co_return result;
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
      "Compiles a theorem and lists the axioms of its kernel term. trusted: safe, and only the three "
      "standard axioms; null (see reason) proves nothing. Statements are not compared, and a file's programs "
      "can "
      "cheat.";
  tool.arguments = {file_argument(),
                    Argument::required_("theorem_name", ArgumentType::String, "With its namespaces"),
                    Argument::optional_("scan_source", ArgumentType::Boolean, "Default true")};
  tool.output = {{"axioms", schema::nullable(schema::list({}))},
                 {"warnings", schema::list({})},
                 {"uses_sorry", schema::nullable(schema::boolean())},
                 {"trusted", schema::boolean()},
                 {"timed_out", schema::boolean()}};
  tool.always = {"axioms", "warnings", "trusted", "timed_out"};
  tool.handler = bind_handler(environment, answer_verify);
  return tool;
}

}  // namespace leanbridge::tools
