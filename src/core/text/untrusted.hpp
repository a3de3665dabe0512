#pragma once
/// Cleans text from outside (servers, project files) before a person or a model sees it. Terminals obey some
/// characters, others change the writing direction, and some are invisible though a model reads them. Pure
/// functions, callable from any thread; none throws on bad input.

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace leanbridge::text {

/// C0, DEL, C1, and the line and paragraph separators of Unicode.
bool is_control(char32_t c);
/// Characters that change the writing direction, or have neither width nor meaning in plain text: marks,
/// overrides and isolates, zero-width spaces, invisible operators, tags and their variation selectors.
bool is_invisible(char32_t c);
/// Whether the text has none of those and is well-formed UTF-8.
bool is_clean(std::string_view text);

/// The text without those and without terminal escape sequences. Line ends and tabs stay; ill-formed UTF-8 is
/// replaced.
std::string cleaned(std::string_view text);
/// The same on one line: line ends and tabs become spaces, and trailing spaces go.
std::string cleaned_line(std::string_view text);
/// Cleans every string in the value, including member names. If two names become equal, one member stays.
nlohmann::json cleaned_json(nlohmann::json value);

/// Makes visible what cleaned_line() would remove, and every other character that looks like nothing or like
/// a space, as `\u{1b}`.
std::string escaped(std::string_view text);

/// The text as a word of a shell command: quoted, unless it has only plain characters.
std::string shell_word(std::string_view text);

}  // namespace leanbridge::text
