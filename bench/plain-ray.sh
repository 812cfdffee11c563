#!/usr/bin/env bash
# The release of examples/ray by a plain script: the same tools, options, caches and parallelism (2), no engine.
# Both sides lock by uv and by pip-tools, build ten wheels (five by zig), three natives, three JARs, a Debian base and four images.
# Both run the release tests, publish everything, and install it from each target.
# Shared caches: uv's packages, Maven's repository, zig's libraries, the archive of bare Debian. Debian's packages and pip's files are fetched anew.
# The script checks wheels by twine and check-wheel-contents. It probes no target first, and it makes no manifest, attestation or report.
# Environment: HOME_OF_SLIPWAY (services up, nothing published), TOOLS (folder of uv, twine …), EXAMPLE, CACHE, PASSWORD, STAGING_PASSWORD,
# COPY_IMAGE (a program), BARE_DEBIAN (archive of the suite without further packages).
set -euo pipefail
work="$(mktemp -d)"
trap 'status=$?; [ $status = 0 ] || tail -n 20 "$work"/*.log >&2; rm -rf "$work"' EXIT
address() { node -p "require('$HOME_OF_SLIPWAY/services.json').services['$1'].address"; }
index="$(address index)" maven="$(address maven)" staging="$(address staging)" registry="$(address registry)" DOCKER_HOST="$(address docker)"
# Settings of the user's pip are dropped, as the worker drops them. The engine's client sends staging's password from a file.
for name in "${!PIP_@}"; do case $name in PIP_CERT | PIP_INDEX_URL) ;; *) unset "$name" ;; esac done
mkdir "$work/docker"
printf '{"auths":{"%s":{"auth":"%s"}}}' "$staging" "$(printf 'staging:%s' "$STAGING_PASSWORD" | base64 -w 0)" >"$work/docker/config.json"
export DOCKER_HOST DOCKER_CONFIG="$work/docker" PIP_CONFIG_FILE=/dev/null PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_CACHE_DIR="$work/pip"
export PATH="$TOOLS:$PATH" UV_CACHE_DIR="$CACHE/uv" UV_LINK_MODE=copy UV_PYTHON_DOWNLOADS=never UV_NO_CONFIG=1 M2="$CACHE/m2" LANG=C.UTF-8 TZ=UTC
export ZIG_GLOBAL_CACHE_DIR="$CACHE/zig" ZIG_LOCAL_CACHE_DIR="$CACHE/zig" PYTHONDONTWRITEBYTECODE=1
python_of() { ls -d "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$1".*/bin/python | tail -n 1; }
# Lines of standard input, two at a time.
parallel() { xargs -P 2 -d '\n' -I {} bash -euo pipefail -c '{}'; }

# source
cd "$work"
version="$(sed -n "s/^release: { name: [^,]*, version: '\(.*\)' }/\1/p" "$EXAMPLE/slipway.yaml")"
commit="$(git -C "$EXAMPLE" log -1 --format=%H -- .)"
SOURCE_DATE_EPOCH="$(git -C "$EXAMPLE" log -1 --format=%ct "$commit")"
mkdir tree
git -C "$EXAMPLE" archive "$commit" . | tar -x -C tree
tag="$version.${commit:0:6}-py311"
JAVA_HOME="$(dirname "$(dirname "$(realpath "$(command -v javac)")")")"
zig="$(python -c 'import ziglang, os; print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))')"
export SOURCE_DATE_EPOCH RAY_COMMIT="$commit" JAVA_HOME
export work index maven staging registry tag version zig

