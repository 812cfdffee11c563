package dev.slipway.skiff;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/** Loads a native library out of the JAR, from the folder of the machine that this is: native/linux-aarch_64. */
final class Native {
  private Native() {}

  static void load(String name) {
    String resource = "/native/" + platform() + "/" + System.mapLibraryName(name);
    try (InputStream in = Native.class.getResourceAsStream(resource)) {
      if (in == null) throw new UnsatisfiedLinkError("this JAR holds no " + resource);
      Path copy = Files.createTempFile("skiff", System.mapLibraryName(name));
      copy.toFile().deleteOnExit();
      Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
      System.load(copy.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** os.name and os.arch differ between JVMs; these names are the ones that JARs use. */
  static String platform() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    String system = os.startsWith("mac") ? "osx" : os.startsWith("win") ? "windows" : "linux";
    String machine = arch.equals("amd64") ? "x86_64" : arch.equals("aarch64") || arch.equals("arm64") ? "aarch_64" : arch;
    return system + "-" + machine;
  }
}
