import type { Problem } from '../model/failure.js';
import type { Axes } from '../model/ids.js';
import type { Env } from '../model/params.js';
import { problems, type Path } from './errors.js';
import type { Facts } from './facts.js';
import type { ReadFile } from './read/release-file.js';
import { shellProblems } from './shell/errors.js';
import { shellText } from './shell/line.js';
import { didYouMean } from './suggest.js';
import { fill, LATE_VARIABLES, type LateVariable } from './text.js';

/** A line for `sh -eu -c`, and the variables of the environment that it reads. */
export interface ShellLine {
  readonly line: string;
  readonly vars: Env;
}

/** Texts of the release file with their placeholders. */
export interface Texts {
  /** Fills `{version}` and the like; what stands for nothing is a problem at `path`. For texts that no shell reads. */
  text(text: string, axes: Axes, path: Path): string;
  /** A shell line whose placeholders are variables, with their values. What a shell would read as text is a problem at `path`.
   * @param late folders of the worker that it may name */
  line(text: string, axes: Axes, path: Path, late?: readonly LateVariable[]): ShellLine;
}

type Words = Readonly<Record<string, string>>;

export function createTexts(
  facts: Facts,
  version: string,
  file: ReadFile,
  complain: (problem: Problem) => void,
): Texts {
  const { commit, branch } = facts.git ?? {};
  const fixed = { version, ...(commit && { commit }), ...(branch && { branch }) };
  const wordsOf = (axes: Axes): Words => ({ ...fixed, ...platformWords(axes, facts), ...axes, ...pythonWords(axes) });
  const tellUnknown = (strange: readonly string[], axes: Axes, path: Path, known: readonly string[]): void => {
    // An unknown platform is a problem already, and all words of platforms would only echo it.
    const isUnknown = 'platform' in axes && !(axes['platform']! in facts.platforms);
    for (const word of strange.filter((one) => !isUnknown || !PLATFORM_WORDS.has(one)))
      complain(problems.unknownText(file.at(path), word, known, didYouMean(word, known)));
  };
  return {
    text: (text, axes, path) => {
      const words = wordsOf(axes);
      const { text: filled, unknown } = fill(text, words);
      tellUnknown(unknown, axes, path, [...Object.keys(words), ...LATE_VARIABLES]);
      return filled;
    },
    line: (text, axes, path, late = LATE_VARIABLES) => {
      const words = wordsOf(axes);
      const { line, vars, unknown, ...faults } = shellText(text, { words, late, axes });
      tellUnknown(unknown, axes, path, [...Object.keys(words), ...late]);
      // To locate a path costs more than all the rest.
      if (faults.misplaced.length > 0 || faults.open !== null)
        for (const problem of shellProblems(faults, file.at(path))) complain(problem);
      return { line, vars };
    },
  };
}

/** `{python.version}`: 3.11; `{python.minor}`: 11. None where the variant is for no Python. */
function pythonWords({ python }: Axes): Words {
  const [, major, minor] = /^cp(\d)(\d+)t?$/.exec(python ?? '') ?? [];
  return major === undefined || minor === undefined
    ? {}
    : { 'python.version': `${major}.${minor}`, 'python.minor': minor };
}

const PLATFORM_WORDS: ReadonlySet<string> = new Set(['native', 'os', 'arch']);

/** `{native}`: a platform's folder in JARs; `{os}` and `{arch}` as its machines say them: linux, aarch64. */
function platformWords(axes: Axes, facts: Facts): Words {
  const platform = facts.platforms[axes['platform'] ?? ''];
  return platform === undefined ? {} : { native: platform.native, os: platform.os, arch: platform.arch };
}
