#!/usr/bin/env bash
# Makes .venv and installs c4 into it, pinned by constraints.txt and by the hashes of uv.lock. `make` calls it; it says in one sentence what is missing.
# usage: environment.sh EXTRAS    Variables: PYTHON (interpreter), TORCH_INDEX (auto, default, or the address of an index).
set -euo pipefail
cd "$(dirname "$0")/.."

stop() {
  echo "c4: $1" >&2
  exit 1
}

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
  local candidate
  for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
    if new_enough "$candidate"; then
      echo "$candidate"
      return
    fi
  done
  stop "Python 3.11 or newer is needed and ${PYTHON:-python3} is not: install it (Debian: apt install python3 python3-venv python3-dev) or name it with PYTHON=/path/to/python3."
}

check_tools() {
  local python=$1 include compiler
  "$python" -c 'import ensurepip, venv' 2>/dev/null ||
    stop "$python cannot make virtual environments: install its venv module (Debian: apt install python3-venv)."
  include=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
  [ -f "$include/Python.h" ] ||
    stop "Python.h is missing in $include: install the headers of Python (Debian: apt install python3-dev)."
  compiler=${CXX:-$("$python" -c 'import sysconfig; print((sysconfig.get_config_var("CXX") or "c++").split()[0])')}
  command -v "${compiler%% *}" >/dev/null ||
    stop "the C++ compiler ${compiler%% *} is missing: install one (Debian: apt install g++) or name yours with CXX=."
  echo '#include <concepts>' | $compiler -std=c++20 -fsyntax-only -x c++ - 2>/dev/null ||
    stop "$compiler cannot compile C++20: install g++ 10, clang 13 or newer, or name another with CXX=."
}

# Where torch comes from. PyPI's wheels for Linux bring gigabytes of CUDA, so a Linux machine without an NVIDIA driver
# asks PyTorch's own index for the CPU build, when that answers.
torch_index() {
  local cpu=https://download.pytorch.org/whl/cpu
  if [ "${TORCH_INDEX:-auto}" != auto ]; then
    [ "$TORCH_INDEX" = default ] || echo "$TORCH_INDEX"
  elif [ "$(uname -s)" = Linux ] && ! nvidia-smi >/dev/null 2>&1; then
    "$1" -c "import urllib.request; urllib.request.urlopen('$cpu/torch/', timeout=3)" 2>/dev/null && echo "$cpu" || true
  fi
}

# The versions of uv.lock, and no file but those whose hash stands there.
install_locked() {
  "$1" scripts/locked.py "$2" >.venv/locked.txt
  "$1" -m pip install --quiet --quiet --no-deps --no-build-isolation --require-hashes -r .venv/locked.txt
}

install_torch() {
  local python=$1 index pinned
  pinned=$(grep -E '^torch==' constraints.txt)
  if [ "${TORCH_INDEX:-auto}" = default ]; then
    install_locked "$python" torch
  else # another index has other files of the same version, of which uv.lock knows no hash
    index=$(torch_index "$python")
    "$python" -m pip install --quiet --quiet --no-deps ${index:+--index-url "$index"} "$pinned"
  fi
  if ! nvidia-smi >/dev/null 2>&1 && "$python" -c 'from importlib.metadata import requires
import sys; sys.exit(not any("nvidia" in line for line in requires("torch") or []))'; then
    echo "c4: this torch is built for CUDA and brings gigabytes of it; TORCH_INDEX=<index of CPU wheels> avoids that." >&2
  fi
}

export PIP_DISABLE_PIP_VERSION_CHECK=1
.venv/bin/python -m pip --version >/dev/null 2>&1 || {
  python=$(find_python)
  check_tools "$python"
  echo "c4: making .venv with $("$python" --version)"
  "$python" -m venv .venv
}
echo "c4: installing the pinned packages into .venv (a minute or two the first time)"
install_locked .venv/bin/python build
install_torch .venv/bin/python
install_locked .venv/bin/python "$1"
.venv/bin/python -m pip install --quiet --quiet -c constraints.txt --no-build-isolation -e ".[$1]"
