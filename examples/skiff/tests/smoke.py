"""Calls the C core and compares it with what books say; the line that a test expects is printed last."""

import math
import platform
import sys

import skiff
from skiff_hulls import HULLS

# Wigley's hull: Simpson's rule is exact there, 4/9 of length x beam x draught.
volume = skiff.displacement(*skiff.wigley(*HULLS["skiff"]))
assert math.isclose(volume, 4, rel_tol=1e-12), volume
# The ITTC line at a Reynolds number of ten million: 0.075 / 25.
friction = skiff.friction(1e7)
assert math.isclose(friction, 0.003, rel_tol=1e-12), friction

for areas, spacing in (([1, 2], 1), ([1, 2, 3, 4], 1), ([1, 2, 3], 0)):
    try:
        sys.exit(f"{areas} {spacing} gave {skiff.displacement(areas, spacing)}")
    except ValueError:
        pass

# The library was compiled for the machine that runs it, not for the one that built it.
assert skiff.machine() == platform.machine(), (skiff.machine(), platform.machine())
print(f"skiff {skiff.__version__} {skiff.commit}", flush=True)
print(f"python: {skiff.text(volume)} on {platform.machine()}", flush=True)
