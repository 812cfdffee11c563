import type { Bodies } from '../work.js';
import { createBuildJar } from './build-jar.js';
import { createBuildNative } from './natives/build-native.js';
import { createProveKey } from './sign/prove-key.js';
import { createSignFiles } from './sign/sign-files.js';
import type { JarPorts } from './ports.js';

export const createJarBodies = (ports: JarPorts) =>
  ({
    buildNative: createBuildNative(ports),
    buildJar: createBuildJar(ports),
    signFiles: createSignFiles(),
    proveKey: createProveKey(),
  }) satisfies Bodies;

export type { JarPorts } from './ports.js';
