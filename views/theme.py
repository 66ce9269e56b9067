"""Theme: colours, fonts and sizes on screen; dressed() says what follows it, apply_to_tree() applies it; icon()."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeVar

import fontpkg_inter
import fontpkg_jetbrains_mono
import msgspec
from msgspec.structs import replace
from PySide6.QtCore import QByteArray, QCoreApplication, QEvent
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QIcon, QPalette, QPixmap
from PySide6.QtWidgets import QApplication, QLayout, QToolTip, QWidget

import resources

ThemeName = Literal["light", "dark", "projector"]

BASE_POINT_SIZE = 10.5
SCALES = (0.8, 0.9, 1.0, 1.15, 1.3, 1.5, 1.75, 2.0, 2.5, 3.0)
"""Text sizes that Ctrl + and Ctrl - step through, relative to BASE_POINT_SIZE."""

WORDS, CODE = fontpkg_inter.FAMILY, fontpkg_jetbrains_mono.FAMILY
# Neither has Hangul: it is set in the first of these that the system has.
HANGUL = ("Noto Sans CJK KR", "Noto Sans KR", "Apple SD Gothic Neo", "Malgun Gothic", "NanumGothic")
HANGUL_IN_CODE = ("D2Coding", "Noto Sans Mono CJK KR", "NanumGothicCoding", *HANGUL)

EDGE_SHARE = 0.75
"""How much of the colour of dim words the edge of a strip has."""
BOX_SHARE = 0.08
"""How much of the colour of its words the ground of a box has."""

LARGE = 1000
"""Pixels of a font at which its measures are not rounded."""

DIM_TEXT, BUG_TEXT = QPalette.ColorRole.PlaceholderText, QPalette.ColorRole.BrightText
NOTE_TEXT = QPalette.ColorRole.LinkVisited
"""Foreground roles of labels. No link of ours has another colour once it was visited."""

DRESSES = "dresses"
"""The property of a part with all that adapts it to a theme."""

SYMBOLS = ("o", "s", "t", "d", "+", "x", "star", "p")
"""pyqtgraph's symbols, one for each series, so that curves differ without colour."""


class Theme(msgspec.Struct, frozen=True):
    """One theme. Colours are ``#rrggbb``; sizes are for `scale` 1.0."""

    name: ThemeName
    background: str
    panel: str
    hairline: str
    text: str
    dim: str
    bug: str
    good: str
    note: str
    focus: str
    selection: str
    selection_text: str
    series: tuple[str, ...]
    """Eight colours for curves and for source lines."""
    line_width: float
    """Pixels of a plotted curve."""
    focus_fill_alpha: int
    """Opacity of the tint of a focused thing, 0 to 255."""
    scale: float = 1.0
    code_size: float = 1.0
    """Size of code, relative to that of words."""
    least_capital: float = 0.0
    """On a stage: the least height of a capital letter, relative to that of the words."""

    @property
    def edge(self) -> str:
        """The colour of the edge of buttons: its contrast to the panel is 3 to 1 or more."""
        return blended(self.dim, self.panel, EDGE_SHARE).name()

    @property
    def on_stage(self) -> bool:
        """Whether an audience reads it from afar."""
        return self.least_capital > 0

    @property
    def dark(self) -> bool:
        return self.name == "dark"

    def series_colour(self, number: int) -> str:
        """Return the colour of series `number`; they repeat after eight."""
        return self.series[number % len(self.series)]

    def symbol(self, number: int) -> str:
        """Return the pyqtgraph symbol of series `number`."""
        return SYMBOLS[number % len(SYMBOLS)]

    def focus_fill(self) -> QColor:
        """Return the translucent tint behind a focused thing."""
        colour = QColor(self.focus)
        colour.setAlpha(self.focus_fill_alpha)
        return colour

    def focus_fill_on(self, background: str) -> QColor:
        """Return the tint as an opaque colour over `background`."""
        return blended(self.focus, background, self.focus_fill_alpha / 255)

    def fill_of(self, colour: str) -> QColor:
        """Return the ground of a box with words in `colour`, pale enough to read them."""
        return blended(colour, self.background, BOX_SHARE)

    def font(self, factor: float = 1.0, *, bold: bool = False, italic: bool = False) -> QFont:
        """Return the interface font at `factor` times the current text size."""
        font = QFont(_families(WORDS, HANGUL))
        font.setPointSizeF(BASE_POINT_SIZE * self.scale * max(factor, self.least_capital))
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        font.setItalic(italic)
        return font

    def mono_font(self, factor: float = 1.0) -> QFont:
        """Return the fixed-pitch font for code at `factor` times the current text size."""
        return self._mono_font(max(self.code_size * factor, self.least_capital / _as_high_as_words()))

    def mono_font_in_words(self) -> QFont:
        """Return the fixed-pitch font for code in a sentence: on a stage it is as high as the words around it."""
        return self._mono_font(max(1.0, 1.0 / _as_high_as_words()) if self.on_stage else self.code_size)

    def _mono_font(self, factor: float) -> QFont:
        font = _code_font()
        font.setPointSizeF(BASE_POINT_SIZE * self.scale * factor)
        return font

    def px(self, pixels: float) -> int:
        """Return `pixels` at the current text size, at least 1: for spacing that follows the text."""
        return max(1, round(pixels * self.scale))


