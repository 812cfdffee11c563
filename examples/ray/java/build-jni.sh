#!/bin/sh
# build-jni.sh OUT: the JNI library for the platform that $CC compiles for, which $CROSS_TARGET names where it is not this machine.
set -eu
cd "$(dirname "$0")"
case "${CROSS_TARGET:-$(uname)}" in
  *macos* | Darwin) library=libcore_worker_library_java.dylib named=-Wl,-install_name,@rpath/libcore_worker_library_java.dylib ;;
  *) library=libcore_worker_library_java.so named= ;;
esac
# shellcheck disable=SC2086 -- flags are words
${CC:-cc} -O2 -g0 -std=c11 -Wall -Werror -fPIC -shared $named ${LDFLAGS:-} $JNI_CFLAGS -o "$1/$library" runtime/jni/core_worker.c
