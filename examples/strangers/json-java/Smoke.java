public class Smoke {
  public static void main(String[] args) {
    System.out.println(new org.json.JSONObject("{'a': [1, true, null]}"));
  }
}
