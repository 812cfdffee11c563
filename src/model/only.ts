import type { Given } from './plan.js';

/** Ids of the only entries of their sections. Plans and schedules of an earlier version have them among the tests. */
export const onlyOf = ({ only, tests }: Pick<Given, 'only' | 'tests'>): readonly string[] => only ?? tests?.only ?? [];

const sectionOf = (id: string): string => id.slice(0, id.indexOf('/'));

/** Whether `only` names other entries of the section of this one. */
export const isBesides = (only: readonly string[], id: string): boolean =>
  !only.includes(id) && only.some((one) => sectionOf(one) === sectionOf(id));
