#!/bin/sh
# prepare.sh NAME PORT: a real campaign deploys its service here; this one says where it would be.
echo "$1 is on port $2"
