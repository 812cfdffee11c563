"""`python -m skiff`: version, the commit that it was built from, and the machine that it runs on."""

import platform

from . import __version__, commit

print(f"skiff {__version__} {commit} {platform.machine()}", flush=True)
