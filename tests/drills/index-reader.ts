import { setTimeout as pause } from 'node:timers/promises';
import { listedIn } from '../activities/index/an-index.js';

/** Reads the pages of projects again and again while work is under way. Throws if a page is invalid, names an absent
 * file, or loses a listing. */
export function watchPages(root: string, projects: readonly string[], platform?: string) {
  const most = new Map<string, number>();
  let polls = 0;
  const look = (): void => {
    for (const project of projects) {
      const count = listedIn(root, project, platform).length;
      if (count < (most.get(project) ?? 0)) throw new Error(`${project} lost a listing`);
      most.set(project, count);
    }
    polls += 1;
  };
  return {
    get polls() {
      return polls;
    },
    async during<T>(work: Promise<T>): Promise<T> {
      let over = false;
      const done = work.finally(() => (over = true));
      done.catch(() => undefined);
      while (!over) {
        look();
        await pause(2); // the writers need the processor too
      }
      look();
      return done;
    },
  };
}
