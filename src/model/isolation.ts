/** Isolation of a step's programs from their machine, the weakest first. */
export const ISOLATIONS = ['none', 'container', 'sandbox'] as const;
export type Isolation = (typeof ISOLATIONS)[number];

export const weakest = (levels: Iterable<Isolation>): Isolation | null => {
  const reached = new Set(levels);
  return ISOLATIONS.find((level) => reached.has(level)) ?? null;
};

/** Purpose of a program. It decides the program's access.
 * `project`: no network unless the step says `network: true`. Its writes to a cache are discarded with the step.
 * `resolve`: the network, to query indexes. It may run code of packages, so its cache is private too.
 * `fetch`: the network and the shared caches. It runs no code of a project or package.
 * `line`: a line of a target, announcement or notification, on control. It has the network and its target's folders. */
export type Access = 'project' | 'resolve' | 'fetch' | 'line';
