#include "hidden_sorries.hpp"

#include "core/base/files.hpp"
#include "core/base/try.hpp"
#include "core/lean/lakefile_settings.hpp"
#include "core/lean/project.hpp"
#include "core/text/lean_header.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/text/lines.hpp"

#include <algorithm>
#include <array>

namespace leanbridge::ide {

namespace fs = std::filesystem;

std::string unchecked_reason(const std::string& word) {
  return "The kernel may not have checked it: " + word + ".";
}

HiddenSorries::Answer HiddenSorries::about(int first_line, int last_line, bool named) const {
  if (messages_suffice) return Answer::No;
  if (!unknown.empty() || !named) return Answer::Unknown;
  for (const olean::CompiledConstant& constant : constants) {
    const auto line = static_cast<int>(constant.line);
    if (first_line <= line && line <= last_line) return Answer::Sorry;
  }
  return Answer::No;
}

std::string HiddenSorries::why_unknown() const {
  if (unchecked) return unknown;
  return "Lean may not report sorry here (" + because + "), " +
         (unknown.empty() ? "and an example leaves nothing in the compiled file to inspect."
                          : "and the compiled file could not be inspected: " + unknown);
}

namespace {

struct LakefileScan {
  text::Silencers found;
  bool asks_lake = false;  // it may set an option of a file that silences Lean
};

constexpr const char* kTomlLakefile = "lakefile.toml";
constexpr const char* kProgramLakefile = "lakefile.lean";
constexpr const char* kToolchainName = "lean-toolchain";

constexpr std::string_view kWarnSorry = "warn.sorry";

void add_option(const std::string& name, std::string_view value, int line, text::Silencers& found) {
  if (text::is_harmless_option(name, value)) return;
  const text::TrustFinding finding{line, "option " + name};
  if (!found.option) found.any = found.option = finding;
  if (!found.unchecked && text::is_unchecking_option(name)) found.unchecked = finding;
}

/// Adds an argument of Lean (not one that Lake hands to a linker).
void add_argument(const std::string& argument, int line, text::Silencers& found) {
  constexpr auto kHarmless = std::to_array<std::string_view>({"-M", "-T", "-j", "-q"});
  const bool is_harmless =
      std::ranges::any_of(kHarmless, [&](std::string_view flag) { return argument.starts_with(flag); });
  const std::size_t equals = argument.find('=');
  if (argument.starts_with("-D") && equals != std::string::npos) {
    std::string value = argument.substr(equals + 1);
    while (value.ends_with('"')) value.pop_back();
    add_option(lean::option_without_weak(argument.substr(2, equals - 2)), value, line, found);
  } else if (!is_harmless && !found.unchecked) {
    found.any = found.option = found.unchecked = text::TrustFinding{line, "argument " + argument};
  }
}

/// Reads from a lakefile.toml the facts that Lake does not report of a file: arguments, and options of
/// imported files.
LakefileScan scan_lakefile(const std::string& toml) {
  LakefileScan scan;
  const auto settings = lean::settings_in_lakefile(toml);
  if (!settings) {
    const text::TrustFinding finding{1, "text that is no TOML"};
    scan.found.any = scan.found.option = scan.found.unchecked = finding;
    return scan;
  }
  for (const auto& [argument, line] : settings->arguments) add_argument(argument, line, scan.found);
  for (const auto& [name, line] : settings->options) {
    scan.asks_lake = scan.asks_lake || !text::is_harmless_option(name);
    if (!scan.found.unchecked && text::is_unchecking_option(name))
      scan.found.unchecked = text::TrustFinding{line, "option " + name};
  }
  scan.asks_lake = scan.asks_lake || !settings->libraries.empty();
  return scan;
}

/// Lake reports the options that a lakefile in Lean sets for a file, but not the arguments that it adds to
/// Lean's: strings that begin with a dash.
LakefileScan scan_program(const std::string& lakefile) {
  LakefileScan scan{{}, true};
  if (lakefile.find("ServerArgs") == std::string::npos && lakefile.find("LeanArgs") == std::string::npos)
    return scan;
  text::LeanLexer lexer(lakefile);
  while (const auto token = lexer.next()) {
    if (token->kind != text::LeanTokenKind::String) continue;
    const std::string word = lakefile.substr(token->begin, token->end - token->begin);
    const std::string argument = word.substr(std::min(word.find('"') + 1, word.size()));
    if (argument.starts_with('-'))
      add_argument(argument, text::line_number(lakefile, token->begin), scan.found);
  }
  return scan;
}

/// A package outside the folders that are searched for lakefiles and sources may do anything.
text::Silencers silencers_in_packages(const fs::path& name, const std::string& list) {
  text::Silencers found;
  const auto unclear =
      name == lean::kManifestName ? lean::why_unclear(list) : "packages in place of those of the manifest";
  if (unclear) found.any = found.option = found.answers = found.unchecked = text::TrustFinding{1, *unclear};
  return found;
}

text::SilencerScan everywhere(const text::Silencers& found) {
  return {.anywhere = found, .in_code = found};
}

/// The silencers of a file that count, by whether its comments may be code.
text::Silencers counted(const text::SilencerScan& scan, bool comments_count,
                        const std::set<std::string>& attributes) {
  const text::Silencers& found = comments_count || scan.strings_unclear ? scan.anywhere : scan.in_code;
  return text::with_attributes(found, scan.attributes, attributes);
}

}  // namespace

const SilencerWatch::ScannedFile& SilencerWatch::scan(const fs::path& file,
                                                      const lean::FileIdentity& identity) {
  ScannedFile& known = scanned_[file];
  if (known.identity == identity && identity.exists()) return known;
  known = {identity, {}, false};
  if (!identity.exists()) return known;
  const bool is_source = file.extension() == ".lean";
  const auto bytes = read_regular_file(file, is_source ? lean::kMaxSourceSize : kMaxConfigurationSize);
  if (!bytes) {
    // A file that cannot be read may contain anything.
    const text::TrustFinding finding{1, "unreadable content"};
    known.found = everywhere({finding, finding, finding, finding});
  } else if (file.filename() == kTomlLakefile || file.filename() == kProgramLakefile) {
    const bool is_program = file.filename() == kProgramLakefile;
    const LakefileScan lakefile = is_program ? scan_program(*bytes) : scan_lakefile(*bytes);
    known.found = everywhere(lakefile.found);
    known.asks_lake = lakefile.asks_lake;
  } else if (!is_source) {
    known.found = everywhere(silencers_in_packages(file.filename(), *bytes));
  } else {
    known.found = text::scan_silencers(*bytes);
  }
  return known;
}

namespace {

std::optional<std::string> described(const fs::path& file, const std::optional<text::TrustFinding>& finding) {
  if (!finding) return std::nullopt;
  return file.string() + ":" + std::to_string(finding->line) + " has " + finding->pattern;
}

}  // namespace

SilencerWatch::Found SilencerWatch::find(std::string_view source, std::vector<fs::path> folders) {
  Found found;
  found.read = lean::configuration_state(root_);
  imports_.add_source_folders(std::move(folders));
  found.read.merge(imports_.state_of(text::parse_lean_header(source).imported_modules()));
  const auto is_scanned = [](const fs::path& file) { return file.filename() != kToolchainName; };
  found.own = text::scan_silencers(source);
  bool declares_tokens = found.own.declares_tokens, has_marks = found.own.has_marks;
  for (const auto& [file, identity] : found.read) {
    if (!is_scanned(file)) continue;
    const ScannedFile& known = scan(file, identity);
    found.asks_lake = found.asks_lake || known.asks_lake;
    declares_tokens = declares_tokens || known.found.declares_tokens;
    has_marks = has_marks || known.found.has_marks;
    // If it is unclear which text is code, it is also unclear what the text declares.
    if (known.found.strings_unclear) continue;
    const auto& declared = known.found.declared_attributes;
    found.attributes.insert(declared.begin(), declared.end());
  }
  found.comments_count = declares_tokens && has_marks;
  if (found.comments_count) found.attributes.clear();
  for (const auto& [file, identity] : found.read) {
    if (!is_scanned(file)) continue;
    const text::Silencers silencers =
        counted(scan(file, identity).found, found.comments_count, found.attributes);
    const fs::path name = file.lexically_relative(root_);
    if (!found.silencer) found.silencer = described(name, silencers.any);
    if (!found.option) found.option = described(name, silencers.option);
    if (!found.answers) found.answers = described(name, silencers.answers);
    if (!found.unchecked) found.unchecked = described(name, silencers.unchecked);
    if (!found.program) found.program = described(name, silencers.program);
    found.may_hide_example = found.may_hide_example || scan(file, identity).found.may_hide_example;
  }
  found.may_hide_example = found.may_hide_example || found.own.may_hide_example;
  return found;
}

namespace {

void add_silencers(const text::Silencers& set, SilencerWatch::Found& found) {
  const auto described = [](const text::TrustFinding& finding) {
    return "The lakefile has " + finding.pattern;
  };
  if (set.option) found.silencer = found.option = described(*set.option);
  if (set.unchecked) found.unchecked = described(*set.unchecked);
}

/// Adds the options and libraries that Lake reports for the file. `warned`: Lean was told to warn of sorries,
/// so Lake's value of that option does not count.
void add_setup(const FileSetup* setup, bool warned, SilencerWatch::Found& found) {
  text::Silencers set;
  const auto add = [&](std::string what) {
    if (!set.unchecked) set.any = set.option = set.unchecked = text::TrustFinding{1, std::move(what)};
  };
  if (!setup) {
    add("options that Lake did not report");
  } else {
    for (const auto& [name, value] : setup->options)
      if (name != kWarnSorry || !warned) add_option(name, value, 1, set);
    if (setup->loads_libraries) add("a library that Lean loads");
  }
  add_silencers(set, found);
}

}  // namespace

asio::awaitable<Result<SilencerWatch::Found>> scan_sources(Lean& lean, TextOfFile of, io::CancelScope scope) {
  const fs::path root = of.project->root();
  std::shared_ptr<const SearchPath> by_lake;
  const auto look = [root]() -> Result<bool> {
    for (const auto& [file, identity] : lean::configuration_state(root))
      if (file.filename() == kProgramLakefile) return true;
    return false;
  };
  CO_TRY(const bool is_program, co_await lean.pool.run(look, scope));
  if (is_program) {
    by_lake = co_await search_path_of(lean, *of.project, scope);
    if (scope.cancel->cancelled()) co_return call_cancelled();
  }
  // The watch moves to the pool and back; a call that arrives meanwhile creates its own.
  auto watch = std::exchange(compiler_memory(lean).silencers[root], nullptr);
  if (!watch) watch = std::make_shared<SilencerWatch>(root);
  auto work = [watch, text = of.text, folders = by_lake ? by_lake->sources : std::vector<fs::path>()]()
      -> Result<SilencerWatch::Found> { return watch->find(text, folders); };
  CO_TRY(SilencerWatch::Found found, co_await lean.pool.run(std::move(work), scope));
  // If the wait ended early, the pool still has the watch.
  compiler_memory(lean).silencers[root] = std::move(watch);
  if (found.asks_lake) {
    const auto setup = co_await file_setup_of(lean, of, Imports::Build, false, scope);
    if (scope.cancel->cancelled()) co_return call_cancelled();
    add_setup(setup.value_or(nullptr).get(), of.project->is_warned_of_sorries(of.text), found);
  }
  const fs::path name = of.path.lexically_relative(root);
  const text::Silencers here = counted(found.own, found.comments_count, found.attributes);
  if (here.unchecked) found.unchecked = described(name, here.unchecked);
  if (here.answers) found.answers = described(name, here.answers);
  const bool only_prints = of.evaluates && text::only_evaluates(of.text);
  const auto own = here.option ? here.option : only_prints ? here.beside_eval : here.any;
  if (here.program && !(text::only_evaluates(of.text) && here.program->pattern.starts_with("#eval")))
    found.program = described(name, here.program);
  if (own) found.silencer = described(name, own);
  co_return found;
}

asio::awaitable<Result<std::optional<std::string>>> find_silencer(Lean& lean, TextOfFile of,
                                                                  io::CancelScope scope) {
  CO_TRY(auto found, co_await scan_sources(lean, std::move(of), scope));
  co_return std::move(found.silencer);
}

namespace {

enum class Look { Compile, IfKnown };

asio::awaitable<Result<HiddenSorries>> look_for_sorries(Lean& lean, TextOfFile of, Look look,
                                                        io::CancelScope scope) {
  constexpr std::size_t kMaxKeptAnswers = 16;
  HiddenSorries hidden;
  auto found = co_await scan_sources(lean, of, scope);
  if (!found && found.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(found.error());
  hidden.messages_suffice = found && !found->silencer && !found->unchecked;
  if (hidden.messages_suffice) co_return hidden;
  if (!found) {
    hidden.because = "its imports were not inspected";
    hidden.unknown = found.error().message;
    hidden.timed_out = io::Clock::now() >= scope.deadline;
    co_return hidden;
  }
  if (found->unchecked) {
    hidden.because = *found->unchecked;
    hidden.unchecked = true;
    hidden.unknown = unchecked_reason(hidden.because);
    co_return hidden;
  }
  auto& kept = compiler_memory(lean).sorries;
  if (const auto known = kept.find(of.path);
      known != kept.end() && known->second->text == of.text && known->second->read == found->read)
    co_return *known->second;
  hidden.because = *found->silencer;
  hidden.text = of.text;
  hidden.read = std::move(found->read);
  hidden.may_hide_example = found->may_hide_example;
  of.has_programs = found->program.has_value();
  const fs::path path = of.path;
  if (look == Look::IfKnown) {
    hidden.unknown = "nothing has compiled this text yet.";
    co_return hidden;
  }
  CO_TRY(auto module, co_await compile_module(lean, std::move(of), hidden.read, {}, scope));
  hidden.unknown = std::move(module.why_not);
  if (hidden.unknown.empty() && !module.not_accepted.empty()) {
    hidden.unchecked = true;
    hidden.unknown = unchecked_reason(*found->program) + " " + module.not_accepted;
  }
  for (olean::CompiledConstant& constant : module.constants)
    if (constant.uses_sorry) hidden.constants.push_back(std::move(constant));
  // Do not keep a failure: the next call may have more time.
  if (!hidden.unknown.empty()) {
    hidden.timed_out = io::Clock::now() >= scope.deadline;
    co_return hidden;
  }
  if (kept.size() >= kMaxKeptAnswers) kept.clear();
  kept[path] = std::make_shared<const HiddenSorries>(hidden);
  co_return hidden;
}

asio::awaitable<Result<HiddenSorries>> look_for_sorries(Lean& lean, const OpenFile& file, Look look,
                                                        io::CancelScope scope) {
  const document::Version version = file.state().version();
  auto hidden =
      co_await look_for_sorries(lean, {file.store(), file.document().path, file.text().str()}, look, scope);
  if (hidden && !hidden->messages_suffice && file.state().version() != version)
    hidden->unknown = "The file changed meanwhile.";
  co_return hidden;
}

}  // namespace

asio::awaitable<Result<HiddenSorries>> hidden_sorries(Lean& lean, TextOfFile of, io::CancelScope scope) {
  return look_for_sorries(lean, std::move(of), Look::Compile, scope);
}

asio::awaitable<Result<HiddenSorries>> hidden_sorries(Lean& lean, const OpenFile& file,
                                                      io::CancelScope scope) {
  return look_for_sorries(lean, file, Look::Compile, scope);
}

asio::awaitable<Result<HiddenSorries>> known_hidden_sorries(Lean& lean, const OpenFile& file,
                                                            io::CancelScope scope) {
  return look_for_sorries(lean, file, Look::IfKnown, scope);
}

}  // namespace leanbridge::ide
