/* dev.slipway.skiff.Hull: the C core, seen from Java. */
#include <jni.h>

#include "skiff.h"

JNIEXPORT jdouble JNICALL Java_dev_slipway_skiff_Hull_displacement0(JNIEnv *env, jclass type, jdoubleArray given, jdouble spacing) {
  (void)type;
  jsize count = (*env)->GetArrayLength(env, given);
  jdouble *areas = (*env)->GetDoubleArrayElements(env, given, NULL);
  if (areas == NULL) return -1;
  jdouble volume = skiff_displacement(areas, (size_t)count, spacing);
  (*env)->ReleaseDoubleArrayElements(env, given, areas, JNI_ABORT);
  return volume;
}

JNIEXPORT jdouble JNICALL Java_dev_slipway_skiff_Hull_friction0(JNIEnv *env, jclass type, jdouble reynolds) {
  (void)env;
  (void)type;
  return skiff_friction(reynolds);
}

JNIEXPORT jstring JNICALL Java_dev_slipway_skiff_Hull_text(JNIEnv *env, jclass type, jdouble volume) {
  char words[512]; /* the longest double has 309 digits */
  (void)type;
  skiff_text(words, sizeof words, volume);
  return (*env)->NewStringUTF(env, words);
}

JNIEXPORT jstring JNICALL Java_dev_slipway_skiff_Hull_machine(JNIEnv *env, jclass type) {
  (void)type;
  return (*env)->NewStringUTF(env, skiff_machine());
}
