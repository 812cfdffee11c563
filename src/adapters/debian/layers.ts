import type { DebianBase, DebianLayers } from '../../activities/images/ports.js';
import { foreignArchitecture } from './architecture.js';
import { judgeDebian } from './judge.js';
import { FOREIGN_CERTIFICATES } from './recipe.js';

/** apt-get's status where a package is unknown or cannot be fetched. */
const APT_FAILED = 100;

/** Packages laid over a base of the same suite by its own apt-get. */
export const debianLayers: DebianLayers = {
  // The programs of another machine's system would run under emulation, for minutes.
  fit: ({ oci }: DebianBase) => foreignArchitecture(oci) === null,
  // In this form neither Docker nor a second shell reads into the script.
  dockerfile: ({ packages }, on) =>
    `FROM ${on}\nRUN ${JSON.stringify(['sh', '-eu', '-c', INSTALL, 'sh', ...packages])}\n`,
  whyFailed: (suite, lines) => judgeDebian(suite, APT_FAILED, lines),
};

/** Does what mmdebstrap does with `--include`: no recommended packages, no lists and no archives afterwards. apt-get fetches no
 * translations: only a person who searches reads them. dpkg does not wait for the disk: a failed build discards its layer.
 * ca-certificates writes Debian's own bundle over the host's: the script adds again what only the host's has. */
const INSTALL = `
  export DEBIAN_FRONTEND=noninteractive
  own=/etc/ssl/certs/ca-certificates.crt
  [ ! -e "$own" ] || [ -x /usr/sbin/update-ca-certificates ] || cp "$own" /tmp/host.crt
  apt-get -q -o Acquire::Languages=none update
  apt-get -q -y --no-install-recommends -o Dpkg::Options::=--force-unsafe-io install "$@"
  if [ -e /tmp/host.crt ] && [ -x /usr/sbin/update-ca-certificates ]; then
    awk -v own="$own" -v to=/usr/local/share/ca-certificates '${FOREIGN_CERTIFICATES}' "$own" /tmp/host.crt
    update-ca-certificates
  fi
  rm -rf /tmp/host.crt /var/lib/apt/lists/* /var/cache/apt/*.bin /var/cache/apt/archives/*.deb /var/cache/debconf/*-old /var/lib/dpkg/*-old /var/log/apt/* /var/log/dpkg.log`;
