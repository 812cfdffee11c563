import type { Ports } from '../free-ports.js';

export interface Context {
  readonly home: string;
  /** Folder of the home's keys. */
  readonly keys: string;
  readonly ports: Ports;
  readonly toolsBin: string;
  readonly packageRoot: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
}
