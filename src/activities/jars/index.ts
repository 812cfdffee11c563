import type { Bodies } from '../work.js';
import { createBuildJar } from './build-jar.js';
import type { JarPorts } from './ports.js';

export const createJarBodies = (ports: JarPorts) => ({ buildJar: createBuildJar(ports) }) satisfies Bodies;

export type { JarPorts } from './ports.js';
