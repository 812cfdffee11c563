import type { Artifact } from '../../model/artifact.js';
import { isDigest, type Digest, type Hash } from '../../model/digest.js';
import { nameFault } from '../../model/file-name.js';
import { grouped } from '../../model/grouped.js';
import { entryOf, type StepId } from '../../model/ids.js';
import type { RunStatus, StepStatus } from '../../model/messages.js';
import type { Plan, Step } from '../../model/plan.js';
import type { Result } from '../../model/result.js';
import { shown } from '../../model/shown.js';

/** A text, an object of the store, or what attempts printed: the records of their logs, oldest first. */
export type Content = string | { readonly digest: Digest } | { readonly logs: readonly string[] };
export interface ViewFile {
  /** `/` between parts. No part is `.` or `..`. */
  readonly path: string;
  readonly content: Content;
}
export interface RunFacts {
  readonly plan: Plan;
  readonly status: RunStatus;
  readonly results: ReadonlyMap<StepId, Result>;
  readonly logs: ReadonlyMap<StepId, readonly string[]>;
  /** Texts of files on top, by name. */
  readonly settings: Readonly<Record<string, string>>;
}

interface Ran {
  readonly step: Step;
  readonly status: StepStatus | undefined;
  readonly result: Result | undefined;
  readonly atMs: number;
}

/** Returns the files of a run: a folder for each entry by first start, folders of its variants below, and files about the
 * run on top. The same run gives the same files, and each path is safe to create, whatever entries and files are called. */
export function viewOf(facts: RunFacts, hash: Hash): readonly ViewFile[] {
  const { status, settings } = facts;
  const folders = [...foldersOf(ranIn(facts), hash)];
  const files = folders.flatMap(([folder, ran]) => filesOf(folder, ran, facts, hash));
  const failures = folders.flatMap(([folder, { status: one }]) =>
    hasFailed(one) ? [`${folder}/FAILURE | ${firstLine(one!)}\n`] : [],
  );
  const finished = status.verdict && [isoOf(status.endedAt ?? 0), status.verdict.verdict].join(' ');
  return [
    { path: 'STARTED', content: `${isoOf(status.startedAt)}\n` },
    ...(finished ? [{ path: 'FINISHED', content: lines([finished, ...status.verdict!.reasons]) }] : []),
    ...(failures.length > 0 ? [{ path: 'FAILURES', content: failures.join('') }] : []),
    ...Object.entries(settings).map(([path, content]) => ({ path, content })),
    ...files,
  ];
}

const isoOf = (ms: number): string => new Date(ms).toISOString();
const lines = (texts: readonly string[]): string => texts.map((text) => `${shown(text)}\n`).join('');
const hasFailed = (one: StepStatus | undefined): boolean =>
  one !== undefined && (['failed', 'held'].includes(one.state) || one.tolerated === true);
const firstLine = ({ problems: [first] = [], because = 'it failed' }: StepStatus): string =>
  shown(first === undefined ? because : `${first.code}: ${first.message}`);

/** Returns the steps that started, by their first start, then in the order of the plan. */
function ranIn({ plan, status, results, logs }: RunFacts): readonly Ran[] {
  const states = new Map(status.steps.map((one) => [one.id, one]));
  const ran = plan.steps.flatMap((step): Ran[] => {
    const [state, result] = [states.get(step.id), results.get(step.id)];
    const made = result?.made.run === status.run ? Date.parse(result.made.at) - result.made.ms : Infinity;
    const isRan = state?.startedAt !== undefined || result !== undefined || logs.has(step.id);
    return isRan ? [{ step, status: state, result, atMs: state?.startedAt ?? made }] : [];
  });
  return ran.toSorted((a, b) => (a.atMs === b.atMs ? 0 : a.atMs - b.atMs));
}

/** Yields each step with its folder: that of its entry, or one below it for a variant. */
function* foldersOf(ran: readonly Ran[], hash: Hash): Generator<[string, Ran]> {
  const entries = [...grouped(ran, ({ step }) => entryOf(step.id))];
  for (const [at, [entry, steps]] of entries.entries()) {
    const folder = `${numbered(at, entries.length)}__${safe(entry.replace('/', '__'), hash)}`;
    for (const [no, one] of steps.entries()) {
      const axes = Object.entries(one.step.axes).map((pair) => pair.join('='));
      const label = axes.length > 0 ? axes.join(',') : one.step.id.slice(entry.length + 1);
      yield [label === '' ? folder : `${folder}/${numbered(no, steps.length)}__${safe(label, hash)}`, one];
    }
  }
}

const numbered = (at: number, count: number): string => String(at).padStart(Math.max(3, String(count - 1).length), '0');

const LONGEST = 120;
/** Returns a text as a part of a path. A text with other characters, or a long one, ends with digits of its digest. */
function safe(text: string, hash: Hash): string {
  const name = text.replace(/[^A-Za-z0-9._=,+@-]/g, '_').slice(0, LONGEST);
  return name === text ? name : `${name}-${hash(text).slice(7, 15)}`;
}

function filesOf(folder: string, { step, status, result }: Ran, { logs }: RunFacts, hash: Hash): readonly ViewFile[] {
  const log = logs.get(step.id);
  const exit = result?.facts['exitCode'] ?? status?.problems?.[0]?.details?.['exitCode'];
  const failed = hasFailed(status);
  const texts: readonly [string, Content | undefined][] = [
    ['run.log', log && { logs: log }],
    ['settings.yaml', `${JSON.stringify(step.axes)}\n`], // JSON is YAML, and keeps each value a text
    ['exit_code', result || failed ? `${typeof exit === 'number' ? exit : failed ? 1 : 0}\n` : undefined],
    ['FAILURE', failed ? failureText(status!) : undefined],
    ['CANCELLED', status?.state === 'cancelled' ? lines([status.because ?? 'it was cancelled']) : undefined],
  ];
  const kept = named([...(result?.artifacts ?? []), ...keptIn(status)], hash);
  return [...texts, ...kept].flatMap(([name, content]) =>
    content === undefined ? [] : [{ path: `${folder}/${name}`, content }],
  );
}

const failureText = (status: StepStatus): string =>
  lines([firstLine(status), ...(status.problems ?? []).flatMap(({ next, evidence = [] }) => [next, ...evidence])]);

/** Returns what a failed attempt kept. It comes from a worker's message, and may be anything. */
function keptIn(status: StepStatus | undefined): readonly Artifact[] {
  const kept: unknown = status?.problems?.[0]?.details?.['kept'];
  return (Array.isArray(kept) ? (kept as readonly Artifact[]) : []).filter(
    (one) => isDigest(one?.digest) && typeof one.name === 'string',
  );
}

/** Names that the view itself gives. */
const OURS = /^(run\.log|settings\.yaml|exit_code|FAILURE|CANCELLED|\d{3,}__.*)$/;

/** Names what a step kept: each name once, and none of the view's own. An image is in a registry: its file has the digest. */
function* named(kept: readonly Artifact[], hash: Hash): Generator<[string, Content]> {
  const used = new Set<string>();
  for (const { name: said, kind, digest } of kept) {
    const fine = nameFault(said) === null ? said : safe(`_${said}`, hash);
    let name = `${OURS.test(fine) ? 'kept-' : ''}${fine}${kind === 'image' ? '.image' : ''}`;
    while (used.has(name)) name = `again-${name}`;
    used.add(name);
    yield [name, kind === 'image' ? `${digest}\n` : { digest }];
  }
}
