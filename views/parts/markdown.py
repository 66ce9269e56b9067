"""fill_document() shows Markdown with tinted code; plain(), blocks(), put_into_box() work on its text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
)

from views.theme import Theme, blended

LINE_HEIGHT_PERCENT = 116.0
ZERO_WIDTH_SPACE = "\u200b"
_LONG = re.compile(r"\S{16,}")
_JOINT = re.compile(r"[_.(\[=,](?=\w)|(?<=[a-z])(?=[A-Z])")


def fill_document(document: QTextDocument, markdown: str, theme: Theme) -> None:
    """Show `markdown` in `document` in the interface font.

    Qt gives code a fixed-pitch font and no background, so that it drowns in the sentence: it is tinted here.
    """
    document.setDefaultFont(theme.font())
    document.setDocumentMargin(theme.px(12))
    document.setIndentWidth(theme.px(24))
    document.setMarkdown(markdown, QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    for block in blocks(document):
        _space_out(cursor, block, theme)
        for start, length in _code_runs(block):
            cursor.setPosition(start)
            cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(_code_format(theme))
        if theme.on_stage:
            _open_joints(cursor, block)
    cursor.endEditBlock()


MARKED = re.compile(r"`(.+?)`|\*(\w[^*`]*)\*")
"""Code or a new term in a sentence."""


def plain(markdown: str) -> str:
    """Return the sentence `markdown` without the marks of code and of new terms."""
    return MARKED.sub(lambda m: m[1] or m[2], markdown)


def blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    """Yield the paragraphs of `document`."""
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def block_of(document: QTextDocument, markdown: str) -> QTextBlock | None:
    """Return the paragraph of `document` that shows the line `markdown`, also where its long words are opened."""
    text = plain(markdown)
    found = (each for each in blocks(document) if each.text().replace(ZERO_WIDTH_SPACE, "") == text)
    return next(found, None) if text else None


def put_into_box(cursor: QTextCursor, colour: str, theme: Theme) -> None:
    """Put the selected paragraphs into a box with an edge in `colour` and the same colour, thinly, as its ground."""
    box = QTextFrameFormat()
    box.setBackground(theme.fill_of(colour))
    box.setBorder(theme.px(1))
    box.setBorderBrush(QColor(colour))
    box.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    box.setPadding(theme.px(8))
    cursor.insertFrame(box)


def _is_program(block: QTextBlock) -> bool:
    """Return whether `block` is a line of a fenced program."""
    return bool(block.isValid() and block.blockFormat().hasProperty(QTextBlockFormat.Property.BlockCodeFence))


def _space_out(cursor: QTextCursor, block: QTextBlock, theme: Theme) -> None:
    spacing = QTextBlockFormat()
    spacing.setTopMargin(0)
    if _is_program(block):
        spacing.setBackground(_tint(theme))
        spacing.setNonBreakableLines(False)
        spacing.setBottomMargin(0 if _is_program(block.next()) else theme.px(8))
    else:
        spacing.setLineHeight(LINE_HEIGHT_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        spacing.setBottomMargin(theme.px(4) if block.textList() else theme.px(8))
    cursor.setPosition(block.position())
    cursor.mergeBlockFormat(spacing)


def _code_runs(block: QTextBlock) -> list[tuple[int, int]]:
    """Return (position, length) of each stretch of code in `block`."""
    if _is_program(block):
        return [(block.position(), block.length() - 1)]
    runs = []
    fragments = block.begin()
    while not fragments.atEnd():
        fragment = fragments.fragment()
        if fragment.charFormat().fontFixedPitch():
            runs.append((fragment.position(), fragment.length()))
        fragments += 1
    return runs


def _open_joints(cursor: QTextCursor, block: QTextBlock) -> None:
    """Let a long word of code break behind a bracket, a dot or a part of a name."""
    places = []
    for start, length in _code_runs(block):
        text = block.text()[start - block.position() :][:length]
        places += [
            start + joint.end() for word in _LONG.finditer(text) for joint in _JOINT.finditer(text, *word.span())
        ]
    for place in reversed(places):
        cursor.setPosition(place)
        cursor.insertText(ZERO_WIDTH_SPACE)


def _code_format(theme: Theme) -> QTextCharFormat:
    look = QTextCharFormat()
    look.setFont(
        theme.mono_font_in_words(), QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesSpecifiedOnly
    )
    look.setBackground(QBrush(_tint(theme), Qt.BrushStyle.SolidPattern))
    return look


def _tint(theme: Theme) -> QColor:
    """Return the text colour laid thinly over the background, opaque: neighbouring runs must not add up."""
    return blended(theme.text, theme.background, 0.16 if theme.dark else 0.08)
