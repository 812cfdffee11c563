import type { Ports } from '../free-ports.js';

/** What a service is made from. */
export interface Context {
  readonly home: string;
  readonly ports: Ports;
  /** Address of Temporal's web page server, behind our proxy. */
  readonly pageHost: string;
  /** Programs of the tools' venv. */
  readonly toolsBin: string;
  readonly packageRoot: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
}
