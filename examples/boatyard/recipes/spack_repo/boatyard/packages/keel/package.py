from spack.package import *


class Keel(Package):
    """A shared library of one function."""

    homepage = "https://example.org/boatyard"
    has_code = False

    version("1.0")

    def install(self, spec, prefix):
        mkdirp(prefix.lib)
        with open("keel.c", "w") as file:
            file.write("int keel(void) { return 1; }\n")
        arguments = ["-shared", "-fPIC", "-o", prefix.lib.join("libkeel.so"), "keel.c"]
        which("gcc")(*arguments)
