#!/bin/sh
# prepare.sh NAME PORT OUT: a real campaign deploys its service here; this one writes down where it would be.
printf 'NAME=%s\nPORT=%s\n' "$1" "$2" >"$3/service.env"
echo "$1 is on port $2"
