import type { Interpreters } from '../deps/ports.js';
import type { Archives } from '../source/ports.js';
import type { ImageContainers } from '../tests/ports.js';

export interface WheelPorts {
  readonly archives: Archives;
  readonly interpreters: Interpreters;
  /** Null on a worker without a Docker engine. */
  readonly containers: ImageContainers | null;
}
