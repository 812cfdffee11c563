from spack.package import *


class Mast(Package):
    """A shared library of one function."""

    homepage = "https://example.org/boatyard"
    has_code = False

    version("1.0")

    depends_on("keel")

    def install(self, spec, prefix):
        mkdirp(prefix.lib)
        with open("mast.c", "w") as file:
            file.write("int keel(void); int mast(void) { return 1 + keel(); }\n")
        arguments = ["-shared", "-fPIC", "-o", prefix.lib.join("libmast.so"), "mast.c"]
        keel = spec["keel"].prefix.lib
        arguments += [f"-L{keel}", f"-Wl,-rpath,{keel}", "-lkeel"]
        which("gcc")(*arguments)
