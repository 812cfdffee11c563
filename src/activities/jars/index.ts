import type { Bodies } from '../work.js';
import { createBuildJar } from './build-jar.js';
import { createBuildNative } from './natives/build-native.js';
import { createSignFiles } from './sign/sign-files.js';
import type { JarPorts } from './ports.js';

export const createJarBodies = (ports: JarPorts) =>
  ({
    buildNative: createBuildNative(ports),
    buildJar: createBuildJar(ports),
    signFiles: createSignFiles(),
  }) satisfies Bodies;

export type { JarPorts } from './ports.js';
