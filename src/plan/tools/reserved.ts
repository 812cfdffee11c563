/** Programs that Slipway calls in steps that may have tools, and those that lines of shells, compilers and builders call all the
 * time. Another program under such a name would change what these steps do. */
export const RESERVED: ReadonlySet<string> = new Set([
  ...[
    'sh',
    'bash',
    'dash',
    'env',
    'exec',
    'sudo',
    'su',
    'mount',
    'umount',
    'unshare',
    'bwrap',
    'newuidmap',
    'newgidmap',
    'setpriv',
    'mkfifo',
  ],
  ...['ps', 'kill', 'tail', 'head', 'cat', 'cp', 'mv', 'rm', 'ln', 'ls', 'mkdir', 'chmod', 'chown', 'true', 'false'],
  ...['test', 'find', 'grep', 'sed', 'awk', 'cut', 'tr', 'sort', 'diff', 'tar', 'gzip', 'bzip2', 'xz', 'zstd', 'zip'],
  ...['unzip', 'git', 'ssh', 'scp', 'ssh-keygen', 'curl', 'wget', 'gpg', 'gpgconf', 'openssl', 'sha256sum'],
  ...['python', 'pip', 'pypy', 'uv', 'uvx', 'twine', 'auditwheel', 'patchelf', 'delocate-wheel', 'wheel', 'build'],
  ...['pyproject-build', 'pip-compile', 'check-wheel-contents', 'cibuildwheel', 'spack', 'ray'],
  ...[
    'java',
    'javac',
    'javadoc',
    'jar',
    'mvn',
    'gcc',
    'g++',
    'cc',
    'c++',
    'clang',
    'ld',
    'ar',
    'as',
    'strip',
    'objdump',
  ],
  ...['aarch64-linux-gnu-gcc', 'x86_64-linux-gnu-gcc', 'zig', 'docker', 'runc', 'mmdebstrap', 'dpkg', 'apt-get', 'apt'],
  ...[
    'update-binfmts',
    'cargo',
    'rustc',
    'node',
    'npm',
    'slipway',
    'temporal',
    'devpi-server',
    'nginx',
    'docker-registry',
  ],
]);

/** Whether a tool may not have this name: `python3.11` is `python`. Some machines ignore case. */
export const isReserved = (name: string): boolean => {
  const plain = name.toLowerCase();
  return RESERVED.has(plain) || RESERVED.has(plain.replace(/-?[\d.]+$/, ''));
};
