#!/bin/sh
# Downloads the sources of the example from the Debian archive, as a source mirror for SLIPWAY_SPACK_SOURCES: `sh sources.sh FOLDER`.
# apt-get checks signatures; Spack compares each file with the digest of its recipe. Nothing of the machine's own apt changes.
set -eu
mirror=$(mkdir -p "$1" && cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/parts" "$work/lists/partial" "$work/files"
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
  [ -f "$list" ] || continue
  case $list in
  *.sources) sed 's/^Types:.*/Types: deb-src/' "$list" >"$work/parts/${list##*/}" ;;
  *.list) sed -n 's/^deb /deb-src /p' "$list" >"$work/parts/${list##*/}" ;;
  esac
done
cd "$work/files"
apt() {
  apt-get -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/parts" -o Dir::State::Lists="$work/lists" \
    -o APT::Sandbox::User= "$@"
}
apt update
apt source --download-only ncurses=6.4-4 readline=8.2-1.3 pkgconf=1.8.1-1
for file in *.orig.tar.?z; do
  digest=$(sha256sum "$file" | cut -d' ' -f1)
  folder=$mirror/_source-cache/archive/$(echo "$digest" | cut -c1-2)
  mkdir -p "$folder"
  cp "$file" "$folder/$digest.${file##*.orig.}"
done
find "$mirror" -type f
