#include "survey.hpp"

#include "core/base/try.hpp"
#include "core/document/file.hpp"
#include "core/lean/project.hpp"
#include "core/lean/sorries.hpp"
#include "core/lean/source_folders.hpp"
#include "core/text/lean_header.hpp"
#include "core/text/lines.hpp"
#include "core/text/missing_proofs.hpp"
#include "core/text/signature.hpp"
#include "core/text/untrusted.hpp"

#include <algorithm>

namespace leanbridge::together {

namespace fs = std::filesystem;
using olean::Ref;

namespace {

// The names that the words of a declaration may mean in its namespaces.
std::set<std::string> possible_uses(std::string_view source, const std::string& name) {
  std::set<std::string> uses;
  text::LeanLexer lexer(source);
  while (const auto token = lexer.next()) {
    if (token->kind != text::LeanTokenKind::Word) continue;
    const std::string word(source.substr(token->begin, token->end - token->begin));
    uses.insert(word);
    for (auto scope = text::namespace_of(name); !scope.empty(); scope = text::namespace_of(scope))
      uses.insert(std::string(scope) + "." + word);
  }
  uses.erase(name);
  return uses;
}

void take_compiled(SurveyedFile& file) {
  const auto bytes = olean::ModuleBytes::map(file.olean);
  const auto compiled = bytes ? compiled_uses(*bytes) : tl::unexpected(bytes.error());
  if (!compiled) return file.olean.clear();
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < file.declarations.size(); ++i) {
    Declared& each = file.declarations[i];
    each.uses.clear();
    if (!each.name.empty()) places.emplace(each.name, i);
    // An example leaves nothing behind; of another, a macro may have made something else.
    each.state =
        each.name.empty() && !each.has_sorry_word ? ide::ProofState::Proved : ide::ProofState::Unknown;
  }
  for (const auto& [name, constant] : *compiled) {
    // Constants that Lean generates, and those behind `where`, have their declaration's name as a prefix.
    std::string prefix = name;
    while (!places.contains(prefix) && !prefix.empty()) prefix.resize(text::namespace_of(prefix).size());
    const bool uses_sorry = constant.uses.contains(std::string(text::kSorryAxiom));
    if (prefix.empty() && !uses_sorry) continue;
    if (prefix.empty())  // a macro's
      file.declarations.push_back({name, file.name, static_cast<int>(constant.line), ""});
    Declared& owner = prefix.empty() ? file.declarations.back() : file.declarations[places[prefix]];
    owner.uses.insert(constant.uses.begin(), constant.uses.end());
    if (uses_sorry || owner.state == ide::ProofState::Unknown)
      owner.state = uses_sorry ? ide::ProofState::Sorry : ide::ProofState::Proved;
  }
}

// Of what decides how all files are compiled.
std::int64_t configured_at(const fs::path& root) {
  std::int64_t latest = 0;
  for (const char* name : {"lakefile.lean", "lakefile.toml", "lean-toolchain"})
    latest = std::max(latest, lean::identify(root / name).modified_ns);
  return latest;
}

}  // namespace

Result<std::map<std::string, CompiledUses>> compiled_uses(const olean::ModuleBytes& bytes) {
  TRY(auto region, olean::Region::open(bytes.parts()));
  olean::SetModule module(bytes, std::move(region));
  olean::Region& objects = module.region;
  std::map<std::string, CompiledUses> all;
  const olean::ExtensionFacts facts = facts_of_parts(module);
  const olean::Object data = objects.constructor(objects.root(objects.parts() - 1));
  const olean::Object infos = objects.array(objects.field(data, 2));
  for (std::size_t i = 0; i < infos.count; ++i) {
    const olean::ConstantInfo info = olean::read_constant_info(objects, objects.field(infos, i));
    CompiledUses& constant = all[module.names.at(info.name).text];
    std::vector<Ref> terms = {info.type};
    if (info.value) terms.push_back(*info.value);
    for_each_mention(module, std::move(terms),
                     [&](Ref name) { constant.uses.insert(module.names.at(name).text); });
  }
  for (const auto& [name, place] : facts.places)
    if (const auto found = all.find(module.names.at(name).text); found != all.end())
      found->second.line = place.line;
  if (!objects.damage().empty())
    return fail(ErrorKind::Internal, "A compiled module is damaged: " + objects.damage() + ".",
                "Call lean_build.");
  return all;
}

std::vector<Declared> declared_in(const std::string& source, const std::string& file) {
  const text::Text text(source);
  const std::vector<std::size_t> sorries = lean::sorry_words(source);
  const auto sites = text::named_declarations(source);
  std::vector<Declared> all;
  for (const ide::Symbol& symbol : ide::symbols_in(text)) {
    const text::DeclarationSite& site = sites[all.size()].site;
    Declared one{symbol.name, file, text.position_at(site.keyword_offset).line, ""};
    const std::size_t end = std::min(text::signature_of(source, site).end, symbol.end);
    if (symbol.name_at < end)
      one.statement = text::cleaned_line(source.substr(symbol.name_at, end - symbol.name_at));
    const auto blanks = [](char a, char b) { return a == ' ' && b == ' '; };
    one.statement.erase(std::ranges::unique(one.statement, blanks).begin(), one.statement.end());
    const auto sorry = std::ranges::lower_bound(sorries, symbol.start);
    one.has_sorry_word = sorry != sorries.end() && *sorry < symbol.end;
    one.uses =
        possible_uses(std::string_view(source).substr(symbol.start, symbol.end - symbol.start), one.name);
    all.push_back(std::move(one));
  }
  return all;
}

void take_words(SurveyedFile& file, std::string why) {
  file.unread = std::move(why);
  for (Declared& each : file.declarations)
    each.state = each.has_sorry_word ? ide::ProofState::Unknown : ide::ProofState::Proved;
}

std::vector<SurveyedFile> survey(const fs::path& root) {
  const lean::OwnFiles own(root);
  const auto folders = lean::source_folders(root, lean::Lakefiles::in(root));
  const fs::path built = lean::product_folders(root).modules;
  const std::int64_t configured_ns = configured_at(root);
  lean::ImportWatch watch(root);
  std::vector<SurveyedFile> files;
  for (const std::string& name : lean::lean_files_below(root, kMaxFiles)) {
    if (!own.has(root / name)) continue;
    SurveyedFile& file = files.emplace_back(SurveyedFile{root / name, name});
    const auto bytes = document::load_bytes(file.path, name);
    if (!bytes) {
      file.unread = bytes.error().message;
      continue;
    }
    const std::string source = text::normalise_newlines(*bytes).text;
    file.declarations = declared_in(source, name);
    std::int64_t latest = std::max(configured_ns, lean::identify(file.path).modified_ns);
    for (const auto& [path, identity] : watch.state_of(text::parse_lean_header(source).imported_modules()))
      latest = std::max(latest, identity.modified_ns);
    for (const fs::path& folder : folders ? folders->folders : std::vector{root})
      if (lean::is_within(file.path, folder) && file.olean.empty())
        file.olean = olean::find_olean(text::module_of_path(file.path.lexically_relative(folder)), {built})
                         .value_or(fs::path());
    if (lean::identify(file.olean).modified_ns < latest) file.olean.clear();
    if (!file.olean.empty()) take_compiled(file);
  }
  return files;
}

}  // namespace leanbridge::together
