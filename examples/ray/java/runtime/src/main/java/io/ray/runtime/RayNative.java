package io.ray.runtime;

import io.ray.api.Ray;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Loads the library of this machine out of the JAR. */
public final class RayNative {
  private RayNative() {}

  static {
    boolean mac = System.getProperty("os.name").startsWith("Mac");
    String arch = System.getProperty("os.arch");
    String folder = (mac ? "osx" : "linux") + "-" + (arch.equals("amd64") ? "x86_64" : mac ? "aarch_64" : arch.equals("aarch64") ? "aarch_64" : arch);
    String name = "libcore_worker_library_java." + (mac ? "dylib" : "so");
    try (InputStream library = RayNative.class.getResourceAsStream("/native/" + folder + "/" + name)) {
      Path file = Files.createTempFile("ray", name);
      Files.copy(library, file, StandardCopyOption.REPLACE_EXISTING);
      System.load(file.toString());
    } catch (IOException error) {
      throw new IllegalStateException(error);
    }
  }

  /** The sum of the squares of first, first + 1, …, last - 1. */
  public static native long squareSum(int first, int last);

  public static void main(String[] args) {
    System.out.println("ray " + Ray.version() + " " + squareSum(0, 4));
  }
}
