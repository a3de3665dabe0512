# The version, and what CHANGELOG.md says about it. Source this in the root of the repository.

# CMakeLists.txt has the version. Every other mention is checked against it (lint_version).
project_version() { sed -nE 's/^project\(leanbridge VERSION ([0-9]+\.[0-9]+\.[0-9]+) .*/\1/p' CMakeLists.txt; }

# changelog_date VERSION: its date, or Unreleased; nothing if it has no section.
changelog_date() { sed -nE "s/^## \[${1//./\\.}\] - (Unreleased|[0-9]{4}-[0-9]{2}-[0-9]{2})\$/\1/p" CHANGELOG.md; }

# changelog_section VERSION: its text, without the heading.
changelog_section() { awk -v heading="## [$1] - " '/^## / { inside = index($0, heading) == 1; next } inside' CHANGELOG.md | sed '/./,$!d'; }
