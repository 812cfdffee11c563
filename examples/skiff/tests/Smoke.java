import dev.slipway.skiff.Hull;

/** Loads the native library of this machine out of the JAR and asks it what books say. */
public class Smoke {
  public static void main(String[] none) {
    double volume = Hull.displacement(Hull.wigley(2, 0.5, 11), 0.9);
    near(volume, 4);
    near(Hull.friction(1e7), 0.003);
    try {
      Hull.displacement(new double[4], 1);
      throw new AssertionError("four sections were taken");
    } catch (IllegalArgumentException expected) {
      System.out.println("java: " + Hull.text(volume) + " on " + Hull.machine());
    }
  }

  private static void near(double seen, double known) {
    if (Math.abs(seen / known - 1) > 1e-12) throw new AssertionError(seen + " is not " + known);
  }
}
