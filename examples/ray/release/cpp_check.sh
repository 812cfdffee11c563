#!/bin/sh
# Compiles a program with the headers of the wheel, and runs it with the library.
set -eu
at=$(python -c 'import ray_cpp; print(*ray_cpp.__path__)')
cc -I"$at/include" "$(dirname "$0")/cpp_check.c" -L"$at/lib" -lray_api -Wl,-rpath,"$at/lib" -o "$OUT/check"
"$OUT/check"
