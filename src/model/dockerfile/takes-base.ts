import { readDockerfile, wordsOf } from './read.js';
import { flagsOf } from './stages.js';

/** Returns true if a stage of the Dockerfile begins from the build argument BASE: `ARG BASE` before the first FROM, then
 * `FROM ${BASE}`, or an argument whose default is BASE. */
export function takesBase(text: string): boolean {
  const names = new Set<string>();
  let isBeforeStages = true;
  for (const { name, rest } of readDockerfile(text, true)) {
    if (name === 'ARG' && isBeforeStages) {
      for (const [, argument = '', value = ''] of rest.matchAll(/([A-Za-z_]\w*)(?:=(\S*))?/g))
        if (argument === 'BASE' || uses(value, names)) names.add(argument);
    } else if (name === 'FROM') {
      isBeforeStages = false;
      const words = wordsOf(rest);
      if (uses(words[flagsOf(words).length] ?? '', names)) return true;
    }
  }
  return false;
}

const uses = (word: string, names: ReadonlySet<string>): boolean =>
  [...word.matchAll(/\$\{?([A-Za-z_]\w*)/g)].some(([, name = '']) => names.has(name));
