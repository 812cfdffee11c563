#include <jni.h>

JNIEXPORT jlong JNICALL Java_io_ray_runtime_RayNative_squareSum(JNIEnv *env, jclass type, jint first, jint last) {
  (void)env;
  (void)type;
  jlong total = 0;
  for (jint number = first; number < last; number++) total += (jlong)number * number;
  return total;
}
