#!/bin/sh
# build-jni.sh OUT: the C core as a JNI library for the platform that $CC compiles for, which $CROSS_TARGET names where it is
# not this machine. $JNI_CFLAGS says where jni.h is; without it the JDK's own place.
set -eu
cd "$(dirname "$0")"
case "${CROSS_TARGET:-$(uname)}" in
  # A macOS library says its own name, which by default is the path that it was linked to: the builder's.
  *macos* | Darwin) library=libskiff.dylib named=-Wl,-install_name,@rpath/libskiff.dylib ;;
  *) library=libskiff.so named= ;;
esac
include="${JAVA_HOME:-}/include"
# shellcheck disable=SC2086 -- flags are words
${CC:-cc} -O2 -g0 -std=c11 -Wall -Werror -fPIC -shared -fvisibility=hidden $named ${LDFLAGS:-} \
  ${JNI_CFLAGS:--I$include -I$include/linux -I$include/darwin} -I../core -o "$1/$library" jni/skiff_jni.c ../core/skiff.c -lm
