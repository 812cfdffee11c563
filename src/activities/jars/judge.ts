import { classify } from '../../model/classify.js';
import type { Problem } from '../../model/failure.js';
import { attachedTwice, jarEmpty, mavenFailed, mavenUnreachable, pomVersionDiffers } from './errors.js';
import { coordinate } from './layout.js';
import type { Coordinates } from './layout.js';

export interface BuiltFile {
  readonly name: string;
  readonly coordinates: Coordinates;
  /** For a main JAR: whether a class is in it. Null where nobody looked. */
  readonly holdsClasses: boolean | null;
}
/** A folder with a POM. */
export interface Module {
  /** Relative to the source tree. */
  readonly folder: string;
  readonly artifactId: string | null;
  readonly hasSources: boolean;
}

/** All that is wrong with what was built, at once. */
export function judgeJars(
  files: readonly BuiltFile[],
  modules: readonly Module[],
  release: string,
): readonly Problem[] {
  const strangers = new Map(
    files
      .filter(({ coordinates }) => coordinates.version !== release)
      .map(({ coordinates }) => [coordinate(coordinates), coordinates.version] as const),
  );
  const empty = files.flatMap((file) => {
    const module = modules.find(({ artifactId }) => artifactId === file.coordinates.artifactId);
    return file.holdsClasses === false && module?.hasSources ? [jarEmpty(file.name, module.folder || '.')] : [];
  });
  return [...[...strangers].map(([name, version]) => pomVersionDiffers(name, version, release)), ...empty];
}

const TWICE = /duplicated artifacts attached|already (been )?attached/i;

/** Why Maven failed, from its last lines. */
export function judgeMaven(code: number, lines: readonly string[]): Problem {
  const evidence = errorLines(lines);
  const goal = failedGoal(lines) ?? 'the build';
  if (evidence.some((line) => TWICE.test(line))) return attachedTwice(evidence);
  const { sign } = classify({ of: 'command', words: evidence.join('\n') });
  return sign === 'network' || sign === 'no such host'
    ? mavenUnreachable(goal, evidence)
    : mavenFailed(goal, code, evidence);
}

/** The lines in which Maven says what went wrong, without its advice how to ask it again. */
export function errorLines(lines: readonly string[]): readonly string[] {
  const errors = lines.filter(
    (line) => /^\[(ERROR|FATAL)\]/.test(line) && !ADVICE.test(line) && line.trim() !== '[ERROR]',
  );
  return (errors.length > 0 ? errors : lines).slice(-20);
}
const ADVICE =
  /To see the full stack trace|Re-run Maven|For more information about the errors|\[Help \d+\] http|After correcting the problems|mvn <args> -rf/;

/** `Failed to execute goal g:a:v:goal (id) on project …` */
export const failedGoal = (lines: readonly string[]): string | null =>
  lines.map((line) => /Failed to execute goal (\S+)/.exec(line)?.[1]).find((found) => found !== undefined) ?? null;
