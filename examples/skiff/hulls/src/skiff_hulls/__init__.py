"""Boats by length, beam and draught of their waterline, in metres."""

__version__ = "1.0.0"

HULLS: dict[str, tuple[float, float, float]] = {
    "skiff": (9.0, 2.0, 0.5),
    "dinghy": (3.6, 1.2, 0.15),
    "dory": (5.4, 1.5, 0.2),
}
