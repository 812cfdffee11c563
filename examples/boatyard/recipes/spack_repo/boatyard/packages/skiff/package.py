from spack.package import *


class Skiff(Package):
    """A shared library of one function."""

    homepage = "https://example.org/boatyard"
    has_code = False

    version("1.0")

    depends_on("rudder")
    depends_on("sail")

    def install(self, spec, prefix):
        mkdirp(prefix.lib)
        with open("skiff.c", "w") as file:
            file.write("int rudder(void); int sail(void); int skiff(void) { return 1 + rudder() + sail(); }\n")
        arguments = ["-shared", "-fPIC", "-o", prefix.lib.join("libskiff.so"), "skiff.c"]
        rudder = spec["rudder"].prefix.lib
        arguments += [f"-L{rudder}", f"-Wl,-rpath,{rudder}", "-lrudder"]
        sail = spec["sail"].prefix.lib
        arguments += [f"-L{sail}", f"-Wl,-rpath,{sail}", "-lsail"]
        which("gcc")(*arguments)
