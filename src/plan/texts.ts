import type { Problem } from '../model/failure.js';
import type { Axes } from '../model/ids.js';
import type { Env } from '../model/params.js';
import { problems, type Path } from './errors.js';
import type { Facts } from './facts.js';
import type { ReadFile } from './read/release-file.js';
import { shellProblems } from './shell/errors.js';
import { shellText } from './shell/line.js';
import { createSettingWords } from './setting-words.js';
import { fill, LATE_VARIABLES, type LateVariable } from './text.js';

/** A line for `sh -eu -c`, and the environment variables that it reads. */
export interface ShellLine {
  readonly line: string;
  readonly vars: Env;
}

export interface Texts {
  /** Fills in `{version}` and the like, for texts that no shell parses. An unknown word is a problem at `path`. */
  text(text: string, axes: Axes, path: Path): string;
  /** Returns a shell line whose placeholders are variables, with their values. A placeholder that the shell would parse
   * is a problem at `path`.
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
  const settings = createSettingWords(file, facts.features, complain);
  const tellUnknown = (strange: readonly string[], axes: Axes, path: Path, known: readonly string[]): void => {
    // An unknown platform is already a problem, and its words would only repeat it.
    const isUnknown = 'platform' in axes && !(axes['platform']! in facts.platforms);
    for (const word of strange.filter((one) => !isUnknown || !PLATFORM_WORDS.has(one)))
      complain(problems.unknownText(file.at(path), word, known));
  };
  return {
    text: (text, axes, path) => {
      const words = wordsOf(axes);
      const { text: filled, unknown } = fill(text, settings.with(words, text, path), settings.first);
      tellUnknown(unknown, axes, path, [...Object.keys(words), ...LATE_VARIABLES]);
      settings.check(filled, text, path);
      return filled;
    },
    line: (text, axes, path, late = LATE_VARIABLES) => {
      const words = wordsOf(axes);
      const all = settings.with(words, text, path, true);
      const { line, vars, unknown, ...faults } = shellText(text, { words: all, late, axes, first: settings.first });
      tellUnknown(unknown, axes, path, [...Object.keys(words), ...late]);
      // Locating a path costs more than all the rest.
      if (faults.misplaced.length > 0 || faults.open !== null)
        for (const problem of shellProblems(faults, file.at(path))) complain(problem);
      return { line, vars };
    },
  };
}

/** `{python.version}` is 3.11, `{python.minor}` is 11. None for a variant without a Python. */
function pythonWords({ python }: Axes): Words {
  const [, major, minor] = /^cp(\d)(\d+)t?$/.exec(python ?? '') ?? [];
  return major === undefined || minor === undefined
    ? {}
    : { 'python.version': `${major}.${minor}`, 'python.minor': minor };
}

const PLATFORM_WORDS: ReadonlySet<string> = new Set(['native', 'os', 'arch']);

/** `{native}` is a platform's folder in JARs. `{os}` and `{arch}` are as its machines report them: linux, aarch64. */
function platformWords(axes: Axes, facts: Facts): Words {
  const platform = facts.platforms[axes['platform'] ?? ''];
  return platform === undefined ? {} : { native: platform.native, os: platform.os, arch: platform.arch };
}
