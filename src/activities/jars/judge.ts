import { classify } from '../../model/classify.js';
import type { JarContent } from '../../engine/checks/jar-content.js';
import type { Problem } from '../../model/failure.js';
import type { Finding } from '../../model/finding.js';
import type { Params } from '../../model/params.js';
import { attachedTwice, classTooNew, jarEmpty, mavenFailed, mavenUnreachable, pomVersionDiffers } from './errors.js';
import { coordinate, type Coordinates } from './layout.js';

export interface BuiltFile {
  readonly name: string;
  readonly coordinates: Coordinates;
  /** Content of a main JAR; null for every other file. */
  readonly content: JarContent | null;
  /** Class files that need a newer Java than the entry promises, with that Java: 17. */
  readonly tooNew?: readonly { readonly file: string; readonly java: number }[];
}
export interface Module {
  /** Relative to the source tree. */
  readonly folder: string;
  readonly artifactId: string | null;
  readonly hasSources: boolean;
}

/** Judges versions and content of the built files. Returns problems, and findings that the release file accepts. */
export function judgeJars(
  files: readonly BuiltFile[],
  modules: readonly Module[],
  { version, accept, java }: Pick<Params['buildJar'], 'version' | 'accept' | 'java'>,
): { readonly problems: readonly Problem[]; readonly findings: readonly Finding[] } {
  const empty = files.flatMap((file) => {
    const lack = lackOf(file, modules);
    return lack === null ? [] : [{ jar: file.name, problem: jarEmpty(file.name, lack) }];
  });
  const wrong = [...judgeVersions(files, version), ...judgeClasses(files, java)];
  const reason = accept['JAR_EMPTY'];
  if (reason === undefined) return { problems: [...wrong, ...empty.map(({ problem }) => problem)], findings: [] };
  const findings = empty.map(({ jar, problem: { code, message } }): Finding => {
    const why = `${message}. Accepted: ${reason}`;
    return { level: 'note', code, subject: jar, why, next: 'Take `accept` away when it is to hold something.' };
  });
  return { problems: wrong, findings };
}

function judgeVersions(files: readonly BuiltFile[], release: string): readonly Problem[] {
  const strangers = new Map(
    files
      .filter(({ coordinates }) => coordinates.version !== release)
      .map(({ coordinates }) => [coordinate(coordinates), coordinates.version] as const),
  );
  return [...strangers].map(([name, version]) => pomVersionDiffers(name, version, release));
}

const judgeClasses = (files: readonly BuiltFile[], java = 0): readonly Problem[] =>
  files.flatMap(({ name, tooNew: [first, ...more] = [] }) =>
    first === undefined ? [] : [classTooNew(name, first.file, first.java, java, more.length)],
  );

/** Returns what a main JAR lacks, or null. A JAR of resources alone is valid if its module has no sources. */
function lackOf({ content, coordinates }: BuiltFile, modules: readonly Module[]): string | null {
  if (content === null || content === 'classes') return null;
  const module = modules.find(({ artifactId }) => artifactId === coordinates.artifactId);
  if (module?.hasSources) return `no class, and its module ${module.folder || '.'} has sources`;
  return content === 'nothing' ? 'neither a class nor a resource, only META-INF' : null;
}

const TWICE = /duplicated artifacts attached|already (been )?attached/i;

export function judgeMaven(code: number, lines: readonly string[]): Problem {
  const evidence = errorLines(lines);
  const goal = failedGoal(lines) ?? 'the build';
  if (evidence.some((line) => TWICE.test(line))) return attachedTwice(evidence);
  const { sign } = classify({ of: 'command', words: evidence.join('\n') });
  return sign === 'network' || sign === 'no such host'
    ? mavenUnreachable(goal, evidence)
    : mavenFailed(goal, code, evidence);
}

/** Returns Maven's error lines without its advice on reruns. Returns the last lines if there are none. */
export function errorLines(lines: readonly string[]): readonly string[] {
  const errors = lines.filter(
    (line) => /^\[(ERROR|FATAL)\]/.test(line) && !ADVICE.test(line) && line.trim() !== '[ERROR]',
  );
  return (errors.length > 0 ? errors : lines).slice(-20);
}
const ADVICE =
  /To see the full stack trace|Re-run Maven|For more information about the errors|\[Help \d+\] http|After correcting the problems|mvn <args> -rf/;

/** Finds the goal in `Failed to execute goal g:a:v:goal (id) on project …`. */
export const failedGoal = (lines: readonly string[]): string | null =>
  lines.map((line) => /Failed to execute goal (\S+)/.exec(line)?.[1]).find((found) => found !== undefined) ?? null;
