import type { Given } from './plan.js';

/** Ids of the only entries of their sections. Plans and schedules of an earlier version have them among the tests. */
export const onlyOf = ({ only, tests }: Pick<Given, 'only' | 'tests'>): readonly string[] => only ?? tests?.only ?? [];

/** Whether `only` names other entries of the section of this one. */
export const isBesides = (only: readonly string[], id: string): boolean =>
  !only.includes(id) && only.some((one) => one.split('/')[0] === id.split('/')[0]);

/** Says what to type in place of a command that leaves out an entry.
 * @param because why it is left out, as the plan says it */
export function withChosen(left: string, because: string, given: Given): string {
  if (because.startsWith('--only')) return `Type \`--only ${[...onlyOf(given), left].join(',')}\``;
  if (!because.startsWith('--skip')) return `Choose ${left} too`;
  const rest = (given.skip ?? []).filter((id) => id !== left);
  return `Type ${rest.length === 0 ? 'no `--skip`' : `\`--skip ${rest.join(',')}\``}`;
}