# PYTHON: the build requirements and their environment
lock() {
  uv pip compile -q --generate-hashes --no-header --no-annotate --python "$(python_of "$1")" --python-version "$1" \
    --python-platform x86_64-manylinux_2_34 --exclude-newer 2026-11-01 --output-file "lock-$1.txt" requires.in
  uv venv -q --no-project --python "$(python_of "$1")" "env-$1"
  uv pip install -q --require-hashes --no-build --python "env-$1/bin/python" -r "lock-$1.txt"
}
# PYTHON: the lock of the image, by a pip-tools that is locked too
pip_tools() {
  uv pip compile -q --generate-hashes --no-header --no-annotate --python "$(python_of "$1")" --python-version "$1" \
    --python-platform x86_64-manylinux_2_34 --output-file "tool-$1.txt" tool.in
  uv venv -q --no-project --python "$(python_of "$1")" "tool-$1"
  uv pip install -q --require-hashes --no-build --python "tool-$1/bin/python" -r "tool-$1.txt"
  cd tree
  "../tool-$1/bin/python" -m piptools compile --no-config --quiet --generate-hashes --no-header --no-annotate --strip-extras --allow-unsafe \
    --no-emit-index-url --no-emit-trusted-host --no-emit-options --cache-dir "$work/pip-tools-$1" \
    --constraint python/constraints.txt --output-file "$work/img-$1.txt" python/requirements.txt
}

