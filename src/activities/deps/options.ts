import { optionOf } from '../../plan/lock-options.js';

/** Options as arguments: a value stands behind `=`, so that no tool takes it for another option or for a file. */
export const argumentsOf = (options: readonly string[] = []): readonly string[] =>
  options.map((text) => {
    const { name, value } = optionOf(text);
    return value === null ? name : `${name}=${value}`;
  });

/** Our own arguments without those that the options say themselves: most may stand once only. */
export function withoutSaid(own: readonly (readonly string[])[], options: readonly string[] = []): readonly string[] {
  const said = new Set(options.map((text) => optionOf(text).name));
  return own.filter(([name]) => !said.has(name!)).flat();
}

export const says = (options: readonly string[] | undefined, name: string): boolean =>
  (options ?? []).some((text) => optionOf(text).name === name);
