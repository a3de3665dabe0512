#include "leanbridge/index/readers.hpp"
#include "leanbridge/text/lean_declarations.hpp"
#include "leanbridge/text/signature.hpp"
#include "leanbridge/text/utf8.hpp"

#include "index/olean/olean_names.hpp"
#include "source_members.hpp"
#include "source_tokens.hpp"

#include <algorithm>

namespace leanbridge::index {
namespace {

constexpr std::string_view kRoot = "_root_.";
constexpr std::size_t kMaxName = 1024;

/// The namespaces, sections and mutual blocks that are open.
class Scopes {
 public:
  /// Takes note of the command that begins at the token, if it opens or closes something.
  void see(const SourceTokens& tokens, std::size_t i) {
    if (!tokens.first_on_line(i)) return;
    std::size_t at = i;
    if (tokens.symbol(at) == "@[") at = tokens.skip_brackets(at, tokens.size());
    while (tokens.word(at) == "public" || tokens.word(at) == "noncomputable" || tokens.word(at) == "meta")
      ++at;
    const std::string_view command = tokens.word(at);
    const std::string_view name =
        tokens.same_line(at < tokens.size() ? at : i, at + 1) ? tokens.word(at + 1) : "";
    if (command == "namespace" && !tokens.word(at + 1).empty()) {
      for (const std::string_view part : parts_of(tokens.word(at + 1))) {
        open(1);
        if (prefix_.size() < kMaxName) prefix_ += plain_component(part) + ".";
      }
    } else if (command == "section") {
      open(std::max<std::size_t>(1, parts_of(name).size()));
    } else if (command == "mutual") {
      open(1);
    } else if (command == "end") {
      for (std::size_t left = std::max<std::size_t>(1, parts_of(name).size()); left > 0 && !open_.empty();
           --left) {
        prefix_.resize(open_.back());
        open_.pop_back();
      }
    }
  }

  /// "" for a name longer than any that people write.
  std::string resolve(std::string_view written) const {
    const bool from_root = written.starts_with(kRoot);
    if (prefix_.size() + written.size() > kMaxName) return {};
    return from_root ? plain_name(written.substr(kRoot.size())) : prefix_ + plain_name(written);
  }

 private:
  void open(std::size_t count) { open_.resize(open_.size() + count, prefix_.size()); }

  std::string prefix_;             // `A.B.`
  std::vector<std::size_t> open_;  // the size of the prefix before each
};

std::string kind_of(const std::string& keyword) {
  if (keyword == "lemma") return "theorem";
  if (keyword == "irreducible_def") return "def";
  if (keyword == "coinductive") return "inductive";
  return keyword.starts_with("class") ? "class" : keyword;
}

class SourceReader {
 public:
  SourceReader(std::string_view source, std::string module, std::string file)
      : source_(source), tokens_(source), module_(std::move(module)), file_(std::move(file)) {}

  std::vector<Declaration> read() {
    std::size_t seen = 0;
    for (const text::DeclarationSite& site : text::declarations(source_)) {
      const std::size_t first = tokens_.at(site.start);
      for (; seen < first; ++seen) scopes_.see(tokens_, seen);
      declaration(site, first);
    }
    return std::move(found_);
  }

 private:
  void declaration(const text::DeclarationSite& site, std::size_t first) {
    Declaration made;
    made.kind = kind_of(site.keyword);
    const std::size_t keyword = tokens_.at(site.keyword_offset);
    const std::size_t end = tokens_.at(site.end);
    prefix(first, keyword, made);
    if (site.keyword == "alias") return aliases(site, made, keyword + 1, end);
    if (site.name.empty() || site.keyword == "example") return;
    made.name = scopes_.resolve(site.name);
    if (made.name.empty()) return;
    std::size_t name = keyword + 1;
    while (name < end && tokens_.text(name) != site.name) ++name;
    place(name, made);
    const text::Signature signature = text::signature_of(source_, site);
    const bool has_members = made.kind == "inductive" || made.kind == "structure" || made.kind == "class";
    std::size_t statement_end = std::min(end, tokens_.at(signature.end));
    if (has_members) statement_end = header_end(tokens_, name + 1, statement_end);
    std::vector<std::string> bound;
    for (const text::Binder& binder : signature.binders)
      for (const text::BoundName& one : binder.names) bound.push_back(one.name);
    made.signature = tokens_.one_line(name + 1, statement_end);
    made.constants = mentioned(tokens_, name + 1, statement_end, bound);
    const Declaration type = made;
    add(std::move(made));
    if (!has_members) return;
    for (Member& member : members_of(tokens_, statement_end, end)) {
      Declaration inner;
      inner.kind = member.kind;
      inner.name = type.name + "." + plain_name(member.name);
      inner.is_private = type.is_private || member.is_private;
      inner.docstring = std::move(member.docstring);
      inner.signature = tokens_.one_line(member.type_begin, member.type_end);
      inner.constants = mentioned(tokens_, member.type_begin, member.type_end, bound);
      place(member.token, inner);
      add(std::move(inner));
    }
  }

  /// Doc comment, attributes and modifiers.
  void prefix(std::size_t first, std::size_t keyword, Declaration& made) {
    for (std::size_t i = first; i < keyword; ++i) {
      if (tokens_.is_doc(i)) made.docstring = docstring(tokens_.text(i));
      if (tokens_.word(i) == "private") made.is_private = true;
      if (tokens_.word(i) == "deprecated") made.deprecated = true;
    }
  }

  /// `alias new := old`, `alias ⟨new, other⟩ := old`.
  void aliases(const text::DeclarationSite& site, const Declaration& common, std::size_t begin,
               std::size_t end) {
    std::size_t assigned = begin;
    while (assigned < end && tokens_.symbol(assigned) != ":=") ++assigned;
    const std::size_t names_end = site.name.empty() ? assigned : begin + 1;
    for (std::size_t i = begin; i < names_end; ++i) {
      if (tokens_.word(i).empty() || tokens_.word(i) == "_") continue;
      Declaration made = common;
      made.name = scopes_.resolve(tokens_.word(i));
      if (!tokens_.word(assigned + 1).empty()) made.constants = {std::string(tokens_.word(assigned + 1))};
      place(i, made);
      add(std::move(made));
    }
  }

  void place(std::size_t token, Declaration& made) {
    if (token >= tokens_.size()) return;
    const std::size_t begin = tokens_[token].begin;
    // Declarations come in the order of the text.
    line_ +=
        static_cast<std::uint32_t>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                              source_.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
    counted_ = begin;
    const std::string_view before = source_.substr(begin - tokens_.indent(token), tokens_.indent(token));
    made.line = line_;
    made.column = static_cast<std::uint32_t>(1 + std::count_if(before.begin(), before.end(), [](char c) {
                                               return !text::is_continuation_byte(c);
                                             }));
  }

  void add(Declaration made) {
    made.module = module_;
    made.file = file_;
    found_.push_back(std::move(made));
  }

  std::string_view source_;
  SourceTokens tokens_;
  std::string module_, file_;
  Scopes scopes_;
  std::vector<Declaration> found_;
  std::size_t counted_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace

std::vector<Declaration> read_source(std::string_view text, std::string module, std::string file) {
  return SourceReader(text, std::move(module), std::move(file)).read();
}

}  // namespace leanbridge::index
