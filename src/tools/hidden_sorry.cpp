#include "hidden_sorry.hpp"


#include <fstream>
#include <sstream>

namespace leanbridge::tools {

namespace fs = std::filesystem;

HiddenSorries::Answer HiddenSorries::about(int first_line, int last_line, bool named) const {
  if (messages_suffice) return Answer::No;
  if (!unknown.empty() || !named) return Answer::Unknown;
  bool rests = false;
  for (const index::CompiledConstant& constant : constants) {
    const auto line = static_cast<int>(constant.line);
    if (line < first_line || line > last_line) continue;
    if (constant.uses_sorry) return Answer::Sorry;
    rests = true;
  }
  return rests ? Answer::RestsOnSorry : Answer::No;
}

std::string HiddenSorries::why_unknown() const {
  return "Lean may keep silent about sorry here (" + because + "), " +
         (unknown.empty() ? "and an example leaves nothing behind that could be looked at."
                          : "and the compiled file could not be looked at: " + unknown);
}

std::optional<std::string> SilencerWatch::look_at(const fs::path& file, const lean::FileIdentity& identity) {
  auto& known = known_[file];
  if (known.identity != identity || !known.identity.exists()) {
    known.identity = identity;
    known.finding.reset();
    if (identity.exists()) {
      std::ostringstream bytes;
      bytes << std::ifstream(file, std::ios::binary).rdbuf();
      const bool is_lakefile = file.filename() == "lakefile.toml" || file.filename() == "lakefile.lean";
      known.finding = is_lakefile ? text::find_silencer_in_lakefile(bytes.str()) : text::find_silencer(bytes.str());
    }
  }
  if (!known.finding) return std::nullopt;
  return file.lexically_relative(root_).string() + ":" + std::to_string(known.finding->line) + " has " +
         known.finding->pattern;
}

std::optional<std::string> SilencerWatch::find(std::string_view source) {
  for (const char* name : {"lakefile.toml", "lakefile.lean"}) {
    const fs::path file = root_ / name;
    if (auto found = look_at(file, lean::identify(file))) return found;
  }
  for (const auto& [file, identity] : imports_.state_of(lean::parse_header(source).imports))
    if (auto found = look_at(file, identity)) return found;
  return std::nullopt;
}

namespace {

std::optional<std::string> silencer_in(const fs::path& name, std::string_view source) {
  const auto found = text::find_silencer(source);
  if (!found) return std::nullopt;
  return name.string() + ":" + std::to_string(found->line) + " has " + found->pattern;
}

}  // namespace

asio::awaitable<Result<std::optional<std::string>>> find_silencer(Environment& environment, TextOfFile of,
                                                                  io::Scope scope) {
  const fs::path root = of.project->root();
  // The watch is handed to the pool and back; a call that comes meanwhile has one of its own.
  auto watch = std::exchange(environment.silencers[root], nullptr);
  if (!watch) watch = std::make_shared<SilencerWatch>(root);
  auto look = [watch, name = of.path.lexically_relative(root),
               text = std::move(of.text)]() -> Result<std::optional<std::string>> {
    if (auto found = silencer_in(name, text)) return found;
    return watch->find(text);
  };
  auto found = co_await environment.pool.run(std::move(look), scope);
  // After a wait that ended early the pool still has it.
  if (found) environment.silencers[root] = std::move(watch);
  co_return found;
}

asio::awaitable<Result<HiddenSorries>> hidden_sorries(Environment& environment, TextOfFile of, io::Scope scope) {
  HiddenSorries hidden;
  const auto silencer = co_await find_silencer(environment, of, scope);
  if (!silencer && silencer.error().kind == ErrorKind::Cancelled) co_return tl::unexpected(silencer.error());
  hidden.messages_suffice = silencer && !*silencer;
  if (hidden.messages_suffice) co_return hidden;
  if (!silencer) {
    hidden.because = "its imports were not looked at";
    hidden.unknown = silencer.error().message;
    co_return hidden;
  }
  hidden.because = **silencer;
  auto module = co_await compile_module(environment, std::move(of.project), std::move(of.path), std::move(of.text),
                                        std::nullopt, scope);
  if (!module) co_return tl::unexpected(module.error());
  hidden.unknown = std::move(module->why_not);
  for (index::CompiledConstant& constant : module->constants)
    if (constant.rests_on_sorry) hidden.constants.push_back(std::move(constant));
  co_return hidden;
}

asio::awaitable<Result<HiddenSorries>> hidden_sorries(Environment& environment, const OpenFile& file,
                                                      io::Scope scope) {
  const std::shared_ptr<document::Document> document = file.share();
  const document::Version version = document->state.version();
  auto hidden = co_await hidden_sorries(environment, {file.table, document->path, file.text().str()}, scope);
  if (hidden && !hidden->messages_suffice && document->state.version() != version)
    hidden->unknown = "The file changed meanwhile.";
  co_return hidden;
}

}  // namespace leanbridge::tools
