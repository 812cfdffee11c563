import type { Interpreters } from '../pythons/ports.js';
import type { ImageEngine } from '../images/ports.js';
import type { Archives } from '../source/ports.js';
import type { ImageContainers, Mount } from '../tests/ports.js';

export interface WheelPorts {
  readonly archives: Archives;
  readonly interpreters: Interpreters;
  /** Null on a worker without a Docker engine. */
  readonly containers: ImageContainers | null;
  /** Absent without a Docker engine for programs that start containers themselves. */
  readonly outside?: OutsideEngine;
}

export interface OutsideEngine {
  address(): string;
  /** Pulls an image if the engine lacks it: a program's own pull has no credential. */
  pullIfMissing: ImageEngine['pullIfMissing'];
  mount(mount: Mount): readonly string[];
  /** Labels for containers of one program. `remove` removes its containers and never rejects. */
  mark(): { readonly labels: Readonly<Record<string, string>>; remove(): Promise<void> };
}
