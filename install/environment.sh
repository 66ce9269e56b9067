# Read by linux.sh and macos.sh: makes an environment of its own for JAX Explorer.
# shellcheck shell=sh

LEAST='import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'
NEEDED='import sys, tomllib; print(*tomllib.load(open(sys.argv[1], "rb"))["project"]["dependencies"], sep="\n")'

# make_environment HOME SOURCE: an environment in HOME/env with SOURCE installed.
#
# What SOURCE needs is of the versions in constraints.txt, and each file is compared with its hash; SOURCE has none.
# With Python's own venv where there is a Python 3.11 or newer, else with uv, which brings a Python along. A uv that is
# fetched for that, and its Python, lie in HOME, too, and go with it.
make_environment() {
    mkdir -p "$1"
    # shellcheck disable=SC2154  # Both who read this have set it.
    fixed=$here/../constraints.txt
    for python in "${PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11; do
        if [ -n "$python" ] && command -v "$python" >/dev/null 2>&1 && "$python" -c "$LEAST" >/dev/null 2>&1; then
            echo "Making an environment with $("$python" --version) in $1/env; it takes a minute or two."
            "$python" -m venv --clear "$1/env"
            "$1/env/bin/python" -c "$NEEDED" "$here/../pyproject.toml" >"$1/needed.txt"
            pip_install "$1" -r "$here/pip.txt"
            pip_install "$1" -c "$fixed" -r "$1/needed.txt"
            pip_install "$1" --build-constraint "$fixed" "$2"
            return
        fi
    done
    uv=$(command -v uv || true)
    if [ -z "$uv" ]; then
        uv=$1/uv/uv
        [ -x "$uv" ] || fetch_uv "$1/uv"
    fi
    echo "There is no Python 3.11 or newer here: uv brings one along."
    UV_PYTHON_INSTALL_DIR="$1/python" "$uv" venv --quiet --clear --python ">=3.11,<3.14" "$1/env"
    UV_PYTHON_INSTALL_DIR="$1/python" "$uv" pip install --quiet --python "$1/env/bin/python" \
        -c "$fixed" --build-constraint "$fixed" "$2"
}

pip_install() {
    into=$1
    shift
    "$into/env/bin/python" -m pip install --quiet --disable-pip-version-check "$@"
}

# fetch_uv FOLDER: the installer of uv's makers, which changes nothing outside FOLDER.
fetch_uv() {
    address=https://astral.sh/uv/install.sh
    echo "There is no Python 3.11 or newer and no uv here. Fetching uv: $address"
    script=$(mktemp)
    if command -v curl >/dev/null 2>&1; then
        curl -LsSf "$address" -o "$script"
    else
        wget -qO "$script" "$address"
    fi
    UV_UNMANAGED_INSTALL="$1" sh "$script"
    rm -f "$script"
}
