"""Circumstances of a timing run, for the caption of its pictures and the columns of its CSV."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from explorer.messages import Hello, Measurement


@dataclass(frozen=True)
class About:
    """Device, versions, flags and date of a run."""

    devices: tuple[str, ...] = ()
    versions: str = ""
    flags: str = ""
    date: str = ""

    @staticmethod
    def of(
        measurements: Iterable[Measurement], hello: Hello | None, flags: tuple[tuple[str, str], ...], when: datetime
    ) -> About:
        """Return the circumstances of the run behind `measurements`."""
        ids = tuple(dict.fromkeys(each.device for each in measurements if each.device))
        kinds = {device.id: device.kind for device in hello.devices} if hello is not None else {}
        named = tuple(f"{each} ({kinds[each]})" if kinds.get(each) else each for each in ids)
        versions = f"jax {hello.jax}, jaxlib {hello.jaxlib}, Python {hello.python}" if hello is not None else ""
        return About(named, versions, ", ".join(f"{name}={value}" for name, value in flags), f"{when:%Y-%m-%d %H:%M}")

    @property
    def caption(self) -> str:
        """All circumstances in one line."""
        return "; ".join(filter(None, ("; ".join(self.devices), self.versions, self.flags, self.date)))

    @property
    def columns(self) -> dict[str, str]:
        """Return the circumstances as columns of the CSV, by heading."""
        return {"versions": self.versions, "flags": self.flags, "date": self.date}
