import type { OutsideEngine } from '../../activities/wheels/ports.js';
import type { Engines } from './connection.js';
import { mountArguments } from './mounts.js';
import { markOurs } from './ours.js';

/** For programs that create containers themselves; those containers are removed too. */
export const createOutsideEngine = (address: () => string, engines: Engines): OutsideEngine => ({
  address,
  mount: mountArguments,
  mark: () => {
    const { labels, remove } = markOurs();
    return { labels, remove: () => remove(engines) };
  },
});
