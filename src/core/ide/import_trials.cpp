#include "import_trials.hpp"

#include "code_actions.hpp"
#include "core/document/file.hpp"
#include "core/olean/module_difference.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/text/lines.hpp"
#include "core/text/source_reading.hpp"
#include "module_compiler.hpp"
#include "project_change.hpp"
#include "source_locations.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace leanbridge::ide {

wire::Names<ImportStatus> names_of(ImportStatus) {
  return {{ImportStatus::Needed, "needed"},
          {ImportStatus::Unneeded, "unneeded"},
          {ImportStatus::Missing, "missing"},
          {ImportStatus::Unknown, "unknown"}};
}

namespace {

constexpr auto kImportersLookLimit = std::chrono::minutes(1);
/// How much longer than with all imports the compiler may take without one.
constexpr int kMaxSlowdown = 5;
constexpr auto kLeastTrial = std::chrono::seconds(30);
constexpr std::string_view kKeep = "shake: keep";  // Lean's own tool leaves such an import alone

bool has_only_imports(const std::string& source) {
  text::LeanLexer lexer(source, text::parse_lean_header(source).end);
  for (auto token = lexer.next(); token; token = lexer.next())
    if (!text::is_remark(token->kind)) return false;
  return true;
}

/// The number of modules that an import of this one brings.
std::size_t reach_of(const std::map<std::string, const olean::SetModule*>& modules, const std::string& from) {
  std::set<std::string> seen;
  std::vector<std::string> todo{from};
  while (!todo.empty()) {
    const std::string next = std::move(todo.back());
    todo.pop_back();
    const auto module = modules.find(next);
    if (module == modules.end() || !seen.insert(next).second) continue;
    todo.insert(todo.end(), module->second->imports.begin(), module->second->imports.end());
  }
  return seen.size();
}

/// The indices of the imports, starting with the one that brings most modules: if one import brings another,
/// the file may need only the smaller one.
std::vector<std::size_t> order_of(const olean::ModuleSet& set,
                                  const std::vector<text::HeaderImport>& imports) {
  std::map<std::string, const olean::SetModule*> modules;
  for (const auto& module : set.modules()) modules.emplace(module->name, module.get());
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t i = 0; i < imports.size(); ++i)
    found.emplace_back(reach_of(modules, imports[i].module), i);
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::size_t> order;
  for (const auto& [reach, index] : found) order.push_back(index);
  return order;
}

/// A text that Lean has compiled, with everything to compare.
struct CompiledSource {
  std::string source;
  Compilation compilation;
  std::shared_ptr<olean::ModuleSet> set;  ///< null: it does not compile, or the result is unknown
};

/// The number of lines above the header's last line; -1: there is no header.
int header_lines(std::string_view source) {
  const text::LeanHeader header = text::parse_lean_header(source);
  if (header.words.empty()) return -1;
  return text::line_number(source, header.end) - 1;
}

/// Lean's messages, at the lines that they would have below a header of `header` lines.
std::vector<std::tuple<lean::Severity, int, int, std::string, std::string>> messages_below(
    const CompiledSource& compiled, int header) {
  const int own = header_lines(compiled.source);
  std::vector<std::tuple<lean::Severity, int, int, std::string, std::string>> all;
  for (const lean::CompilerMessage& message : compiled.compilation.messages) {
    const int line = message.start.line > own + 1 ? message.start.line - own + header : message.start.line;
    all.emplace_back(message.severity, line, message.start.column, message.message, message.kind);
  }
  return all;
}

std::string first_error(const CompiledSource& compiled, int header) {
  for (const auto& [severity, line, column, message, kind] : messages_below(compiled, header))
    if (severity == lean::Severity::Error)
      return "line " + std::to_string(line) + ": " + text::shortened(message, 300);  // bytes
  return compiled.compilation.compiled->why_not;
}

class ImportTrials {
 public:
  ImportTrials(Lean& lean, std::shared_ptr<io::Operation> operation, document::Location location,
               WriteImports write)
      : lean_(lean),
        operation_(std::move(operation)),
        location_(std::move(location)),
        write_(write),
        name_(location_.path.lexically_relative(location_.project->root()).string()) {}

  asio::awaitable<Result<ImportReport>> run() {
    const auto load = [path = location_.path, name = name_] { return document::load_bytes(path, name); };
    CO_TRY(bytes_, co_await lean_.pool.run(load, operation_->scope));
    const text::NormalisedText read = text::normalise_newlines(bytes_);
    if (has_only_imports(read.text)) {
      result_.reason = "It has nothing but imports: others get them from it.";
      co_return result_;
    }
    own_header_ = header_lines(read.text);
    CO_CHECK(co_await compile_unchanged(read.text));
    CO_CHECK(co_await try_each());
    note_missing(text::parse_lean_header(read.text).imported_modules());
    CO_CHECK(co_await conclude(read.text));
    co_return result_;
  }

