"""The code that a person has edited, by scenario, in memory and as drafts on disk."""

from __future__ import annotations

from explorer.library import drafts
from explorer.library.drafts import Draft
from explorer.scenario.scenario import Scenario


class Edits:
    """Edited code that is not saved. Without `on_disk` it lives as long as the process."""

    def __init__(self, *, on_disk: bool) -> None:
        self._on_disk = on_disk
        self._sources: dict[str, str] = {}

    def source(self, scenario: Scenario) -> str:
        """Return the code of `scenario` as it was last edited in this run of the application."""
        if scenario.origin == "new" and (draft := self.draft(scenario)):
            # Nowhere but in the draft.
            self._sources[scenario.id] = draft.source
        return self._sources.get(scenario.id, scenario.source)

    def remember(self, scenario: Scenario, source: str) -> bool:
        """Take over `source` and return whether it differs from the original."""
        edited = source != scenario.source
        if edited:
            self._sources[scenario.id] = source
        else:
            self.forget(scenario.id)
        return edited

    def forget(self, target: str) -> None:
        """Forget the edits to `target`, on disk too."""
        self._sources.pop(target, None)
        if self._on_disk:
            drafts.discard(target)

    def keep(self, scenario: Scenario) -> None:
        """Write the edits to `scenario` to disk. Raises OSError when that fails."""
        if self._on_disk and scenario.id in self._sources:
            drafts.keep(scenario.id, self._sources[scenario.id])

    def draft(self, scenario: Scenario) -> Draft | None:
        """Return the edits to `scenario` that an earlier run left, if they still say anything new."""
        if not self._on_disk or scenario.id in self._sources:
            return None
        draft = drafts.find(scenario.id)
        return draft if draft is not None and draft.source != scenario.source else None

    def targets(self) -> frozenset[str]:
        """Return the ids of all scenarios with edits, those of earlier runs included."""
        return frozenset(self._sources) | (drafts.targets() if self._on_disk else frozenset())
