import type { At, Imported, Setting } from '../../../importers/importer.js';
import type { Complain } from '../../../importers/file-problem.js';
import { byTries, type ByTries, failureText, findings, logCommand, toleratedAs } from '../../../importers/tried.js';
import { counted } from '../../../model/counted.js';
import type { Finding } from '../../../model/finding.js';
import type { Known } from '../schemas/environment.js';
import { concreteSpecs } from './concrete.js';
import { problems } from './errors.js';
import type { Lock, LockedSpec } from './lock.js';
import { isUnderstood, parseSpec } from './spec/parse.js';
import { satisfies } from './spec/relate.js';

/** The decision of `known` and of earlier failures about a spec. */
export type Judged =
  | ByTries
  | {
      readonly verdict: 'left out';
      readonly because: string;
      /** Hash of the spec that is known or failed before. */
      readonly lacks: string;
    };
/** By hash. Absent: the spec is built, and nothing is known of it. */
export type Judgements = ReadonlyMap<string, Judged>;

/** `mast@1.0 /cauu6nz` */
export const subjectOf = ({ name, version, hash }: LockedSpec): string => `${name}@${version} /${hash.slice(0, 7)}`;

export const isBuilt = (one: Judged | undefined): boolean => one === undefined || one.verdict === 'build';

const WORDS = { known: 'is known to fail', 'failed before': 'failed before' } as const;

/** Judges the specs of a lock that have entries. A spec that needs one that is not built is left out.
 * @param names of entries by hash, dependencies first
 * @param known rows of `known` by hash */
export function judgeSpecs(
  lock: Lock,
  names: ReadonlyMap<string, string>,
  tries: Setting['tries'],
  known: ReadonlyMap<string, Known>,
): Judgements {
  const judged = new Map<string, Judged>();
  for (const [hash, name] of names) {
    const own = byTries(`specs/${name}`, tries, known.get(hash) ?? null);
    const lacks = lock.specs.get(hash)!.dependencies.find((one) => !isBuilt(judged.get(one)));
    const said = !isBuilt(own ?? undefined) || lacks === undefined ? own : leftOut(lock.specs.get(lacks)!, judged);
    if (said !== null) judged.set(hash, said);
  }
  return judged;
}

function leftOut(lacks: LockedSpec, judged: Judgements): Judged {
  const theirs = judged.get(lacks.hash)!;
  if (theirs.verdict === 'left out') return theirs;
  const because = `it needs ${subjectOf(lacks)}, which ${WORDS[theirs.verdict as 'known']}`;
  return { verdict: 'left out', because, lacks: lacks.hash };
}

/** Rows of `known` by the hash of each spec that satisfies them, and findings about the rows.
 * @param key place of the environment in the release file
 * @param today rows whose day was before it do not count */
export function knownSpecs(
  lock: Lock,
  rows: readonly Known[],
  { key, at, today }: { readonly key: string; readonly at: At; readonly today: string },
  complain: Complain,
): { readonly known: ReadonlyMap<string, Known>; readonly notices: readonly Finding[] } {
  const specs = rows.length === 0 ? new Map<string, never>() : concreteSpecs(lock);
  const known = new Map<string, Known>();
  const notices = rows.flatMap((row, index) => {
    const pattern = parseSpec(row.spec);
    if (!isUnderstood(pattern)) {
      complain(problems.pattern(at(['known', index, 'spec']), pattern.why));
      return [];
    }
    const meant = [...specs].filter(([, spec]) => satisfies(spec, pattern)).map(([hash]) => hash);
    if (meant.length === 0)
      return [findings.nameUnlisted(row.spec, `${key}.known`, 'no spec of the lock satisfies it')];
    if (row.until < today) return [findings.knownExpired(row.spec, row.until, key)];
    for (const hash of meant) if (!known.has(hash)) known.set(hash, row);
    return [];
  });
  return { known, notices };
}

/** Findings that a plan holds. */
const MOST_TOLD = 100;

/** One finding for each spec that failed before. */
export function failing(
  key: string,
  { specs }: Lock,
  names: ReadonlyMap<string, string>,
  judged: Judgements,
): readonly Finding[] {
  const failed = [...judged].flatMap(([hash, one]) => (one.verdict === 'failed before' ? [{ ...one, hash }] : []));
  return failed.slice(0, MOST_TOLD).map(({ hash, failed: tried }) => {
    const users = [...judged.values()].filter((one) => one.verdict === 'left out' && one.lacks === hash).length;
    const left = users === 0 ? '' : `; left out because of it: ${counted(users, 'spec')}`;
    const log = logCommand(`specs/${names.get(hash)}`, tried);
    const mend = 'Correct its recipe, type `slipway env lock`, and commit both';
    return findings.failedBefore(subjectOf(specs.get(hash)!), `${failureText(tried)}${left}`, log, mend, key);
  });
}

/** Why failures of specs are tolerated, by step. */
export function toleratedIn(names: ReadonlyMap<string, string>, judged: Judgements): Imported['tolerated'] {
  const known = [...judged].flatMap(([hash, one]) => (one.verdict === 'build' ? [[hash, one.known] as const] : []));
  return Object.fromEntries(known.map(([hash, why]) => [`specs/${names.get(hash)}`, toleratedAs(why)]));
}