 private:
  asio::awaitable<Result<CompiledSource>> compile(std::string source, io::CancelScope scope) {
    TextOfFile of{location_.project, location_.path, source};
    CompiledSource compiled{std::move(source), {}, nullptr};
    CO_TRY(compiled.compilation, co_await compile_text(lean_, std::move(of), scope));
    const auto& text = compiled.compilation.compiled;
    if (!text || !text->files) co_return compiled;
    const auto open = [text]() -> Result<std::shared_ptr<olean::ModuleSet>> {
      TRY(auto set, olean::ModuleSet::open(*text->files, {}, text->folders));
      return std::make_shared<olean::ModuleSet>(std::move(set));
    };
    CO_TRY(compiled.set, co_await lean_.pool.run(open, scope));
    co_return compiled;
  }

  // Compiles the file as it is or, if Lean does not know some of its names, with the imports that Lean
  // suggests.
  asio::awaitable<Result<void>> compile_unchanged(std::string source) {
    show_progress(0, 0, "compiling " + name_);
    const auto begun = io::Clock::now();
    CO_TRY(base_, co_await compile(source, operation_->scope));
    if (base_.compilation.compiled && !base_.set) {
      CO_TRY(auto completed, co_await with_missing_imports(source));
      if (completed) {
        CO_TRY(base_, co_await compile(std::move(*completed), operation_->scope));
      }
    }
    trial_limit_ = std::max<io::Clock::duration>(kLeastTrial, (io::Clock::now() - begun) * kMaxSlowdown);
    if (!base_.compilation.compiled)
      co_return fail(is_late() ? ErrorKind::Timeout : ErrorKind::NotSupported,
                     name_ + " could not be compiled. " + base_.compilation.why_not,
                     is_late() ? "Pass a longer timeout_s." : "");
    if (!base_.set)
      co_return fail(ErrorKind::InvalidArgument,
                     name_ + " does not compile: " + first_error(base_, own_header_),
                     "Only of a file that compiles can be said what it needs.");
    if (base_.compilation.too_many_messages)
      co_return fail(ErrorKind::NotSupported, "Lean says too much about " + name_ + " to be compared.", "");
    co_return Result<void>();
  }

  // nullopt: Lean suggests nothing.
  asio::awaitable<Result<std::optional<std::string>>> with_missing_imports(const std::string& source) {
    CO_TRY(const OpenFile file, co_await open_file(lean_, operation_, location_.named.string()));
    CO_TRY(const auto known, co_await file.wait_until_done(operation_->scope));
    if (file.text().str() != source) co_return changed_meanwhile(name_);
    if (known == document::WaitOutcome::Partial || !co_await wait_for_index(file.handle(), operation_->scope))
      co_return std::nullopt;
    CO_TRY(const auto offered, co_await offered_actions(file, file.text().lsp_range(0, source.size()),
                                                        {kOrganizeImports}, operation_->scope));
    for (const OfferedAction& action : offered.value_or(std::vector<OfferedAction>())) {
      if (action.kind != kOrganizeImports || action.edits.empty()) continue;
      auto text = with_edits(file.text(), action.edits);
      if (!text) continue;
      for (const OfferedEdit& edit : action.edits) {
        const std::size_t begin = file.text().offset_at(edit.range.start);
        const std::string old_text = source.substr(begin, file.text().offset_at(edit.range.end) - begin);
        if (!old_text.empty() && old_text != edit.new_text)
          result_.respelt.push_back({file.text().position_at(begin).line, old_text, edit.new_text});
      }
      std::ranges::stable_sort(result_.respelt, [](const auto& a, const auto& b) { return a.line < b.line; });
      co_return text;
    }
    co_return std::nullopt;
  }

  asio::awaitable<Result<void>> try_each() {
    const std::vector<text::HeaderImport> imports = text::parse_lean_header(base_.source).imports;
    const text::Text text(base_.source);
    for (const text::HeaderImport& each : imports)
      result_.imports.push_back({each.module, text.position_at(each.begin).line, ImportStatus::Unknown, ""});
    const auto sort = [set = base_.set, imports]() -> Result<std::vector<std::size_t>> {
      return order_of(*set, imports);
    };
    CO_TRY(const auto order, co_await lean_.pool.run(sort, operation_->scope));
    std::size_t done = 0;
    for (const std::size_t i : order) {
      show_progress(done++, order.size(), name_ + " without " + imports[i].module);
      ImportVerdict& verdict = result_.imports[i];
      if (text::lines_of_import(base_.source, imports[i]).find(kKeep) != std::string_view::npos) {
        verdict.status = ImportStatus::Needed;
        verdict.reason = "its line says `" + std::string(kKeep) + "`";
        continue;
      }
      if (is_late()) {
        verdict.reason = "not tried: time ran out";
        continue;
      }
      unneeded_.insert(i);
      CO_CHECK(co_await judge(verdict, imports));
      if (verdict.status != ImportStatus::Unneeded) unneeded_.erase(i);
    }
    result_.timed_out = is_late();
    co_return Result<void>();
  }

