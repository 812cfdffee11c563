import type { DebianBase } from '../../activities/images/ports.js';

/** Left out of every base: nobody reads a manual in a container. Copyright files stay, as Debian asks. */
const LEFT_OUT = ['/usr/share/doc/*', '/usr/share/man/*', '/usr/share/locale/*', '/usr/share/info/*'];
const KEPT = ['/usr/share/doc/*/copyright'];

/** Arguments of mmdebstrap. No mirror is named: Debian's own default, security and updates.
 * The host's CA bundle is laid into the base ($SSL_CERT_FILE), because a container reaches the outside through the same door as we do.
 * The folder man1 must exist: openjdk's post-install script fails without it. */
export function debianArguments(base: DebianBase, output: string): readonly string[] {
  return [
    'mmdebstrap',
    '--variant=minbase',
    ...(base.packages.length > 0 ? [`--include=${base.packages.join(',')}`] : []),
    ...LEFT_OUT.map((path) => `--dpkgopt=path-exclude=${path}`),
    ...KEPT.map((path) => `--dpkgopt=path-include=${path}`),
    '--essential-hook=mkdir -p "$1/usr/share/man/man1"',
    '--customize-hook=if [ -n "${SSL_CERT_FILE:-}" ]; then mkdir -p "$1/etc/ssl/certs" && cp "$SSL_CERT_FILE" "$1/etc/ssl/certs/ca-certificates.crt"; fi',
    base.suite,
    output,
  ];
}

/** Raise when `debianArguments` makes other bases than before: cached ones are then unknown. */
export const RECIPE = 1;
