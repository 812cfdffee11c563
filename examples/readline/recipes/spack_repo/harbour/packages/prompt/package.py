from spack_repo.builtin.build_systems.generic import Package

from spack.package import *

SOURCE = """
#include <stdio.h>
#include <readline/readline.h>

int main(void) {
  char *line = readline("harbour> ");
  printf("readline %s read: %s\\n", rl_library_version, line);
  return line == NULL;
}
"""


class Prompt(Package):
    """A program that is linked with readline. It runs when it is installed."""

    homepage = "https://example.org/harbour"
    has_code = False

    version("1.0")

    depends_on("c", type="build")
    depends_on("readline")

    def install(self, spec, prefix):
        mkdirp(prefix.bin)
        with open("prompt.c", "w") as file:
            file.write(SOURCE)
        Executable(spack_cc)("prompt.c", "-o", prefix.bin.prompt, "-lreadline")
        Executable("ldd")(prefix.bin.prompt)
        with open("line", "w") as file:
            file.write("ahoy\n")
        with open("line") as line:
            Executable(prefix.bin.prompt)(input=line)
