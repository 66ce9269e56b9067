#!/bin/sh
# Installs JAX Explorer for this person on Linux: an environment of its own, a command, and a menu entry with its icon.
# Nothing needs root.
#
#   sh install/linux.sh [SOURCE]     SOURCE: this folder's repository (the default), a wheel, or git+ADDRESS@TAG
#   sh install/linux.sh --remove     takes all of it away; settings, drafts and scenarios of your own stay
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=install/environment.sh
. "$here/environment.sh"
picture=$here/../resources/icons/jax-explorer.svg

data=${XDG_DATA_HOME:-$HOME/.local/share}
home=$data/jax-explorer-program
command=$HOME/.local/bin/jax-explorer
menu=$data/applications/jax-explorer.desktop
icons=$data/icons/hicolor/scalable
icon=$icons/apps/jax-explorer.svg

refresh() {
    # Desktops look by themselves, too, only later.
    if command -v update-desktop-database >/dev/null 2>&1 && [ -d "$data/applications" ]; then
        update-desktop-database -q "$data/applications"
    fi
    if command -v gtk-update-icon-cache >/dev/null 2>&1 && [ -f "$data/icons/hicolor/icon-theme.cache" ]; then
        gtk-update-icon-cache -q -t "$data/icons/hicolor"
    fi
}

remove() {
    rm -rf "$home"
    rm -f "$menu" "$icon"
    if [ -L "$command" ] && [ ! -e "$command" ]; then
        rm -f "$command"
    fi
    refresh
    echo "JAX Explorer is removed. Your settings, drafts and scenarios are still there."
}

quoted() {
    # The desktop entry specification escapes twice, an argument and then a string; % is %%.
    printf '%s' "$1" | sed -e 's/[\\"`$]/\\&/g' -e 's/\\/\\\\/g' -e 's/%/%%/g'
}

write_menu() {
    mkdir -p "$data/applications" "$icons/apps" "$HOME/.local/bin"
    cp "$picture" "$icon"
    cat >"$menu" <<END
[Desktop Entry]
Type=Application
Name=JAX Explorer
GenericName=Lessons on JAX
GenericName[ko]=JAX 학습 도구
Comment=See the random keys, the noise, the traced program and the timings of JAX code
Comment[ko]=JAX 코드의 key, 노이즈, jaxpr, 시간을 봅니다
Exec="$(quoted "$home/env/bin/jax-explorer")" %f
Icon=jax-explorer
Terminal=false
Categories=Education;
StartupNotify=true
END
    ln -sf "$home/env/bin/jax-explorer" "$command"
    refresh
}

if [ "${1:-}" = --remove ]; then
    remove
    exit 0
fi
make_environment "$home" "${1:-$here/..}"
write_menu
"$home/env/bin/jax-explorer" doctor || true
echo
echo "JAX Explorer is in the menu, and $command starts it."
case ":$PATH:" in
*":$HOME/.local/bin:"*) ;;
*) echo "$HOME/.local/bin is not among the folders in PATH: give the whole name, or add it." ;;
esac
echo "To take it away: sh $0 --remove"
