import type { DebianBase, DebianLayers } from '../../activities/images/ports.js';
import { foreignArchitecture } from './architecture.js';
import { judgeDebian } from './judge.js';
import { FOREIGN_CERTIFICATES } from './recipe.js';

/** apt-get's status for an unknown package or a failed download. */
const APT_FAILED = 100;

/** Packages that the base's own apt-get installs on top of it. */
export const debianLayers: DebianLayers = {
  // Another architecture's apt-get would run under emulation, for minutes.
  fit: ({ oci }: DebianBase) => foreignArchitecture(oci) === null,
  // The exec form keeps Docker and a second shell from expanding the script.
  // The first line makes a layer of another period another one for the engine's cache.
  dockerfile: ({ packages, since }, on) => {
    const script = since === undefined ? INSTALL : `: ${since}${INSTALL}`;
    return `FROM ${on}\nRUN ${JSON.stringify(['sh', '-eu', '-c', script, 'sh', ...packages])}\n`;
  },
  whyFailed: (suite, lines) => judgeDebian(suite, APT_FAILED, lines),
};

/** Does what mmdebstrap does with `--include`: no recommended packages; no lists and archives afterwards. apt-get
 * fetches no translations, which only searches need. dpkg skips fsync, because a failed build discards its layer.
 * ca-certificates overwrites the host's bundle. So the script adds the host's own certificates again. */
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
