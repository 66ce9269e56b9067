"""The words above a picture: its verdict, or an explanation of the way it is shown."""

from __future__ import annotations

from PySide6.QtGui import QPalette

from explorer.text.josa import filled
from views.noise.arrays.array_words import value_words
from views.noise.arrays.row_pair import Keys, RowPair
from views.parts.short_label import ShortLabel
from views.theme import BUG_TEXT


class HeadLabel(ShortLabel):
    """One or two sentences, in the colour of a bug where they report one."""

    def show_words(self, words: str, *, bug: bool) -> None:
        """Show `words`."""
        self.setText(words)
        self.setForegroundRole(BUG_TEXT if bug else QPalette.ColorRole.NoRole)
        self.show()

    def show_pair(self, pair: RowPair, keys: Keys, *, bug: bool) -> None:
        """Show whether two rows are equal, their distance, and whether one key made both."""
        self.show_words(self._sentence(pair, keys), bug=bug and pair.equal)

    def _sentence(self, pair: RowPair, keys: Keys) -> str:
        rows = self.tr("Rows {} and {}").format(f"{pair.first:,}", f"{pair.last:,}")
        if pair.first == pair.last:
            return filled(self.tr("{} are one and the same."), rows)
        if pair.equal and pair.differing:
            return filled(self.tr("{} are equal to within rounding{}."), rows, self._cause_of_equality(keys))
        if pair.equal and not pair.whole:
            return filled(self.tr("{} are equal in the values shown here{}."), rows, self._cause_of_equality(keys))
        if pair.equal:
            return filled(self.tr("{} are equal, bit for bit{}."), rows, self._cause_of_equality(keys))
        if not pair.differing:
            return filled(self.tr("{} differ, but not in the values shown here."), rows)
        counts = self.tr("in {} of {} values").format(f"{pair.differing:,}", f"{pair.values:,}")
        if pair.furthest:
            counts = self.tr("{}, by up to {}").format(counts, value_words(pair.furthest, 3))
        return filled(self.tr("{} differ {}{}."), rows, counts, self._cause_of_difference(keys))

    def _cause_of_equality(self, keys: Keys) -> str:
        if keys == "same":
            return self.tr(": both drew from the same key")
        return self.tr(", though each drew from its own key") if keys == "own" else ""

    def _cause_of_difference(self, keys: Keys) -> str:
        if keys == "same":
            return self.tr(", though both drew from the same key")
        return self.tr(": each drew from its own key") if keys == "own" else ""
