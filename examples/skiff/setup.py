"""The extension over the C core. CC, LDSHARED and the like of the environment choose the compiler: setuptools reads them."""

import os
from pathlib import Path

from setuptools import Extension, setup

# Written into the wheel, so that whoever has it can ask what it was built from. An sdist carries the file with it.
if commit := os.environ.get("SKIFF_COMMIT"):
    Path("src/skiff/_build.py").write_text(f'commit = "{commit}"\n')

setup(
    ext_modules=[
        Extension(
            "skiff._core",
            sources=["src/skiff/_core.c", "core/skiff.c"],
            depends=["core/skiff.h"],
            include_dirs=["core"],
            libraries=["m"],
        )
    ]
)