# CC TARGET: a compiler by zig that drops what Python says of this machine
cross() {
  cat >"$1" <<END
#!/usr/bin/env bash
for argument; do
  case "\$argument" in -L/* | -Wl,-rpath* | -Wl,-R* | -Wl,--enable-new-dtags | -Wl,--build-id*) ;; *) kept+=("\$argument") ;; esac
done
exec '$zig' cc -target $2 -fno-sanitize=undefined "\${kept[@]}" -g0
END
  chmod +x "$1"
}
# FOLDER TARGET: a native; without a target for this machine
native() {
  [ -z "${2:-}" ] || export CC="$work/cc-$2" CROSS_TARGET="$2"
  cp -r tree/java "java-$1"
  mkdir -p "natives/$1"
  JNI_CFLAGS="-I$JAVA_HOME/include -I$JAVA_HOME/include/linux" "java-$1/build-jni.sh" "$work/natives/$1"
}
jars() {
  mkdir -p tree/java/runtime/target/classes
  cp -r natives tree/java/runtime/target/classes/native
  cd tree/java
  ./gen-poms.sh "$version"
  MAVEN_SKIP_RC=1 mvn -B -ntp -Dstyle.color=never -T 16 -P release -pl api,runtime,serve -am -Dmaven.repo.local="$M2" \
    -Dproject.build.outputTimestamp="$(date -u -d "@$SOURCE_DATE_EPOCH" +%FT%TZ)" -DaltDeploymentRepository="stage::file://$work/stage" \
    -Dmaven.compiler.release=8 -DskipTests package org.apache.maven.plugins:maven-deploy-plugin:3.1.4:deploy >"$work/maven.log"
}

# PROJECT PYTHON ARCHITECTURE
wheel() {
  name="$1-$2-$3" at="$work/env-$2"
  cp -r "tree/$1" "build-$name"
  cd "build-$name"
  export VIRTUAL_ENV="$at" PATH="$at/bin:$PATH" LDSHARED='gcc -shared'
  [ "$1" = cpp ] || export CFLAGS='-O3 -DNDEBUG -fwrapv -Wall -g0'
  if [ "$3" = aarch64 ]; then
    export CC="$work/cc-aarch64-linux-gnu.2.17" _PYTHON_HOST_PLATFORM=linux-aarch64
    export LDSHARED="$CC -shared" SETUPTOOLS_EXT_SUFFIX=".cpython-${2/./}-aarch64-linux-gnu.so"
  fi
  uv build -q --wheel --no-build-isolation --python "$at/bin/python" --out-dir "$work/raw-$name" . >"$work/wheel-$name.log" 2>&1
  repair "$3" "$work/wheels-$name" "$work/raw-$name"/*.whl >"$work/repair-$name.log" 2>&1
  cd "$work/wheels-$name"
  twine --no-color check --strict ./*.whl >/dev/null || twine --no-color check ./*.whl >/dev/null
  check-wheel-contents --no-config ./*.whl >/dev/null || true
}
# ARCHITECTURE OUT WHEEL: auditwheel's command line takes the tags of its own machine only
repair() {
  if [ "$1" != aarch64 ]; then
    auditwheel repair --wheel-dir "$2" "$3"
    return
  fi
  "$TOOLS/python" -c 'import platform, sys
platform.machine = lambda: "aarch64"
from auditwheel.main import main
sys.exit(main())' repair --plat manylinux_2_17_aarch64 --only-plat --wheel-dir "$2" "$3"
}

# CONTEXT DOCKERFILE NAME NETWORK ARGUMENTS: an image by the engine's own BuildKit, through its API: the docker program has no buildx here.
built() {
  tar -c -C "$1" . | curl -sSf --unix-socket "${DOCKER_HOST#unix://}" -H 'Content-Type: application/x-tar' -T - -X POST \
    "http://d/build?version=2&dockerfile=$2&networkmode=$4&t=$staging/$3&buildargs=%7B$5%7D" >"build-${3//[\/:]/-}.log"
  ! grep -q errorDetail "build-${3//[\/:]/-}.log"
  docker push -q "$staging/$3" >/dev/null
}
base() {
  docker import "$BARE_DEBIAN" "$staging/bases/debian:plain" >/dev/null
  mkdir base
  # Debian's ca-certificates writes its own bundle. The image trusts what the host trusts, or pip cannot fetch behind a proxy.
  cp "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" base/host.crt
  cat >base/Dockerfile <<END
FROM $staging/bases/debian:plain
RUN apt-get -q -o Acquire::Languages=none update \
 && DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends -o Dpkg::Options::=--force-unsafe-io install python3-venv \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/cache/apt/archives/*.deb
COPY host.crt /etc/ssl/certs/ca-certificates.crt
END
  built base Dockerfile bases/os:plain host ''
}
# ACCELERATOR
base_deps() {
  mkdir -p "deps-$1/deps"
  cp img-3.11.txt "deps-$1/deps/"
  cp tree/docker/base-deps/Dockerfile "deps-$1/"
  built "deps-$1" Dockerfile "base-deps:$1" host "%22BASE%22%3A%22$staging/bases/os:plain%22%2C%22ACCELERATOR%22%3A%22$1%22"
}
image() {
  mkdir -p "ray-$1/wheels"
  cp wheels-python-3.11-x86_64/*.whl wheels-cpp-3.11-x86_64/*.whl "ray-$1/wheels/"
  cp tree/docker/ray/Dockerfile "ray-$1/"
  built "ray-$1" Dockerfile "ray:$1" none "%22BASE%22%3A%22$staging/base-deps:$1%22"
}

# NAME PYTHON WHEEL COMMAND …: the last line that the command prints, in an environment with the wheel only
in_venv() {
  uv venv -q --no-project --python "$(python_of "$2")" "test-$1"
  uv pip install -q --python "test-$1/bin/python" --no-deps --no-index "$3"
  mkdir "out-$1"
  cd "out-$1"
  VIRTUAL_ENV="$work/test-$1" PATH="$work/test-$1/bin:$PATH" OUT="$PWD" "${@:4}"
}
sanity() { in_venv "$1" "$1" wheels-python-"$1"-x86_64/*.whl python "$work/tree/release/sanity_check.py" | grep -qx "ray $version $RAY_COMMIT ok"; }
cpp() { in_venv cpp 3.11 wheels-cpp-3.11-x86_64/*.whl sh "$work/tree/release/cpp_check.sh" | grep -qx "ray-cpp $version $RAY_COMMIT ok"; }
jvm() { CLASSPATH="$(find "$work/stage" -name '*.jar' | paste -sd :)" java io.ray.runtime.RayNative | grep -qx "ray $version 14"; }
# NAME ARGUMENT …: a test on the cluster of three
cluster() {
  mkdir -p "cluster-$1/files" "cluster-$1/tmp"
  cp -r tree/release "cluster-$1/files/"
  cp -r wheels-python-3.11-x86_64 "cluster-$1/wheels"
  cd "cluster-$1"
  export TMPDIR="$PWD/tmp" CLUSTER='{"nodes": 3}' COMMIT="$RAY_COMMIT" TEST_OUTPUT_JSON="$PWD/tasks.json"
  echo "exec python3 files/release/spread.py ${2:-}" >run.sh
  python3 files/release/cluster.py start >/dev/null
  [ "$(python3 files/release/cluster.py nodes)" = 3 ]
  python3 files/release/cluster.py submit run.sh >"$work/cluster-$1.log"
  python3 files/release/cluster.py stop
  grep -q '"nodes": 3' tasks.json
}

put() {
  curl -sSf -o /dev/null -u "root:$PASSWORD" -T "stage/$1" "$maven$1"
  sha1sum "stage/$1" | cut -d' ' -f1 | curl -sSf -o /dev/null -u "root:$PASSWORD" -T - "$maven$1.sha1"
}
upload() { TWINE_USERNAME=root TWINE_PASSWORD="$PASSWORD" twine upload --non-interactive --disable-progress-bar --repository-url "$index" "$@" >/dev/null; }
# PROJECT PYTHON COMMAND …
from_index() {
  uv venv -q --no-project --python "$(python_of "$2")" "verify-$1-$2"
  uv pip install -q --no-cache --python "verify-$1-$2/bin/python" --no-deps --only-binary "$1" --default-index "$index+simple/" "$1==$version"
  mkdir "elsewhere-$1-$2"
  cd "elsewhere-$1-$2"
  "../verify-$1-$2/bin/python" "${@:3}" >/dev/null
}
# One after the other, since each fetches its parent into the same repository
from_maven() {
  for artifact in superpom:"$version":pom api:"$version" runtime:"$version" serve:"$version"; do
    rm -rf "$M2/io/ray"
    mvn -B -q -Dmaven.repo.local="$M2" org.apache.maven.plugins:maven-dependency-plugin:3.8.1:get -Dartifact="io.ray:ray-$artifact" \
      -Dtransitive=false -DremoteRepositories="slipway::default::$maven" >>get.log
  done
  rm -rf "$M2/io/ray"
}
from_hub() { docker pull -q "$registry/rayproject/ray:$tag-$1" >/dev/null; }
export -f python_of lock pip_tools native jars wheel repair built base base_deps image in_venv sanity cpp jvm cluster put from_index from_maven from_hub

# locks, natives, the base
printf 'setuptools==80.9.0\nwheel==0.45.1\ncython==3.0.12\n' >requires.in
printf 'pip-tools==7.4.1\npip==25.0\n' >tool.in
for target in aarch64-linux-gnu.2.17 aarch64-macos.11.0; do cross "cc-$target" $target; done
pythons='3.10 3.11 3.12 3.13'
{
  echo base
  printf 'lock %s\n' $pythons
  printf 'native %s\n' linux-x86_64 'linux-aarch_64 aarch64-linux-gnu.2.17' 'osx-aarch_64 aarch64-macos.11.0'
  printf 'pip_tools %s\n' $pythons
} | parallel

# wheels, JARs, the images below
{
  echo jars
  printf 'base_deps %s\n' cpu cu12.8.1-cudnn
  for architecture in x86_64 aarch64; do printf "wheel %s $architecture\n" 'cpp 3.11' 'python 3.11' 'python 3.10' 'python 3.12' 'python 3.13'; done
} | parallel

# images and tests
{
  printf 'image %s\n' cpu cu12.8.1-cudnn
  printf 'sanity %s\n' $pythons
  printf '%s\n' cpp jvm 'cluster tasks' 'cluster node_killed --kill'
} | parallel

# publish, most reversible first; then install from each target and run
node "$COPY_IMAGE" "$staging/ray:cpu" "$registry/rayproject/ray:$tag-cpu"
node "$COPY_IMAGE" "$staging/ray:cpu" "$registry/rayproject/ray:$tag"
node "$COPY_IMAGE" "$staging/ray:cu12.8.1-cudnn" "$registry/rayproject/ray:$tag-cu128"
(cd stage && find . -type f \( -name '*.jar' -o -name '*.pom' \) -printf 'put %P\n') | parallel
upload wheels-cpp-*/*.whl
upload wheels-python-*/*.whl
{
  echo from_maven
  printf 'from_hub %s\n' cpu cu128
  printf "from_index ray %s $work/tree/release/sanity_check.py\n" $pythons
  echo 'from_index ray-cpp 3.10 -c "import ray_cpp"'
} | parallel
