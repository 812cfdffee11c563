/** How a step's programs were kept apart from the machine that ran them. The weakest is first. */
export const ISOLATIONS = ['none', 'container', 'sandbox'] as const;
export type Isolation = (typeof ISOLATIONS)[number];

/** The weakest of some levels. Null if there are none. */
export const weakest = (levels: Iterable<Isolation>): Isolation | null => {
  const reached = new Set(levels);
  return ISOLATIONS.find((level) => reached.has(level)) ?? null;
};

/** A program's purpose decides its access.
 * `project`: no network unless the step says `network: true`; what it writes into a cache is gone with the step.
 * `resolve`: the network, since it asks indexes; it may run code of packages, so its cache is private too.
 * `fetch`: the network and the shared caches. It runs no code of a project or package.
 * `line`: a line of a target, an announcement or a message, on control. It has the network and folders that its target names. */
export type Access = 'project' | 'resolve' | 'fetch' | 'line';