  // Keeps only the needed imports among the ones that Lean has added, and marks them as missing.
  void note_missing(const std::vector<std::string>& own) {
    std::erase_if(result_.imports, [&](const ImportVerdict& each) {
      return each.status == ImportStatus::Unneeded && std::ranges::count(own, each.module) == 0;
    });
    for (ImportVerdict& each : result_.imports)
      if (each.status == ImportStatus::Needed && std::ranges::count(own, each.module) == 0)
        each.status = ImportStatus::Missing;
  }

  std::string shorter(const std::vector<text::HeaderImport>& imports) const {
    std::string text = base_.source;
    for (auto i = unneeded_.rbegin(); i != unneeded_.rend(); ++i) text = without_import(text, imports[*i]);
    return text;
  }

  // Compiles the file without this import and without all that are known to be unneeded.
  asio::awaitable<Result<void>> judge(ImportVerdict& verdict,
                                      const std::vector<text::HeaderImport>& imports) {
    const auto compiled = co_await compile(shorter(imports), operation_->scope.with_timeout(trial_limit_));
    if (!compiled && compiled.error().kind == ErrorKind::Cancelled)
      co_return tl::unexpected(compiled.error());
    if (!compiled || !compiled->compilation.compiled) {
      verdict.reason = compiled ? compiled->compilation.why_not : compiled.error().message;
      co_return Result<void>();
    }
    verdict.status = ImportStatus::Needed;
    if (!compiled->set) {
      verdict.reason = first_error(*compiled, own_header_);
      co_return Result<void>();
    }
    const int header = header_lines(base_.source);
    if (compiled->compilation.too_many_messages ||
        messages_below(*compiled, header) != messages_below(base_, header)) {
      verdict.reason = "Lean would say something else about the file";
      co_return Result<void>();
    }
    const auto compare = [before = base_.set, after = compiled->set] {
      return olean::module_difference(*before, *after);
    };
    const auto difference = co_await lean_.pool.run(compare, operation_->scope);
    if (!difference) {
      if (difference.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(difference.error());
      verdict.status = ImportStatus::Unknown;
      verdict.reason = difference.error().message;
    } else if (*difference) {
      verdict.reason = **difference;
    } else {
      verdict.status = ImportStatus::Unneeded;
    }
    co_return Result<void>();
  }

  // Counts the files that import this one, and writes it if that is wanted.
  asio::awaitable<Result<void>> conclude(const std::string& source) {
    const std::string changed = shorter(text::parse_lean_header(base_.source).imports);
    const ChangedFile own = with_new_text(location_.path, name_, bytes_, changed);
    const auto find = [root = location_.project->root(), own] { return with_files_above(root, {own}); };
    show_progress(0, 0, "looking for files that import it");
    const io::CancelScope look(kImportersLookLimit, operation_->scope.cancel);
    auto files = co_await lean_.pool.run(find, look);
    if (!files && (write_ == WriteImports::IfCompiled || files.error().kind == ErrorKind::Cancelled))
      co_return tl::unexpected(files.error());
    // A file outside the project may have importers elsewhere, so their number is unknown.
    if (files && require_own_file(*location_.project, location_.path, location_.named))
      result_.importers = files->size() - 1;
    if (write_ == WriteImports::No || changed == source) co_return Result<void>();
    if (result_.timed_out) {
      result_.reason = "Time ran out before every import was tried; pass a longer timeout_s.";
      co_return Result<void>();
    }
    CO_TRY(std::string objection,
           co_await objection_to(lean_, operation_, location_.project, std::move(*files)));
    if (!objection.empty()) {
      result_.reason = std::move(objection);
      co_return Result<void>();
    }
    if (operation_->scope.cancel->cancelled()) co_return call_cancelled();
    result_.importers_compiled = true;
    PlannedWrite write = planned_write(*location_.project, *operation_, {own});
    CO_CHECK(co_await write_files(lean_, std::move(write)));
    result_.written = true;
    co_return Result<void>();
  }

  bool is_late() const { return io::Clock::now() >= operation_->scope.deadline; }
  void show_progress(std::size_t done, std::size_t total, std::string message) {
    operation_->progress = [=]() -> std::optional<io::Progress> {
      return io::Progress{static_cast<double>(done), static_cast<double>(total), message};
    };
  }

  static constexpr const char* kOrganizeImports = "source.organizeImports";
  Lean& lean_;
  std::shared_ptr<io::Operation> operation_;
  document::Location location_;
  WriteImports write_;
  std::string name_;    // of the file, relative to the project
  std::string bytes_;   // of the file on disk
  int own_header_ = 0;  // header_lines() of the file on disk
  CompiledSource base_;
  io::Clock::duration trial_limit_{};
  std::set<std::size_t> unneeded_;  // indices of imports of the base
  ImportReport result_;
};

}  // namespace

asio::awaitable<Result<ImportReport>> try_imports(Lean& lean, std::shared_ptr<io::Operation> operation,
                                                  document::Location location, WriteImports write) {
  ImportTrials trials(lean, std::move(operation), std::move(location), write);
  co_return co_await trials.run();
}

}  // namespace leanbridge::ide
