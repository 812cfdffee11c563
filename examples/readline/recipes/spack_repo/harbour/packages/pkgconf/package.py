from spack_repo.builtin.build_systems.autotools import AutotoolsPackage

from spack.package import *


class Pkgconf(AutotoolsPackage):
    """Compiler and linker flags of libraries. Debian 12 has the sources of 1.8.1, and no version of Spack's own recipe."""

    homepage = "https://example.org/harbour"
    url = "https://example.org/harbour/pkgconf-1.8.1.tar.xz"

    version("1.8.1", sha256="644361ada2942be05655d4452eb018791647c31bba429b287f1f68deb2dc6840")

    depends_on("c", type="build")
    provides("pkgconfig")

    @run_after("install")
    def link_pkg_config(self):
        symlink("pkgconf", self.prefix.bin.join("pkg-config"))
