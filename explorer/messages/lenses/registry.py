"""Every lens, in the order of the buttons: nothing else knows them by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, Union

from explorer.messages.lenses import calls, devices, gradient, vmap
from explorer.messages.lenses.lens import Lens, LensSpec

LENSES: dict[str, LensSpec] = {each.LENS.id: each.LENS for each in (vmap, gradient, calls, devices)}

if TYPE_CHECKING:
    AnyLens: TypeAlias = Lens
    LensId: TypeAlias = str
else:
    # What msgspec takes apart: each record, and for a scenario each id.
    AnyLens = Union[tuple(each.record for each in LENSES.values())]  # noqa: UP007
    LensId = Literal[tuple(LENSES)]
