import type { Ports } from '../free-ports.js';

export interface Context {
  readonly home: string;
  readonly ports: Ports;
  /** Loopback address of Temporal's web page server, behind nginx. */
  readonly pageHost: string;
  readonly toolsBin: string;
  readonly packageRoot: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
}
