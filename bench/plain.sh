#!/usr/bin/env bash
# The same release as the example by a plain script: the same tools, options, caches and parallelism (2), no engine.
# Both sides fetch the sdist, lock and install the build requirements, and build the class files, the JARs and four wheels.
# Both lay the JRE's packages over a bare Debian, and install the lock and a wheel in the image by pip's own index.
# Both run the smoke test in four environments and in the image, publish everything, and install it from each target.
# Shared caches: uv's packages, Maven's repository, the archive of bare Debian. Debian's packages and pip's files are fetched anew.
# Environment: HOME_OF_SLIPWAY (services up, nothing published), TOOLS (folder of uv, twine …), EXAMPLE, CACHE, PASSWORD, STAGING_PASSWORD, COPY_IMAGE (a program),
# BARE_DEBIAN (archive of the suite without further packages).
set -euo pipefail
work="$(mktemp -d)"
trap 'status=$?; [ $status = 0 ] || tail -n 20 "$work"/*.log >&2; rm -rf "$work"' EXIT
address() { node -p "require('$HOME_OF_SLIPWAY/services.json').services['$1'].address"; }
index="$(address index)" maven="$(address maven)" staging="$(address staging)" registry="$(address registry)" engine="$(address docker)"
export PATH="$TOOLS:$PATH" DOCKER_HOST="$engine" UV_CACHE_DIR="$CACHE/uv" UV_PYTHON_DOWNLOADS=never
# The engine's client sends staging's password from a file.
export DOCKER_CONFIG="$work/docker" STAGING_PASSWORD
mkdir "$DOCKER_CONFIG"
printf '{"auths":{"%s":{"auth":"%s"}}}' "$staging" "$(printf 'staging:%s' "$STAGING_PASSWORD" | base64 -w 0)" >"$DOCKER_CONFIG/config.json"
export M2="$CACHE/m2" LANG=C.UTF-8 TZ=UTC work index maven staging registry EXAMPLE PASSWORD CACHE
value() { sed -n "$1" "$EXAMPLE/slipway.yaml"; }
version="$(value 's/^release: { name: [^,]*, version: \(.*\) }/\1/p')"
sha256="$(value 's/.*sha256: \([0-9a-f]*\).*/\1/p')"
export version
python_of() { ls -d "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$1".*/bin/python | tail -n 1; }
export -f python_of
# Lines of standard input, two at a time.
parallel() { xargs -P 2 -I {} bash -euo pipefail -c "$1"; }
pythons='3.10
3.11
3.12
3.13'
files="$EXAMPLE"
export files

# source
cd "$work"
python3 -m pip download -q --no-deps --no-binary :all: --no-build-isolation "jep==$version" -d . 2>/dev/null ||
  "$(python_of 3.12)" -m pip download -q --no-deps --no-binary :all: "jep==$version" -d .
echo "$sha256  jep-$version.tar.gz" | sha256sum -c --quiet
tar -xzf "jep-$version.tar.gz"
mv "jep-$version" tree
SOURCE_DATE_EPOCH="$(find tree -type f -printf '%T@\n' | sort -n | tail -n 1 | cut -d. -f1)"
export SOURCE_DATE_EPOCH

# locks
printf 'setuptools>=61\nwheel>=0.42\nnumpy>=1.26\n' >requires.in
lock() {
  uv pip compile -q --generate-hashes --no-header --no-annotate --no-config --python "$(python_of "$1")" \
    --python-version "$1" --exclude-newer 2026-11-01 --output-file "$work/lock-$1.txt" "$work/requires.in"
  uv venv -q --no-config --no-project --python "$(python_of "$1")" "$work/env-$1"
  uv pip install -q --no-config --require-hashes --python "$work/env-$1/bin/python" -r "$work/lock-$1.txt"
}
export -f lock
parallel 'lock {}' <<<"$pythons"

# An image of a folder by the engine's own BuildKit, through its API: the docker program has no buildx here.
built() {
  tar -c -C "$1" . | curl -sSf --unix-socket "${DOCKER_HOST#unix://}" -H 'Content-Type: application/x-tar' -T - -X POST \
    "http://d/build?version=2&dockerfile=$2&networkmode=host&t=$staging/$3:plain&buildargs=%7B$4%7D" >"$work/build-$1.log"
  ! grep -q errorDetail "$work/build-$1.log"
}
export -f built value

