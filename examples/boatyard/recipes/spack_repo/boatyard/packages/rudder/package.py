from spack.package import *


class Rudder(Package):
    """A shared library of one function."""

    homepage = "https://example.org/boatyard"
    has_code = False

    version("1.0")

    depends_on("hull")

    def install(self, spec, prefix):
        mkdirp(prefix.lib)
        with open("rudder.c", "w") as file:
            file.write("int hull(void); int rudder(void) { return 1 + hull(); }\n")
        arguments = ["-shared", "-fPIC", "-o", prefix.lib.join("librudder.so"), "rudder.c"]
        hull = spec["hull"].prefix.lib
        arguments += [f"-L{hull}", f"-Wl,-rpath,{hull}", "-lhull"]
        which("gcc")(*arguments)
