import { optionOf } from '../model/tool-option.js';

/** Returns options as arguments. `--name=value` keeps a tool from reading the value as another option or a file. */
export const argumentsOf = (options: readonly string[] = []): readonly string[] =>
  options.map((text) => {
    const { name, value } = optionOf(text);
    return value === null ? name : `${name}=${value}`;
  });

/** Returns Slipway's arguments without those that the options set: tools refuse most options twice. */
export function withoutSaid(own: readonly (readonly string[])[], options: readonly string[] = []): readonly string[] {
  const said = new Set(options.map((text) => optionOf(text).name));
  return own.filter(([name]) => !said.has(name!)).flat();
}

export const says = (options: readonly string[] | undefined, name: string): boolean =>
  (options ?? []).some((text) => optionOf(text).name === name);
