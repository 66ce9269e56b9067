"""The devices lens: the shards of each array on each device, and the collectives.

``lens`` is the entry point; it runs the variant and watches the placement of arrays, and compiles it for collectives.
"""

from explorer.worker.runs.lenses.devices.lens import LENS as LENS
