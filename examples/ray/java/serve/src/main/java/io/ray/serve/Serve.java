package io.ray.serve;

import io.ray.api.Ray;

/** Says which Ray serves. */
public final class Serve {
  private Serve() {}

  public static String banner() {
    return "serve on ray " + Ray.version();
  }
}
