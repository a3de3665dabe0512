#pragma once
/// Names as Lean writes them: `A.«b c».d`. Only this file knows dots and guillemets, how a file's path
/// becomes a module's name, and how `namespace`, `section`, `mutual` and `end` affect names. Pure functions.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

inline constexpr std::string_view kOpenQuote = "«", kCloseQuote = "»";

/// The parts as written; a dot between « and » does not separate. An empty part, as in `A.` or `.A`, means
/// that the text is no name. "" has no parts.
std::vector<std::string_view> parts_of(std::string_view name);
/// The last part; "" if the name is "".
std::string_view last_part(std::string_view name);
/// `A.B` for `A.B.c`; "" for a name of one part.
std::string_view namespace_of(std::string_view name);
/// A part without its surrounding « and ».
std::string_view unquoted(std::string_view part);

/// A component as Lean prints it (Init/Meta: Name.escapePart): in «» unless it is an identifier. Lean does
/// not quote keywords, so the result is not safe in a source; use quote_name for that.
std::string as_component(std::string_view component);
/// The name with «» only where Lean prints them.
std::string plain_name(std::string_view name);
/// `a b.c` for `«a b».c`, as Lake names folders: `Name.toString (escape := false)`.
std::string unescaped_name(std::string_view name);
/// Whether two names are the same, regardless of unnecessary quotes.
bool is_same_name(std::string_view one, std::string_view other);

/// Whether a text has « or ».
bool has_quotes(std::string_view text);
/// A text without any « and ».
std::string without_quotes(std::string_view text);
/// The offset just after the » that closes the « at `at`, or the end of the text; `at` if there is no «
/// there.
std::size_t end_of_quoted(std::string_view text, std::size_t at);

/// The path of a module, as Lean's modToFilePath finds it: `A/b c` for `A.«b c»`, without an extension and
/// below the folder of the sources or of the compiled files. nullopt for a name that would lead out of that
/// folder.
std::optional<std::filesystem::path> path_of_module(std::string_view module);
/// The module `A.«b c»` for `A/b c.lean`, `A/b c.olean` or the folder `A/b c`.
std::string module_of_path(const std::filesystem::path& relative);

/// The namespaces, sections and mutual blocks that are open at a place of a text. `namespace A.B` and
/// `section A.B` are two scopes each: `end B` and `end A` close them, or `end A.B`.
class Scopes {
 public:
  /// Records a command. `name`: the name behind it (for `section` and `end`, on the same line); may be empty.
  void see(std::string_view command, std::string_view name);
  /// The full name of a declaration that is `written` here, with the quotes as written; "" if it has more
  /// than `most` bytes.
  std::string full_name(std::string_view written, std::size_t most = std::string_view::npos) const;

 private:
  std::string prefix_;             // such as `A.B.`
  std::vector<std::size_t> open_;  // the size of the prefix before each open scope
};

}  // namespace leanbridge::text
