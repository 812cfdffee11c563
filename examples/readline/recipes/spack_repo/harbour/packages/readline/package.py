from spack_repo.builtin.build_systems.autotools import AutotoolsPackage

from spack.package import *


class Readline(AutotoolsPackage):
    """Editing of command lines. The patches of Spack's own recipe are downloads, which Debian has not."""

    homepage = "https://example.org/harbour"
    url = "https://example.org/harbour/readline-8.2.tar.gz"

    version("8.2", sha256="3feb7171f16a84ee82ca18a36d7b9be109a52c04f492a053331d7d1095007c35")

    depends_on("c", type="build")
    depends_on("ncurses")

    def build(self, spec, prefix):
        make(f"SHLIB_LIBS=-L{spec['ncurses'].prefix.lib} -lncursesw -ltinfow")
