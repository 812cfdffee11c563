#!/bin/sh
# gen-poms.sh VERSION: the POMs of the templates, and the source that says the version. Ray's build makes them with Bazel.
set -eu
sed "s/@VERSION@/$1/" pom_template.xml > pom.xml
need() { echo "<dependency><groupId>io.ray</groupId><artifactId>ray-api</artifactId><version>$1</version></dependency>"; }
for module in api runtime serve; do
  needs=; [ $module = api ] || needs=$(need "$1")
  sed "s/@VERSION@/$1/; s/@MODULE@/$module/; s|@NEEDS@|$needs|" module_template.xml > $module/pom.xml
done
mkdir -p api/src/main/java/io/ray/api
printf 'package io.ray.api;\n\n/** Made by gen-poms.sh. */\npublic final class Version {\n  public static final String VERSION = "%s";\n\n  private Version() {}\n}\n' "$1" \
  > api/src/main/java/io/ray/api/Version.java
