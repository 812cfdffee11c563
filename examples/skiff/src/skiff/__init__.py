"""How much water a small boat displaces."""

from ._core import displacement, friction, machine, text

try:
    from ._build import commit
except ImportError:  # a working tree that nobody released
    commit = "unreleased"

__version__ = "1.0.0"
__all__ = ["commit", "displacement", "friction", "machine", "text", "wigley"]


def wigley(length: float, beam: float, draught: float, sections: int = 11) -> tuple[list[float], float]:
    """Section areas and their spacing of Wigley's hull, whose displacement is known: 4/9 of length x beam x draught."""
    spacing = length / (sections - 1)
    stations = (-1 + 2 * i / (sections - 1) for i in range(sections))
    return [2 / 3 * beam * draught * (1 - x * x) for x in stations], spacing
