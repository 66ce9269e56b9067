#!/bin/sh
# Installs JAX Explorer for this person on macOS: an environment of its own, a command, and an application with its icon in
# ~/Applications. Nothing needs an administrator.
#
#   sh install/macos.sh [SOURCE]     SOURCE: this folder's repository (the default), a wheel, or git+ADDRESS@TAG
#   sh install/macos.sh --remove     takes all of it away; settings, drafts and scenarios of your own stay
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=install/environment.sh
. "$here/environment.sh"
picture=$here/../resources/icons/jax-explorer.svg

home="$HOME/Library/Application Support/jax-explorer-program"
command=$HOME/.local/bin/jax-explorer
application="$HOME/Applications/JAX Explorer.app"
register=/System/Library/Frameworks/CoreServices.framework/Frameworks/LaunchServices.framework/Support/lsregister

remove() {
    if [ -x "$register" ] && [ -d "$application" ]; then
        "$register" -u "$application" || true
    fi
    rm -rf "$home" "$application"
    if [ -L "$command" ] && [ ! -e "$command" ]; then
        rm -f "$command"
    fi
    echo "JAX Explorer is removed. Your settings, drafts and scenarios are still there."
}

write_application() {
    mkdir -p "$HOME/Applications" "$HOME/.local/bin"
    rm -rf "$application"
    script=$(mktemp)
    cat >"$script" <<'END'
do shell script quoted form of "COMMAND" & " >/dev/null 2>&1 &"
END
    sed "s|COMMAND|$home/env/bin/jax-explorer|" "$script" >"$script.applescript"
    osacompile -o "$application" "$script.applescript"
    rm -f "$script" "$script.applescript"
    plist=$application/Contents/Info.plist
    plutil -replace CFBundleIdentifier -string local.jax-explorer "$plist"
    write_icon || echo "The application has no icon of its own: it could not be drawn."
    # What is in it has changed since osacompile signed it.
    codesign --force --sign - "$application" || true
    if [ -x "$register" ]; then
        "$register" -f "$application" || true
    fi
    ln -sf "$home/env/bin/jax-explorer" "$command"
}

write_icon() {
    set=$(mktemp -d)/icon.iconset
    mkdir "$set"
    for size in 16 32 128 256 512; do
        "$home/env/bin/python" "$here/icon.py" "$picture" "$size" "$set/icon_${size}x${size}.png"
        "$home/env/bin/python" "$here/icon.py" "$picture" "$((2 * size))" "$set/icon_${size}x${size}@2x.png"
    done
    # osacompile has put its own icon there, by this name or in a catalogue of pictures that goes before it.
    iconutil -c icns -o "$application/Contents/Resources/applet.icns" "$set"
    plutil -replace CFBundleIconFile -string applet "$application/Contents/Info.plist"
    plutil -remove CFBundleIconName "$application/Contents/Info.plist" 2>/dev/null || true
    rm -rf "$(dirname "$set")"
}

if [ "${1:-}" = --remove ]; then
    remove
    exit 0
fi
make_environment "$home" "${1:-$here/..}"
write_application
"$home/env/bin/jax-explorer" doctor || true
echo
echo "JAX Explorer is in ~/Applications, and $command starts it."
echo "To take it away: sh $0 --remove"
