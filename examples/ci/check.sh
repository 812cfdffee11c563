#!/bin/sh
# check.sh: runs what Jenkinsfile and slipway-campaign-ref.yaml hand to a shell, in a clean folder and without Jenkins.
# A parameter has the value of the environment, else the default of its file: PREPARE=false sh examples/ci/check.sh
# `slipway` is on the PATH, and its services are up. The first line that fails ends the check with its exit code.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# Slipway reads a commit.
mkdir -p "$work/source/examples"
cp -R "$here" "$here/../lifecycle" "$work/source/examples"
cd "$work/source"
git init -q .
git add .
git -c user.name=check -c user.email=check@localhost commit -q -m 'Examples'

# export_defaults: exports each line NAME=VALUE whose name has no value yet.
export_defaults() {
  while IFS= read -r pair; do
    printenv "${pair%%=*}" >/dev/null || export "$pair"
  done
}

# run_lines NAME: runs each line as a step of its own, as `sh` of Jenkins does.
run_lines() {
  lines=0
  while IFS= read -r line; do
    printf '\n== %s: %s\n' "$1" "$line"
    sh -euc "$line" </dev/null
    lines=$((lines + 1))
  done
  [ "$lines" -gt 0 ] || { echo "check.sh: $1 hands no line to a shell" >&2; exit 1; }
}

jenkins=examples/ci/Jenkinsfile
sed -n -e "s/^ *choice(name: '\([A-Z_]*\)', choices: \['\([^']*\)'.*/\1=\2/p" \
  -e "s/^ *string(name: '\([A-Z_]*\)', defaultValue: '\([^']*\)'.*/\1=\2/p" \
  -e "s/^ *booleanParam(name: '\([A-Z_]*\)', defaultValue: \([a-z]*\),.*/\1=\2/p" $jenkins >"$work/jenkins.env"
sed -n "s/^ *sh '\(.*\)'\$/\1/p" $jenkins >"$work/jenkins.lines"
(
  export BUILD_ID="jenkins-$$" WORKSPACE="$work/source"
  export_defaults <"$work/jenkins.env"
  run_lines Jenkinsfile <"$work/jenkins.lines"
)

ref=examples/ci/slipway-campaign-ref.yaml
sed -n -e '/^  - name: /{s///;h;}' -e '/^    default: /{s///;s/^"\(.*\)"$/\1/;H;x;s/\n/=/p;}' $ref >"$work/ref.env"
sed -n 's|^  commands: |sh examples/ci/|p' $ref >"$work/ref.lines"
(
  export BUILD_ID="openshift-$$" ARTIFACT_DIR="$work/artifacts"
  export_defaults <"$work/ref.env"
  run_lines slipway-campaign-ref.yaml <"$work/ref.lines"
)
