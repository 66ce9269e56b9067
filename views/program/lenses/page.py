"""LensPage: a lens on one variant: table, picture, summary and offers, or why there is none; copied, printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, QRectF, QSizeF, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from explorer.focus.variant_names import shown_variant
from explorer.messages import Failure, LensAnswer, Marks, Report
from explorer.messages.lenses import LensSpec, LineCost, Offer, Piece, as_text
from explorer.text.html import Html, html, tag
from views.parts.controls import fill
from views.parts.drawing import Drawing
from views.parts.flow_row import FlowRow
from views.parts.labels import ElidedLabel
from views.parts.own_document import plain_tip
from views.program.lenses.contents import LensContents, contents
from views.program.lenses.stacks import HEIGHT, LensStack
from views.program.lenses.table import LensTable
from views.program.notice import Notice, in_words
from views.theme import Theme, Themed, lettered, spaced


class Offers(FlowRow):
    """A button for each offer.

    Signals:
        rerun_requested: the Rerun to compute in addition.
    """

    rerun_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._offers: Sequence[Offer] = ()
        self.hide()

    def show_offers(self, offers: Sequence[Offer]) -> None:
        """Have a button for each of `offers` and no others."""
        if list(offers) != list(self._offers):
            self._offers = offers
            self.fill([self._button(each) for each in offers])
        self.setVisible(bool(offers))

    def answered(self) -> None:
        """Enable the pressed button again."""
        for button in self.findChildren(QPushButton, "possible"):
            button.setEnabled(True)

    def _button(self, offer: Offer) -> QPushButton:
        button = QPushButton(str(offer.label))
        button.setMinimumWidth(1)
        button.setToolTip(plain_tip(f"{offer.label}\n{offer.tip}"))
        button.setEnabled(offer.possible)
        button.setObjectName("possible" if offer.possible else "")
        button.clicked.connect(partial(self._choose, offer, button))
        return button

    def _choose(self, offer: Offer, button: QPushButton) -> None:
        # Until it is answered.
        button.setEnabled(False)
        self.rerun_requested.emit(offer.rerun)


LOW = 300
"""The height in pixels, at text size 1, up to which the words below the table leave more to it."""
LEAST_ROWS = 4
"""The rows that are seen below a picture."""
MOST_ON_STAGE = 1 / 4
"""The largest share of the height for the words below the table on a stage."""


class LensPage(Themed, QWidget):
    """Shows a LensAnswer.

    Signals:
        focus_requested: a Focus on the equation, or else on the code line, of the row that the user went to.
        rerun_requested: the Rerun to compute in addition.
    """

    focus_requested = Signal(object)
    rerun_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answer: LensAnswer | None = None
        self._contents = LensContents()
        self._detail: tuple[Piece, ...] = ()
        self._title = lettered(ElidedLabel(), bold=True)
        self._notice = Notice()
        self._stack = LensStack()
        self._table = LensTable()
        self._below = Notice()
        self._offers = Offers()
        self._lay_out()
        self._table.focus_requested.connect(self.focus_requested)
        self._table.copy_wanted.connect(self.copy)
        self._table.row_changed.connect(self._on_row_changed)
        self._stack.row_chosen.connect(self._table.choose)
        self._offers.rerun_requested.connect(self.rerun_requested)
        self.setFocusProxy(self._table)

    # -- what it shows ----------------------------------------------------------------------------------------

    def show_answer(
        self,
        lens: LensSpec,
        report: Report | None,
        answer: LensAnswer | None,
        failure: Failure | None,
        *,
        over: bool,
        answers: Sequence[LensAnswer],
    ) -> None:
        """Show the answer of `lens` on the variant of `report`; `failure` says why there is no newer one.

        `over` says that an answer comes only where the report offers the lens; `answers` are those on all variants.
        """
        name = report.name if report else ""
        self._title.show_text(shown_variant(name))
        named = QCoreApplication.translate("LensPage", "{lens} of {variant}")
        self._table.setAccessibleName(named.format(lens=lens.name, variant=shown_variant(name)))
        shown = contents(report, answer, answers)
        if answer != self._answer or shown != self._contents:
            self._answer, self._contents = answer, shown
            self._offers.answered()
        self._table.show_table(shown.table, name)
        self._table.setVisible(bool(shown.table.rows))
        self._stack.show_stack(shown.table.stack)
        self._show_rows()
        self._detail = self._table.detail()
        comes = report is None or lens.id in report.lenses or not over
        self._notice.tell(self._missing(lens, failure, comes=comes))
        self._tell_below()
        self._offers.show_offers(shown.offers if failure is None else ())
        self._fit()

    def show_colours(self, colours: Mapping[int, int]) -> None:
        """Give the lines of the code the colours with these numbers."""
        self._table.show_colours(colours)
        self._stack.show_colours(colours)

    def show_marks(self, marks: Marks) -> None:
        self._table.show_marks(marks)
        self._show_rows()

    def show_title(self, shown: bool) -> None:
        """Show the name of the variant above the table, or not."""
        self._title.setVisible(shown)

    @property
    def costs(self) -> Sequence[LineCost]:
        """The cost of lines, for the editor."""
        return self._contents.table.costs

    def text(self) -> str:
        """Return the table and the words below it as plain text."""
        return as_text(self._contents.table, [each.text for each in self._contents.summary])

    def drawing(self) -> Drawing | None:
        """Return the whole table for print, with the words below it; None where there is none."""
        if not self._contents.table.rows:
            return None
        summary, table = " ".join(each.text for each in self._contents.summary), self._table
        size, text = QSizeF(table.whole_size()), self.text()
        above = float(self.theme.px(HEIGHT)) if self._contents.table.stack else 0.0

        def paint(painter: QPainter) -> None:
            painter.translate(0, above)
            table.draw_whole(painter)
            painter.translate(0, -above)
            self._stack.paint(painter, QRectF(0, 0, size.width(), above))

        whole = QSizeF(size.width(), size.height() + above)
        return Drawing("lens", table.accessibleName(), summary, whole, paint, self.theme, description=text)

    def copy(self) -> None:
        """Put all of it on the clipboard, a tab between the cells."""
        QGuiApplication.clipboard().setText(self.text())

    def _missing(self, lens: LensSpec, failure: Failure | None, *, comes: bool) -> Html:
        """Return HTML with the reason why there is no table, or none of the current program."""
        answer = self._answer
        if failure is not None or self._contents.table.rows:
            return self._failed(failure)
        if answer is not None and answer.lens is not None and answer.lens.failure is not None:
            return html(tag("p", str(answer.lens.sentence)), self._failed(answer.lens.failure))
        if answer is not None:
            return html(str(answer.sentence or (answer.lens.sentence if answer.lens else "")))
        if comes:
            words = QCoreApplication.translate("LensPage", "Waiting for the {lens}…")
        else:
            words = QCoreApplication.translate("LensPage", "The {lens} lens has nothing to show for this variant.")
        return html(words.format(lens=lens.name))

    def _failed(self, failure: Failure | None) -> Html:
        if failure is None:
            return Html()
        what = in_words(failure)
        if self._contents.table.rows:
            older = QCoreApplication.translate("LensPage", "{what}. The earlier table is shown below.")
            what = older.format(what=what)
        headline = tag("b", what, style=f"color:{self.theme.bug}")
        if self._contents.table.rows:
            return headline
        return html(headline, tag("p", tag("span", str(failure.message), style=f"color:{self.theme.dim}")))

    def _show_rows(self) -> None:
        self._stack.show_rows(self._table.lit, self._table.currentIndex().row())

    def _on_row_changed(self) -> None:
        self._show_rows()
        detail = self._table.detail()
        if detail != self._detail:
            self._detail = detail
            self._tell_below()
            self._fit()

    def _tell_below(self, sentences: int | None = None) -> None:
        """Show the words below the table, of the summary the first `sentences` only."""
        colours = {"bug": self.theme.bug, "note": self.theme.note}
        colours |= dict.fromkeys(("code", "title"), self.theme.text)
        parts = [
            tag("span", each.text, style=f"color:{colours.get(each.tone, self.theme.dim)}")
            for each in (*self._detail, *self._contents.summary[:sentences])
        ]
        self._below.tell(" ".join(parts) if self._contents.table.rows else "")

    # -- looks and building -----------------------------------------------------------------------------------

    def apply_theme(self, theme: Theme) -> None:
        """Take colours and text size from `theme`."""
        self._below.document().setDocumentMargin(theme.px(6))
        # The rows of a stage are higher.
        self._column.setStretchFactor(self._stack, 2 if theme.on_stage else 3)
        self._tell_below()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        alone = not self._table.isVisibleTo(self)
        self._notice.fit(self.height(), alone=alone)
        most = 1 / 3 if self.height() > self.theme.px(LOW) else 1 / 5
        if self.theme.on_stage:
            # An audience sees the first sentences, and more of the table.
            most = MOST_ON_STAGE
            for sentences in range(len(self._contents.summary), 0, -1):
                self._tell_below(sentences)
                if self._below.height_of_words() <= self.height() * most:
                    break
        self._below.fit(self.height(), alone=False, most=most)
        others = self._below.height() if self._below.isVisibleTo(self) else 0
        least = self._table.horizontalHeader().height() + LEAST_ROWS * self._table.rowHeight(0)
        self._stack.setMaximumHeight(max(self._stack.minimumHeight(), self.height() - others - least))

    def _lay_out(self) -> None:
        self._notice.setAccessibleName(self.tr("Why there is no table"))
        self._below.setAccessibleName(self.tr("About the table"))
        header = spaced(QHBoxLayout(), 8, 0, 4, 0)
        header.addWidget(self._title, 1)
        footer = spaced(QHBoxLayout(), 6, 0, 6, 4)
        footer.addWidget(self._offers)
        middle = (self._notice, 1), self._stack, (self._table, 2), self._below
        self._column = fill(QVBoxLayout(self), header, *middle, footer)
