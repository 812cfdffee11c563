package dev.slipway.skiff;

/** {@code java -cp skiff.jar dev.slipway.skiff.Main 9 2 0.5}: what a Wigley hull of this length, beam and draught displaces. */
public final class Main {
  private Main() {}

  /**
   * Prints one line: {@code 4.000 m3 on x86_64}.
   *
   * @param words length, beam and draught in metres
   */
  public static void main(String[] words) {
    double length = Double.parseDouble(words[0]);
    double beam = Double.parseDouble(words[1]);
    double draught = Double.parseDouble(words[2]);
    double[] areas = Hull.wigley(beam, draught, 11);
    double volume = Hull.displacement(areas, length / (areas.length - 1));
    System.out.println(Hull.text(volume) + " on " + Hull.machine());
  }
}
