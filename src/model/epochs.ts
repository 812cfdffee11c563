import type { StepId } from './ids.js';

/** Epochs of a release file, by id of a step or by its beginning up to a `/`. */
export type Epochs = Readonly<Record<string, number>>;

/** Whether a name of `epochs` means a step. */
export const isNamedBy = (name: string, id: StepId): boolean =>
  id === name || id.startsWith(name.endsWith('/') ? name : `${name}/`);

/** Returns the epoch of a step: the longest name wins. Undefined without one. */
export function epochFor(id: StepId, epochs: Epochs): number | undefined {
  const names = Object.keys(epochs).filter((name) => isNamedBy(name, id));
  const longest = names.reduce<string | null>((best, name) => (name.length > (best ?? '').length ? name : best), null);
  return longest === null ? undefined : epochs[longest];
}
