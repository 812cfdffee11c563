package io.ray.api;

/** The entrance of the miniature. */
public final class Ray {
  private Ray() {}

  /** The version that every JAR of the release has. */
  public static String version() {
    return Version.VERSION;
  }
}
