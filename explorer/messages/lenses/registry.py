"""All lenses, in the order of the buttons: no other module knows them by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, Union

from explorer.messages.lenses import calls, devices, gradient, memory, time, vmap
from explorer.messages.lenses.lens import Lens, LensSpec

LENSES: dict[str, LensSpec] = {each.LENS.id: each.LENS for each in (vmap, gradient, calls, devices, memory, time)}

if TYPE_CHECKING:
    AnyLens: TypeAlias = Lens
    LensId: TypeAlias = str
else:
    # Types for msgspec: a union of the records, and a literal of the ids.
    AnyLens = Union[tuple(each.record for each in LENSES.values())]  # noqa: UP007
    LensId = Literal[tuple(LENSES)]
