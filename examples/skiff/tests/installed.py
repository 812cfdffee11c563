"""Runs where one of the projects was installed from the index: whichever it is, it can be imported and says its version."""

import importlib.util

names = [name for name in ("skiff", "skiff_hulls") if importlib.util.find_spec(name)]
assert names, "nothing of skiff is installed"
for name in names:
    print(name, __import__(name).__version__)
