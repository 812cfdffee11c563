import type { DebianBase } from '../../activities/images/ports.js';

/** Left out of every base: nobody reads a manual in a container. Copyright files stay, as Debian asks. */
const LEFT_OUT = ['/usr/share/doc/*', '/usr/share/man/*', '/usr/share/locale/*', '/usr/share/info/*'];
const KEPT = ['/usr/share/doc/*/copyright'];

/** openjdk's post-install script fails without this folder. */
const MAN_FOLDER = 'mkdir -p "$1/usr/share/man/man1"';

/** Prints each certificate of the second file that the first has not, into a file of its own under `to`. */
const FOREIGN_CERTIFICATES = `
  /BEGIN CERTIFICATE/ { block = "" }
  { block = block $0 "\\n" }
  /END CERTIFICATE/ {
    if (FILENAME == own) known[block] = 1
    else if (!(block in known)) { known[block] = 1; printf "%s", block > (to "/host-" ++count ".crt") }
  }`;

/** A container reaches the outside through the same door as we do: what the host's bundle ($SSL_CERT_FILE) knows besides Debian's own is
 * added the way Debian does it, so that Java and all others trust it too; without ca-certificates the bundle alone is laid in. */
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

/** Arguments of mmdebstrap. No mirror is named: Debian's own default, security and updates. */
export const debianArguments = (base: DebianBase, output: string): readonly string[] => [
  'mmdebstrap',
  '--variant=minbase',
  ...(base.packages.length > 0 ? [`--include=${base.packages.join(',')}`] : []),
  ...LEFT_OUT.map((path) => `--dpkgopt=path-exclude=${path}`),
  ...KEPT.map((path) => `--dpkgopt=path-include=${path}`),
  `--essential-hook=${MAN_FOLDER}`,
  `--customize-hook=${CERTIFICATES}`,
  base.suite,
  output,
];

/** Raise when `debianArguments` makes other bases than before: cached ones are then unknown. */
export const RECIPE = 2;
