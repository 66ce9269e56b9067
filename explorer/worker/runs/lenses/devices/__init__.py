"""The devices lens: the pieces that each device holds of each array, and what devices send each other.

``lens`` is the way in; it runs the variant and watches where arrays are, and compiles it where that is asked for.
"""

from explorer.worker.runs.lenses.devices.lens import LENS as LENS
