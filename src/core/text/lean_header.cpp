#include "lean_header.hpp"

#include "lean_lexer.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace leanbridge::text {
namespace {

constexpr auto kHeaderWords =
    std::to_array<std::string_view>({"module", "prelude", "public", "meta", "import", "all"});

class HeaderReader {
 public:
  explicit HeaderReader(std::string_view source) : source_(source), lexer_(source) { advance(); }

  LeanHeader read() {
    header_.is_module = take_beginning("module");
    header_.has_prelude = take_beginning("prelude");
    while (read_import()) continue;
    return std::move(header_);
  }

 private:
  // Comments are white space. Documentation comments are not: to Lean they begin a command.
  void advance() {
    do token_ = lexer_.next();
    while (token_ && is_comment(token_->kind));
  }

  std::string_view word() const {
    return token_ ? source_.substr(token_->begin, token_->end - token_->begin) : std::string_view();
  }

  bool take(std::string_view keyword, std::vector<std::string>& words) {
    if (word() != keyword) return false;
    words.emplace_back(keyword);
    advance();
    return true;
  }

  bool take_beginning(std::string_view keyword) {
    const std::size_t end = token_ ? token_->end : source_.size();
    if (!take(keyword, header_.words)) return false;
    header_.end = end;
    return true;
  }

  bool at_name() const {
    return token_ && token_->kind == LeanTokenKind::Word && !word().starts_with('#') &&
           std::ranges::find(kHeaderWords, word()) == kHeaderWords.end();
  }

  bool read_import() {
    // `public` and `meta` begin an import or the first command; only the next word tells which.
    HeaderImport import;
    import.begin = token_ ? token_->begin : source_.size();
    std::vector<std::string> words;
    import.is_public = take("public", words);
    import.is_meta = take("meta", words);
    if (!take("import", words)) return false;
    import.is_all = take("all", words);
    header_.words.insert(header_.words.end(), words.begin(), words.end());
    if (at_name()) take_name(std::move(import));
    return true;
  }

  // Includes the trailing dot of an unfinished name, as Lean.Parser.identWithPartialTrailingDot does.
  void take_name(HeaderImport import) {
    const std::size_t begin = token_->begin;
    header_.end = token_->end;
    advance();
    if (token_ && token_->begin == header_.end && word() == ".") {
      header_.end = token_->end;
      advance();
    }
    import.module = source_.substr(begin, header_.end - begin);
    import.end = header_.end;
    header_.words.push_back(import.module);
    header_.imports.push_back(std::move(import));
  }

  std::string_view source_;
  LeanLexer lexer_;
  std::optional<LeanToken> token_;  // the next token; nullopt at the end
  LeanHeader header_;
};

}  // namespace

std::vector<std::string> LeanHeader::imported_modules() const {
  std::vector<std::string> modules;
  modules.reserve(imports.size());
  for (const HeaderImport& import : imports) modules.push_back(import.module);
  return modules;
}

LeanHeader parse_lean_header(std::string_view source) {
  return HeaderReader(source).read();
}

bool has_endless_comment(std::string_view source) {
  LeanLexer lexer(source, parse_lean_header(source).end);
  std::optional<LeanToken> last;
  for (auto token = lexer.next(); token && is_comment(token->kind); token = lexer.next()) last = token;
  if (!last || last->kind != LeanTokenKind::BlockComment || last->end != source.size()) return false;
  int depth = 0;
  for (std::size_t at = last->begin; at + 1 < source.size();) {
    const std::string_view two = source.substr(at, 2);
    if (two == "/-") ++depth;
    if (two == "-/" && --depth == 0) return false;
    at += two == "/-" || two == "-/" ? 2 : 1;
  }
  return true;
}

std::optional<std::size_t> place_behind_header(std::string_view source) {
  const std::size_t end = parse_lean_header(source).end;
  if (end == 0) return std::nullopt;
  const std::string_view behind = source.substr(end, source.find('\n', end) - end);
  const std::string_view rest = behind.substr(std::min(behind.find_first_not_of(" \t\r"), behind.size()));
  return rest.empty() || rest.starts_with("--") ? std::optional(end) : std::nullopt;
}

std::string_view lines_of_import(std::string_view source, const HeaderImport& import) {
  const std::size_t begin = source.rfind('\n', import.begin) + 1;  // npos + 1 is 0
  const std::size_t end = std::min(source.find('\n', import.end), source.size());
  return source.substr(begin, std::min(end + 1, source.size()) - begin);
}

std::string without_import(std::string_view source, const HeaderImport& import) {
  const std::string_view lines = lines_of_import(source, import);
  std::size_t begin = static_cast<std::size_t>(lines.data() - source.data()), end = begin + lines.size();
  const auto is_blank = [](std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
  };
  const std::string_view behind = source.substr(import.end, end - import.end);
  const std::size_t comment = std::min(behind.find_first_not_of(" \t"), behind.size());
  const bool is_alone = is_blank(source.substr(begin, import.begin - begin)) &&
                        (is_blank(behind) || behind.substr(comment).starts_with("--"));
  if (!is_alone) {
    begin = import.begin;
    end = import.end;
  }
  return std::string(source.substr(0, begin)) + std::string(source.substr(end));
}

}  // namespace leanbridge::text
