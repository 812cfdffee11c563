"""Headers and a library without Python: one wheel for every Python of a platform."""

import os
import re
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

version = Path("ray_cpp/include/ray/version.h")
if commit := os.environ.get("RAY_COMMIT"):
    version.write_text(re.sub(r'COMMIT ".*"', f'COMMIT "{commit}"', version.read_text()))


class Library(build_ext):
    def get_ext_filename(self, name: str) -> str:
        return name.replace(".", "/") + ".so"


class AnyPython(bdist_wheel):
    def get_tag(self) -> tuple[str, str, str]:
        return "py3", "none", super().get_tag()[2]


setup(
    ext_modules=[Extension("ray_cpp.lib.libray_api", ["src/api.c"], include_dirs=["ray_cpp/include"])],
    cmdclass={"build_ext": Library, "bdist_wheel": AnyPython},
)
