import type { Finding } from '../../model/finding.js';
import { CACHE_STATES, type IndexRefresh, LONGEST_BECAUSE, type RefreshedWheel } from '../../model/index-refresh.js';
import { order } from '../../model/order.js';
import { readWheelSubject } from '../../model/python/wheel-subject.js';
import { cacheWheels, type JudgedRun } from './cache-wheels.js';
import { type Fields, isText, objectIn } from './read-record.js';

/** Returns what a run wanted on each platform, and what became of it. */
export function refreshesOf(run: JudgedRun): ReadonlyMap<string, IndexRefresh> {
  const platforms = new Map<string, RefreshedWheel[]>();
  for (const { wheel, target, state, because } of cacheWheels(run)) {
    const subject = readWheelSubject(`${wheel} ${target}`);
    if (subject === null) continue;
    const { platform, ...wanted } = subject;
    const one = { ...wanted, state, because: because.slice(0, LONGEST_BECAUSE) };
    platforms.set(platform, [...(platforms.get(platform) ?? []), one]);
  }
  const { workflowId, startedAt } = run.status;
  const about = {
    slipway: 1,
    pipeline: run.plan.release.name,
    workflowId,
    at: new Date(startedAt).toISOString(),
  } as const;
  return new Map([...platforms].map(([platform, wheels]) => [platform, { ...about, wheels: wheels.toSorted(byName) }]));
}

const keyOf = ({ project, version, python }: RefreshedWheel): string => `${project} ${version} ${python}`;
const byName = (a: RefreshedWheel, b: RefreshedWheel): number => order(keyOf(a), keyOf(b));

/** Reads `refreshes/PIPELINE.json`. Anyone may have edited the folder, so a damaged record is a finding. */
export function readRefresh(path: string, text: string): IndexRefresh | Finding {
  const record = objectIn(text) ?? {};
  const why = faultOf(record, path);
  return why === null ? (record as unknown as IndexRefresh) : damaged(path, why);
}

/** `encodeURIComponent` throws for a half of a character. */
const HALF = /\p{Surrogate}/u;

function faultOf({ slipway, pipeline, workflowId, at, wheels }: Fields, path: string): string | null {
  if (slipway !== 1 || !isText(pipeline) || !isText(workflowId)) return 'it is truncated, or not ours';
  if (HALF.test(pipeline) || !path.endsWith(`/${encodeURIComponent(pipeline)}.json`))
    return 'it is of another pipeline';
  if (!isText(at) || Number.isNaN(Date.parse(at))) return '"at" is no time';
  return Array.isArray(wheels) && wheels.every(isWheel) ? null : '"wheels" is no list of wheels';
}

function isWheel(value: unknown): boolean {
  const { project, version, python, state, because } = (value ?? {}) as Fields;
  const isKnown = (CACHE_STATES as readonly unknown[]).includes(state);
  return isKnown && [project, version, python, because].every(isText);
}

const damaged = (path: string, why: string): Finding => ({
  level: 'warning',
  code: 'INDEX_REFRESH_DAMAGED',
  subject: path,
  why: `the record of a pipeline's last run is damaged, so the status page is without it: ${why}`,
  next: 'Remove the record. The next run of the pipeline that publishes a wheel writes it again.',
});
