#!/usr/bin/env bash
# The pins of the wheel cache's example by a plain script: `pip wheel` for each pin in a container of each distribution, two
# at a time. Pins that the example leaves out as known failures are left out here too.
# Both sides import the same archives of bare Debian, install the same Debian packages, and ask the same index.
# Environment: HOME_OF_SLIPWAY (services up, nothing built), TOOLS (folder of docker), EXAMPLE, BARE_12 and BARE_13 (archives
# of the suites without further packages).
set -euo pipefail
work="$(mktemp -d)"
trap 'status=$?; [ $status = 0 ] || tail -n 20 "$work"/*.log >&2; rm -rf "$work"' EXIT
DOCKER_HOST="$(node -p "require('$HOME_OF_SLIPWAY/services.json').services.docker.address")"
export PATH="$TOOLS:$PATH" DOCKER_HOST work

# Packages of every base whose Python is Debian's, of bindep.txt, and of the single recipe; pip besides.
packages="ca-certificates file g++ gcc make pkg-config python3-dev python3-pip libldap2-dev libsasl2-dev libsystemd-dev"
base() {
  docker import "$2" "plain-$1-bare" >/dev/null
  docker run --name "plain-$1" --network host -v "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}:/host.crt:ro" "plain-$1-bare" sh -euc "
    apt-get -q -o Acquire::Languages=none update
    DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends -o Dpkg::Options::=--force-unsafe-io install $packages
    cp /host.crt /etc/ssl/certs/ca-certificates.crt" >"$work/base-$1.log" 2>&1
  docker commit "plain-$1" "plain-$1" >/dev/null
  docker rm "plain-$1" >/dev/null
}

# DISTRIBUTION PIN
wheel() {
  mkdir -p "$work/wheels-$1"
  constraint=''
  case "$2" in PyYAML*) constraint='Cython<3' ;; esac
  docker run --rm --network host -v "$work/wheels-$1:/out" -e PIP_DEFAULT_TIMEOUT=180 "plain-$1" sh -euc '
    echo "$2" >/constraint.txt
    PIP_CONSTRAINT=/constraint.txt pip wheel -q --no-deps --no-cache-dir -w /out "$1"' pip "$2" "$constraint" >"$work/$1-${2%%=*}.log" 2>&1
}
export -f base wheel
export packages
printf '%s\n' "debian-12 $BARE_12" "debian-13 $BARE_13" | xargs -P 2 -L 1 bash -euo pipefail -c 'base "$0" "$1"'
pins="$(grep -v '^#' "$EXAMPLE/upper-constraints.txt" | grep -v '^suds-jurko')"
{
  sed 's/^/debian-12 /' <<<"$pins"
  grep -v '^cffi' <<<"$pins" | sed 's/^/debian-13 /'
} | sed "s/'/\\\\'/g" | xargs -P 2 -L 1 bash -euo pipefail -c 'wheel "$0" "$1"'
find "$work"/wheels-* -name '*.whl' | wc -l