# Java once; JARs and the base image beside it
prepare() {
  cp -r tree prepared
  cp -r "$EXAMPLE"/overlay/. prepared/
  cd prepared
  VIRTUAL_ENV="$work/env-3.10" PATH="$work/env-3.10/bin:$PATH" JDK_JAVAC_OPTIONS='--release 8' python setup.py -q build_java build_jar
}
jars() {
  cp -r tree maven
  cd maven
  p=org.apache.maven.plugins:maven
  mvn -B -ntp -q -Dmaven.repo.local="$M2" -Dproject.build.outputTimestamp="$(date -u -d "@$SOURCE_DATE_EPOCH" +%FT%TZ)" \
    -DaltDeploymentRepository="stage::file://$work/stage" -Ddoclint=none $p-resources-plugin:3.3.1:resources \
    $p-compiler-plugin:3.14.0:compile $p-jar-plugin:3.4.2:jar $p-source-plugin:3.3.1:jar-no-fork \
    $p-javadoc-plugin:3.11.2:jar $p-deploy-plugin:3.1.4:deploy >"$work/maven.log"
}
base() {
  docker import "$BARE_DEBIAN" "$staging/bases/debian:plain" >/dev/null
  docker push -q "$staging/bases/debian:plain" >/dev/null
  mkdir base
  # Debian's ca-certificates writes its own bundle. The image trusts what the host trusts, or pip cannot fetch behind a proxy.
  cp "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" base/host.crt
  cat >base/Dockerfile <<END
FROM $staging/bases/debian:plain
RUN apt-get -q -o Acquire::Languages=none update \
 && DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends -o Dpkg::Options::=--force-unsafe-io install \
  $(value 's/.*jre: {.*packages: \[\(.*\)\].*/\1/p' | tr -d ,) \
 && rm -rf /var/lib/apt/lists /var/cache/apt/archives/*.deb
COPY host.crt /etc/ssl/certs/ca-certificates.crt
END
  built base Dockerfile bases/jre ''
  docker push -q "$staging/bases/jre:plain" >/dev/null
}
export -f prepare jars base
printf 'prepare\njars\nbase\n' | parallel '{}'

# wheels
wheel() {
  cp -r prepared "build-$1"
  cd "build-$1"
  VIRTUAL_ENV="$work/env-$1" PATH="$work/env-$1/bin:$PATH" LDSHARED='gcc -shared -Wl,--build-id=none' CFLAGS='-O3 -DNDEBUG -fwrapv -Wall -g0' \
    uv build -q --wheel --no-config --no-build-isolation --python "$work/env-$1/bin/python" --out-dir "$work/raw-$1" . >"$work/wheel-$1.log" 2>&1
  auditwheel repair --exclude libjvm.so --exclude 'libpython*.so*' --wheel-dir "$work/wheels-$1" "$work/raw-$1"/*.whl >"$work/repair-$1.log" 2>&1
  twine --no-color check --strict "$work/wheels-$1"/*.whl >/dev/null || twine --no-color check "$work/wheels-$1"/*.whl >/dev/null
}
venv_test() {
  uv venv -q --no-project --python "$(python_of "$1")" "$work/test-$1"
  uv pip install -q --python "$work/test-$1/bin/python" --require-hashes -r "$work/lock-$1.txt"
  uv pip install -q --python "$work/test-$1/bin/python" --no-deps --no-index "$work/wheels-$1"/*.whl
  mkdir "out-$1" && cd "out-$1"
  VIRTUAL_ENV="$work/test-$1" PATH="$work/test-$1/bin:$PATH" jep "$files/smoke.py" | grep -qx "jep $version"
}
image() {
  mkdir -p context/deps context/wheels context/jars context/files
  cp lock-3.11.txt context/deps/
  cp wheels-3.11/*.whl context/wheels/
  find stage -name '*.jar' -exec cp {} context/jars/ \;
  cp "$EXAMPLE/Dockerfile" context/files/
  built context files/Dockerfile jep "%22BASE%22%3A%22$staging/bases/jre:plain%22"
  docker push -q "$staging/jep:plain" >/dev/null
  mkdir out-image
  docker run --rm --network none -v "$EXAMPLE:/files:ro" -v "$work/out-image:/out" -w /out -e OUT=/out "$staging/jep:plain" sh -eu -c 'jep /files/smoke.py' | grep -qx "jep $version"
}
export -f wheel venv_test image
printf '3.11\n3.10\n3.12\n3.13\n' | parallel 'wheel {}'
printf 'image\nvenv_test 3.10\nvenv_test 3.11\nvenv_test 3.12\nvenv_test 3.13\n' | parallel '{}'

# publish, most reversible first; then install from each target and run
node "$COPY_IMAGE" "$staging/jep:plain" "$registry/ninia/jep:$version"
put() {
  curl -sSf -o /dev/null -u "root:$PASSWORD" -T "stage/$1" "$maven$1"
  sha1sum "stage/$1" | cut -d' ' -f1 | curl -sSf -o /dev/null -u "root:$PASSWORD" -T - "$maven$1.sha1"
}
export -f put
(cd stage && find . -type f \( -name '*.jar' -o -name '*.pom' \) -printf '%P\n') | parallel 'put {}'
TWINE_USERNAME=root TWINE_PASSWORD="$PASSWORD" twine upload --non-interactive --disable-progress-bar --repository-url "$index" wheels-*/*.whl "jep-$version.tar.gz" >/dev/null

from_index() {
  uv venv -q --python "$(python_of "$1")" "$work/verify-$1"
  uv pip install -q --no-cache --python "$work/verify-$1/bin/python" --no-deps --only-binary jep --default-index "$index+simple/" "jep==$version"
  uv pip install -q --python "$work/verify-$1/bin/python" numpy
  mkdir "elsewhere-$1" && cd "elsewhere-$1" && PATH="$work/verify-$1/bin:$PATH" jep "$files/smoke.py" >/dev/null
}
from_maven() {
  rm -rf "$M2/org/ninia"
  mvn -B -q -Dmaven.repo.local="$M2" org.apache.maven.plugins:maven-dependency-plugin:3.8.1:get \
    -Dartifact="org.ninia:jep:$version" -Dtransitive=false -DremoteRepositories="slipway::default::$maven" >"$work/get.log"
  rm -rf "$M2/org/ninia"
}
from_hub() { docker pull -q "$registry/ninia/jep:$version" >/dev/null && docker run --rm --network none "$registry/ninia/jep:$version" true; }
export -f from_index from_maven from_hub
printf 'from_hub\nfrom_maven\nfrom_index 3.10\nfrom_index 3.11\nfrom_index 3.12\nfrom_index 3.13\n' | parallel '{}'
node "$COPY_IMAGE" "$staging/jep:plain" "$registry/ninia/jep:latest"
