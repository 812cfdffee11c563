import type { Bodies } from '../work.js';
import { createBuildImage } from './build-image.js';
import { createMakeBase } from './make-base.js';
import type { ImagePorts } from './ports.js';

export const createImageBodies = (ports: ImagePorts) =>
  ({ makeBase: createMakeBase(ports), buildImage: createBuildImage(ports) }) satisfies Bodies;

export type { ImagePorts } from './ports.js';
