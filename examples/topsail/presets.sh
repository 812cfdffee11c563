#!/bin/sh
# presets.sh FOLDER: applies each preset of each project of TOPSAIL alone, and checks it. FOLDER is a copy of the repository
# openshift-psap/topsail. Nothing in it is changed. The last line counts presets that cannot be applied.
set -eu
from=$(cd "${1:?usage: presets.sh FOLDER}" && pwd)
here=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# Slipway reads a commit: what it reads of the projects is copied and committed.
mkdir "$work/source"
(cd "$from" && find projects -path '*/testing/*' \( -name config.yaml -o -name 'command_args.y*ml.j2' \) -print) |
  while read -r file; do
    mkdir -p "$work/source/$(dirname "$file")"
    cp "$from/$file" "$work/source/$file"
  done
cd "$work/source"
git init -q .
git add .
git -c user.name=presets -c user.email=presets@localhost commit -q -m 'Projects of TOPSAIL'

broken=0
presets=0
for file in projects/*/testing/config.yaml; do
  project=${file%/testing/config.yaml}
  printf 'slipway: 1\npipeline: { name: presets, label: date }\nsource: { git: %s }\nconfig: { import: topsail, project: %s }\n' \
    source "$project" >"$work/slipway.yaml"
  printf "steps:\n  nothing: { run: 'true' }\n" >>"$work/slipway.yaml"
  printf '\n== %s\n' "$project"
  "$here/bin/slipway.js" config presets "$work/slipway.yaml" >"$work/told" || true
  grep -v ' values\{0,1\}$' "$work/told" || true
  last=$(tail -n 1 "$work/told")
  presets=$((presets + $(echo "$last" | sed 's/ .*//')))
  broken=$((broken + $(echo "$last" | sed 's/.*, \([0-9]*\) .*/\1/')))
done
printf '\n%s presets, %s cannot be applied\n' "$presets" "$broken"
