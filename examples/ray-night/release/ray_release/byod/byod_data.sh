#!/bin/sh
set -eu
pip install --no-deps -r python_depset.lock
