#pragma once
/// A report of `check` in a form for people.

#include "check/batch/verdict.hpp"
#include "core/terminal/terminal.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace leanbridge::app {

/// "Foo.lean:3:5: error: foo: the first message (and 2 more)", broken at `width`. `source`: the judged text,
/// if it is known, from which the name of the declaration is taken. Ends with a line ending.
std::string report_text(const batch::Report& report, const std::optional<std::string>& source,
                        std::size_t width, const Paint& paint);

/// "::error file=Foo.lean,line=3,col=5::the message" for each message of a report that is not ok, or one line
/// for its reason: a workflow of GitHub Actions shows them at the lines. It names a file from `workspace`,
/// or, if that is not around the file, from the root of the file's repository.
std::string annotations(const batch::Report& report, const std::filesystem::path& workspace = {});

}  // namespace leanbridge::app
