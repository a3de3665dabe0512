# Rules about the files themselves, each counted as a test. Source this after report.sh and setup.sh (for NODE).

readonly MAX_LINES=800

# Every file of ours. Not by git, so that the rules also work in a source archive.
our_files() {
  find . \( -name .git -o -name node_modules -o -name .lake -o -path ./build -o -path ./dist -o -path './fixtures/lean-wasm/toolchain*' \) -prune -o -type f -print
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

# How many lines of .cpp and .hpp each part has at most; `src` is all of them, and `core` also has include. Neither counts `platform`, which
# has its own sum. They may only fall: a feature that needs more takes them from somewhere and says so in its commit. The goals are 34000 for
# `core` and 86000 for `src`.
readonly CEILINGS=(
  src=104944 core=48550 platform=1940 search=16300 check=3600 certify=12333 gateway=10900 corpus=1700 desk=7975 http=1800 together=1873
)
# A ceiling so far above what is there is no ceiling.
readonly CEILING_SLACK=1000

lint_ceilings() {
  local each part most lines status=0 folders others
  for part in src/*/; do
    part=$(basename "$part")
    [[ " ${CEILINGS[*]}" == *" $part="* ]] || { echo "src/$part has no ceiling of lines (scripts/lib/lint.sh)"; status=1; }
  done
  for each in "${CEILINGS[@]}"; do
    part=${each%=*} most=${each#*=}
    case $part in
      src) folders=(src include) ;;
      core) folders=(src/core include) ;;
      platform) folders=(src/core/platform) ;;
      *) folders=("src/$part") ;;
    esac
    others=()
    [[ $part == platform ]] || others=(-path src/core/platform -prune -o)
    lines=$(find "${folders[@]}" "${others[@]}" \( -name '*.cpp' -o -name '*.hpp' \) -exec cat {} + | wc -l)
    if ((lines > most)); then
      echo "$part has $lines lines, more than its ceiling of $most: take them from somewhere"
      status=1
    elif ((lines < most - CEILING_SLACK)); then
      echo "$part has $lines lines: lower its ceiling, which is $most (scripts/lib/lint.sh)"
      status=1
    fi
  done
  return "$status"
}

# A tool is an adapter: a file in a folder `tools` has at most 120 lines for each tool that it defines.
lint_tools_length() {
  local file tools lines status=0
  while read -r file; do
    tools=$(grep -cE '^mcp::Tool \w+\(\w*Environment& environment\) \{$' "$file") || continue
    lines=$(wc -l <"$file")
    if ((lines > 120 * tools)); then
      echo "$file has $lines lines for $tools tools, more than 120 each: move its logic below the tools, in the core to src/core/ide"
      status=1
    fi
  done < <(find src -path '*/tools/*' -name '*.cpp' | sort)
  return "$status"
}

# The core names no part: a part joins it by include/leanbridge/part.hpp. A part includes only its own files, the core's, and those of the parts
# that its modules link, or these (src/CMakeLists.txt).
lint_parts() {
  "$NODE" -e '
    const fs = require("node:fs");
    const lists = fs.readFileSync("src/CMakeLists.txt", "utf8");
    const parts = fs.readdirSync("src", { withFileTypes: true }).filter(entry => entry.isDirectory() && entry.name !== "core").map(({ name }) => name);
    // Which part a library is of, by its folders.
    const libraries = [...lists.matchAll(/leanbridge_(?:module|part)\((\w+)(?: FOLDERS ([^)]*?))?(?: PUBLIC ([^)]*))?\)/g)].map(([, name, folders, links = ""]) => ({
      name: `leanbridge_${name}`, part: (folders ?? name).split("/")[0], links: links.split(/\s+/) }));
    const partOf = Object.fromEntries(libraries.map(({ name, part }) => [name, part]));
    const linked = part => libraries.filter(library => library.part === part).flatMap(({ links }) => links.map(link => partOf[link]).filter(Boolean));
    const may = (part, seen = new Set(["core"])) => { if (!seen.has(part)) { seen.add(part); for (const next of linked(part)) may(next, seen); } return seen; };
    let wrong = 0;
    for (const file of fs.globSync("{src,include}/**/*.{cpp,hpp}")) {
      const own = file.startsWith("include/") ? "core" : file.split("/")[1];
      if (own.includes(".")) continue;   // main.cpp and parts.cpp know all
      const allowed = may(own);
      for (const [, name] of fs.readFileSync(file, "utf8").matchAll(/^#include "([^"]+)"/gm)) {
        const part = name.split("/")[0];
        if (!parts.includes(part) || allowed.has(part)) continue;
        wrong++;
        console.log(`${file} includes ${name}: ${own === "core" ? "the core names no part" : `no module of ${own} links one of ${part} (src/CMakeLists.txt)`}`);
      }
    }
    process.exit(wrong ? 1 : 0);'
}

# A header of at most 50 lines that one file includes, and that is no header of its own source, belongs into that file.
lint_small_headers() {
  "$NODE" -e '
    const fs = require("node:fs"), path = require("node:path");
    const files = fs.globSync("{src,include,tests}/**/*.{cpp,hpp}").filter(file => !file.includes("node_modules"));
    const known = new Set(files), readers = new Map();
    for (const file of files)
      for (const [, name] of fs.readFileSync(file, "utf8").matchAll(/^#include "([^"]+)"/gm)) {
        const header = [path.join(path.dirname(file), name), `src/${name}`, `include/${name}`].find(one => known.has(one));
        if (header) readers.set(header, [...(readers.get(header) ?? []), file]);
      }
    let wrong = 0;
    for (const file of files.filter(one => /^src\/.*\.hpp$/.test(one) && !known.has(one.replace(/hpp$/, "cpp")))) {
      const lines = fs.readFileSync(file, "utf8").split("\n").length - 1, by = readers.get(file) ?? [];
      if (by.length > 1 || lines > 50) continue;
      wrong++;
      console.log(by.length ? `only ${by[0]} includes ${file}, which has ${lines} lines: put it there` : `nothing includes ${file}`);
    }
    process.exit(wrong ? 1 : 0);'
}

# Finds paths that exist only on one machine, and folders outside the repository. The brackets keep the patterns from matching themselves.
lint_paths() {
  local found
  found=$(our_files | grep -v '^\./LICENSE$' | tr '\n' '\0' |
    xargs -0 grep -nIE '(^|[^A-Za-z0-9_.-])([s]hared/(docs|hooks|lean-wasm)|/[w]ork/|/[r]oot/|/tmp/[b]are|/tmp/[l]eanbridge-[a-z]+-[A-Za-z0-9]{6})' || true)
  [[ -z $found ]] || { cut -c1-200 <<<"$found"; return 1; }
}

# In .jsonl every line is checked on its own. Files in a folder called malformed are malformed on purpose.
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

# Programs are started only by io::ChildProcess, with a list of arguments; nothing may interpret a command line.
lint_no_shell() {
  local found
  found=$(grep -rnE '\b(std::)?system\(|\bpopen\(|/bin/(ba)?sh\b|"(ba)?sh"|execl[ep]?\(|wordexp\(' src include || true)
  [[ -z $found ]] || { echo "$found"; return 1; }
}

# Files that a project or a configuration names are read only by RegularFile (src/core/base/files.cpp): a named pipe would block us, a device
# never end. Two places open something without reading it there: a source about to be replaced, to lock it, and our own stdin, reopened to be
# read as a stream, by the server, `check` and batches of `certify`.
lint_bounded_reading() {
  local found
  found=$({
    grep -rnE '\b(w?ifstream|w?fstream|filebuf|fopen|freopen|fdopen|mmap|parse_file|copy_file)\b' src include | grep -v '^src/core/olean/module_set\.cpp:'
    grep -rnE '\bO_RDONLY\b' src include | grep -vE 'O_DIRECTORY|^src/(core/(base/files|document/file|platform/[a-z]+/[a-z_]+)|core/program/serve|desk/shared/relay|check/command/line_input)\.cpp:'
  } || true)
  [[ -z $found ]] || { echo "$found"; echo 'read it with RegularFile (src/core/base/files.hpp)'; return 1; }
}

# Names of Lean's are taken apart, quoted, and turned into files and back, in one place, by Lean's rules: text/lean_names. Nothing else knows
# guillemets, nor puts slashes for dots.
lint_lean_names() {
  local found
  found=$(find src include \( -name '*.cpp' -o -name '*.hpp' \) -not -name 'lean_names.*' -print0 | xargs -0 awk "
    { code = \$0; sub(/\\/\\/.*/, \"\", code) }
    code ~ /«|»|'\\.', *'\\/'|'\\/', *'\\.'|getline\\(.*'\\.'\\)/ { print FILENAME \":\" FNR \": \" \$0 }")
  [[ -z $found ]] || { echo "$found"; echo 'use src/core/text/lean_names.hpp'; return 1; }
}

# The words by which Lean's commands are known stand in one table, text/command_words.hpp, with what each is. A list with five of them or more is
# another table. src/core/lean/printed.cpp reads what Lean prints, which has fewer words.
lint_command_words() {
  "$NODE" -e '
    const fs = require("node:fs");
    const table = "src/core/text/command_words.hpp";
    const words = new Set([...fs.readFileSync(table, "utf8").matchAll(/^ +\{"(\w+)", k/gm)].map(([, word]) => word));
    let wrong = words.size < 50;
    for (const file of fs.globSync("{src,include}/**/*.{cpp,hpp}"))
      if (file !== table && file !== "src/core/lean/printed.cpp")
        for (const [, list] of fs.readFileSync(file, "utf8").matchAll(/string_view>?[^;={}]*[={(]+\s*\{([^{}]*)\}/g)) {
          const own = [...list.matchAll(/"(\w+)"/g)].map(([, word]) => word).filter(word => words.has(word));
          if (own.length >= 5) { wrong = true; console.log(`${file} lists ${own.join(", ")}: ask is_command_word (${table})`); }
        }
    process.exit(wrong ? 1 : 0);'
}

# Names that only one system has stand in core/platform (docs/decisions/0029-platforms.md). The doctor's advice names a limit of Linux's.
lint_systems() {
  local found
  found=$({
    grep -rnE '\b(sys/(prctl|syscall|inotify|epoll|random|event|sysctl)\.h|link\.h|libproc\.h|dl_find_object|O_TMPFILE|CLOCK_BOOTTIME|st_[acm]tim(espec)?|SOCK_(CLOEXEC|NONBLOCK)|accept4|SO_PEERCRED|ucred|environ|getrandom|epoll|pidfd|prctl|syscall|pipe2|close_range|posix_spawnp?|sig(timed|info)?wait(info)?|kqueue|sysctlbyname|getpeereid|__(linux|APPLE)__)\b|/proc\b' src include |
      grep -v '^src/certify/untrusted/run\.cpp:.* "/proc",$'
    grep -rn 'inotify' src include | grep -v '^src/desk/doctor/findings\.cpp:'
  } | grep -v '^src/core/platform/' || true)
  [[ -z $found ]] || { echo "$found"; echo 'ask src/core/platform'; return 1; }
}

# A comment has a subject (docs/style.md): its first word is not one of these. A line that begins in the column of the comment above continues it.
lint_comments() {
  local found
  found=$(find src include \( -name '*.cpp' -o -name '*.hpp' \) -print0 | xargs -0 awk '
    FNR == 1 { above = 0 }
    { at = match($0, /\/\/\/?<? */); text = substr($0, RSTART + RLENGTH) }
    at && !(at == above && $0 ~ /^ *\/\//) && text ~ /^(What|Who|Those|Nobody)[^A-Za-z]/ { print FILENAME ":" FNR ": " $0 }
    { above = at }')
  [[ -z $found ]] || { echo "$found"; echo 'begin with the subject: "The goals at a place", "Whether it runs"'; return 1; }
}

# A function is read once: at most 60 lines and 25 branches.
lint_functions() { "$NODE" scripts/lib/functions.mjs; }

# The parts of a compiled module have one list of extensions: certify/verdict/foundations.hpp. A field that has the name of its member says it once.
# Signals are waited for in one class, apart from the one that says that a window has another size. The notifications of MCP's lists are named in
# core/mcp/lists.hpp.
lint_once() {
  local found
  found=$({
    grep -rnE '"[^"]*\.olean\.(server|private)' src include | grep -vE '^src/certify/verdict/foundations\.hpp:|: *//'
    grep -rnE 'named_field<&[A-Za-z0-9_:]*::([a-z0-9_]+)>\(\s*"\1"' src include
    grep -rn 'signal_set' src include | grep -vE '^src/core/(program/interrupts|terminal/terminal)\.'
    grep -rnE '(tools|prompts|resources)(/list_changed|ListChanged)' src include | grep -v '^src/core/mcp/lists\.hpp:'
  } || true)
  [[ -z $found ]] || { echo "$found"; return 1; }
}

# An option of the server is declared in one call, with the variables that stand for it, of which its help is made; docs/options.md has a row for
# each, with the same variables. Settings of search and of lean-lsp-mcp have their own tables (docs/search.md, docs/compatibility.md).
lint_options() {
  "$NODE" -e '
    const fs = require("node:fs");
    let wrong = 0;
    const say = text => { wrong++; console.log(text); };
    const files = ["src/core/program/options.cpp", "src/gateway/command/gateway_options.cpp", "src/desk/desk_options.cpp"];
    const declared = new Map();
    for (const file of files) {
      const source = fs.readFileSync(file, "utf8");
      const constants = Object.fromEntries([...source.matchAll(/(k\w+) = "(LEAN\w+)"/g)].map(([, name, variable]) => [name, variable]));
      const named = [...source.matchAll(/"(LEAN\w+)"/g)].map(([, variable]) => variable);
      named.forEach((variable, at) => { if (named.indexOf(variable) < at) say(`${file} names ${variable} twice: declare the option once`); });
      for (const [, variable] of source.matchAll(/default: (LEAN\w+)/g)) say(`${file}: the help of ${variable} is made by add_text, add_number or add_switch`);
      for (const [call, flag] of source.matchAll(/\badd_(?:text|number|switch|option|flag)\(\s*(?:app, )?"--([a-z-]+)[,"][\s\S]*?;\n/g))
        if (/^add_\w+\(\s*app, /.test(call) || source[source.indexOf(call) - 1] === "." && /\bapp$/.test(source.slice(0, source.indexOf(call) - 1)))
          declared.set(`--${flag}`, [...call.matchAll(/"(LEAN\w+)"|\b(k[A-Z]\w+)\b/g)].map(([, variable, constant]) => variable ?? constants[constant]).filter(Boolean));
    }
    if (declared.size < 20) say("the options of the server were not found in their sources");
    const rows = new Map([...fs.readFileSync("docs/options.md", "utf8").matchAll(/^\| `(--[a-z-]+)[^|]*\| ([^|]*)\|/gm)].map(([, flag, variables]) => [flag, [...variables.matchAll(/`(\w+)`/g)].map(([, variable]) => variable)]));
    for (const [flag, variables] of declared)
      if (!rows.has(flag)) say(`docs/options.md has no row for ${flag}`);
      else if (rows.get(flag).join() !== variables.join()) say(`docs/options.md gives ${flag} the variables "${rows.get(flag)}", the sources "${variables}"`);
    process.exit(wrong ? 1 : 0);'
}

# curl verifies certificates and host names unless told not to.
lint_no_unverified_tls() {
  local found
  found=$(grep -rnE 'SSL_VERIFY(PEER|HOST|STATUS)|SSL_VERIFY_NONE|SSL_OPTIONS' src include || true)
  [[ -z $found ]] || { echo "$found"; return 1; }
}

# Every npm package has a hash in its lock file, every pip package one in its requirements.
lint_pinned() {
  our_files | grep -E '/package-lock\.json$|requirements[^/]*\.txt$' | "$NODE" -e '
    const fs = require("node:fs");
    let loose = 0;
    const say = text => { loose++; console.log(text); };
    for (const file of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
      const text = fs.readFileSync(file, "utf8");
      if (file.endsWith(".txt")) {
        for (const line of text.replaceAll("\\\n", " ").split("\n"))
          if (/^[A-Za-z0-9]/.test(line) && !(/==/.test(line) && /--hash=sha256:/.test(line))) say(`${file}: ${line.slice(0, 80)}`);
      } else {
        for (const [name, entry] of Object.entries(JSON.parse(text).packages))
          if (name && !entry.link && !/^sha512-/.test(entry.integrity ?? "")) say(`${file}: ${name} has no hash`);
      }
    }
    process.exit(loose ? 1 : 0);'
}

# docs/security.md names the tests of its promises: each must exist outside comments, and every promise must have one.
lint_promises() { "$NODE" scripts/lib/promises.mjs; }

# Every promise in it, and every rule of the runs with faults, has a mutant, and all patches still apply (scripts/mutate).
lint_mutants() { "$NODE" scripts/lib/mutate.mjs --check; }

# docs/compatibility.md is made from the facts about lean-lsp-mcp, and says nothing that the sources and the tests contradict.
lint_compatibility() { "$NODE" scripts/lib/compatibility.mjs --check; }

# docs/tools.md has every tool, and its first table says of each what the sources say.
lint_tools() { "$NODE" scripts/lib/tools.mjs --check; }

# docs/testing.md says of each end-to-end suite on which Lean it runs, and tests/e2e/suites.mjs of which part it is.
lint_suites() {
  "$NODE" --input-type=module -e '
    import fs from "node:fs";
    import { SUITES } from "./tests/e2e/suites.mjs";
    const [, table] = /^\| suites \| on \| why \|\n(.*?)\n\n/ms.exec(fs.readFileSync("docs/testing.md", "utf8"));
    const told = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, suites]) => [...suites.matchAll(/`([a-z-]+)`/g)].map(([, suite]) => suite));
    const wrong = [...Object.keys(SUITES).filter(suite => !told.includes(suite)).map(suite => `no row for the suite ${suite}`),
      ...Object.entries(SUITES).filter(([, { part }]) => !fs.existsSync(`src/${part}`)).map(([suite, { part }]) => `the part ${part} of the suite ${suite} is no folder of src`),
      ...told.filter((suite, at) => !SUITES[suite] || told.indexOf(suite) < at).map(suite => `${suite} is no suite, or is there twice`)];
    for (const problem of wrong) console.log(`docs/testing.md: ${problem}`);
    process.exit(wrong.length ? 1 : 0);'
}

# docs/assumptions.md: its files exist, no number is there twice, and those that a probe of the doctor tries are marked.
lint_assumptions() {
  "$NODE" -e '
    const fs = require("node:fs");
    let wrong = 0;
    const say = problem => { wrong++; console.log(`docs/assumptions.md: ${problem}`); };
    const text = fs.readFileSync("docs/assumptions.md", "utf8");
    for (const [, file] of text.matchAll(/`((?:src|include|tests|fixtures|scripts)\/[^`\s]+)`/g)) if (!fs.existsSync(file)) say(`${file} does not exist`);
    const rows = [...text.matchAll(/^\| (A\d+)( ●)? \|/gm)];
    const numbers = rows.map(([, number]) => number);
    numbers.forEach((number, at) => { if (numbers.indexOf(number) < at) say(`${number} is there twice`); });
    const tried = new Set(["lake", "lean"].flatMap(part => [...fs.readFileSync(`src/desk/doctor/probe_${part}.cpp`, "utf8").matchAll(/\{"(A\d+)"/g)]).map(([, number]) => number));
    for (const number of tried) if (!numbers.includes(number)) say(`a probe tries ${number}, which has no row`);
    for (const [, number, mark] of rows) if (tried.has(number) !== Boolean(mark)) say(`${number} is ${mark ? "marked and no probe tries it" : "tried and not marked"}`);
    process.exit(wrong ? 1 : 0);'
}

# The layout of C++ is clang-format's, of one version.
lint_format() { scripts/format --check; }

# CMakeLists.txt has the version. CHANGELOG.md begins with it, each older section has a date, and whatever names the version of leanbridge
# elsewhere names this one: manifests (JSON, TOML, CITATION.cff) and texts such as leanbridge-X.Y.Z or leanbridge==X.Y.Z. What was measured is
# of the version it was measured with.
lint_version() {
  source scripts/lib/version.sh
  local version date
  version=$(project_version) date=
  [[ -n $version ]] || { echo 'CMakeLists.txt: project(leanbridge VERSION …) has no version X.Y.Z'; return 1; }
  date=$(changelog_date "$version")
  [[ -n $date ]] || { echo "CHANGELOG.md has no section \"## [$version] - Unreleased\", nor one with a date"; return 1; }
  our_files | grep -vE '^\./(fixtures|docs/benchmarks\.md|dist)|/package-lock\.json$' | "$NODE" -e '
    const fs = require("node:fs");
    const version = process.argv[1];
    let wrong = 0;
    const say = text => { wrong++; console.log(text); };
    const check = (place, found) => { if (found !== version) say(`${place} says ${found}, CMakeLists.txt ${version}`); };
    const ours = name => typeof name === "string" && /(^|[^a-z])leanbridge$/.test(name);
    const walk = (file, value) => {
      if (typeof value !== "object" || value === null) return;
      if ((ours(value.name) || ours(value.identifier)) && typeof value.version === "string") check(file, value.version);
      for (const part of Object.values(value)) walk(file, part);
    };
    for (const file of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
      const text = fs.readFileSync(file, "utf8");
      if (file === "./CHANGELOG.md") {
        const sections = text.split("\n").filter(line => line.startsWith("## "));
        sections.forEach((line, at) => {
          const [, number, date] = /^## \[(\d+\.\d+\.\d+)\] - (Unreleased|\d{4}-\d\d-\d\d)$/.exec(line) ?? [];
          if (!number || (at > 0 && date === "Unreleased")) say(`${file}: "${line}" is not "## [X.Y.Z] - YYYY-MM-DD"`);
          else if (at === 0) check(file, number);
        });
        for (const [line, kind] of text.matchAll(/^### (.*)$/gm))
          if (!["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"].includes(kind)) say(`${file}: "${line}" is no kind of change of Keep a Changelog`);
        continue;
      }
      if (file.endsWith(".json")) walk(file, JSON.parse(text.trim() && !file.includes("/malformed/") ? text : "{}"));
      if (file.endsWith(".toml") && /^name = "leanbridge"$/m.test(text)) for (const [, found] of text.matchAll(/^version = "(.*)"$/gm)) check(file, found);
      if (file.endsWith("/CITATION.cff")) check(file, /^version: "?([^"\n]*)"?$/m.exec(text)?.[1]);
      for (const [, found] of text.matchAll(/\bleanbridge(?:[-_@:\/ ]|==)v?(\d+\.\d+\.\d+)/g)) check(file, found);
    }
    process.exit(wrong ? 1 : 0);' "$version"
}

# Workflows run our own scripts and nothing else, so that whatever they do can be done anywhere. What they take from others has a hash, a job
# has the permissions that it names, and text from outside gets into no command: it can be passed in a variable.
lint_workflows() {
  local workflow status=0 found script
  for workflow in .github/workflows/*; do
    found=$(
      grep -nE '^ *(- )?uses:' "$workflow" | grep -vE ': *(- )?uses: [A-Za-z0-9/._-]+@[0-9a-f]{40} # v[0-9.]+$' | sed 's/$/   (wants a commit: NAME@40 digits # vX.Y.Z)/'
      grep -nE '^ *(container|image):' "$workflow" | grep -vE '@sha256:[0-9a-f]{64}$' | sed 's/$/   (wants a digest: IMAGE@sha256:…)/'
      grep -nE '^ *(- )?run:' "$workflow" | grep -vE ': *(- )?run: scripts/[a-z-]+( (--?[a-z-]+|[a-z0-9_-]+|"\$[A-Z_]+"))*$' | sed 's/$/   (wants one of our scripts, with plain arguments)/'
      grep -nE 'pull_request_target|workflow_run|secrets\.|permissions: [a-z]|shell:' "$workflow" | sed 's/$/   (wants none of this)/'
      grep -qx 'permissions: {}' "$workflow" || echo 'wants "permissions: {}" for all jobs, and what each needs in it'
      (($(grep -c 'uses: actions/checkout@' "$workflow") == $(grep -c '^ *persist-credentials: false$' "$workflow"))) || echo 'wants "persist-credentials: false" for each checkout'
      for script in $(sed -nE 's|^ *(- )?run: (scripts/[a-z-]+).*|\2|p' "$workflow"); do [[ -x $script ]] || echo "$script does not exist"; done
    ) || true
    [[ -z $found ]] || { sed "s|^|$workflow: |" <<<"$found"; status=1; }
  done
  return "$status"
}

readonly LINTS=(lint_format lint_length lint_ceilings lint_tools_length lint_parts lint_small_headers lint_paths lint_json lint_shell lint_no_shell lint_bounded_reading lint_lean_names lint_command_words lint_systems lint_comments lint_functions lint_once lint_options lint_no_unverified_tls lint_pinned lint_promises lint_mutants lint_suites lint_tools lint_assumptions lint_compatibility lint_version lint_workflows)
