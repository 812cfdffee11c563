from spack.package import *


class Hull(Package):
    """A shared library of one function."""

    homepage = "https://example.org/boatyard"
    has_code = False

    version("1.0")

    depends_on("keel")

    def install(self, spec, prefix):
        mkdirp(prefix.lib)
        with open("hull.c", "w") as file:
            file.write("int keel(void); int hull(void) { return 1 + keel(); }\n")
        arguments = ["-shared", "-fPIC", "-o", prefix.lib.join("libhull.so"), "hull.c"]
        keel = spec["keel"].prefix.lib
        arguments += [f"-L{keel}", f"-Wl,-rpath,{keel}", "-lkeel"]
        which("gcc")(*arguments)
