import { counted } from '../../../model/counted.js';
import { placed } from '../../../model/failure.js';
import type { Finding } from '../../../model/finding.js';
import type { LeftOut } from './chosen.js';
import type { Kept } from './environment-files.js';
import type { Environment } from './environment.js';
import type { Jobs } from './jobs.js';
import type { Rules } from './rules.js';
import { variablesAsText } from './variables-as-text.js';

/** Choices of the rules of an environment, with their notices. */
export interface Chosen {
  readonly rules: Rules | null;
  readonly jobs: Jobs;
}

/** Notices of an environment for people.
 * @param file path of spack.yaml
 * @param left specs that are not built
 * @param chosen absent: its rules choose nothing */
export const noticesOf = (
  file: string,
  environment: Environment,
  { notCompared, idle }: Pick<Kept, 'notCompared' | 'idle'>,
  left: LeftOut,
  chosen?: Chosen,
): readonly Finding[] => [
  ...environment.ignored.map((key) => keyIgnored(file, key, chosen !== undefined)),
  ...environment.unknown.map(keyUnknown),
  ...(notCompared === null ? [] : [rootsNotCompared(file, notCompared)]),
  ...idle.map((name) => phaseIdle(file, name)),
  ...counts(left.map(({ because }) => because)).map(([because, count]) => leftOut(file, because, count)),
  ...(chosen === undefined ? [] : ofRules(file, chosen)),
];

const ofRules = (file: string, { rules, jobs }: Chosen): readonly Finding[] => [
  ...(rules === null ? [noRules(file)] : variablesAsText(rules, 'Write the value itself.')),
  ...(rules?.dynamic ?? []).map((place) => attributeIgnored(placed(place), 'dynamic-mapping', 0)),
  ...counts([...jobs.values()].flatMap(({ ignored }) => ignored)).map(([key, count]) =>
    attributeIgnored(file, key, count),
  ),
  ...counts([...jobs.values()].flatMap(({ shadowed }) => shadowed.map(placed))).map(shadowedRule),
];

/** Returns how often each text is there, sorted. */
function counts(texts: readonly string[]): readonly (readonly [string, number])[] {
  const found = new Map<string, number>();
  for (const text of texts) found.set(text, (found.get(text) ?? 0) + 1);
  return [...found].sort();
}

/** Keys with rules for jobs. */
const RULES = ['ci', 'gitlab-ci'];

const keyIgnored = (file: string, key: string, hasJobs: boolean): Finding => ({
  ...({ level: 'note', code: 'ENVIRONMENT_KEY_IGNORED', subject: `${file}: ${key}` } as const),
  why:
    hasJobs && RULES.includes(key)
      ? 'only bootstrap, tags, variables and images are read'
      : 'no run reads this key of spack.yaml',
  next: 'docs/environments.md lists the keys that count.',
});

const keyUnknown = (subject: string): Finding => ({
  ...({ level: 'warning', code: 'ENVIRONMENT_KEY_UNKNOWN', subject } as const),
  why: 'neither Spack 1.2 nor Slipway knows this key',
  next: 'Correct the key, or take it away.',
});

const noRules = (file: string): Finding => ({
  ...({ level: 'warning', code: 'ENVIRONMENT_NO_RULES', subject: file } as const),
  why: 'it has neither "ci" nor "gitlab-ci", so jobs have no tags, and each has the first of `runners`',
  next: 'Write rules for jobs into spack.yaml, or `on` in place of `runners`.',
});

const attributeIgnored = (subject: string, key: string, count: number): Finding => ({
  ...({ level: 'note', code: 'JOB_KEY_IGNORED', subject: `${subject}: ${key}` } as const),
  why:
    count === 0
      ? 'no server is asked for attributes of jobs'
      : `no run reads it; ${counted(count, 'spec')} would have it`,
  next: 'docs/environments.md says what to write into the import in its place: setup, images, timeout, retry.',
});

const leftOut = (file: string, because: string, count: number): Finding => ({
  ...({ level: 'note', code: 'SPECS_LEFT_OUT', subject: file } as const),
  why: `${counted(count, 'spec')} of the lock: ${because}`,
  next: 'Type `slipway why NAME` for one of them.',
});

const phaseIdle = (file: string, name: string): Finding => ({
  ...({ level: 'note', code: 'PHASE_IDLE', subject: `${file}: bootstrap: ${name}` } as const),
  why: 'the list has no lock of its own; the lock of the environment has compilers as specs, and needs none',
  next: 'Take the list out of `bootstrap`.',
});

const rootsNotCompared = (file: string, why: string): Finding => ({
  ...({ level: 'warning', code: 'ENVIRONMENT_NOT_COMPARED', subject: file } as const),
  why: `nothing compares its specs with the lock: ${why}`,
  next: 'Concretize the environment after each change of it.',
});

const shadowedRule = ([subject, count]: readonly [string, number]): Finding => ({
  ...({ level: 'note', code: 'MAPPING_SHADOWED', subject } as const),
  why: `it fits ${counted(count, 'spec')} with tags of a rule that is tried before it`,
  next: 'Of `mappings` the first entry from the top counts, of a `submapping` the first one from the bottom.',
});
