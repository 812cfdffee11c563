import type { Bodies } from '../work.js';
import { createAssembleIndex } from './assemble-index.js';
import { createBuildImage } from './build-image.js';
import { createMakeBase } from './make-base.js';
import { createPromoteImage } from './promote-image.js';
import type { ImagePorts } from './ports.js';

export const createImageBodies = (ports: ImagePorts) =>
  ({
    makeBase: createMakeBase(ports),
    buildImage: createBuildImage(ports),
    assembleIndex: createAssembleIndex(ports),
    promoteImage: createPromoteImage(ports),
  }) satisfies Bodies;

export type { ImagePorts } from './ports.js';
