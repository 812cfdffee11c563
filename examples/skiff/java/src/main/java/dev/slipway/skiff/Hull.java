package dev.slipway.skiff;

/** How much water a small boat displaces. */
public final class Hull {
  static {
    Native.load("skiff");
  }

  private Hull() {}

  /**
   * Cubic metres, by Simpson's first rule.
   *
   * @param areas immersed areas of cross sections in square metres, at equal distances: an odd number, at least 3
   * @param spacing their distance in metres, above 0
   */
  public static double displacement(double[] areas, double spacing) {
    if (areas.length < 3 || areas.length % 2 == 0 || !(spacing > 0)) {
      throw new IllegalArgumentException(
          "an odd number of sections, at least 3, and a spacing above 0; got " + areas.length + " and " + spacing);
    }
    return displacement0(areas, spacing);
  }

  private static native double displacement0(double[] areas, double spacing);

  /**
   * Section areas of Wigley's hull, which displaces 4/9 of length x beam x draught.
   *
   * @param sections their number, odd and at least 3
   */
  public static double[] wigley(double beam, double draught, int sections) {
    double[] areas = new double[sections];
    for (int i = 0; i < sections; i++) {
      double x = -1 + 2.0 * i / (sections - 1);
      areas[i] = 2.0 / 3 * beam * draught * (1 - x * x);
    }
    return areas;
  }

  /**
   * Coefficient of a hull's friction in water, by the ITTC line of 1957.
   *
   * @param reynolds speed x length / viscosity, above 100
   */
  public static double friction(double reynolds) {
    if (!(reynolds > 100)) throw new IllegalArgumentException("a Reynolds number above 100, not " + reynolds);
    return friction0(reynolds);
  }

  private static native double friction0(double reynolds);

  /** A volume in words: 4.000 m3. */
  public static native String text(double volume);

  /** The machine that the native library was compiled for, in the words of uname -m. */
  public static native String machine();
}
