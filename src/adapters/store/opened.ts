import type { Layout, Pointers, Store } from '../../activities/ports.js';

/** All that a store of either kind offers. */
export type OpenStore = Store & {
  readonly pointers: Pointers;
  /** Returns one sentence about what a request waits for. Null while the store answers. */
  readonly waitsFor: () => string | null;
  /** Returns the layout of a release. */
  readonly layout: (release: string) => Layout;
};
