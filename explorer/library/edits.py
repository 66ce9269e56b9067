"""Edited code by scenario, in memory and as drafts on disk."""

from __future__ import annotations

import msgspec

from explorer.library import drafts, untitled
from explorer.library.drafts import Draft, Drafts
from explorer.library.progress import Position
from explorer.messages.encodable import encodable
from explorer.scenario.scenario import Scenario


class Edits:
    """Unsaved edited code. Without `on_disk` it lives as long as the process."""

    def __init__(self, *, on_disk: bool) -> None:
        self._own = Drafts() if on_disk else None
        self._sources: dict[str, str] = {}

    def source(self, scenario: Scenario) -> str:
        """Return the edited code of `scenario` in this session."""
        if scenario.id not in self._sources and scenario.origin == "new" and (draft := self.draft(scenario)):
            # Nowhere but in the draft.
            self._sources[scenario.id] = draft.source
        return self._sources.get(scenario.id, scenario.source)

    def remember(self, scenario: Scenario, source: str) -> bool:
        """Store `source` and return whether it differs from the original."""
        edited = source != scenario.source
        if edited:
            self._sources[scenario.id] = source
        else:
            self.forget(scenario.id)
        return edited

    def forget(self, target: str) -> None:
        """Delete the edits to `target`, on disk too; drafts of other windows stay until the user decides about them."""
        self._sources.pop(target, None)
        if self._own is not None:
            self._own.discard(target)
            self._discard_taken(target)

    def keep(self, scenario: Scenario) -> None:
        """Write the edits to `scenario` to disk. Raises OSError when that fails."""
        if self._own is not None and scenario.id in self._sources:
            self._own.keep(scenario.id, self._sources[scenario.id])
            self._discard_taken(scenario.id)

    def keep_position(self, position: Position) -> None:
        """Write `position` to disk. Raises OSError when that fails."""
        if self._own is not None:
            self._own.keep_position(msgspec.json.encode(encodable(position)))

    def close(self) -> None:
        """Leave the drafts on disk to the next window."""
        if self._own is not None:
            self._own.close()

    def draft(self, scenario: Scenario) -> Draft | None:
        """Return the newest draft of `scenario` from another window, if its code differs."""
        if self._own is None:
            return None
        known = (scenario.source, self._sources.get(scenario.id))
        return next((draft for draft in drafts.left(scenario.id) if draft.source not in known), None)

    def is_elsewhere(self, scenario: Scenario) -> bool:
        """Return whether another window that is open has edited `scenario`."""
        return self._own is not None and drafts.is_edited_elsewhere(scenario.id, self._own)

    def targets(self) -> frozenset[str]:
        """Return the ids of all scenarios with edits, those that other windows have left included."""
        return frozenset(self._sources) | (drafts.targets() if self._own is not None else frozenset())

    def _discard_taken(self, target: str) -> None:
        """Delete the drafts of a new file that were restored when it was opened."""
        if untitled.find(target):
            for draft in drafts.left(target):
                drafts.discard(draft)