LIGHT = Theme(
    name="light",
    background="#ffffff",
    panel="#f5f6f8",
    hairline="#c9ced6",
    text="#1b1f24",
    dim="#57606a",
    bug="#b3261e",
    good="#00704f",
    note="#7a5c00",
    focus="#0060a8",
    selection="#0b5cad",
    selection_text="#ffffff",
    series=("#0060a8", "#b34700", "#00704f", "#9a3d7e", "#7a5c00", "#1f6f8b", "#5b4fc4", "#8c2f39"),
    line_width=2.0,
    focus_fill_alpha=31,
)
DARK = Theme(
    name="dark",
    background="#14171c",
    panel="#1c2027",
    hairline="#3a414c",
    text="#e8ebef",
    dim="#a3adb8",
    bug="#ff8a80",
    good="#4fd0a5",
    note="#e6c34a",
    focus="#ffd33d",
    selection="#ffd33d",
    selection_text="#0b0d10",
    series=("#6cb6ff", "#ff9e64", "#4fd0a5", "#e79bd0", "#e6c34a", "#6fd3e8", "#b3a8ff", "#ff8f99"),
    line_width=2.0,
    focus_fill_alpha=36,
)
PROJECTOR = replace(
    LIGHT, name="projector", panel="#ffffff", hairline="#8a8f96", text="#000000", dim="#33383d", line_width=3.0
)
THEMES: dict[ThemeName, Theme] = {"light": LIGHT, "dark": DARK, "projector": PROJECTOR}


def chosen(name: ThemeName, scale: float, code_size: float = 1.0, least: float = 0.0) -> Theme:
    """Return theme `name` at text size `scale`, code at `code_size` and no text below `least` times that."""
    return replace(THEMES[name], scale=scale, code_size=code_size, least_capital=least)


def capital_height(dots_per_inch: float) -> float:
    """Return how many pixels high the capital letters of words are at text size 1.0, on a screen so dense."""
    font = LIGHT.font()
    return font.pointSizeF() * dots_per_inch / 72 * _capital(font)


def blended(over: str, under: str, share: float) -> QColor:
    """Return the opaque colour of `over` blended over `under` with opacity `share`."""
    top, ground = QColor(over), QColor(under)
    pairs = ((top.red(), ground.red()), (top.green(), ground.green()), (top.blue(), ground.blue()))
    return QColor(*(round(share * one + (1 - share) * other) for one, other in pairs))


def next_scale(scale: float, steps: int) -> float:
    """Return the text size `steps` entries along SCALES from the one nearest to `scale`."""
    nearest = min(range(len(SCALES)), key=lambda place: abs(SCALES[place] - scale))
    return SCALES[max(0, min(len(SCALES) - 1, nearest + steps))]


