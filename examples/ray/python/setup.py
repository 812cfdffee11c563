"""The core of Ray's miniature: C that Cython makes of ray/_raylet.pyx."""

import os
import re
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

# As Ray's build does: the placeholder becomes the commit, so that a wheel says what it was built from.
version = Path("ray/_version.py")
if commit := os.environ.get("RAY_COMMIT"):
    version.write_text(re.sub(r'commit = ".*"', f'commit = "{commit}"', version.read_text()))

setup(ext_modules=cythonize([Extension("ray._raylet", ["ray/_raylet.pyx"])], language_level=3))
