import type { Layout, Pointers, Store } from '../../activities/ports.js';

/** All that a store of either kind offers. */
export type OpenStore = Store & {
  readonly pointers: Pointers;
  /** What a request waits for just now, in one sentence; null while the store answers. */
  readonly waitsFor: () => string | null;
  /** Of a release by its name. */
  readonly layout: (release: string) => Layout;
};