def apply_to_application(application: QApplication, theme: Theme) -> None:
    """Apply the colours and text size of `theme` to every Qt widget.

    There is no style sheet for all: Qt works one out again for each widget, which takes a third of a second.
    """
    if application.style().objectName() != "fusion":
        application.setStyle("Fusion")
    application.setPalette(palette(theme))
    # On a white ground its handle would be hardly seen: it says that more follows.
    handles = palette(theme)
    handles.setColor(QPalette.ColorRole.Button, blended(theme.edge, theme.panel, 0.5))
    application.setPalette(handles, "QScrollBar")  # type: ignore[arg-type]  # the stub asks for bytes
    application.setFont(theme.font())
    # Qt posts both to the windows, but whoever lays out words measures them now.
    for change in (QEvent.Type.ApplicationPaletteChange, QEvent.Type.ApplicationFontChange):
        QCoreApplication.sendPostedEvents(None, change)
    QToolTip.setPalette(palette(theme))
    QToolTip.setFont(theme.font())


class Themed:
    """A part that is measured and painted by its `theme`; with a new one, `apply_to_tree` has that done again."""

    theme: Theme = LIGHT


Part = TypeVar("Part", bound=QWidget | QLayout)
Widget = TypeVar("Widget", bound=QWidget)


def dressed(part: Part, dress: Callable[[Part, Theme], object]) -> Part:
    """Return `part`, which `dress` adapts to each theme."""
    dress(part, LIGHT)
    # Kept by Qt, for PySide may release its object for the part; `dress` must not hold the part.
    part.setProperty(DRESSES, [*(part.property(DRESSES) or ()), dress])
    return part


