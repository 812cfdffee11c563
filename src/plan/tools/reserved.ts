/** Programs that Slipway calls in steps that may have tools, and those that shells, compilers and builders call all the time: another
 * program under such a name would change what these steps do. */
export const RESERVED: ReadonlySet<string> = new Set(
  `apt apt-get ar as auditwheel awk bash build bwrap bzip2 c++ cargo cat cc check-wheel-contents chmod chown cibuildwheel clang cp curl
  cut dash delocate-wheel devpi-server diff docker docker-registry dpkg env exec false find g++ gcc git gpg gpgconf grep gzip head jar
  java javac javadoc kill ld ln ls mkdir mkfifo mmdebstrap mount mv mvn newgidmap newuidmap nginx node npm objdump openssl patchelf pip
  pip-compile ps pypy pyproject-build python ray rm runc rustc scp sed setpriv sh sha256sum slipway sort spack ssh ssh-keygen strip su
  sudo tail tar temporal test tr true twine umount unshare unzip update-binfmts uv uvx wget wheel xz zig zip zstd
  aarch64-linux-gnu-gcc x86_64-linux-gnu-gcc`.split(/\s+/),
);

/** Whether a tool may not have this name: `python3.11` is `python`. Some machines ignore case. */
export const isReserved = (name: string): boolean =>
  [name.toLowerCase(), name.toLowerCase().replace(/-?[\d.]+$/, '')].some((one) => RESERVED.has(one));
