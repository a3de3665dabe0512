# The version, and what CHANGELOG.md says about it. Source this in the root of the repository.

# CMakeLists.txt has the version. Every other mention is checked against it (lint_version).
project_version() { sed -nE 's/^project\(leanbridge VERSION ([0-9]+\.[0-9]+\.[0-9]+) .*/\1/p' CMakeLists.txt; }

# project_setting NAME: a variable of CMakeLists.txt, such as LEANBRIDGE_HOME; nothing while it is empty.
project_setting() { sed -nE "s/^set\($1 \"(.*)\"\)$/\1/p" CMakeLists.txt; }

# changelog_date VERSION: its date, or Unreleased; nothing if it has no section.
changelog_date() { sed -nE "s/^## \[${1//./\\.}\] - (Unreleased|[0-9]{4}-[0-9]{2}-[0-9]{2})\$/\1/p" CHANGELOG.md; }

# changelog_section VERSION: its text, without the heading.
changelog_section() { awk -v heading="## [$1] - " '/^## / { inside = index($0, heading) == 1; next } inside' CHANGELOG.md | sed '/./,$!d'; }

# source_time: the time of these sources in seconds: that of the last commit, and without git the newest date in CHANGELOG.md.
source_time() {
  local date
  # Not a repository around an unpacked archive.
  if [[ -e .git ]] && git log -1 --format=%ct 2>/dev/null; then return; fi
  date=$(sed -nE 's/^## \[.*\] - ([0-9]{4}-[0-9]{2}-[0-9]{2})$/\1/p' CHANGELOG.md | sort | tail -n 1)
  date -u -d "${date:-1980-01-01}" +%s
}
