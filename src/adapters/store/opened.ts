import type { Layout, Pointers, Store } from '../../activities/ports.js';

export type OpenStore = Store & {
  readonly pointers: Pointers;
  /** Returns one sentence about what a request waits for. Null while the store answers. */
  readonly waitsFor: () => string | null;
  readonly layout: (release: string) => Layout;
};
