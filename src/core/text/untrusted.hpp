#pragma once
/// Cleans text from outside (servers, project files) before a person or a model sees it. Terminals obey some
/// characters, others change the writing direction, and some are invisible though a model reads them. Pure
/// functions, callable from any thread; none throws on bad input.

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace leanbridge::text {

/// Whether it is a control character (C0, DEL, C1) or a line or paragraph separator of Unicode.
bool is_control(char32_t c);
/// Whether it changes the writing direction, or has neither width nor meaning in plain text: marks, overrides
/// and isolates, zero-width spaces, invisible operators, tags and their variation selectors.
bool is_invisible(char32_t c);
/// Whether the text is well-formed UTF-8 and has no such character.
bool is_clean(std::string_view text);

/// The text without such characters and without terminal escape sequences. Keeps line ends and tabs; replaces
/// ill-formed UTF-8.
std::string cleaned(std::string_view text);
/// Returns cleaned() on one line: line ends and tabs become spaces, and trailing spaces are removed.
std::string cleaned_line(std::string_view text);
/// Cleans every string in the value, including member names. If two names become equal, one member stays.
nlohmann::json cleaned_json(nlohmann::json value);

/// Writes as `\u{1b}` every character that cleaned_line() would remove, and every other one that looks like
/// nothing or like a space.
std::string escaped(std::string_view text);

/// The text as a word of a shell command: quoted, unless it has only plain characters.
std::string shell_word(std::string_view text);

}  // namespace leanbridge::text
