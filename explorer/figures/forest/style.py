"""Colours of key pictures without a window: light or dark, following the page around them."""

from __future__ import annotations

LIGHT = {"text": "#1b1f24", "dim": "#57606a", "bug": "#b3261e", "good": "#00704f", "low": "#0060a8", "high": "#b34700"}
DARK = {"text": "#e8ebef", "dim": "#a3adb8", "bug": "#ff8a80", "good": "#4fd0a5", "low": "#6cb6ff", "high": "#ff9e64"}
"""Low and high are for values below and above zero."""
IN_LIGHT = ('[data-jp-theme-light="true"]', ".vscode-light", ".light")
IN_DARK = ('[data-jp-theme-light="false"]', ".vscode-dark", ".dark")
"""Selectors by which the pages of Jupyter, VS Code and marimo mark a light or a dark theme."""
RULES = (
    (".jaxk", "color:var(--k-text)"),
    (".jaxk svg", "max-width:100%;height:auto;font:11px system-ui,sans-serif"),
    (".jaxk .s", "fill:none;stroke:var(--k-text);stroke-width:1.6"),
    (".jaxk .drawn", "fill:var(--k-good);stroke:var(--k-good)"),
    (".jaxk .shared,.jaxk .reused", "fill:var(--k-bug);stroke:var(--k-bug)"),
    (".jaxk .unused", "stroke:var(--k-dim);stroke-dasharray:3 3"),
    (".jaxk polyline.s", "fill:none"),
    (".jaxk .line", "fill:none;stroke:var(--k-dim);stroke-width:1.2"),
    (".jaxk text", "fill:var(--k-dim);stroke:none"),
    (".jaxk .strong", "fill:var(--k-text);font-weight:600"),
    (".jaxk .fault", "fill:var(--k-bug);font-weight:600"),
)


def style() -> str:
    """Return the style sheet; it may be repeated on a page. Pictures stand in an element of class ``jaxk``."""
    rules = [
        f".jaxk{{{_variables(LIGHT)}}}",
        f"@media (prefers-color-scheme:dark){{.jaxk{{{_variables(DARK)}}}}}",
        f"{_inside(IN_LIGHT)}{{{_variables(LIGHT)}}}",
        f"{_inside(IN_DARK)}{{{_variables(DARK)}}}",
        *(f"{where}{{{what}}}" for where, what in RULES),
    ]
    return f"<style>{''.join(rules)}</style>"


def _variables(colours: dict[str, str]) -> str:
    return ";".join(f"--k-{name}:{colour}" for name, colour in colours.items())


def _inside(pages: tuple[str, ...]) -> str:
    return ",".join(f"{page} .jaxk" for page in pages)
