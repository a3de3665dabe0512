#pragma once
/// Texts of others (servers, files of a project), before a person or a model sees them. Terminals obey some
/// characters, others turn the direction of writing, and some are not seen at all, though a model reads them.
/// Pure functions, callable from any thread; none throws on bad input.

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace leanbridge::text {

/// C0, DEL, C1, and the two separators of lines that Unicode has.
bool is_control(char32_t c);
/// What turns the direction of writing, and what has no width and no meaning in plain text: marks, overrides
/// and isolates, zero-width spaces, invisible operators, tags and the variation selectors beside them.
bool is_invisible(char32_t c);
/// Whether the text holds any of those; an ill-formed sequence counts, too.
bool is_clean(std::string_view text);

/// Without them and without the sequences of terminals; line ends and tabs stay; what is not UTF-8 is
/// replaced.
std::string cleaned(std::string_view text);
/// The same on one line: line ends and tabs are blanks, none at the end.
std::string cleaned_line(std::string_view text);
/// Every text in the value, the names of members too. Of two members whose names have become equal one stays.
nlohmann::json cleaned_json(nlohmann::json value);

/// With all that cleaned_line() would take away in sight, as `\u{1b}`.
std::string escaped(std::string_view text);

/// As it is written in a shell: in quotes, unless it is a word of plain characters.
std::string shell_word(std::string_view text);

}  // namespace leanbridge::text
