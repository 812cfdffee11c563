import type { Exit, Programs } from '../ports.js';
import type { Archives } from '../source/ports.js';

export interface ImageContainers {
  run(container: ImageContainer): Promise<Exit>;
}
export interface ImageContainer {
  /** `host:port/repository@sha256:…`. */
  readonly image: string;
  /** OCI platform; null is the engine's own. */
  readonly platform: string | null;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Extends the image's own environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  /** False leaves only the container's own loopback. */
  readonly network: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void | Promise<void>;
}
export interface Mount {
  readonly host: string;
  readonly path: string;
  readonly writable: boolean;
  /** Overlay: the container's writes go into this folder. */
  readonly layer?: string;
}

export interface TestPorts {
  readonly programs: Programs;
  readonly archives: Archives;
  /** Null on a worker without a Docker engine. */
  readonly containers: ImageContainers | null;
}
