import type { DebianBase } from '../../activities/images/ports.js';

/** Files that no container needs. Copyright files stay: Debian policy requires them. */
const LEFT_OUT = ['/usr/share/doc/*', '/usr/share/man/*', '/usr/share/locale/*', '/usr/share/info/*'];
const KEPT = ['/usr/share/doc/*/copyright'];
const leftOut = [
  ...LEFT_OUT.map((path) => `--dpkgopt=path-exclude=${path}`),
  ...KEPT.map((path) => `--dpkgopt=path-include=${path}`),
];

/** openjdk's post-install script fails without this folder. */
const MAN_FOLDER = 'mkdir -p "$1/usr/share/man/man1"';

/** Writes each certificate that only the second file has into a file of its own under `to`. */
export const FOREIGN_CERTIFICATES = `
  /BEGIN CERTIFICATE/ { block = "" }
  { block = block $0 "\\n" }
  /END CERTIFICATE/ {
    if (FILENAME == own) known[block] = 1
    else if (!(block in known)) { known[block] = 1; printf "%s", block > (to "/host-" ++count ".crt") }
  }`;

/** Containers reach the network through the host's proxy. So they need the certificates of $SSL_CERT_FILE.
 * `update-ca-certificates` adds them, so that Java trusts them too. Without ca-certificates the bundle is copied as
 * it is. */
const CERTIFICATES = `
  [ -n "\${SSL_CERT_FILE:-}" ] || exit 0
  own="$1/etc/ssl/certs/ca-certificates.crt"
  if [ -x "$1/usr/sbin/update-ca-certificates" ]; then
    awk -v own="$own" -v to="$1/usr/local/share/ca-certificates" '${FOREIGN_CERTIFICATES}' "$own" "$SSL_CERT_FILE"
    chroot "$1" update-ca-certificates
  else
    mkdir -p "$1/etc/ssl/certs"
    cp "$SSL_CERT_FILE" "$own"
  fi`;

/** Arguments of mmdebstrap. Naming no mirror selects Debian's default with security and updates. */
export const debianArguments = (base: DebianBase, output: string): readonly string[] => [
  'mmdebstrap',
  '--variant=minbase',
  ...(base.packages.length > 0 ? [`--include=${base.packages.join(',')}`] : []),
  ...leftOut,
  `--essential-hook=${MAN_FOLDER}`,
  `--customize-hook=${CERTIFICATES}`,
  base.suite,
  output,
];

/** Packages that a shell needs. Without maintainer scripts the other essential packages are useless. */
const UNDER_EVERY_PROGRAM =
  'base-files base-passwd bash coreutils dash debianutils diffutils findutils grep gzip libc-bin sed tar'.split(' ');

/** Replaces maintainer scripts, which would take minutes under emulation: the shell, users, certificates,
 * alternatives. */
const FINISHING = `
  cd "$1"
  [ -e usr/bin/sh ] || ln -s dash usr/bin/sh
  for table in passwd group; do [ -e "etc/$table" ] || cp "usr/share/base-passwd/$table.master" "etc/$table"; done
  for program in usr/lib/jvm/*/bin/*; do
    name="usr/bin/\${program##*/}"
    [ ! -e "$program" ] || [ -e "$name" ] || [ -L "$name" ] || ln -s "/$program" "$name"
  done
  for python in usr/bin/python3.*; do
    case "$python" in usr/bin/python3.[0-9]|usr/bin/python3.[0-9][0-9]) [ -e usr/bin/python3 ] || ln -s "\${python##*/}" usr/bin/python3 ;; esac
  done
  for awk in mawk gawk; do [ -e usr/bin/awk ] || [ ! -e "usr/bin/$awk" ] || ln -s "$awk" usr/bin/awk; done
  mkdir -p etc/ssl/certs
  { find usr/share/ca-certificates -name '*.crt' -exec cat {} + 2>/dev/null || true
    [ -z "\${SSL_CERT_FILE:-}" ] || cat "$SSL_CERT_FILE"; } > etc/ssl/certs/ca-certificates.crt`;

/** Arguments of mmdebstrap for another architecture. Packages are unpacked in ten seconds; configuring them under
 * emulation takes twelve minutes.
 * @param architecture Debian's name: arm64 */
export const foreignArguments = (base: DebianBase, architecture: string, output: string): readonly string[] => [
  'mmdebstrap',
  `--architectures=${architecture}`,
  '--variant=extract',
  '--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr',
  `--include=${[...UNDER_EVERY_PROGRAM, ...base.packages].join(',')}`,
  ...leftOut,
  `--extract-hook=${FINISHING}`,
  base.suite,
  output,
];

/** Raise when `foreignArguments` produces different bases. */
export const FOREIGN_RECIPE = 1;

/** Raise when `debianArguments` or the layers above produce different bases; cached bases are then ignored. */
export const RECIPE = 3;
