from spack.package import *


class Sail(Package):
    """A shared library of one function."""

    homepage = "https://example.org/boatyard"
    has_code = False

    version("1.0")

    depends_on("mast")

    def install(self, spec, prefix):
        mkdirp(prefix.lib)
        with open("sail.c", "w") as file:
            file.write("int mast(void); int sail(void) { return 1 + mast(); }\n")
        arguments = ["-shared", "-fPIC", "-o", prefix.lib.join("libsail.so"), "sail.c"]
        mast = spec["mast"].prefix.lib
        arguments += [f"-L{mast}", f"-Wl,-rpath,{mast}", "-lmast"]
        which("gcc")(*arguments)
