# Rules about the files themselves, each counted as a test. To be sourced after report.sh and setup.sh (for NODE).

readonly MAX_LINES=400

# Every file of ours. Not by git: a source archive has the same rules.
our_files() {
  find . \( -name .git -o -name node_modules -o -name .lake -o -path ./build -o -path './fixtures/lean-wasm/toolchain*' \) -prune -o -type f -print
}

lint_length() {
  local file lines status=0
  while read -r file; do
    lines=$(wc -l <"$file")
    if ((lines > MAX_LINES)); then
      echo "$file has $lines lines, more than $MAX_LINES: split it by subject"
      status=1
    fi
  done < <(our_files | grep -E '^\./(src|include)/')
  return "$status"
}

# A path that exists on one machine only, or a folder that is no part of the repository. The brackets keep the rules from matching themselves.
lint_paths() {
  local found
  found=$(our_files | grep -v '^\./LICENSE$' | tr '\n' '\0' |
    xargs -0 grep -nIE '(^|[^A-Za-z0-9_.-])([s]hared/(docs|hooks|lean-wasm)|/[w]ork/|/[r]oot/|/tmp/[b]are|/tmp/[l]eanbridge-[a-z]+-[A-Za-z0-9]{6})' || true)
  [[ -z $found ]] || { cut -c1-200 <<<"$found"; return 1; }
}

# .jsonl: every line by itself. What is in a folder called malformed is meant to be.
lint_json() {
  our_files | grep -E '\.jsonl?$' | grep -v '/malformed/' | "$NODE" -e '
    const fs = require("node:fs");
    let broken = 0;
    for (const file of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
      const text = fs.readFileSync(file, "utf8");
      const parts = file.endsWith(".jsonl") ? text.split("\n").map((line, index) => [line, `${file}:${index + 1}`]).filter(([line]) => line.trim()) : [[text, file]];
      for (const [part, place] of parts) try { JSON.parse(part); } catch (error) { broken++; console.log(`${place}: ${error.message}`); }
    }
    process.exit(broken ? 1 : 0);'
}

lint_shell() {
  local file status=0
  while read -r file; do
    head -n 1 "$file" | grep -qE '^#!.*bash' || [[ $file == *.sh ]] || continue
    bash -n "$file" || status=1
  done < <(our_files | grep -E '^\./(scripts|\.ci)/')
  return "$status"
}

readonly LINTS=(lint_length lint_paths lint_json lint_shell)