def spaced(part: Part, *margins: int, spacing: int | None = None) -> Part:
    """Return `part` with `margins`, one for all sides or four, and `spacing`: pixels that follow the text size."""

    def space(part: QWidget | QLayout, theme: Theme) -> None:
        if margins:
            part.setContentsMargins(*(theme.px(each) if each else 0 for each in margins * (4 // len(margins))))
        if spacing is not None and isinstance(part, QLayout):
            part.setSpacing(theme.px(spacing))

    return dressed(part, space)


def lettered(widget: Widget, factor: float = 1.0, *, bold: bool = False, code: bool = False) -> Widget:
    """Return `widget` with letters at `factor` times the text size, those of code or of words."""
    return dressed(
        widget,
        lambda widget, theme: widget.setFont(theme.mono_font(factor) if code else theme.font(factor, bold=bold)),
    )


def grounded(widget: Widget, colour: Callable[[Theme], str | QColor]) -> Widget:
    """Return `widget` with a ground in `colour`."""

    def ground(widget: QWidget, theme: Theme) -> None:
        palette = widget.palette()
        palette.setColor(widget.backgroundRole(), colour(theme))
        widget.setPalette(palette)

    widget.setAutoFillBackground(True)
    return dressed(widget, ground)


def apply_to_tree(part: QWidget | QLayout, theme: Theme) -> None:
    """Show `part` in `theme`: first all that is inside of it, except for windows of their own.

    What is `dressed` follows. A part that has more to do has an `apply_theme`; one with an `apply_theme_inside` cares
    for its parts.
    """
    # Its type is asked: PySide takes long to say that an object lacks something.
    if inside := getattr(type(part), "apply_theme_inside", None):
        inside(part, theme)
        return
    for child in part.children():
        if isinstance(child, QLayout) or (isinstance(child, QWidget) and not child.isWindow()):
            apply_to_tree(child, theme)
    for dress in part.property(DRESSES) or ():
        dress(part, theme)
    if isinstance(part, QWidget) and isinstance(part, Themed):
        part.theme = theme
        part.updateGeometry()
        part.update()
    if apply := getattr(type(part), "apply_theme", None):
        apply(part, theme)


def restyle(widget: QWidget) -> None:
    """Paint `widget` in the colours of now: with a style sheet it keeps those of an earlier theme."""
    widget.setStyleSheet(widget.styleSheet())


def palette(theme: Theme) -> QPalette:
    """Return `theme` as a Qt palette for the Fusion style."""
    role = QPalette.ColorRole
    colours = {
        role.Window: theme.panel,
        role.WindowText: theme.text,
        role.Base: theme.background,
        role.AlternateBase: theme.panel,
        role.Text: theme.text,
        role.Button: theme.panel,
        role.ButtonText: theme.text,
        BUG_TEXT: theme.bug,
        role.ToolTipBase: theme.panel,
        role.ToolTipText: theme.text,
        DIM_TEXT: theme.dim,
        role.Highlight: theme.selection,
        role.HighlightedText: theme.selection_text,
        role.Link: theme.focus,
        NOTE_TEXT: theme.note,
        role.Light: theme.background,
        role.Midlight: theme.hairline,
        role.Mid: theme.hairline,
        role.Dark: theme.hairline,
    }
    made = QPalette()
    for each, colour in colours.items():
        made.setColor(each, QColor(colour))
    disabled = QPalette.ColorGroup.Disabled
    for each in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(disabled, each, QColor(theme.dim))
    return made


def bar_style(theme: Theme) -> str:
    """Return the style of a tool bar: a line below it."""
    small, middle = theme.px(4), theme.px(8)
    return f"""
        QToolBar {{ border: none; border-bottom: 1px solid {theme.hairline};
                    spacing: {middle}px; padding: {small}px {middle}px; }}
    """


def tab_style(theme: Theme) -> str:
    """Return the style of Qt's tabs that gives them the look of ours."""
    small, line = theme.px(6), theme.px(3)
    return f"""
        QTabBar {{ font-size: {theme.font().pointSizeF()}pt; }}
        QTabBar::tab {{ color: {theme.dim}; background: transparent; border: none; margin: 0 {theme.px(4)}px;
                        padding: {line}px {small}px; border-bottom: {line}px solid transparent; }}
        QTabBar::tab:selected, QTabBar::tab:hover {{ color: {theme.text}; }}
        QTabBar::tab:selected {{ border-bottom-color: {theme.focus}; }}
    """


def icon(name: str, theme: Theme) -> QIcon:
    """Return the icon ``resources/icons/<name>.svg`` in the text colour of `theme`."""
    return _icon(name, theme.text, theme.hairline)


@functools.cache
def _icon(name: str, normal: str, disabled: str) -> QIcon:
    svg = (Path(resources.__file__).parent / "icons" / f"{name}.svg").read_text(encoding="utf-8")
    made = QIcon()
    for mode, colour in ((QIcon.Mode.Normal, normal), (QIcon.Mode.Disabled, disabled)):
        pixmap = QPixmap()
        # Twice the size that is shown, so that it stays sharp on dense screens and with large text.
        drawn = svg.replace("#000000", colour).replace('width="16" height="16"', 'width="64" height="64"')
        pixmap.loadFromData(drawn.encode())
        made.addPixmap(pixmap, mode)
    return made


@functools.cache
def _families(own: str, hangul: tuple[str, ...]) -> list[str]:
    """Return our family `own`, the other one for signs that it lacks, and the first of `hangul` that is installed."""
    _load_own_fonts()
    installed = set(QFontDatabase.families())
    return [own, CODE if own == WORDS else WORDS, *[each for each in hangul if each in installed][:1]]


@functools.cache
def _load_own_fonts() -> None:
    """Make our fonts known to Qt. From a file instead of its bytes, fontconfig takes the regular weight alone."""
    for package in (fontpkg_inter, fontpkg_jetbrains_mono):
        for path in sorted((package.ROOT / "files").glob("*.ttf")):
            QFontDatabase.addApplicationFontFromData(QByteArray(path.read_bytes()))


def _code_font() -> QFont:
    font = QFont(_families(CODE, HANGUL_IN_CODE))
    font.setStyleHint(QFont.StyleHint.Monospace)
    # "!=" stays what was typed.
    font.setFeature(QFont.Tag("calt"), 0)
    return font


@functools.cache
def _as_high_as_words() -> float:
    """Return how high the capital letters of code are, relative to those of words at the same size."""
    return _capital(_code_font()) / _capital(LIGHT.font())


def _capital(font: QFont) -> float:
    """Return how high the capital letters of `font` are, relative to its size."""
    large = QFont(font)
    large.setPixelSize(LARGE)
    return QFontMetricsF(large).capHeight() / LARGE
